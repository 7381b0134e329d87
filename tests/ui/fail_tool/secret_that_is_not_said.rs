use toolwright::tool;

/// Logs in
#[tool(write)]
fn log_in(#[tool_param(secret)] token: String) -> usize {
    token.len()
}

fn main() {}
