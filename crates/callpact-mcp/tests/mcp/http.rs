//! The server over HTTP: hosts, origins, statuses and bodies.

use std::{
    fmt::Write,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    help::{Served, call, connect, connect_modern, fixture_server, run, serve, text},
    raw::{answer, head, send},
};

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
async fn rejects_web_pages_of_foreign_origins() {
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
        // They may not open the stream or end a session either.
        for method in ["GET", "DELETE"] {
            assert_eq!(
                status(&served, method, &[host, ("Origin", origin)], "").await,
                403
            );
        }
    }
    // A page of the server's own origin is served.
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
async fn two_hosts_or_two_origins_are_refused() {
    let served = serve(fixture_server()).await;
    let host = ("Host", &*served.authority);
    let own = format!("http://{}", served.authority);
    let origin = ("Origin", &*own);
    for headers in [
        &[host, host][..],
        &[host, ("Host", "evil.example")],
        &[("Host", "evil.example"), host],
        &[host, origin, origin],
        &[host, origin, ("Origin", "https://evil.example")],
        &[("Host", "user@127.0.0.1")],
        &[("Host", "127.0.0.1:99999")],
        &[host, ("Mcp-Session-Id", "a"), ("Mcp-Session-Id", "b")],
        &[
            host,
            ("MCP-Protocol-Version", "2025-06-18"),
            ("MCP-Protocol-Version", "2026-07-28"),
        ],
    ] {
        for method in ["POST", "GET", "DELETE", "OPTIONS"] {
            let found = status(&served, method, headers, &hello()).await;
            assert_eq!(found, 400, "{method} {headers:?}");
        }
    }
    // The address of a request may name a host too.
    for (host, expected) in [(&*served.authority, 200), ("evil.example", 400)] {
        let body = hello();
        let head = head(&served, &[], body.len());
        let mut stream = TcpStream::connect(&served.authority).await.unwrap();
        let request = head.replacen("/mcp", &format!("http://{host}/mcp"), 1) + &body;
        stream.write_all(request.as_bytes()).await.unwrap();
        let (status, ..) = answer(stream).await;
        assert_eq!(status, expected, "{host}");
    }
}

#[tokio::test]
async fn browser_uses_server_only_from_allowed_origin() {
    let open = fixture_server()
        .bind("127.0.0.1:0".parse().unwrap())
        .await
        .unwrap();
    let served = run(open.allow_origin("https://app.example.com:443"));
    let asks = [
        ("Access-Control-Request-Method", "POST"),
        (
            "Access-Control-Request-Headers",
            "content-type,mcp-session-id",
        ),
    ];
    let page = ("Origin", "https://app.example.com");
    // The browser asks first.
    let (code, head, body) = send(&served, "OPTIONS", &[page, asks[0], asks[1]], "").await;
    assert_eq!((code, &*body), (204, ""), "{head}");
    for line in [
        "access-control-allow-origin: https://app.example.com",
        "access-control-allow-methods: GET, POST, DELETE",
        "access-control-allow-headers: content-type,mcp-session-id",
        "vary: Origin",
    ] {
        assert!(head.lines().any(|found| found == line), "{line}: {head}");
    }
    // Then it reads the answer, the errors and the id of the session.
    for (body, expected) in [(hello(), 200), ("not json".to_owned(), 400)] {
        let (code, head, _) = send(&served, "POST", &[page], &body).await;
        assert_eq!(code, expected, "{head}");
        assert!(head.contains("access-control-allow-origin: https://app.example.com"));
        assert!(head.contains("access-control-expose-headers: Mcp-Session-Id"));
    }
    for evil in ["https://evil.example", "null", "http://app.example.com"] {
        let evil = ("Origin", evil);
        let asked = send(&served, "OPTIONS", &[evil, asks[0], asks[1]], "").await;
        let posted = send(&served, "POST", &[evil], &hello()).await;
        let faulty = send(&served, "POST", &[evil], "not json").await;
        for (code, head, _) in [asked, posted, faulty] {
            assert_eq!(code, 403, "{head}");
            assert!(!head.contains("access-control"), "{head}");
        }
    }
    // Without an origin there are no such headers, and `OPTIONS` alone is not a preflight.
    let (code, head, _) = send(&served, "POST", &[], &hello()).await;
    assert!(code == 200 && !head.contains("access-control"), "{head}");
    assert_eq!(send(&served, "OPTIONS", &[page], "").await.0, 405);
}

#[tokio::test]
async fn faulty_messages_get_the_errors_of_the_protocol() {
    let served = serve(fixture_server()).await;
    for (body, code, id) in [
        ("", -32_700, json!(null)),
        ("{", -32_700, json!(null)),
        ("not json", -32_700, json!(null)),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}}"#,
            -32_700,
            json!(null),
        ),
        ("[]", -32_600, json!(null)),
        ("{}", -32_600, json!(null)),
        (
            r#"{"jsonrpc":"1.0","id":4,"method":"ping"}"#,
            -32_600,
            json!(4),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":7}"#,
            -32_600,
            json!("a"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}"#,
            -32_602,
            json!(5),
        ),
        (
            r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":["add",{"a":1,"b":2}]}"#,
            -32_602,
            json!(6),
        ),
        (
            r#"[7,"tools/call",{"name":"add","arguments":{"a":1,"b":2}}]"#,
            -32_600,
            json!(null),
        ),
        (r#""tools/call""#, -32_600, json!(null)),
        // An answer to a question that says no and yes, in both revisions.
        (
            r#"{"jsonrpc":"2.0","id":8,"result":{"action":"accept","content":{"decision":"refuse","decision":"approve"}}}"#,
            -32_600,
            json!(8),
        ),
        (
            r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2},"inputResponses":{"q":{"action":"accept","content":{"decision":"refuse","decision":"approve"}}}}}"#,
            -32_602,
            json!(9),
        ),
    ] {
        let (status, head, answer) = send(&served, "POST", &[], body).await;
        assert_eq!(status, 400, "{body}: {head}");
        assert!(head.contains("content-type: application/json"), "{head}");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["error"]["code"], code, "{body}: {answer}");
        assert_eq!(answer["id"], id, "{body}: {answer}");
        let words = answer["error"]["message"].as_str().unwrap();
        assert!(!words.contains("struct"), "{body}: {words}");
    }
}

#[tokio::test]
async fn rejects_oversized_and_non_json_bodies() {
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
    // The server still serves.
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
async fn a_stopped_server_does_not_answer() {
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

#[tokio::test]
async fn a_router_can_nest_the_server() {
    let service = fixture_server().service().allow_host("tools.example.test");
    let router = axum::Router::new()
        .route("/health", axum::routing::get(|| async { "well" }))
        .nest_service("/mcp", service);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let authority = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let url = format!("http://{authority}/mcp");
    for client in [connect(&url).await, connect_modern(&url).await] {
        let sum = call(&client, "add", json!({ "a": 1, "b": 1 })).await;
        assert_eq!(text(&sum), r#"{"sum":2}"#);
    }
}
