use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(multiple_of = 0)]
    step: u32,
}

fn main() {}
