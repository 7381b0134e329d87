use callpact::tool;

#[tool]
fn add(#[tool_param(min = 2, max = 1)] a: i64, b: &str) -> i64 {
    a + b.len() as i64
}

fn main() {}
