use callpact::tool;

/// Some text
#[tool(read_only)]
fn text() -> impl ToString {
    "text"
}

fn main() {}
