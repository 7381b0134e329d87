use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min_length = 5, max_length = 3)]
    name: String,
}

fn main() {}
