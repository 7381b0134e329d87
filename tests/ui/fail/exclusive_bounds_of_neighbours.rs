use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(exclusive_min = 1, exclusive_max = 2)]
    age: u8,
}

fn main() {}
