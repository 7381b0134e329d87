//! The text of a call's arguments reaches the reader as the client sent it.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::Command,
};

use crate::{
    help::{fixture_program, fixture_server, serve},
    raw::{message, post, session},
};

/// Arguments of `add` that a map of values would change or lose, with words of the report.
const FAULTY: &[(&str, &str)] = &[
    (r#"{"a": 1, "b": 2, "b": 3}"#, "- b: "),
    (r#"{"a": 1, "a": 1, "b": 3}"#, "- a: "),
    (r#"{"a": 1e999, "b": 3}"#, "- a: "),
    (r#""text""#, "Invalid arguments"),
    ("[1, 2]", "Invalid arguments"),
    ("7", "Invalid arguments"),
    ("true", "Invalid arguments"),
];

fn call(arguments: &str, meta: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"add","arguments":{arguments}{meta}}}}}"#
    )
}

/// Asserts that an answer is a report for the model.
fn assert_report(arguments: &str, words: &str, answer: &Value) {
    assert_eq!(answer["result"]["isError"], true, "{arguments}: {answer}");
    let text = answer["result"]["content"][0]["text"].as_str();
    let text = text.unwrap_or_default();
    assert!(text.contains(words), "{arguments}: {text}");
}

fn assert_sum(answer: &Value) {
    assert_eq!(answer["result"]["structuredContent"]["sum"], 3, "{answer}");
}

#[tokio::test]
async fn raw_arguments_reach_the_reader_over_http() {
    let served = serve(fixture_server()).await;
    let session = session(&served).await;
    let old = ([("Mcp-Session-Id", &*session)].to_vec(), "");
    let new = (
        vec![
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "add"),
        ],
        r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#,
    );
    for (headers, meta) in [old, new] {
        let deep = format!(r#"{{"a":1,"b":{}{}}}"#, "[".repeat(300), "]".repeat(300));
        for (arguments, words) in FAULTY.iter().chain([&(&*deep, "Invalid arguments")]) {
            let (status, _, body) = post(&served, &headers, &call(arguments, meta)).await;
            assert_eq!(status, 200, "{arguments}: {body}");
            assert_report(arguments, words, &message(&body));
        }
        let (_, _, body) = post(&served, &headers, &call(r#"{"b":2,"a":1}"#, meta)).await;
        assert_sum(&message(&body));
    }
}

#[tokio::test]
async fn raw_arguments_reach_the_reader_over_standard_input() {
    let mut child = Command::new(fixture_program())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "t", "version": "1" },
    } });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let start = format!("{hello}\n{ready}\n");
    stdin.write_all(start.as_bytes()).await.unwrap();
    lines.next_line().await.unwrap();
    for (arguments, words) in FAULTY {
        let line = call(arguments, "") + "\n";
        stdin.write_all(line.as_bytes()).await.unwrap();
        let answer = lines.next_line().await.unwrap().unwrap();
        assert_report(arguments, words, &serde_json::from_str(&answer).unwrap());
    }
    let line = call(r#"{"b":2,"a":1}"#, "") + "\r\n";
    stdin.write_all(line.as_bytes()).await.unwrap();
    let answer = lines.next_line().await.unwrap().unwrap();
    assert_sum(&serde_json::from_str(&answer).unwrap());
    // A line that is not JSON gets the error of the protocol.
    stdin.write_all(b"{\n").await.unwrap();
    let answer: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(answer["error"]["code"], -32_700, "{answer}");
    // So does one that is too long to be kept, and the next one is read.
    let long = [vec![b' '; (16 << 20) + 1], b"\n".to_vec()].concat();
    stdin.write_all(&long).await.unwrap();
    let answer: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(answer["error"]["code"], -32_600, "{answer}");
    assert!(answer["id"].is_null(), "{answer}");
    stdin.write_all(line.as_bytes()).await.unwrap();
    let answer = lines.next_line().await.unwrap().unwrap();
    assert_sum(&serde_json::from_str(&answer).unwrap());
}
