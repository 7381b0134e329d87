//! What answers calls. Each says one line when it is there, and runs until its process ends.

use std::{io::Write, net::Ipv4Addr, time::Duration};

use callpact::{DynamicTool, ToolContext, ToolResult, Toolset, tool};
use callpact_mcp::server::{RateLimit, ToolServer};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::Done;

/// Where plain NATS requests go.
pub(crate) const SUBJECT: &str = "bench.add";

/// Adds two numbers
#[tool(read_only)]
fn add(a: i64, b: i64) -> i64 {
    a.saturating_add(b)
}

/// Takes five milliseconds
#[tool(read_only)]
async fn rest(a: i64, b: i64) -> i64 {
    tokio::time::sleep(Duration::from_millis(5)).await;
    a.saturating_add(b)
}

/// `add` and `rest`, behind as many others as the list needs to have `count` tools at least.
pub(crate) fn tools(count: usize) -> Done<Toolset> {
    const SCHEMA: &str = r#"{"type":"object","properties":{"city":{"type":"string","description":"The city, with its country"},"days":{"type":"integer","minimum":1,"maximum":14}},"required":["city"]}"#;
    let mut others = Vec::new();
    for number in 2..count {
        let name = format!("weather_{number}");
        let says = "Says what the weather of a city will be, day by day.";
        let run = |_: Value, _: ToolContext| async { ToolResult::success("rain") };
        others.push(DynamicTool::new(name, says, Some(SCHEMA), run)?);
    }
    let builder = Toolset::builder().tools(others);
    Ok(builder.tool(Add).tool(Rest).build()?)
}

pub(crate) async fn worker(url: &str, toolset: &str, in_flight: usize, count: usize) -> Done {
    let worker = callpact_nats::worker(tools(count)?, ToolContext::new()).connect(url);
    let serving = worker.toolset(toolset).max_in_flight(in_flight).start();
    let serving = serving.await?;
    say(serving.id())?;
    std::future::pending().await
}

/// A subscription and an answer, as somebody writes them who needs nothing else.
pub(crate) async fn plain(url: &str) -> Done {
    let client = async_nats::connect(url).await?;
    let mut requests = client.subscribe(SUBJECT).await?;
    client.flush().await?;
    say("plain")?;
    while let Some(request) = requests.next().await {
        let numbers: Value = serde_json::from_slice(&request.payload)?;
        let sum = numbers["a"].as_i64().zip(numbers["b"].as_i64());
        let (a, b) = sum.ok_or("two numbers")?;
        let sum = json!(a.saturating_add(b)).to_string();
        if let Some(reply) = request.reply {
            client.publish(reply, sum.into()).await?;
        }
    }
    Ok(())
}

pub(crate) async fn mcp() -> Done {
    let server = ToolServer::new(tools(1)?, ToolContext::new())
        .with_rate_limit(RateLimit::new(u32::MAX, 1e9))
        .bind((Ipv4Addr::LOCALHOST, 0).into())
        .await?;
    say(&format!("http://{}/mcp", server.local_addr()?))?;
    Ok(server.run().await?)
}

fn say(line: &str) -> Done {
    let mut out = std::io::stdout();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}
