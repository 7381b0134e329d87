use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 1, exclusive_min = 1)]
    age: u8,
}

fn main() {}
