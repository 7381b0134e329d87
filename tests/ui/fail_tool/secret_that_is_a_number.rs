use callpact::tool;

/// Logs in
#[tool(write, secrets(token, port))]
fn log_in(token: String, port: i64) -> usize {
    token.len() + usize::try_from(port).unwrap_or(0)
}

fn main() {}
