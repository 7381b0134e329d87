use callpact::ToolInput;

#[derive(ToolInput)]
enum Mode {
    Fast,
    Slow,
}

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = "fast")]
    mode: Mode,
}

fn main() {}
