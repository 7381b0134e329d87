use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(unique_items)]
    name: String,
}

fn main() {}
