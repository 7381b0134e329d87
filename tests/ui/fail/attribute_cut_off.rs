use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min =)]
    age: u8,
}

fn main() {}
