use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(pattern = "^[0-9]+$")]
    age: u8,
}

fn main() {}
