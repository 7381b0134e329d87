use callpact::ToolInput;

#[derive(ToolInput)]
enum Mode {
    #[tool_param(skip)]
    Fast,
}

fn main() {}
