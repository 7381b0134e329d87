use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param]
    age: u8,
}

fn main() {}
