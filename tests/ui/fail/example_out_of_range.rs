use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(max = 10, example = 11)]
    age: u8,
}

fn main() {}
