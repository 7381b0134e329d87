use callpact::tool;

/// Echoes
#[tool(read_only)]
fn echo<T: ToString, const N: usize>(value: T, other: [u8; N]) -> String {
    format!("{} {}", value.to_string(), other.len())
}

fn main() {}
