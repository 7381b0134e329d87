use callpact::tool;

/// Logs in
#[tool(write, secrets(tokn, cx, password))]
fn log_in(token: String, cx: callpact::ToolContext) -> usize {
    token.len() + cx.call_id().len()
}

fn main() {}
