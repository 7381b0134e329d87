use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 5, max = 3)]
    age: u8,
}

fn main() {}
