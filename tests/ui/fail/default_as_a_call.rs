use toolwright::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = String::new())]
    name: String,
}

fn main() {}
