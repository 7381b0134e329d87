use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = ["m", "km"], default = "mile")]
    unit: String,
}

fn main() {}
