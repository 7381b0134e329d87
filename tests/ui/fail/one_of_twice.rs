use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = ["m", "m"])]
    unit: String,
}

fn main() {}
