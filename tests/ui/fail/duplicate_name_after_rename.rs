use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    path: String,
    #[tool_param(rename = "path")]
    file: String,
}

fn main() {}
