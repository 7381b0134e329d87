use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(unique_items, default = ["a", "a"])]
    tags: Vec<String>,
}

fn main() {}
