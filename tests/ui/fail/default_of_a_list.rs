use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(max_items = 1, default = ["a", "b"])]
    tags: Vec<String>,
}

fn main() {}
