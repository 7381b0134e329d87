use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = "x")]
    age: u8,
}

fn main() {}
