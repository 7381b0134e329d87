//! Results that are too large for a reply, read as resources.

use callpact::{ToolContext, ToolResult, Toolset, tool};
use callpact_mcp::server::ToolServer;
use rmcp::model::{CallToolResult, ContentBlock, ReadResourceRequestParams, ResourceContents};
use serde_json::json;

use crate::help::{Client, call, connect, connect_modern, serve, text};

/// Writes a text of so many characters
#[tool(read_only)]
fn write(count: usize) -> String {
    "ä".repeat(count)
}

/// Fails at length
#[tool(read_only)]
fn fail() -> ToolResult {
    ToolResult::failure("x".repeat(500))
}

fn server() -> ToolServer {
    let tools = Toolset::builder().tool(Write).tool(Fail).build().unwrap();
    ToolServer::new(tools, ToolContext::new()).large_results(100)
}

fn link(result: &CallToolResult) -> Option<String> {
    result.content.iter().find_map(|block| match block {
        ContentBlock::ResourceLink(link) => Some(link.uri.clone()),
        _ => None,
    })
}

async fn read(client: &Client, uri: &str) -> Result<String, String> {
    let read = client
        .read_resource(ReadResourceRequestParams::new(uri))
        .await;
    match read.map_err(|error| error.to_string())?.contents.pop() {
        Some(ResourceContents::TextResourceContents { text, .. }) => Ok(text),
        other => Err(format!("{other:?}")),
    }
}

#[tokio::test]
async fn a_client_reads_the_whole_of_a_large_result() {
    let served = serve(server()).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let result = call(&client, "write", json!({ "count": 200_000 })).await;
        let uri = link(&result).unwrap();
        let said = text(&result);
        assert!(
            said.starts_with(&format!("{}\n\n[", "ä".repeat(100))),
            "{said}"
        );
        assert!(
            said.contains("200000 characters in all") && said.contains(&uri),
            "{said}"
        );
        assert_eq!(read(&client, &uri).await, Ok("ä".repeat(200_000)));
        // What fits, and what failed, stays as it is.
        let small = call(&client, "write", json!({ "count": 100 })).await;
        assert_eq!((text(&small), link(&small)), (&*"ä".repeat(100), None));
        let failed = call(&client, "fail", json!({})).await;
        assert!(failed.is_error == Some(true) && link(&failed).is_none());
        let unknown = read(&client, "callpact://results/00").await.unwrap_err();
        assert!(unknown.contains("make the call again"), "{unknown}");
    }
}

#[tokio::test]
async fn the_oldest_results_go_first() {
    let served = serve(server()).await;
    let client = connect(&served.url).await;
    let mut links = Vec::new();
    for count in 101..=166 {
        let result = call(&client, "write", json!({ "count": count })).await;
        links.push(link(&result).unwrap());
    }
    assert!(read(&client, &links[1]).await.is_err());
    assert_eq!(read(&client, &links[2]).await, Ok("ä".repeat(103)));
    assert_eq!(read(&client, &links[65]).await, Ok("ä".repeat(166)));
}

#[tokio::test]
async fn a_result_is_for_its_caller_alone() {
    // Each session is a caller.
    let by_session = server()
        .with_request_context(|info, cx| cx.with_caller(info.session().unwrap_or("nobody")));
    let served = serve(by_session).await;
    let (one, other) = (connect(&served.url).await, connect(&served.url).await);
    let result = call(&one, "write", json!({ "count": 300 })).await;
    let uri = link(&result).unwrap();
    assert!(read(&other, &uri).await.is_err());
    assert_eq!(read(&one, &uri).await, Ok("ä".repeat(300)));
}

#[tokio::test]
async fn one_callers_results_end_only_their_own() {
    let by_session = server()
        .with_request_context(|info, cx| cx.with_caller(info.session().unwrap_or("nobody")));
    let served = serve(by_session).await;
    let (one, many) = (connect(&served.url).await, connect(&served.url).await);
    let first = call(&one, "write", json!({ "count": 300 })).await;
    let mut links = Vec::new();
    for count in 101..=166 {
        let result = call(&many, "write", json!({ "count": count })).await;
        links.push(link(&result).unwrap());
    }
    assert_eq!(
        read(&one, &link(&first).unwrap()).await,
        Ok("ä".repeat(300))
    );
    assert!(read(&many, &links[2]).await.is_err());
    assert_eq!(read(&many, &links[3]).await, Ok("ä".repeat(104)));
}

#[tokio::test]
async fn without_the_setting_nothing_is_kept() {
    let tools = Toolset::builder().tool(Write).build().unwrap();
    let served = serve(ToolServer::new(tools, ToolContext::new())).await;
    let client = connect(&served.url).await;
    let result = call(&client, "write", json!({ "count": 5_000 })).await;
    assert_eq!(
        (text(&result).chars().count(), link(&result)),
        (5_000, None)
    );
    assert!(read(&client, "callpact://results/00").await.is_err());
}
