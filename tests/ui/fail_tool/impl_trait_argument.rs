use callpact::tool;

/// Echoes
#[tool(read_only)]
fn echo(value: impl ToString) -> String {
    value.to_string()
}

fn main() {}
