//! Calls over a network: starts one side, or measures one way to call. `scripts/bench --only workers` runs this
//! in every combination.
//!
//! `workers reply|work|mcp …` serves until it is killed and prints a line when it is ready; `workers call …`
//! prints one measurement as JSON.

use std::{
    env,
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use serde_json::json;
use tokio::task::JoinSet;
use toolwright::{
    DynamicTool, Permission, ToolCall, ToolContext, ToolResult, Toolset, ToolsetBuilder, tool,
};
use toolwright_mcp::{client::McpConfig, server::ToolServer};
use toolwright_nats::{Server, Workers, worker};

type Failure = Box<dyn Error + Send + Sync>;

/// Where the plain responder listens.
const SUBJECT: &str = "bench.add";
const ARGUMENTS: &str = r#"{"a": 40, "b": 2}"#;
/// Calls that are made before the clock starts: connections, caches, the first look for workers.
const WARM_UP: usize = 50;

/// Adds two numbers
#[tool(read_only)]
fn add(a: i64, b: i64) -> i64 {
    a.saturating_add(b)
}

/// Waits five milliseconds, as a tool does that asks another service
#[tool(read_only)]
async fn pause() -> &'static str {
    tokio::time::sleep(Duration::from_millis(5)).await;
    "done"
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["reply", url] => reply(url).await,
        ["work", url, prefix, tools, at_once] => {
            let tools = tools_of(tools.parse()?)?;
            let server = Server::new(*url).prefix(*prefix);
            let worker = worker(tools, ToolContext::new()).connect(server);
            let _serving = worker.max_in_flight(at_once.parse()?).start().await?;
            println!("ready");
            std::future::pending().await
        }
        ["mcp"] => {
            let server = ToolServer::new(tools_of(2)?, ToolContext::new());
            let server = server.bind(([127, 0, 0, 1], 0).into()).await?;
            println!("http://{}/mcp", server.local_addr()?);
            Ok(server.run().await?)
        }
        ["call", way, url, prefix, tool, count, at_once] => {
            let began = Instant::now();
            let caller = Caller::connect(way, url, prefix, tool).await?;
            let connected = began.elapsed();
            let measured = measure(Arc::new(caller), count.parse()?, at_once.parse()?).await?;
            let connect = connected.as_secs_f64();
            println!("{}", json!({"connect": connect, "calls": measured}));
            Ok(())
        }
        _ => Err("workers reply URL | work URL PREFIX TOOLS AT_ONCE | mcp | \
                  call nats|workers|mcp|local URL PREFIX TOOL COUNT AT_ONCE"
            .into()),
    }
}

/// A list of so many tools, the two that are called among them.
fn tools_of(count: usize) -> Result<Toolset, Failure> {
    let mut tools: ToolsetBuilder = Toolset::builder().tool(Add).tool(Pause);
    for number in 2..count {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Path of the file"},
                "lines": {"type": "integer", "minimum": 1, "description": "How many lines"},
            },
            "required": ["path"],
        })
        .to_string();
        let name = format!("tool_{number}");
        let run = |_, _| async { ToolResult::success("done") };
        let tool = DynamicTool::new(name, "Reads the first lines of a file", Some(&schema), run)?;
        tools = tools.tool(tool.with_permission(Permission::ReadOnly));
    }
    Ok(tools.build()?)
}

/// Answers requests with a sum, without a library of tools.
async fn reply(url: &str) -> Result<(), Failure> {
    let client = async_nats::connect(url).await?;
    let mut requests = client.subscribe(SUBJECT).await?;
    client.flush().await?;
    println!("ready");
    while let Some(request) = requests.next().await {
        let numbers: serde_json::Value = serde_json::from_slice(&request.payload)?;
        let sum = numbers["a"].as_i64().unwrap_or(0) + numbers["b"].as_i64().unwrap_or(0);
        if let Some(reply) = request.reply {
            client.publish(reply, sum.to_string().into()).await?;
        }
    }
    Ok(())
}

/// One way to have a tool run.
enum Caller {
    Nats(async_nats::Client),
    Tools(Toolset, String),
}

impl Caller {
    async fn connect(way: &str, url: &str, prefix: &str, tool: &str) -> Result<Self, Failure> {
        let tools = match way {
            "nats" => return Ok(Self::Nats(async_nats::connect(url).await?)),
            "workers" => {
                let workers = Workers::connect(Server::new(url).prefix(prefix)).await?;
                Toolset::builder().tools(workers.tools()).build()?
            }
            "mcp" => {
                let config = McpConfig::url(url).permission(tool, Permission::ReadOnly);
                Toolset::builder()
                    .tools(config.open().await?.tools())
                    .build()?
            }
            "local" => tools_of(2)?,
            _ => return Err(format!("no way is called '{way}'").into()),
        };
        Ok(Self::Tools(tools, tool.to_owned()))
    }

    async fn call(&self, number: usize) -> Result<(), Failure> {
        let (answer, expected) = match self {
            Self::Nats(client) => {
                let answer = client.request(SUBJECT, ARGUMENTS.into()).await?;
                (String::from_utf8(answer.payload.to_vec())?, "42")
            }
            Self::Tools(tools, tool) => {
                let (arguments, expected) = match tool.as_str() {
                    "add" => (ARGUMENTS, "42"),
                    _ => ("{}", "done"),
                };
                let call = ToolCall::new(number.to_string(), tool, arguments);
                let reply = tools.call(&call, &ToolContext::new()).await?;
                (reply.to_model().into_owned(), expected)
            }
        };
        if answer == expected {
            Ok(())
        } else {
            Err(format!("expected {expected}, found {answer}").into())
        }
    }
}

/// Makes calls, so many at the same time, and says how long they took, in seconds.
async fn measure(
    caller: Arc<Caller>,
    count: usize,
    at_once: usize,
) -> Result<serde_json::Value, Failure> {
    for number in 0..WARM_UP {
        caller.call(number).await?;
    }
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..at_once {
        let (caller, next) = (Arc::clone(&caller), Arc::clone(&next));
        callers.spawn(async move {
            let mut times = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok::<_, Failure>(times);
                }
                let began = Instant::now();
                caller.call(WARM_UP + number).await?;
                times.push(began.elapsed().as_secs_f64());
            }
        });
    }
    let mut times = Vec::with_capacity(count);
    while let Some(ended) = callers.join_next().await {
        times.extend(ended??);
    }
    let whole = began.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get(count.saturating_sub(1) * share / 100);
    Ok(json!({
        "count": count,
        "seconds": whole,
        "least": at(0),
        "median": at(50),
        "p99": at(99),
    }))
}
