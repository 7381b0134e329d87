//! A tool for every host that speaks the Model Context Protocol.

use callpact::{ToolContext, Toolset, tool};
use callpact_mcp::server::ToolServer;

/// Adds two numbers
#[tool(read_only)]
fn add(
    /// The first number
    a: i64,
    /// The second number
    #[tool_param(min = 0)]
    b: i64,
) -> Result<i64, &'static str> {
    a.checked_add(b).ok_or("the sum is too large")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tool(Add).build()?;
    ToolServer::new(tools, ToolContext::new())
        .serve_stdio()
        .await?;
    Ok(())
}
