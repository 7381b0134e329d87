use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(description = 5)]
    age: u8,
}

fn main() {}
