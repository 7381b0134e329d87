use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = [])]
    unit: String,
}

fn main() {}
