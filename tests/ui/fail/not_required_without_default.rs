use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(required = false)]
    age: u8,
}

fn main() {}
