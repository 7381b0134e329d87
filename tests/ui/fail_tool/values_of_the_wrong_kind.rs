use callpact::tool;

/// Adds two numbers
#[tool(write = true, name = add, struct = "Add", secrets = "a", crate = 1)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two numbers
#[tool("adds", read_only)]
fn sum(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
