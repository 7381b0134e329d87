use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(example = "ten")]
    age: u8,
}

fn main() {}
