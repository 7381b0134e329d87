use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(required = "yes")]
    name: String,
}

fn main() {}
