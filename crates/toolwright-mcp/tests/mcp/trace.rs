//! The trace of the caller goes with a call, through a client and a server.

use toolwright::{DynamicTool, Permission, ToolCall, ToolContext, Toolset, observe::TraceParent};
use toolwright_mcp::{client::McpConfig, server::ToolServer};

use crate::help::serve;

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

#[tokio::test]
async fn the_parent_of_a_trace_goes_from_context_to_context() {
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
