use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(unknown = "warn")]
struct Args {
    age: u8,
}

fn main() {}
