use callpact::tool;

/// Runs a query
#[tool(read_only, text)]
fn query(input: String, limit: u32) -> String {
    format!("{input} {limit}")
}

fn main() {}
