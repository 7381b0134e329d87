//! Makes calls at a server over HTTP for a time, while other client processes are killed in the middle of theirs, and
//! counts the answers that are lost or wrong. `soak MINUTES CONCURRENCY` says how long and how many at once.
//!
//! Half of the clients speak 2025-11-25, the other half 2026-07-28, and each begins anew after 200 calls.

use std::{
    io::Write,
    process::{Command, ExitCode, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
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

type Fault = Box<dyn std::error::Error + Send + Sync>;

/// The calls of a client before it begins anew.
const CALLS: usize = 200;

async fn connect(url: &str, number: usize) -> Result<RunningService<RoleClient, ()>, Fault> {
    let transport = peer::transport(url);
    if number.is_multiple_of(2) {
        return Ok(().serve(transport).await?);
    }
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    Ok(().serve_with_lifecycle(transport, lifecycle).await?)
}

/// Makes a call, and reports whether its answer is right.
async fn call(peer: &Peer<RoleClient>, a: usize) -> Result<bool, Fault> {
    let Value::Object(arguments) = json!({ "a": a, "b": 1 }) else {
        return Ok(false);
    };
    let request = CallToolRequestParams::new("add").with_arguments(arguments);
    let result = peer.call_tool(request).await?;
    let text = result.content.first().and_then(|block| block.as_text());
    let expected = json!({ "sum": a + 1 }).to_string();
    Ok(text.is_some_and(|text| text.text == expected))
}

#[derive(Default)]
struct Counts {
    right: AtomicUsize,
    wrong: AtomicUsize,
    lost: AtomicUsize,
}

/// An honest client, which makes calls until the time is over.
async fn stay(url: Arc<str>, number: usize, until: Instant, counts: Arc<Counts>) {
    let mut a = number * 1_000_000;
    while Instant::now() < until {
        let client = match connect(&url, number).await {
            Ok(client) => client,
            Err(error) => {
                counts.lost.fetch_add(1, Relaxed);
                eprintln!("no connection: {error}");
                continue;
            }
        };
        for _ in 0..CALLS {
            a += 1;
            let count = match call(client.peer(), a).await {
                Ok(true) => &counts.right,
                Ok(false) => &counts.wrong,
                Err(error) => {
                    eprintln!("no answer: {error}");
                    &counts.lost
                }
            };
            count.fetch_add(1, Relaxed);
            if Instant::now() >= until {
                break;
            }
        }
        let _ = client.cancel().await;
    }
}

/// A process that makes calls until it is killed.
async fn until_killed(url: &str) -> Result<(), Fault> {
    let clients = (0..4).map(|number| async move {
        let client = connect(url, number).await?;
        for a in 0.. {
            call(client.peer(), a).await?;
        }
        Ok::<(), Fault>(())
    });
    let clients: Vec<_> = clients.map(Box::pin).collect();
    for ended in join_all(clients).await {
        ended?;
    }
    Ok(())
}

async fn join_all<T>(mut futures: Vec<std::pin::Pin<Box<impl Future<Output = T>>>>) -> Vec<T> {
    let mut done = Vec::new();
    std::future::poll_fn(|cx| {
        futures.retain_mut(|future| match future.as_mut().poll(cx) {
            std::task::Poll::Ready(value) => {
                done.push(value);
                false
            }
            std::task::Poll::Pending => true,
        });
        if futures.is_empty() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
    done
}

/// Starts client processes and kills each within a second; returns how many.
async fn kill_clients(url: &str, until: Instant) -> std::io::Result<usize> {
    let program = std::env::current_exe()?;
    let mut killed = 0;
    while Instant::now() < until {
        let mut child = Command::new(&program)
            .args(["client", url])
            .stderr(Stdio::null())
            .spawn()?;
        tokio::time::sleep(Duration::from_millis(100 + (killed as u64 * 37) % 900)).await;
        child.kill()?;
        child.wait()?;
        killed += 1;
    }
    Ok(killed)
}

#[tokio::main]
async fn main() -> Result<ExitCode, Fault> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [client, url] = &words[..]
        && client == "client"
    {
        until_killed(url).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let minutes: f64 = words.first().map_or(Ok(0.1), |text| text.parse())?;
    let concurrency: usize = words.get(1).map_or(Ok(8), |text| text.parse())?;
    let tools = Toolset::builder().tool(fixture::Add).build()?;
    let server = ToolServer::new(tools, ToolContext::new())
        .with_rate_limit(RateLimit::new(u32::MAX, 1e9))
        .bind("127.0.0.1:0".parse()?)
        .await?;
    let url: Arc<str> = format!("http://{}/mcp", server.local_addr()?).into();
    tokio::spawn(server.run());
    let until = Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let counts = Arc::new(Counts::default());
    let clients: Vec<_> = (0..concurrency)
        .map(|number| tokio::spawn(stay(Arc::clone(&url), number, until, Arc::clone(&counts))))
        .collect();
    let killed = kill_clients(&url, until).await?;
    for client in clients {
        client.await?;
    }
    let [right, wrong, lost] =
        [&counts.right, &counts.wrong, &counts.lost].map(|count| count.load(Relaxed));
    writeln!(
        std::io::stdout(),
        "{right} answers right, {wrong} wrong, {lost} lost, {killed} client processes killed"
    )?;
    Ok(if wrong + lost == 0 && right > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
