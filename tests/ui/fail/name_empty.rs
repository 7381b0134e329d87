use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(rename = "")]
    kind: String,
}

fn main() {}
