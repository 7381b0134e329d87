use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(pattern = "\\p{L}")]
    code: String,
}

fn main() {}
