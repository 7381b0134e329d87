use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = ["m", 1])]
    unit: String,
}

fn main() {}
