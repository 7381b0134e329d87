use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 300)]
    age: u8,
}

fn main() {}
