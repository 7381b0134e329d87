use callpact::tool;

/// Adds two numbers
#[tool(name = "sum")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = callpact::Toolset::builder().tool(Add).build();
}
