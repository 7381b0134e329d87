use callpact::tool;

/// Adds two numbers
#[tool(read_only, name = "math.add")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two numbers
#[tool(read_only)]
fn größe() {}

fn main() {}
