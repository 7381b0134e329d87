use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(pattern = "[")]
    code: String,
}

fn main() {}
