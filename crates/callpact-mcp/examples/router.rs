//! A server inside a program of axum: its tools are under `/mcp`, beside the pages of the program.
//!
//! `cargo run -p callpact-mcp --example router`, then `callpact mcp http://127.0.0.1:8080/mcp`.

use axum::{Router, routing::get};
use callpact::{ToolContext, Toolset, tool, tool::LogLevel};
use callpact_mcp::tool_server;

/// Counts the words of a text
#[tool(read_only)]
fn count_words(text: String, cx: &ToolContext) -> usize {
    cx.log(LogLevel::Debug, "somebody counts words");
    text.split_whitespace().count()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tool(CountWords).build()?;
    let mcp = tool_server!(tools, ToolContext::new()).service();
    let program = Router::new()
        .route("/health", get(|| async { "well" }))
        .nest_service("/mcp", mcp);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, program).await?;
    Ok(())
}
