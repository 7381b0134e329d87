//! Makes 1,000 calls at concurrency 8 over HTTP, in both revisions of the protocol, and prints the
//! throughput and the slowest calls. `load CALLS CONCURRENCY` sets other numbers.

use std::{
    io::Write,
    process::ExitCode,
    time::{Duration, Instant},
};

use callpact::{ToolContext, Toolset};
use callpact_mcp::server::{RateLimit, ToolServer};
use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt, Peer, RunningService},
};
use serde_json::{Value, json};

// The tools of the tests.
#[allow(dead_code)]
#[path = "../tests/mcp/fixture.rs"]
mod fixture;
#[path = "../tests/mcp/peer.rs"]
mod peer;

/// Makes one call, and returns its time if the answer was right.
async fn call(peer: &Peer<RoleClient>, a: usize) -> Option<Duration> {
    let start = Instant::now();
    let Value::Object(arguments) = json!({ "a": a, "b": 1 }) else {
        return None;
    };
    let request = CallToolRequestParams::new("add").with_arguments(arguments);
    let result = peer.call_tool(request).await.ok()?;
    let text = &result.content.first()?.as_text()?.text;
    let expected = json!({ "sum": a + 1 }).to_string();
    (*text == expected).then(|| start.elapsed())
}

/// Makes the calls, prints their times, and returns the number of failures.
async fn load(
    name: &str,
    client: RunningService<RoleClient, ()>,
    calls: usize,
    concurrency: usize,
) -> std::io::Result<usize> {
    let start = Instant::now();
    let workers = (0..concurrency).map(|worker| {
        let peer = client.peer().clone();
        tokio::spawn(async move {
            let mut took = Vec::new();
            for a in (worker..calls).step_by(concurrency) {
                took.extend(call(&peer, a).await);
            }
            took
        })
    });
    let workers: Vec<_> = workers.collect();
    let mut took = Vec::new();
    for worker in workers {
        took.extend(worker.await.unwrap_or_default());
    }
    let whole = start.elapsed();
    took.sort_unstable();
    let errors = calls - took.len();
    let at =
        |percent: usize| took.get((took.len() * percent / 100).min(took.len().saturating_sub(1)));
    let millis = |percent| at(percent).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    #[allow(clippy::cast_precision_loss)]
    let rate = took.len() as f64 / whole.as_secs_f64();
    writeln!(
        std::io::stdout(),
        "{name}: {calls} calls at concurrency {concurrency}, {errors} errors, {rate:.0} calls/s, p50 {:.1} ms, p99 {:.1} ms",
        millis(50),
        millis(99),
    )?;
    Ok(errors)
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let calls = arguments.next().map_or(Ok(1_000), |text| text.parse())?;
    let concurrency = arguments.next().map_or(Ok(8), |text| text.parse())?;
    let tools = Toolset::builder().tool(fixture::Add).build()?;
    let server = ToolServer::new(tools, ToolContext::new())
        .with_rate_limit(RateLimit::new(u32::MAX, 1e9))
        .bind("127.0.0.1:0".parse()?)
        .await?;
    let url = format!("http://{}/mcp", server.local_addr()?);
    tokio::spawn(server.run());
    let connect = || peer::transport(&url);
    let old = ().serve(connect()).await?;
    let mut errors = load("2025-11-25", old, calls, concurrency).await?;
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let new = ().serve_with_lifecycle(connect(), lifecycle).await?;
    errors += load("2026-07-28", new, calls, concurrency).await?;
    Ok(if errors == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
