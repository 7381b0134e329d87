use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(rename = "Content Type")]
    kind: String,
}

fn main() {}
