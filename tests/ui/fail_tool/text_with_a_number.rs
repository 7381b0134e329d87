use callpact::tool;

/// Runs a query
#[tool(read_only, text)]
fn query(input: u32) -> String {
    input.to_string()
}

fn main() {}
