use callpact::tool;

struct State<T>(T);

/// Counts
#[tool(read_only)]
fn count(state: State<u8>) -> u8 {
    state.0
}

fn main() {}
