//! The server at faulty requests, slow clients, and clients that go away.

use std::time::{Duration, Instant};

use callpact_mcp::server::RateLimit;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    help::{Served, call, connect, fixture_server, request, run, serve, text, until},
    raw::{answer, head, hello, message, post, session},
};

/// Asserts that the server still answers.
async fn still_serves(served: &Served) {
    let client = connect(&served.url).await;
    let sum = call(&client, "add", json!({ "a": 1, "b": 1 })).await;
    assert_eq!(text(&sum), r#"{"sum":2}"#);
}

fn add(id: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": "add", "arguments": { "a": 1, "b": 2 },
    } })
    .to_string()
}

#[tokio::test]
async fn returns_ids_unchanged_or_rejects_request() {
    let served = serve(fixture_server()).await;
    let session = session(&served).await;
    let headers = [("Mcp-Session-Id", &*session)];
    for id in [
        json!(0),
        json!(-7),
        json!(9_007_199_254_740_991_i64),
        json!("text"),
        json!(""),
        json!("a\"b\\\n\u{202e}\u{1f600}"),
        json!("x".repeat(10_000)),
        json!("7"),
    ] {
        let (status, _, body) = post(&served, &headers, &add(&id)).await;
        assert_eq!(status, 200, "{id}: {body}");
        let message = message(&body);
        assert_eq!(message["id"], id);
        assert_eq!(message["result"]["structuredContent"]["sum"], 3, "{id}");
    }
    // A value that the protocol does not allow as an id is refused at once.
    for id in [
        json!(1.5),
        json!(true),
        json!([1]),
        json!({ "a": 1 }),
        json!(1e300),
    ] {
        let start = Instant::now();
        let (status, _, body) = post(&served, &headers, &add(&id)).await;
        assert!((400..500).contains(&status), "{id}: {status} {body}");
        assert!(start.elapsed() < Duration::from_secs(50), "{id}");
    }
    still_serves(&served).await;
}

#[tokio::test]
async fn rejects_body_without_request() {
    let served = serve(fixture_server()).await;
    let session = session(&served).await;
    let headers = [("Mcp-Session-Id", &*session)];
    let one = add(&json!(1));
    for body in [
        String::new(),
        "null".to_owned(),
        "7".to_owned(),
        "{".to_owned(),
        "{}".to_owned(),
        "not json".to_owned(),
        "\u{feff}{}".to_owned(),
        // The protocol no longer has batches.
        "[]".to_owned(),
        format!("[{one},{one}]"),
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_owned(),
        r#"{"id":1,"method":"ping"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#.to_owned(),
        format!("{one}{one}"),
    ] {
        let (status, _, answer) = post(&served, &headers, &body).await;
        assert!((400..500).contains(&status), "{body}: {status} {answer}");
        assert!(!answer.contains("src/") && answer.len() < 500, "{answer}");
    }
    let (status, _, answer) = post(&served, &headers, &one).await;
    assert_eq!(status, 200, "{answer}");
    still_serves(&served).await;
}

#[tokio::test]
async fn unknown_methods_and_faulty_parameters_are_protocol_errors() {
    let served = serve(fixture_server()).await;
    let session = session(&served).await;
    let headers = [("Mcp-Session-Id", &*session)];
    for (method, params, code) in [
        ("nothing/at/all", json!({}), -32_601),
        ("", json!({}), -32_601),
        ("tools/call", json!({ "name": "nothing" }), -32_602),
        ("tools/call", json!({ "name": "" }), -32_602),
        ("tools/list", json!({ "cursor": "7" }), -32_602),
        ("prompts/get", json!({ "name": "x" }), -32_601),
        (
            "resources/read",
            json!({ "uri": "file:///etc/passwd" }),
            -32_601,
        ),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params });
        let (status, _, answer) = post(&served, &headers, &body.to_string()).await;
        assert_eq!(status, 200, "{method}: {answer}");
        let answer = message(&answer);
        assert_eq!(answer["id"], 5);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.len() < 300, "{said}");
    }
    // These have no form of the protocol.
    for params in [json!({}), json!({ "name": 7 }), json!([])] {
        let body = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params });
        let start = Instant::now();
        let (status, _, answer) = post(&served, &headers, &body.to_string()).await;
        let refused = (400..500).contains(&status)
            || (status == 200 && message(&answer)["error"]["code"].is_i64());
        assert!(refused, "{params}: {status} {answer}");
        assert!(start.elapsed() < Duration::from_secs(50), "{params}");
    }
    still_serves(&served).await;
}

#[tokio::test]
async fn unknown_sessions_and_versions_are_refused() {
    let served = serve(fixture_server()).await;
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }).to_string();
    // No session, and no request that would begin one.
    let (status, _, body) = post(&served, &[], &list).await;
    assert!((400..500).contains(&status), "{status} {body}");
    let long = "x".repeat(5_000);
    for unknown in [
        "nothing",
        "00000000-0000-0000-0000-000000000000",
        &long,
        "../..",
        "",
    ] {
        let (status, _, body) = post(&served, &[("Mcp-Session-Id", unknown)], &list).await;
        assert!(
            (400..500).contains(&status),
            "{unknown:.40}: {status} {body}"
        );
        assert!(!body.contains("\"tools\""), "{body}");
    }
    let session = session(&served).await;
    let headers = |version| {
        [
            ("Mcp-Session-Id", &*session),
            ("MCP-Protocol-Version", version),
        ]
    };
    for version in ["1999-01-01", "2025", "", "evil\u{e4}"] {
        let (status, _, body) = post(&served, &headers(version), &list).await;
        assert!((400..500).contains(&status), "{version}: {status} {body}");
    }
    let (status, _, body) = post(&served, &headers("2025-11-25"), &list).await;
    assert_eq!(status, 200, "{body}");
    assert!(message(&body)["result"]["tools"].is_array());
    // An unknown version is answered with a known one.
    for version in ["1999-01-01", "9999-99-99", ""] {
        let (status, _, body) = post(&served, &[], &hello(version)).await;
        assert_eq!(status, 200, "{version}: {body}");
        let answer = message(&body);
        let spoken = answer["result"]["protocolVersion"].as_str();
        let refused = answer["error"]["code"].is_i64();
        assert!(
            spoken.is_some_and(|spoken| spoken != version) || refused,
            "{answer}"
        );
    }
    // A session that was ended is gone.
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let end = head(&served, &headers("2025-11-25"), 0).replace("POST", "DELETE");
    stream.write_all(end.as_bytes()).await.unwrap();
    let (status, ..) = answer(stream).await;
    // The clients in Python warn about every other success.
    assert_eq!(status, 200);
    let (status, ..) = post(&served, &headers("2025-11-25"), &list).await;
    assert_eq!(status, 404);
}

/// Calls `sleep` for a minute, with a key, on a connection of its own.
async fn asleep(served: &Served, headers: &[(&str, &str)], meta: &Value, key: &str) -> TcpStream {
    let body = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {
        "name": "sleep", "arguments": { "millis": 60_000, "key": key }, "_meta": meta,
    } })
    .to_string();
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let head = head(served, headers, body.len());
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_client_that_goes_away_stops_the_tool() {
    let served = serve(fixture_server()).await;
    let watcher = connect(&served.url).await;
    // In the new revision, by closing the connection.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let headers = [
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "sleep"),
    ];
    let stream = asleep(&served, &headers, &meta, "gone").await;
    until(&watcher, "gone", (1, 0)).await;
    drop(stream);
    until(&watcher, "gone", (1, 1)).await;
    // In the older revisions, too.
    let session = session(&served).await;
    let headers = [("Mcp-Session-Id", &*session)];
    let stream = asleep(&served, &headers, &json!({}), "closed").await;
    until(&watcher, "closed", (1, 0)).await;
    drop(stream);
    until(&watcher, "closed", (1, 1)).await;
    // The session goes on, and its end ends its calls.
    let _stream = asleep(&served, &headers, &json!({}), "ended").await;
    until(&watcher, "ended", (1, 0)).await;
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let end = head(&served, &headers, 0).replace("POST", "DELETE");
    stream.write_all(end.as_bytes()).await.unwrap();
    let (status, ..) = answer(stream).await;
    assert!((200..300).contains(&status), "{status}");
    until(&watcher, "ended", (1, 1)).await;
}

#[tokio::test]
async fn the_number_of_sessions_is_limited() {
    let open = fixture_server().bind("127.0.0.1:0".parse().unwrap());
    let open = open.await.unwrap();
    let served = run(open.limit_sessions(RateLimit::new(10_000, 1.0)));
    let watcher = connect(&served.url).await;
    let busy = session(&served).await;
    let used = session(&served).await;
    let headers = [("Mcp-Session-Id", &*busy)];
    let _call = asleep(&served, &headers, &json!({}), "busy").await;
    until(&watcher, "busy", (1, 0)).await;
    // A crowd that opens sessions and does nothing with them keeps nobody out.
    for _ in 0..1_200 {
        let (status, ..) = post(&served, &[], &hello("2025-11-25")).await;
        assert_eq!(status, 200);
    }
    // Among the others, the least recently used ones give way.
    for _ in 0..1_000 {
        session(&served).await;
    }
    let headers = [("Mcp-Session-Id", &*used)];
    let (status, ..) = post(&served, &headers, &add(&json!(1))).await;
    assert_eq!(status, 404);
    // But not one with a call.
    let headers = [("Mcp-Session-Id", &*busy)];
    let (status, _, body) = post(&served, &headers, &add(&json!(1))).await;
    assert!(status == 200 && body.contains("sum"), "{status} {body}");
}

#[tokio::test]
async fn dropped_or_stopped_server_ends_calls() {
    let other = serve(fixture_server()).await;
    let watcher = connect(&other.url).await;
    for (key, stops) in [("dropped", false), ("stopped", true)] {
        let server = fixture_server().bind("127.0.0.1:0".parse().unwrap());
        let server = server.await.unwrap();
        let authority = server.local_addr().unwrap().to_string();
        let stop = server.stopper();
        let running = tokio::spawn(server.run());
        let client = connect(&format!("http://{authority}/mcp")).await;
        let arguments = json!({ "millis": 60_000, "key": key });
        let call = tokio::spawn(async move { client.call_tool(request("sleep", arguments)).await });
        until(&watcher, key, (1, 0)).await;
        if stops {
            stop.stop();
        } else {
            running.abort();
        }
        until(&watcher, key, (1, 1)).await;
        call.abort();
    }
}

#[tokio::test]
async fn a_crash_does_not_end_the_session() {
    let served = serve(fixture_server()).await;
    let session = session(&served).await;
    let headers = [("Mcp-Session-Id", &*session)];
    let crash = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "crash", "arguments": {},
    } })
    .to_string();
    for _ in 0..3 {
        let (status, _, body) = post(&served, &headers, &crash).await;
        assert_eq!(status, 200);
        let answer = message(&body);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(!body.contains("the inside of the tool"), "{body}");
    }
    let (_, _, body) = post(&served, &headers, &add(&json!(4))).await;
    assert_eq!(message(&body)["result"]["structuredContent"]["sum"], 3);
}

#[tokio::test]
async fn clients_that_stop_sending_lose_their_connections() {
    let served = serve(fixture_server()).await;
    let body = head(&served, &[], 1_000) + "{";
    let session = session(&served).await;
    let again = head(
        &served,
        &[("Mcp-Session-Id", &*session)],
        add(&json!(1)).len(),
    );
    let again = again.replace("Connection: close\r\n", "") + &add(&json!(1));
    // Silent from the start, within a head, within a body, within another protocol, and after a request.
    let dawdling = [
        "",
        "POST /mcp HTTP/1.1\r\nHost: ",
        &body,
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
        &again,
    ]
    .map(|said| {
        let (authority, said) = (served.authority.clone(), said.to_owned());
        tokio::spawn(async move {
            let mut stream = TcpStream::connect(authority).await.unwrap();
            stream.write_all(said.as_bytes()).await.unwrap();
            let mut heard = Vec::new();
            // An error is an end too.
            let end = stream.read_to_end(&mut heard);
            tokio::time::timeout(Duration::from_secs(20), end)
                .await
                .is_ok()
        })
    });
    for (kind, closed) in dawdling.into_iter().enumerate() {
        assert!(closed.await.unwrap(), "kept its place: {kind}");
    }
}

#[tokio::test]
async fn answers_slow_body_eventually() {
    let served = serve(fixture_server()).await;
    let body = hello("2025-11-25");
    // Slow, but in time.
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    let head_of = |length| head(&served, &[], length);
    stream
        .write_all(head_of(body.len()).as_bytes())
        .await
        .unwrap();
    for part in body.as_bytes().chunks(body.len() / 5) {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stream.write_all(part).await.unwrap();
    }
    assert_eq!(answer(stream).await.0, 200);
    // A byte from time to time, without end.
    let start = Instant::now();
    let stream = TcpStream::connect(&served.authority).await.unwrap();
    let (reader, mut writer) = stream.into_split();
    writer.write_all(head_of(1 << 20).as_bytes()).await.unwrap();
    let dripping = tokio::spawn(async move {
        while writer.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut reader = reader;
    let mut first = [0; 12];
    let read = tokio::time::timeout(Duration::from_secs(20), reader.read_exact(&mut first)).await;
    assert!(read.is_ok(), "it is waited for");
    assert!(start.elapsed() > Duration::from_secs(5));
    dripping.abort();
}
