use callpact::{Toolset, tool};

/// Adds two numbers
#[tool(read_only)]
fn add_up(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = Toolset::builder().tool(add_up);
}
