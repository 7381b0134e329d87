use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_param(description = "x")]
struct Args {
    age: u8,
}

fn main() {}
