use callpact::tool;

/// Runs a query
#[tool(read_only, text, lark = "start: WORD", regex = "[a-z]+")]
fn query(input: String) -> String {
    input
}

fn main() {}
