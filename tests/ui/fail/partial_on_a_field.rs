use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(partial)]
    name: String,
}

fn main() {}
