use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(max = 10, default = 11)]
    age: u8,
}

fn main() {}
