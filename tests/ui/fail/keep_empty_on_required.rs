use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(required, keep_empty)]
    name: String,
}

fn main() {}
