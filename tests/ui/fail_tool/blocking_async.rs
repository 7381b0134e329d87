use callpact::tool;

/// Waits
#[tool(read_only, blocking)]
async fn wait() -> String {
    String::new()
}

fn main() {}
