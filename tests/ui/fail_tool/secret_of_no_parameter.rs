use toolwright::tool;

/// Logs in
#[tool(write, secrets(tokn, cx, password))]
fn log_in(token: String, cx: toolwright::ToolContext) -> usize {
    token.len() + cx.call_id().len()
}

fn main() {}
