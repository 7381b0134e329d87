//! Clients that cannot ask anybody, clients that confirm calls themselves, and lists that change.
#![allow(clippy::similar_names)] // a server, and where it is served

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use callpact::{
    PermissionMode, ReviewRequest, State, ToolContext, ToolError, Toolset, tool, tool::ToolHints,
};
use callpact_mcp::server::{AskClients, ToolServer};
use rmcp::{
    ClientHandler, RoleClient, ServiceExt,
    model::{ClientCapabilities, ClientConfig, Implementation},
    service::{ClientServiceExt, NotificationContext, RunningService},
};
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

use crate::{
    help::{modern, request, serve, text},
    peer::transport,
};

/// Pays a bill
#[tool(destructive)]
fn pay(euros: u32) -> String {
    format!("paid {euros} EUR")
}

/// Pays a bill, and asks before
#[tool(destructive, asks_itself)]
async fn pay_asking(euros: u32, cx: &ToolContext) -> Result<String, ToolError> {
    let euros = cx.approved("Pay", euros).await?;
    Ok(format!("paid {euros} EUR"))
}

/// Asks in the middle of its work
#[tool(read_only)]
async fn clean(cx: &ToolContext) -> Result<String, ToolError> {
    let asked = cx.require_review(ReviewRequest::new("All?").action("all"));
    Ok(format!("{:?}", asked.await?))
}

/// Reads
#[tool(read_only)]
fn look() -> &'static str {
    "seen"
}

fn tools() -> Toolset {
    Toolset::builder()
        .tool(Pay)
        .tool(PayAsking)
        .tool(Clean)
        .tool(Look)
        .build()
        .unwrap()
}

/// A client without elicitation, which counts the news about its list.
#[derive(Clone, Default)]
struct Plain(Arc<AtomicUsize>, Arc<Notify>);

impl ClientHandler for Plain {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("plain", "1"),
        )
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.fetch_add(1, Ordering::SeqCst);
        self.1.notify_one();
    }
}

async fn both(url: &str) -> [RunningService<RoleClient, Plain>; 2] {
    let older = Plain::default().serve(transport(url)).await.unwrap();
    let newer = Plain::default().serve_with_lifecycle(transport(url), modern());
    [older, newer.await.unwrap()]
}

/// Makes a call that must have a result: whether it is an error, and its text.
async fn made(
    client: &RunningService<RoleClient, Plain>,
    tool: &str,
    arguments: Value,
) -> (bool, String) {
    let result = client.call_tool(request(tool, arguments)).await.unwrap();
    (result.is_error == Some(true), text(&result).to_owned())
}

#[tokio::test]
async fn reports_required_person_if_client_cannot_ask() {
    let ask = AskClients::new(b"thirty-two bytes from a safe place").unwrap();
    let mode = ToolContext::new().with_permissions(PermissionMode::Ask);
    for (server, pays) in [
        (
            ToolServer::new(tools(), ToolContext::new()).ask_clients(ask),
            false,
        ),
        (ToolServer::new(tools(), mode), false),
        // Nobody demands a person for this one; the tool that asks still needs one.
        (ToolServer::new(tools(), ToolContext::new()), true),
    ] {
        let served = serve(server).await;
        for client in both(&served.url).await {
            let (failed, said) = made(&client, "pay", json!({"euros": 9})).await;
            assert_eq!(failed, !pays, "{said}");
            let waits = "Error: a person has to allow this call, and this client cannot ask. Go on without it.\n\n\
                A person can allow such calls with ";
            assert!(pays || said.starts_with(waits), "{said}");
            let (failed, said) = made(&client, "pay_asking", json!({"euros": 9})).await;
            assert!(failed && said.starts_with(waits), "{said}");
            let (failed, said) = made(&client, "clean", json!({})).await;
            let nobody =
                "Error: the server is not set up for this call, or nobody can be asked about it.";
            assert!(failed && said.starts_with(nobody), "{said}");
            // The connection goes on.
            assert_eq!(
                made(&client, "look", json!({})).await,
                (false, "seen".to_owned())
            );
        }
    }
}

#[tokio::test]
async fn host_confirmation_covers_whole_calls() {
    let mode = ToolContext::new().with_permissions(PermissionMode::Ask);
    let served = serve(ToolServer::new(tools(), mode.clone()).host_confirms()).await;
    let strict = Toolset::builder()
        .tool(Pay)
        .require_approval_by("pay", "ops");
    let strict = ToolServer::new(strict.build().unwrap(), mode).host_confirms();
    let strict = serve(strict).await;
    for client in both(&served.url).await {
        for tool in ["pay", "pay_asking"] {
            let paid = made(&client, tool, json!({"euros": 9})).await;
            assert_eq!(paid, (false, "paid 9 EUR".to_owned()));
        }
        let (failed, said) = made(&client, "clean", json!({})).await;
        assert_eq!(
            (failed, &*said),
            (true, "Error: the call was not approved. Go on without it.")
        );
    }
    for client in both(&strict.url).await {
        let (failed, said) = made(&client, "pay", json!({"euros": 9})).await;
        assert!(failed, "nobody acts for the role: {said}");
    }
}

/// Waits until it may end
#[tool(read_only)]
async fn wait(State(gate): State<Semaphore>, State(begun): State<Notify>) -> &'static str {
    begun.notify_one();
    let _ = gate.acquire().await;
    "ended"
}

#[tokio::test]
async fn a_list_can_be_replaced_while_calls_run() {
    let (gate, begun) = (Arc::new(Semaphore::new(0)), Arc::new(Notify::new()));
    let cx = ToolContext::new()
        .with(Arc::clone(&gate))
        .with(Arc::clone(&begun));
    let server = ToolServer::new(Toolset::single(Wait).unwrap(), cx);
    let own = server.clone();
    let served = serve(server).await;
    let [older, newer] = both(&served.url).await;
    let before = older.list_all_tools().await.unwrap();
    assert_eq!(before[0].name, "wait");
    let peer = older.peer().clone();
    let call = tokio::spawn(async move { peer.call_tool(request("wait", json!({}))).await });
    begun.notified().await;
    own.replace_tools(Toolset::single(Look).unwrap()).await;
    older.service().1.notified().await;
    assert_eq!(older.service().0.load(Ordering::SeqCst), 1);
    gate.add_permits(1);
    assert_eq!(text(&call.await.unwrap().unwrap()), "ended");
    for client in [older, newer] {
        let after = client.list_all_tools().await.unwrap();
        assert_eq!((after.len(), &*after[0].name), (1, "look"));
        assert_eq!(
            made(&client, "look", json!({})).await,
            (false, "seen".to_owned())
        );
        let gone = client.call_tool(request("wait", json!({}))).await;
        assert!(gone.is_err(), "{gone:?}");
    }
}

/// A tool with everything that hosts may learn.
struct Described;

impl callpact::AgentTool for Described {
    fn name(&self) -> &'static str {
        "described"
    }
    fn description(&self) -> &'static str {
        "Does nothing."
    }
    fn hints(&self) -> ToolHints {
        ToolHints::new()
            .tag("files")
            .tag("slow")
            .with_meta("example.com/team", json!({"name": "core"}))
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> callpact::ToolResult {
        callpact::ToolResult::success(2.5)
    }
}

#[tokio::test]
async fn server_reports_own_identity_and_tool_metadata() {
    let server =
        callpact_mcp::tool_server!(Toolset::single(Described).unwrap(), ToolContext::new());
    let served = serve(server).await;
    for client in both(&served.url).await {
        if let Some(info) = client.peer_info() {
            let about = serde_json::to_value(&*info).unwrap();
            assert_eq!(about["serverInfo"]["name"], "callpact-mcp");
            assert_eq!(about["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
            assert_eq!(about["capabilities"]["tools"]["listChanged"], true);
        }
        let tools = client.list_all_tools().await.unwrap();
        let meta = serde_json::to_value(&tools[0]).unwrap()["_meta"].take();
        let expected =
            json!({"callpact/tags": ["files", "slow"], "example.com/team": {"name": "core"}});
        assert_eq!(meta, expected);
        assert_eq!(
            made(&client, "described", json!({"input": ""})).await,
            (false, "2.5".to_owned())
        );
    }
}

/// The features of `serde_json` in a build of the server alone.
#[test]
fn parameter_order_needs_no_foreign_feature() {
    let tree = std::process::Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "-p",
            "callpact-mcp",
            "--no-default-features",
        ])
        .args([
            "--features",
            "server",
            "-e",
            "normal",
            "--prefix",
            "none",
            "-f",
            "{p} {f}",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    let json = tree
        .lines()
        .find(|line| line.starts_with("serde_json "))
        .unwrap();
    assert!(json.contains("preserve_order"), "{json}");
}
