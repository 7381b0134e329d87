use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(skip, required)]
    age: u8,
}

fn main() {}
