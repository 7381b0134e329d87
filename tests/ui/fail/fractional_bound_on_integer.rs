use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 0.5)]
    age: u8,
}

fn main() {}
