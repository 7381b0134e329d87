use callpact::tool;

/// Adds two numbers
#[tool(read_only)]
fn add(a: i64, #[cfg(unix)] b: i64) -> i64 {
    a + b
}

fn main() {}
