use callpact::tool;

/// Adds two numbers
#[tool(read_only)]
fn add((a, b): (i64, i64), _: bool, ref c: i64) -> i64 {
    a + b + c
}

fn main() {}
