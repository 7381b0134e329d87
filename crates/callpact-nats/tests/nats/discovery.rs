//! Which tools a host offers: toolsets, versions, prefixes, accepted tools, long lists.

use std::time::Duration;

use callpact::{
    Dialect, DynamicTool, Outcome, Permission, PermissionMode, ToolCall, ToolContext, ToolOutput,
    Toolset, pins::DriftKind, tool,
};
use callpact_nats::{NatsError, Server, Serving, Worker, Workers, WorkersConfig, worker};
use serde::Serialize;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::kit::{Nats, server, server_of};

/// A tool that says a word.
fn says(name: &str, description: &str, word: &'static str) -> DynamicTool {
    let made = DynamicTool::new(name, description, None, move |_, _| async move { word });
    made.unwrap().with_permission(Permission::ReadOnly)
}

fn one(tool: DynamicTool) -> Toolset {
    Toolset::single(tool).unwrap()
}

async fn serve(nats: &Nats, toolset: &str, version: u64, tools: Toolset) -> Serving {
    let worker = worker(tools, ToolContext::new()).connect(nats.url());
    worker
        .toolset(toolset)
        .version(version)
        .start()
        .await
        .unwrap()
}

fn build(workers: &Workers) -> Toolset {
    Toolset::builder().tools(workers.tools()).build().unwrap()
}

async fn ask(tools: &Toolset, name: &str) -> (Outcome, String) {
    let wanted = ToolCall::new("1", name, "{}");
    let reply = tools.call(&wanted, &ToolContext::new()).await.unwrap();
    (reply.outcome, reply.to_model().into_owned())
}

/// The stock of a shop
#[derive(Serialize, ToolOutput)]
struct Stock {
    /// How many lamps there are
    lamps: u32,
    /// When the next ones come, if somebody knows
    next: Option<String>,
}

/// Counts the stock
#[tool(read_only, struct = StockTool)]
fn stock(why: String, #[tool_param(min = 1, max = 9)] aisle: u8) -> Stock {
    Stock {
        lamps: u32::from(aisle) + u32::from(!why.is_empty()),
        next: None,
    }
}

#[tokio::test]
async fn lists_tool_with_output_like_worker() {
    let Some(nats) = server().await else { return };
    let local = Toolset::single(StockTool).unwrap();
    let _worker = serve(&nats, "shop", 1, local.clone()).await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = build(&workers);
    for dialect in [Dialect::Mcp20251125, Dialect::Mcp20260728] {
        let (here, there) = (tools.spec("stock", dialect), local.spec("stock", dialect));
        let (here, there) = (here.unwrap(), there.unwrap());
        assert!(there.output.is_some());
        assert_eq!(
            (here.parameters, here.output),
            (there.parameters, there.output)
        );
    }
    // In the order of the declaration, which is not that of the alphabet.
    let spec = tools.spec("stock", Dialect::OpenAiStrict).unwrap();
    assert!(spec.parameters.find("why") < spec.parameters.find("aisle"));
    let call = ToolCall::new("1", "stock", r#"{"why": "", "aisle": 3}"#);
    let reply = tools.call(&call, &ToolContext::new()).await.unwrap();
    let output = json!({"lamps": 3, "next": null});
    assert_eq!(reply.result.structured(), Some(&output));
}

#[tokio::test]
async fn toolsets_coexist_and_highest_version_wins() {
    let Some(nats) = server().await else { return };
    let _old = serve(&nats, "a", 1, one(says("hello", "Greets", "old"))).await;
    let _new = serve(&nats, "a", 2, one(says("hello", "Greets politely", "new"))).await;
    let _other = serve(&nats, "b", 1, one(says("bye", "Parts", "bye"))).await;
    let _twin = serve(&nats, "c", 1, one(says("bye", "Parts too", "twin"))).await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = build(&workers);
    assert!(tools.names().eq(["hello", "bye"]));
    assert_eq!(ask(&tools, "hello").await.1, "new");
    assert_eq!(ask(&tools, "bye").await.1, "bye");
    let unusable = workers.unusable();
    assert_eq!((unusable.len(), &*unusable[0].tool), (1, "c/bye"));
    let only = WorkersConfig::new(nats.url())
        .toolset("c")
        .open()
        .await
        .unwrap();
    assert_eq!(ask(&build(&only), "bye").await.1, "twin");
}

#[tokio::test]
async fn a_prefix_parts_what_shares_a_server() {
    let Some(nats) = server().await else { return };
    let tools = one(says("hello", "Greets", "hello"));
    let other = worker(tools, ToolContext::new()).connect(nats.server().prefix("other"));
    let _serving = other.start().await.unwrap();
    assert_eq!(build(&Workers::connect(nats.url()).await.unwrap()).len(), 0);
    let workers = Workers::connect(nats.server().prefix("other"))
        .await
        .unwrap();
    assert_eq!(ask(&build(&workers), "hello").await.1, "hello");
    let wrong = Workers::connect(nats.server().prefix("a.b")).await;
    assert!(matches!(wrong, Err(NatsError::Name(name)) if name == "a.b"));
}

#[tokio::test]
async fn calls_changed_tool_only_after_acceptance() {
    let Some(nats) = server().await else { return };
    let old = serve(&nats, "a", 1, one(says("hello", "Greets", "old"))).await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = build(&workers);
    let pins = workers.pins();
    let _new = serve(
        &nats,
        "a",
        2,
        one(says("hello", "Greets, and sends it away", "new")),
    )
    .await;
    workers.refresh().await.unwrap();
    // Both versions are there: the accepted one is called.
    assert_eq!(ask(&tools, "hello").await.1, "old");
    assert!(old.stop(Duration::from_secs(9)).await);
    workers.refresh().await.unwrap();
    let (outcome, text) = ask(&tools, "hello").await;
    assert_eq!(outcome, Outcome::Refused);
    assert!(text.contains("has changed since it was accepted"), "{text}");
    let drift = workers.drift();
    assert_eq!(
        (&*drift[0].tool, drift[0].kind),
        ("a/hello", DriftKind::Changed)
    );
    // Another host with the saved pins shows nothing of the change.
    let pinned = WorkersConfig::new(nats.url())
        .pins(pins)
        .open()
        .await
        .unwrap();
    assert!(
        !build(&pinned)
            .specs(callpact::Dialect::Portable)
            .contains("sends it away")
    );
    assert_eq!(ask(&build(&pinned), "hello").await.0, Outcome::Failure);
    assert!(workers.accept("a/hello"));
    assert_eq!(
        ask(&tools, "hello").await.0,
        Outcome::Refused,
        "the list is the old one"
    );
    assert_eq!(ask(&build(&workers), "hello").await.1, "new");
}

#[tokio::test]
async fn a_list_of_many_pages_is_whole() {
    let Some(nats) = server().await else { return };
    let description = "Says hello. ".repeat(60);
    let mut builder = Toolset::builder();
    for number in 0..2_000 {
        builder = builder.tool(says(&format!("tool_{number}"), &description, "hello"));
    }
    let _serving = serve(&nats, "many", 1, builder.build().unwrap()).await;
    let tools = build(&Workers::connect(nats.url()).await.unwrap());
    assert_eq!(tools.len(), 2_000);
    assert_eq!(ask(&tools, "tool_1999").await.1, "hello");
}

#[tokio::test]
async fn finds_late_worker_and_forgets_leaving_worker() {
    let Some(nats) = server().await else { return };
    let hello = || one(says("hello", "Greets", "hello"));
    let first = serve(&nats, "a", 1, hello()).await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = build(&workers);
    assert!(first.stop(Duration::from_secs(9)).await);
    workers.refresh().await.unwrap();
    let started = std::time::Instant::now();
    let (outcome, text) = ask(&tools, "hello").await;
    assert_eq!(outcome, Outcome::Failure);
    assert_eq!(
        text,
        "Error: Tool 'hello' did not run: no worker that has it is there"
    );
    // It does not wait for the ten minutes that a call may take.
    assert!(started.elapsed() < Duration::from_secs(30));
    let _second = serve(&nats, "a", 1, hello()).await;
    assert_eq!(ask(&tools, "hello").await.1, "hello");
}

#[tokio::test]
async fn reports_unreachable_server() {
    let error = Workers::connect(Server::new("nats://127.0.0.1:1"))
        .await
        .unwrap_err();
    assert!(matches!(error, NatsError::Connect(_)), "{error}");
}

#[tokio::test]
async fn rejects_invalid_address_without_showing_password() {
    for (address, why) in [
        (
            "http://a:hunter2@b",
            "it begins with neither nats:// nor tls://",
        ),
        ("ws://b", "it begins with neither nats:// nor tls://"),
        ("nats://a:hunter2@b:99999", "invalid port number"),
        ("nats://no such", "invalid domain character"),
        ("nats://", "it names no host"),
        ("nats://127.0.0.1:1,", "it names no host"),
        ("", "it names no host"),
    ] {
        let error = Workers::connect(address).await.unwrap_err();
        let expected = format!(
            "the address of the NATS server cannot be used: {why}; write it as nats://HOST:PORT"
        );
        assert_eq!(error.to_string(), expected, "{address}");
    }
    let error = Workers::connect("nats://127.0.0.1:1").await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("no connection to the NATS server: Connection refused"),
        "{text}"
    );
}

#[tokio::test]
async fn rejects_invalid_lease_or_version() {
    let refuse = async |change: fn(Worker) -> Worker| {
        let tools = one(says("hello", "Greets", "hello"));
        let worker = worker(tools, ToolContext::new()).connect("nats://127.0.0.1:1");
        change(worker).start().await.unwrap_err().to_string()
    };
    let lease = "a lease is at least half a second and at most one day, and this one is";
    let none = refuse(|worker| worker.lease(Duration::ZERO)).await;
    assert_eq!(none, format!("{lease} 0ns"));
    let short = refuse(|worker| worker.lease(Duration::from_millis(1))).await;
    assert_eq!(short, format!("{lease} 1ms"));
    let years = refuse(|worker| worker.lease(Duration::MAX)).await;
    assert!(years.starts_with(lease), "{years}");
    let version = refuse(|worker| worker.version(0)).await;
    assert_eq!(version, "the lowest version of a list is 1");
}

#[tokio::test]
async fn worker_lists_only_permitted_tools() {
    let Some(nats) = server().await else { return };
    let writes = says("writes", "Writes", "written").with_permission(Permission::Write);
    let tools = Toolset::builder().tool(says("reads", "Reads", "read"));
    let tools = tools.tool(writes).build().unwrap();
    let cx = ToolContext::new().with_permissions(PermissionMode::Deny);
    let worker = worker(tools, cx).connect(nats.url());
    let _serving = worker.start().await.unwrap();
    let tools = build(&Workers::connect(nats.url()).await.unwrap());
    assert!(tools.names().eq(["reads"]));
    assert_eq!(ask(&tools, "reads").await.1, "read");
}

#[tokio::test]
async fn rejects_outdated_server() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("nats://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let info = json!({
            "server_id": "old", "version": "2.10.29", "proto": 1, "headers": true,
            "host": "127.0.0.1", "port": 4222, "max_payload": 1 << 20,
        });
        let hello = format!("INFO {info}\r\nPONG\r\n");
        stream.write_all(hello.as_bytes()).await.unwrap();
        let mut sink = [0; 1024];
        while stream.read(&mut sink).await.is_ok_and(|read| read > 0) {}
    });
    let error = Workers::connect(url).await.unwrap_err();
    let expected = "the NATS server has version 2.10.29, and workers need 2.11 or later";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_server_without_jetstream_is_an_error() {
    let Some(nats) = server_of(&[]).await else {
        return;
    };
    let error = Workers::connect(nats.url()).await.unwrap_err();
    let expected = "the NATS server has no JetStream, which workers need; start it with `nats-server --jetstream`";
    assert_eq!(error.to_string(), expected);
}
