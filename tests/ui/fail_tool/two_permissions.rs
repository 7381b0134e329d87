use callpact::tool;

/// Adds two numbers
#[tool(read_only, write)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
