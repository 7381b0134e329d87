//! The server as a child process.

use rmcp::{
    ServiceError, ServiceExt, model::ErrorCode, service::ClientServiceExt,
    transport::TokioChildProcess,
};
use serde_json::json;
use tokio::process::Command;

use crate::help::{Client, Ear, call, fixture_program, modern, request, text, until};

async fn both() -> [Client; 2] {
    let child = || TokioChildProcess::new(Command::new(fixture_program())).unwrap();
    [
        Ear::default().serve(child()).await.unwrap(),
        Ear::default()
            .serve_with_lifecycle(child(), modern())
            .await
            .unwrap(),
    ]
}

#[tokio::test]
async fn lists_calls_and_refuses() {
    for client in both().await {
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 12);
        assert_eq!(
            text(&call(&client, "add", json!({ "a": 2, "b": 2 })).await),
            r#"{"sum":4}"#
        );
        let result = call(&client, "add", json!({ "a": 2, "b": -1 })).await;
        assert_eq!(result.is_error, Some(true));
        assert!(text(&result).contains("\n- b: "), "{}", text(&result));
        let result = call(&client, "crash", json!({})).await;
        assert!(text(&result).contains("crashed"), "{}", text(&result));
        let error = client
            .call_tool(request("nothing", json!({})))
            .await
            .unwrap_err();
        let ServiceError::McpError(error) = error else {
            panic!("{error}")
        };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    }
}

#[tokio::test]
async fn a_cancelled_call_stops_the_tool() {
    for client in both().await {
        let work = client.call_tool_once(request("sleep", json!({ "millis": 60_000, "key": "k" })));
        // Dropped, the call is cancelled.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(300), work).await;
        until(&client, "k", (1, 1)).await;
    }
}

#[tokio::test]
async fn the_process_ends_when_its_input_does() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut child = Command::new(fixture_program())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "t", "version": "1" },
    } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    stdin
        .write_all(format!("{hello}\n{ready}\nnot json\n").as_bytes())
        .await
        .unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    drop(stdin);
    let mut said = String::new();
    let wait = std::time::Duration::from_secs(10);
    tokio::time::timeout(wait, child.stdout.take().unwrap().read_to_string(&mut said))
        .await
        .unwrap()
        .unwrap();
    assert!(tokio::time::timeout(wait, child.wait()).await.is_ok());
    // Only the protocol may be on standard output.
    for line in said.lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
    }
}

#[tokio::test]
async fn survives_faulty_lines_and_ends_call_with_input() {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    let mut child = Command::new(fixture_program())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let hello = json!({ "jsonrpc": "2.0", "id": "h", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "t", "version": "1" },
    } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let ping = |id: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    let deep = "[".repeat(300_000);
    let long = "x".repeat(20 << 20);
    let odd = [
        "not json".to_owned(),
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        format!("[{},{}]", ping("x"), ping("y")),
        r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":"z","method":7}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}"#
            .to_owned(),
        deep,
        long,
    ];
    stdin
        .write_all(format!("{hello}\n{ready}\n").as_bytes())
        .await
        .unwrap();
    for (number, line) in odd.iter().enumerate() {
        let id = number.to_string();
        let after = ping(&id);
        stdin
            .write_all(format!("{line}\n{after}\n").as_bytes())
            .await
            .unwrap();
        // The next good request is answered, whatever was said to the odd one.
        let wait = std::time::Duration::from_secs(20);
        loop {
            let said = tokio::time::timeout(wait, lines.next_line()).await;
            let said = said.unwrap().unwrap().expect("it went away");
            let message: serde_json::Value = serde_json::from_str(&said).unwrap();
            assert_eq!(message["jsonrpc"], "2.0");
            assert!(
                message["id"] != "x" && message["id"] != "y",
                "a batch was answered"
            );
            if message["id"] == *id {
                break;
            }
        }
    }
    let sleep = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "sleep", "arguments": { "millis": 60_000, "key": "k" },
    } });
    stdin
        .write_all(format!("{sleep}\n").as_bytes())
        .await
        .unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    drop(stdin);
    let wait = std::time::Duration::from_secs(20);
    assert!(
        tokio::time::timeout(wait, child.wait()).await.is_ok(),
        "the call kept it"
    );
}
