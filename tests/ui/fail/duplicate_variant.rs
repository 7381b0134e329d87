use callpact::ToolInput;

#[derive(ToolInput)]
enum Mode {
    Fast,
    #[tool_param(rename = "Fast")]
    Quick,
}

fn main() {}
