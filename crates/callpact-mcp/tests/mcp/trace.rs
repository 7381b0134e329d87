//! The trace of the caller goes with a call, through a client and a server.

use callpact::{DynamicTool, Permission, ToolCall, ToolContext, Toolset, observe::TraceParent};
use callpact_mcp::{client::McpConfig, server::ToolServer};
use tracing_subscriber::fmt::format::FmtSpan;

use crate::{
    help::{fixture_server, serve},
    identity::Log,
};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

#[tokio::test]
async fn trace_parent_passes_between_contexts() {
    let tool = DynamicTool::new("parent", "Says its parent", None, |_, cx| async move {
        let parent = cx.get::<TraceParent>();
        parent.map_or("none", TraceParent::as_str).to_owned()
    })
    .unwrap()
    .with_permission(Permission::ReadOnly);
    let tools = Toolset::builder().tool(tool).build().unwrap();
    let served = serve(ToolServer::new(tools, ToolContext::new())).await;
    let client = McpConfig::url(&served.url).open().await.unwrap();
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    let call = ToolCall::new("c", "parent", "{}");
    let cx = ToolContext::new().with(TraceParent::parse(PARENT).unwrap());
    assert_eq!(tools.call(&call, &cx).await.unwrap().to_model(), PARENT);
    let cx = ToolContext::new();
    assert_eq!(tools.call(&call, &cx).await.unwrap().to_model(), "none");
}

#[tokio::test]
async fn spans_at_both_ends_mark_failed_calls() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(move || writer.clone())
        .finish();
    let _listening = tracing::subscriber::set_default(subscriber);
    let served = serve(fixture_server()).await;
    let client = McpConfig::url(&served.url).open().await.unwrap();
    let tools = Toolset::builder().tools(client.tools()).build().unwrap();
    for (name, arguments, failed) in [("add", r#"{"a":1,"b":1}"#, false), ("fail", "{}", true)] {
        log.take();
        let call = ToolCall::new("c", name, arguments);
        tools.call(&call, &ToolContext::new()).await.unwrap();
        let all = log.take();
        for kind in ["client", "server"] {
            let mut spans = all.lines().filter(|line| {
                line.contains(&format!(
                    r#"tools/call{{otel.name=tools/call {name} otel.kind="{kind}""#
                )) && line.contains("close")
            });
            let span = spans
                .next()
                .unwrap_or_else(|| panic!("{kind} {name}: {all}"));
            let (_, of_call) = span.rsplit_once("tools/call{").unwrap();
            let is_error = of_call.contains(r#"otel.status_code="ERROR""#);
            assert_eq!(is_error, failed, "{kind}: {span}");
        }
    }
}
