use callpact::ToolInput;

const MOST: u8 = 9;

#[derive(ToolInput)]
struct Args {
    #[tool_param(max = u128::MAX)]
    age: u128,
    #[tool_param(max = MOST)]
    level: u8,
    #[tool_param(min = -340282366920938463463374607431768211455)]
    far: i64,
    #[tool_param(max = 1e999)]
    size: f64,
    #[tool_param(max_length = 4 * 8)]
    name: String,
}

fn main() {}
