use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(pattern = "(?=a)b")]
    code: String,
}

fn main() {}
