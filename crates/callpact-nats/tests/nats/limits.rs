//! Sizes near and above the limits, and how many workers are asked.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use callpact::{Outcome, ToolCall, ToolContext, ToolReply, Toolset, tool, tools};
use callpact_nats::{Serving, Workers, WorkersConfig, worker};
use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};

use crate::{
    kit::{Nats, configured, server},
    outsider::{Outsider, forge, next},
};

/// Gives a long text back
#[tool(read_only)]
fn long(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Takes a long text
#[tool(read_only)]
fn take(text: String) -> usize {
    text.len()
}

async fn serve(nats: &Nats) -> (Serving, Toolset) {
    let tools = Toolset::builder().tool(Long).tool(Take);
    let tools = tools.max_output(usize::MAX).build().unwrap();
    let worker = worker(tools, ToolContext::new()).connect(nats.url());
    let serving = worker.start().await.unwrap();
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools());
    (serving, tools.max_output(usize::MAX).build().unwrap())
}

async fn call(tools: &Toolset, name: &str, arguments: String) -> ToolReply {
    let wanted = ToolCall::new("call-1", name, arguments);
    let cx = ToolContext::new().with_timeout(crate::kit::LONG);
    tools.call(&wanted, &cx).await.unwrap()
}

#[tokio::test]
async fn message_near_limit_arrives_or_fails_clearly() {
    let Some(nats) = server().await else { return };
    let (_serving, tools) = serve(&nats).await;
    let (mut arrived, mut refused) = (0, 0);
    for less in (0..8_000).step_by(400) {
        let bytes = (1 << 20) - less;
        let text = format!(r#"{{"text": "{}"}}"#, "x".repeat(bytes));
        let wide = format!(r#"{{"bytes": {bytes}}}"#);
        for (name, arguments, why) in [
            ("take", text, "did not run: its call has"),
            ("long", wide, "ran, and its result has"),
        ] {
            let reply = call(&tools, name, arguments).await;
            let text = reply.to_model();
            match reply.outcome {
                Outcome::Success => arrived += 1,
                Outcome::Failure if text.contains(why) => refused += 1,
                outcome => panic!("{name} {bytes}: {outcome} {text}"),
            }
        }
    }
    assert!(
        arrived > 0 && refused > 0,
        "{arrived} arrived, {refused} refused"
    );
}

#[tokio::test]
async fn larger_server_limit_does_not_raise_parse_limit() {
    let Some(nats) = configured("max_payload: 16MB", &[]).await else {
        return;
    };
    let (_serving, tools) = serve(&nats).await;
    let most = 8 << 20;
    let text = format!(r#"{{"text": "{}"}}"#, "x".repeat(most));
    let reply = call(&tools, "take", text).await;
    let text = reply.to_model();
    assert!(text.contains("did not run: its call has 838"), "{text}");
    assert!(text.ends_with("may have 8388608"), "{text}");
    let reply = call(&tools, "long", format!(r#"{{"bytes": {most}}}"#)).await;
    let text = reply.to_model();
    assert!(text.contains("ran, and its result has 838"), "{text}");
    // A call that somebody else sends all the same is not parsed, and holds up none.
    let outsider = Outsider::at(&nats).await;
    let mut calls = outsider.hear("callpact.calls.>").await;
    let reply = call(&tools, "take", r#"{"text": "abc"}"#.to_owned()).await;
    assert_eq!(reply.to_model(), "3");
    let (subject, heard) = next(&mut calls).await;
    let heard: Value = serde_json::from_slice(&heard).unwrap();
    let long = json!({"arguments": format!(r#"{{"text": "{}"}}"#, "x".repeat(most))});
    let long = forge(&heard, "long", &long).to_string();
    let kept = outsider.jetstream.publish(subject, long.into()).await;
    kept.unwrap().await.unwrap();
    let reply = call(&tools, "long", r#"{"bytes": 6000000}"#.to_owned()).await;
    assert_eq!(reply.to_model().len(), 6_000_000);
    let results = outsider.bucket("callpact-results").await;
    assert!(results.entry("long").await.unwrap().is_none());
}

#[tokio::test]
async fn asks_few_of_hundred_workers_for_list() {
    let Some(nats) = server().await else { return };
    let mut serving = Vec::new();
    for _ in 0..100 {
        let worker = worker(Toolset::single(Long).unwrap(), ToolContext::new());
        let worker = worker.connect(nats.url()).max_in_flight(1);
        serving.push(worker.start().await.unwrap());
    }
    let outsider = Outsider::at(&nats).await;
    let mut questions = outsider.hear("callpact.list.>").await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    assert_eq!(tools.len(), 1);
    outsider.client.flush().await.unwrap();
    let mut asked = 0;
    while questions.next().now_or_never().flatten().is_some() {
        asked += 1;
    }
    assert!((1..50).contains(&asked), "{asked} workers were asked");
    let reply = call(&tools, "long", r#"{"bytes": 3}"#.to_owned()).await;
    assert_eq!(reply.to_model(), "xxx");
}

/// Says for how many seconds it may run
#[tool(read_only)]
fn left(cx: &ToolContext) -> Option<u64> {
    let end = cx.deadline()?;
    Some(end.saturating_duration_since(Instant::now()).as_secs())
}

/// Takes a minute
#[tool(read_only)]
async fn minute() -> &'static str {
    tokio::time::sleep(Duration::from_secs(60)).await;
    "over"
}

/// How long `left` may run at a worker with this context, in a call that claims to have all the time there is.
async fn left_of_all_time(nats: &Nats, cx: ToolContext, toolset: &str) -> u64 {
    let server = nats.server().keep_results(Duration::from_secs(60));
    let worker = worker(Toolset::single(Left).unwrap(), cx).connect(server);
    let _serving = worker.toolset(toolset).start().await.unwrap();
    let outsider = Outsider::at(nats).await;
    let mut calls = outsider.hear("callpact.calls.>").await;
    let workers = WorkersConfig::new(nats.url()).toolset(toolset).open().await;
    let tools = Toolset::builder().tools(workers.unwrap().tools());
    call(&tools.build().unwrap(), "left", "{}".to_owned()).await;
    let (subject, heard) = next(&mut calls).await;
    let heard: Value = serde_json::from_slice(&heard).unwrap();
    // The host asks for no more, though it may wait for a minute.
    assert!(heard["timeout"].as_u64().unwrap() <= 30_000, "{heard}");
    let forged = forge(&heard, toolset, &json!({"timeout": u64::MAX}));
    let done = outsider.make_call(&subject, &forged).await;
    done["output"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn worker_limits_runtime_despite_requested_time() {
    let Some(nats) = server().await else { return };
    // Half the time that results are kept.
    let left = left_of_all_time(&nats, ToolContext::new(), "free").await;
    assert!(left <= 30, "{left} s");
    let bounded = ToolContext::new().with_timeout(Duration::from_secs(9));
    let left = left_of_all_time(&nats, bounded, "bounded").await;
    assert!(left <= 9, "{left} s");
}

/// Takes two seconds
#[tool(read_only)]
async fn moment() -> &'static str {
    tokio::time::sleep(Duration::from_secs(2)).await;
    "over"
}

#[tokio::test]
async fn host_timeout_applies_to_calls_without_deadline() {
    let Some(nats) = server().await else { return };
    let worker = worker(Toolset::single(Moment).unwrap(), ToolContext::new());
    let _serving = worker.connect(nats.url()).start().await.unwrap();
    let workers = WorkersConfig::new(nats.url()).timeout(Duration::from_secs(1));
    let workers = workers.open().await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let reply = call(&tools, "moment", "{}".to_owned()).await;
    assert_eq!(&*reply.to_model(), "over", "it has a minute");
    let wanted = ToolCall::new("call-1", "moment", "{}");
    let reply = tools.call(&wanted, &ToolContext::new()).await.unwrap();
    assert_eq!(reply.outcome, Outcome::TimedOut, "{}", reply.to_model());
}

#[tokio::test]
async fn call_waits_for_full_queue_until_deadline() {
    let Some(nats) = server().await else { return };
    let worker = worker(Toolset::single(Minute).unwrap(), ToolContext::new());
    let _serving = worker.connect(nats.url()).start().await.unwrap();
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    // The room of 100,000 calls is made smaller, and full.
    let outsider = Outsider::at(&nats).await;
    let queue = outsider.jetstream.get_stream("callpact-calls").await;
    let mut config = queue.unwrap().cached_info().config.clone();
    assert_eq!(config.max_messages, 100_000);
    config.max_messages = 1;
    outsider.jetstream.update_stream(config).await.unwrap();
    let full = outsider
        .jetstream
        .publish("callpact.calls.full.0", "".into());
    full.await.unwrap().await.unwrap();
    let wanted = ToolCall::new("call-1", "minute", "{}");
    let cx = ToolContext::new().with_timeout(Duration::from_secs(2));
    let reply = tools.call(&wanted, &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (
            Outcome::TimedOut,
            "Error: Tool 'minute' did not run: no worker took the call in time"
        )
    );
}

#[tokio::test]
async fn a_worker_names_the_time_that_it_allows() {
    let Some(nats) = server().await else { return };
    let cx = ToolContext::new().with_timeout(Duration::from_secs(1));
    let worker = worker(Toolset::single(Minute).unwrap(), cx).connect(nats.url());
    let _serving = worker.start().await.unwrap();
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let reply = call(&tools, "minute", "{}".to_owned()).await;
    assert_eq!(
        reply.to_model(),
        "Error: Tool 'minute' was stopped after 1s; what it was doing may be half done"
    );
}

/// Counts how many of its calls run at once.
#[derive(Clone, Default)]
struct Crowd {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

#[tools]
impl Crowd {
    /// Takes a moment
    #[tool(read_only)]
    async fn pass(&self) -> usize {
        let now = self.now.fetch_add(1, SeqCst) + 1;
        self.most.fetch_max(now, SeqCst);
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.now.fetch_sub(1, SeqCst)
    }
}

#[tokio::test]
async fn worker_limits_concurrent_calls() {
    let Some(nats) = server().await else { return };
    let crowd = Crowd::default();
    let tools = Toolset::builder().tools(crowd.clone()).build().unwrap();
    let worker = worker(tools, ToolContext::new()).connect(nats.url());
    let _serving = worker.max_in_flight(3).start().await.unwrap();
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let calls = (0..30).map(|_| call(&tools, "pass", "{}".to_owned()));
    for reply in futures_util::future::join_all(calls).await {
        assert_eq!(reply.outcome, Outcome::Success, "{}", reply.to_model());
    }
    let most = crowd.most.load(SeqCst);
    assert!((1..=3).contains(&most), "{most} at once");
}
