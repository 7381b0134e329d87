//! The HTTP face, byte by byte.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::help::{Served, call, connect, fixture_server, run, serve, text};

fn hello() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "raw", "version": "1" },
    } })
    .to_string()
}

/// The status of a request with these headers.
async fn status(served: &Served, method: &str, headers: &[(&str, &str)], body: &str) -> u16 {
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let mut head = format!("{method} /mcp HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    head.push_str("Content-Type: application/json\r\n");
    head.push_str("Accept: application/json, text/event-stream\r\n");
    write!(head, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // A server that refuses may close before it has read everything.
    let _ = stream.write_all(body.as_bytes()).await;
    let mut line = Vec::new();
    let end = Instant::now() + Duration::from_secs(10);
    while !line.ends_with(b"\r\n") {
        assert!(Instant::now() < end);
        let mut byte = [0];
        if stream.read(&mut byte).await.unwrap() == 0 {
            break;
        }
        line.push(byte[0]);
    }
    let line = String::from_utf8(line).unwrap();
    line.split(' ')
        .nth(1)
        .unwrap_or_else(|| panic!("{line:?}"))
        .parse()
        .unwrap()
}

#[tokio::test]
async fn only_its_own_host_names_are_served() {
    let served = serve(fixture_server()).await;
    let port = served.authority.rsplit(':').next().unwrap().to_owned();
    let local = format!("localhost:{port}");
    for host in [&*served.authority, &local, "127.0.0.1", "localhost"] {
        assert_eq!(
            status(&served, "POST", &[("Host", host)], &hello()).await,
            200,
            "{host}"
        );
    }
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "169.254.169.254",
        "0.0.0.0",
    ] {
        assert_eq!(
            status(&served, "POST", &[("Host", host)], &hello()).await,
            403,
            "{host}"
        );
    }
}

#[tokio::test]
async fn web_pages_are_not_served_unless_their_origin_is_allowed() {
    let served = serve(fixture_server()).await;
    let host = ("Host", &*served.authority);
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "http://localhost:1",
    ] {
        let found = status(&served, "POST", &[host, ("Origin", origin)], &hello()).await;
        assert_eq!(found, 403, "{origin}");
        // Nor may they open the stream or end a session.
        for method in ["GET", "DELETE"] {
            assert_eq!(
                status(&served, method, &[host, ("Origin", origin)], "").await,
                403
            );
        }
    }
    // A page of its own would be served.
    let own = format!("http://{}", served.authority);
    assert_eq!(
        status(&served, "POST", &[host, ("Origin", &own)], &hello()).await,
        200
    );
    let open = fixture_server()
        .bind("127.0.0.1:0".parse().unwrap())
        .await
        .unwrap();
    let served = run(open
        .allow_origin("https://app.example.com:443")
        .allow_host("proxy.example"));
    let host = ("Host", &*served.authority);
    for (origin, expected) in [
        ("https://app.example.com", 200),
        ("http://app.example.com", 403),
        ("https://app.example.com:444", 403),
        ("https://other.example.com", 403),
    ] {
        let found = status(&served, "POST", &[host, ("Origin", origin)], &hello()).await;
        assert_eq!(found, expected, "{origin}");
    }
    assert_eq!(
        status(&served, "POST", &[("Host", "proxy.example")], &hello()).await,
        200
    );
}

#[tokio::test]
async fn bodies_that_are_too_long_or_no_json_are_refused() {
    let served = serve(fixture_server()).await;
    let host = ("Host", &*served.authority);
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "x".repeat(5 << 20)
    );
    assert_eq!(status(&served, "POST", &[host], &long).await, 413);
    for body in ["", "not json", "[]", "{}", r#"{"jsonrpc":"1.0"}"#] {
        let found = status(&served, "POST", &[host], body).await;
        assert!((400..500).contains(&found), "{body}: {found}");
    }
    let nested = "[".repeat(200_000);
    assert!((400..500).contains(&status(&served, "POST", &[host], &nested).await));
    assert_eq!(status(&served, "PUT", &[host], "").await, 405);
    // And it still serves.
    let client = connect(&served.url).await;
    assert_eq!(
        text(&call(&client, "add", json!({ "a": 1, "b": 1 })).await),
        r#"{"sum":2}"#
    );
}

#[tokio::test]
async fn many_broken_connections_do_no_harm() {
    let served = serve(fixture_server()).await;
    for _ in 0..300 {
        let mut stream = TcpStream::connect(&served.authority).await.unwrap();
        stream
            .write_all(b"POST /mcp HTTP/1.1\r\nHost: ")
            .await
            .unwrap();
    }
    let client = connect(&served.url).await;
    assert_eq!(
        text(&call(&client, "add", json!({ "a": 1, "b": 1 })).await),
        r#"{"sum":2}"#
    );
}

#[tokio::test]
async fn a_stopped_server_answers_nobody() {
    let server = fixture_server()
        .bind("127.0.0.1:0".parse().unwrap())
        .await
        .unwrap();
    let (address, stop) = (server.local_addr().unwrap(), server.stopper());
    let running = tokio::spawn(server.run());
    let client = connect(&format!("http://{address}/mcp")).await;
    stop.stop();
    let ended = tokio::time::timeout(Duration::from_secs(5), running).await;
    assert!(ended.unwrap().unwrap().is_ok());
    assert!(TcpStream::connect(address).await.is_err());
    drop(client);
}
