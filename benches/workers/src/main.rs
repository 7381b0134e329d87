//! What a call over a worker costs, for `scripts/bench --only workers`.
//!
//! `bench-workers NATS_SERVER` is the host. It starts a NATS server and, as processes of their own, everything
//! that answers calls; all of them end with it. It prints the figures as JSON.

mod processes;
mod serve;
mod timing;

use std::{error::Error, path::Path, time::Duration};

use callpact::{Permission, Toolset};
use callpact_mcp::client::McpConfig;
use callpact_nats::WorkersConfig;
use serde_json::{Map, Value, json};

use crate::{
    processes::{Answerer, Nats},
    timing::{Best, Caller, Plain, Tools},
};

type Done<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// Every figure is the best of so many rounds, so that a busy minute does not decide.
const ROUNDS: usize = 3;

/// How many calls are made at the same time where the throughput is measured.
const AT_ONCE: usize = 64;

/// How many calls a worker runs at the same time: few, and as many as it does without being told.
const IN_FLIGHT: [usize; 2] = [4, 16];

/// How many tools the list of a worker has.
const LISTS: [usize; 4] = [10, 100, 1_000, 10_000];

#[tokio::main]
async fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words {
        ["worker", url, toolset, in_flight, tools] => {
            serve::worker(url, toolset, in_flight.parse()?, tools.parse()?).await
        }
        ["plain", url] => serve::plain(url).await,
        ["mcp"] => serve::mcp().await,
        [server] => {
            println!("{}", measure(Path::new(server)).await?);
            Ok(())
        }
        _ => Err("bench-workers NATS_SERVER".into()),
    }
}

async fn measure(program: &Path) -> Done<Value> {
    let nats = Nats::start(program).await?;
    let url = nats.url();
    Ok(json!({
        "server": Nats::version(program)?,
        "ways": measure_ways(&url).await?,
        "workers": measure_workers(&url).await?,
        "lists": measure_lists(&url).await?,
    }))
}

/// The same call in the process, over plain NATS, over MCP and over a worker.
async fn measure_ways(url: &str) -> Done<Value> {
    let _plain = Answerer::start(&["plain", url])?;
    let mcp = Answerer::start(&["mcp"])?;
    let _worker = Answerer::start(&["worker", url, "ways", "16", "1"])?;
    let client = McpConfig::url(&mcp.said)
        .permission("add", Permission::ReadOnly)
        .open()
        .await?;
    let callers: [(&str, Caller); 4] = [
        ("process", Tools::add(serve::tools(1)?).into()),
        ("plain", Plain(async_nats::connect(url).await?).into()),
        (
            "mcp",
            Tools::add(Toolset::builder().tools(client.tools()).build()?).into(),
        ),
        ("worker", Tools::add(connect(url, "ways").await?).into()),
    ];
    let mut best = vec![Best::default(); callers.len()];
    for _ in 0..ROUNDS {
        for ((_, caller), best) in callers.iter().zip(&mut best) {
            best.add_times(caller).await?;
            best.add_rate(caller, AT_ONCE).await?;
        }
    }
    client.close().await;
    let named = callers.iter().zip(best);
    Ok(named
        .map(|((name, _), best)| ((*name).to_owned(), best.to_json()))
        .collect::<Map<_, _>>()
        .into())
}

/// Calls a second of a tool that takes five milliseconds, by one, two and three workers.
async fn measure_workers(url: &str) -> Done<Value> {
    let mut found = Map::new();
    for in_flight in IN_FLIGHT {
        let toolset = format!("workers-{in_flight}");
        let mut best = vec![Best::default(); 3];
        for _ in 0..ROUNDS {
            let mut workers = Vec::new();
            for best in &mut best {
                workers.push(Answerer::start(&[
                    "worker",
                    url,
                    &toolset,
                    &in_flight.to_string(),
                    "1",
                ])?);
                let caller = Tools::rest(connect(url, &toolset).await?).into();
                best.add_rate(&caller, AT_ONCE).await?;
            }
        }
        let rates = best.iter().map(|best| json!(best.rate)).collect();
        found.insert(in_flight.to_string(), rates);
    }
    Ok(found.into())
}

/// A call, and how long the host takes to have the list, for lists of more and more tools.
async fn measure_lists(url: &str) -> Done<Value> {
    let mut found = Map::new();
    for count in LISTS {
        let toolset = format!("list-{count}");
        let _worker = Answerer::start(&["worker", url, &toolset, "16", &count.to_string()])?;
        let (mut best, mut ready) = (Best::default(), Duration::MAX);
        for _ in 0..ROUNDS {
            let start = std::time::Instant::now();
            let tools = connect(url, &toolset).await?;
            ready = ready.min(start.elapsed());
            best.add_times(&Tools::add(tools).into()).await?;
        }
        let mut figures = best.to_json();
        figures["ready"] = json!(timing::micros(ready));
        found.insert(count.to_string(), figures);
    }
    Ok(found.into())
}

async fn connect(url: &str, toolset: &str) -> Done<Toolset> {
    let workers = WorkersConfig::new(url).toolset(toolset).open().await?;
    Ok(Toolset::builder().tools(workers.tools()).build()?)
}
