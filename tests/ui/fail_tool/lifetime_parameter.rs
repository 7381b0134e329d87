use callpact::tool;

/// Echoes
#[tool(read_only)]
fn echo<'a>(value: &'a str) -> &'a str {
    value
}

fn main() {}
