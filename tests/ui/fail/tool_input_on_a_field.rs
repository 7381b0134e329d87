use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_input(description = "x")]
    age: u8,
}

fn main() {}
