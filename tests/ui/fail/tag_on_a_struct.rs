use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(tag = "type")]
struct Args {
    age: u8,
}

fn main() {}
