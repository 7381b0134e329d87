use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 1)]
    name: String,
}

fn main() {}
