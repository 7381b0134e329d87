//! A server that asks the users of its clients: for `scripts/mcp_asking.py`.
//!
//! `asking` serves over stdio, `asking ADDRESS` over HTTP. A client that cannot be asked gets the id of a call that
//! waits.

use std::{io::Write, sync::Arc};

use toolwright::{
    AgentTool, Permission, ReviewDecision, ReviewRequest, ToolContext, ToolResult, Toolset,
    store::MemoryStore, tool,
};
use toolwright_mcp::server::{AskClients, RateLimit, ToolServer};

/// Pays a bill
#[tool(destructive)]
fn pay(euros: u32) -> String {
    format!("paid {euros} EUR")
}

/// Asks a question in the middle of its work.
struct Ask;

impl AgentTool for Ask {
    fn name(&self) -> &'static str {
        "ask"
    }
    fn description(&self) -> &'static str {
        "Asks a person."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match cx.review(ReviewRequest::new(input)).await {
            Ok(ReviewDecision::Edit(answer)) => ToolResult::success(answer),
            Ok(_) => ToolResult::failure("no answer"),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tool(Pay).tool(Ask).build()?;
    let cx = ToolContext::new().with_store(Arc::new(MemoryStore::new()));
    let server = ToolServer::new(tools, cx)
        .with_rate_limit(RateLimit::new(100_000, 100_000.0))
        .ask_clients(AskClients::new("an example, so that nobody else knows it")?);
    match std::env::args().nth(1) {
        None => server.serve_stdio().await?,
        Some(address) => {
            let server = server.bind(address.parse()?).await?;
            let mut out = std::io::stdout();
            writeln!(out, "http://{}/mcp", server.local_addr()?)?;
            out.flush()?;
            server.run().await?;
        }
    }
    Ok(())
}
