use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(multiple_of = 5, default = 7)]
    step: u32,
}

fn main() {}
