use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 1, min = 2)]
    age: u8,
}

fn main() {}
