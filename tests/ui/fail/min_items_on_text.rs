use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min_items = 1)]
    name: String,
}

fn main() {}
