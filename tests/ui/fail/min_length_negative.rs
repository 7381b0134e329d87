use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min_length = -1)]
    name: String,
}

fn main() {}
