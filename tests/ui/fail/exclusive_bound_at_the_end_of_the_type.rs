use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(exclusive_min = 255)]
    age: u8,
}

fn main() {}
