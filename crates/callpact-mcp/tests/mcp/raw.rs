//! HTTP without a client: requests and answers as text.

use std::{fmt::Write, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::help::Served;

/// The head of a request.
pub(crate) fn head(served: &Served, headers: &[(&str, &str)], length: usize) -> String {
    let mut head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\n", served.authority);
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    head.push_str("Content-Type: application/json\r\nConnection: close\r\n");
    head.push_str("Accept: application/json, text/event-stream\r\n");
    write!(head, "Content-Length: {length}\r\n\r\n").unwrap();
    head
}

/// Posts a body, and returns the status, the head and the body of the answer. An event stream is read up
/// to its first message.
pub(crate) async fn post(
    served: &Served,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String, String) {
    send(served, "POST", headers, body).await
}

/// Like `post`, with any method.
pub(crate) async fn send(
    served: &Served,
    method: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> (u16, String, String) {
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let head = head(served, headers, body.len()).replacen("POST", method, 1);
    stream.write_all((head + body).as_bytes()).await.unwrap();
    answer(stream).await
}

/// Gets a path.
pub(crate) async fn get(served: &Served, path: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let head = head(served, &[], 0).replacen("POST /mcp", &format!("GET {path}"), 1);
    stream.write_all(head.as_bytes()).await.unwrap();
    answer(stream).await
}

pub(crate) async fn answer(mut stream: TcpStream) -> (u16, String, String) {
    let mut bytes = Vec::new();
    let read = async {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut chunk).await {
            bytes.extend_from_slice(&chunk[..count]);
            let so_far = String::from_utf8_lossy(&bytes);
            if so_far.contains("text/event-stream") && found(&so_far).is_some() {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), read)
        .await
        .unwrap();
    let all = String::from_utf8(bytes).unwrap();
    let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.unwrap_or(0), head.to_owned(), body.to_owned())
}

/// The message in a body, which is JSON or a stream of events.
pub(crate) fn message(body: &str) -> Value {
    found(body).unwrap_or_else(|| panic!("{body:?}"))
}

pub(crate) fn found(text: &str) -> Option<Value> {
    let text = text.get(text.find("{\"jsonrpc\"")?..)?;
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok()
}

pub(crate) fn hello(version: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {},
        "clientInfo": { "name": "raw", "version": "1" },
    } })
    .to_string()
}

pub(crate) fn session_of(head: &str) -> String {
    let line = head
        .lines()
        .find(|line| line.to_ascii_lowercase().starts_with("mcp-session-id:"));
    line.unwrap_or_else(|| panic!("{head}"))
        .split_once(':')
        .unwrap()
        .1
        .trim()
        .to_owned()
}

/// Begins a session of an older revision.
pub(crate) async fn session(served: &Served) -> String {
    let (status, head, _) = post(served, &[], &hello("2025-11-25")).await;
    assert_eq!(status, 200, "{head}");
    let session = session_of(&head);
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let (status, ..) = post(served, &[("Mcp-Session-Id", &session)], &ready.to_string()).await;
    assert_eq!(status, 202);
    session
}
