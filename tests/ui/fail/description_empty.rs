use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(description = " ")]
    age: u8,
}

fn main() {}
