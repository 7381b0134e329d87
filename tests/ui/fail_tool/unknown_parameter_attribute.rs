use callpact::tool;

/// Adds two numbers
#[tool(read_only)]
fn add(#[tool_param(minimum = 1)] a: i64, #[tool_parm(min = 1)] b: i64, #[validate(email)] c: i64) -> i64 {
    a + b + c
}

fn main() {}
