use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(exclusive_min = 1.0, exclusive_max = 1.0)]
    ratio: f64,
}

fn main() {}
