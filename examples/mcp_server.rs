//! Tools served over the Model Context Protocol, and used by a client in the same program.
//!
//! `cargo run --example mcp_server -p callpact-examples` shows both sides. With `-- --stdio` it is a
//! server for a host to start, such as `callpact mcp -- target/debug/examples/mcp_server --stdio`.

use callpact::{Dialect, Permission, ToolCall, ToolContext, ToolInput, ToolOutput, Toolset, tool};
use callpact_mcp::{
    client::{McpClient, McpConfig},
    server::ToolServer,
};
use serde::Serialize;

#[derive(Serialize, ToolInput, ToolOutput)]
struct Split {
    /// What each of them pays, in cents
    share: u64,
    /// What is left over
    rest: u64,
}

/// Splits an amount between people
#[tool(read_only)]
fn split_bill(
    /// The amount in cents
    cents: u64,
    #[tool_param(min = 1)] people: u64,
) -> Split {
    Split {
        share: cents / people,
        rest: cents % people,
    }
}

/// Sends everybody a reminder of what they owe
#[tool(write)]
fn remind(people: Vec<String>, cx: &ToolContext) -> String {
    for (nth, _) in (1_u32..).zip(&people) {
        // Goes to clients that asked for progress.
        cx.progress(nth, None, None);
    }
    format!("reminded {}", people.join(" and "))
}

fn server() -> Result<ToolServer, Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tool(SplitBill).tool(Remind).build()?;
    // Without a reviewer the server asks nobody. The host should ask, and the annotations help it.
    Ok(ToolServer::new(tools, ToolContext::new())
        .named("house", "1.0.0")
        .with_instructions("Amounts are in cents."))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|argument| argument == "--stdio") {
        return Ok(server()?.serve_stdio().await?);
    }
    let http = server()?.bind(([127, 0, 0, 1], 0).into()).await?;
    let url = format!("http://{}/mcp", http.local_addr()?);
    let stop = http.stopper();
    let serving = tokio::spawn(http.run());

    // A server's annotations are not trusted. Without this line, `split_bill` would count as
    // destructive and a reviewer would be asked.
    let client = McpConfig::url(url)
        .prefix("house_")
        .permission("split_bill", Permission::ReadOnly)
        .open()
        .await?;
    show(&client).await?;
    client.close().await;
    stop.stop();
    Ok(serving.await??)
}

/// A server's tools are ordinary tools.
async fn show(client: &McpClient) -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tools(client.tools()).build()?;
    for spec in tools.spec_list(Dialect::Portable) {
        println!("{} ({}): {}", spec.name, spec.permission, spec.description);
    }
    for (name, arguments) in [
        ("house_split_bill", r#"{"cents": 1000, "people": 3}"#),
        // The client finds this fault before it sends anything.
        ("house_split_bill", r#"{"cents": -5, "people": 0}"#),
        ("house_remind", r#"{"people": ["Ada", "Bob"]}"#),
    ] {
        let call = ToolCall::new("call-1", name, arguments);
        let reply = tools.call(&call, &ToolContext::new()).await?;
        println!("\n{name} {arguments}\n{}", reply.to_model());
    }
    Ok(())
}
