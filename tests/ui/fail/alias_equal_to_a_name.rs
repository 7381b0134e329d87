use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    path: String,
    #[tool_param(alias = "path")]
    file: String,
}

fn main() {}
