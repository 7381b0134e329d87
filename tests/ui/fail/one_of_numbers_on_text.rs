use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = [1, 2])]
    unit: String,
}

fn main() {}
