use callpact::tool;

/// Logs in
#[tool(write, secrets(token.value))]
fn log_in(token: String) -> usize {
    token.len()
}

fn main() {}
