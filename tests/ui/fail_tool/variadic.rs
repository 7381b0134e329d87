use callpact::tool;

/// Adds numbers
#[tool(read_only)]
unsafe extern "C" fn add(a: i64, ...) -> i64 {
    a
}

fn main() {}
