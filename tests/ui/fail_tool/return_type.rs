use callpact::tool;

/// Some bytes
#[tool(read_only)]
fn bytes() -> Vec<u8> {
    Vec::new()
}

fn main() {}
