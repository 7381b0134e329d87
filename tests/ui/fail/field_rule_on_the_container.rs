use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(min = 1)]
struct Args {
    age: u8,
}

fn main() {}
