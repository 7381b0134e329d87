use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(flatten)]
    age: u8,
}

fn main() {}
