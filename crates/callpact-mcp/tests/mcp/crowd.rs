//! The server with many clients that hold on to it, all at once.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger and the times stricter. The times need a release build and an idle
//! machine, and all of it needs 4,000 open files.

use std::time::{Duration, Instant};

use callpact::{DynamicTool, Permission, ToolContext, ToolResult, Toolset};
use callpact_mcp::server::{RateLimit, ToolServer};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
};

use crate::{
    help::{Served, call, connect, connect_modern, run, serve},
    process::{self, ServerProcess},
    raw::{head, hello, post, session, session_of},
};

/// How many clients of a kind there are.
struct Crowd {
    streams: usize,
    deaf: usize,
    slow: usize,
    sessions: usize,
    honest: usize,
    /// How long a new client may wait.
    wait: Duration,
}

impl Crowd {
    fn of_this_run() -> Self {
        if std::env::var("CALLPACT_CROWD").is_ok_and(|crowd| crowd == "whole") {
            Self {
                streams: 300,
                deaf: 512,
                slow: 520,
                sessions: 2_000,
                honest: 100,
                wait: Duration::from_secs(2),
            }
        } else {
            Self {
                streams: 180,
                deaf: 40,
                slow: 60,
                sessions: 50,
                honest: 20,
                wait: Duration::from_secs(60),
            }
        }
    }
}

const BIG: usize = 3 << 20;

/// The most sessions of one address.
const SESSIONS: usize = 750;

fn server_of_words() -> ToolServer {
    let big = DynamicTool::new("big", "Returns three megabytes.", None, |_, _| async {
        ToolResult::success("x".repeat(BIG))
    });
    let small = DynamicTool::new("small", "Returns a word.", None, |_, _| async {
        ToolResult::success("here")
    });
    let tools = Toolset::builder()
        .tool(big.unwrap().with_permission(Permission::ReadOnly))
        .tool(small.unwrap().with_permission(Permission::ReadOnly))
        .max_output(BIG + 1)
        .build()
        .unwrap();
    let server = ToolServer::new(tools, ToolContext::new());
    server.with_rate_limit(RateLimit::new(100_000, 100_000.0))
}

async fn server() -> Served {
    serve(server_of_words()).await
}

/// Opens a connection and sends this.
async fn open(served: &Served, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&served.authority).await.unwrap();
    // Where there is no room, the server may have closed it.
    let _ = stream.write_all(text.as_bytes()).await;
    stream
}

/// An event stream of a session, which is never read.
async fn event_stream(served: &Served) -> TcpStream {
    let session = session(served).await;
    let head = head(served, &[("Mcp-Session-Id", &session)], 0);
    open(served, &head.replace("POST", "GET")).await
}

/// A call whose large answer is never read.
async fn deaf(served: &Served, session: &str, id: usize) -> TcpStream {
    let body = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": "big", "arguments": {},
    } })
    .to_string();
    let head = head(served, &[("Mcp-Session-Id", session)], body.len());
    open(served, &(head + &body)).await
}

/// A new client gets an answer in time.
async fn assert_serves(served: &Served, wait: Duration) {
    let start = Instant::now();
    let words = async {
        for client in [
            connect_modern(&served.url).await,
            connect(&served.url).await,
        ] {
            let reply = call(&client, "small", json!({})).await;
            assert_eq!(crate::help::text(&reply), "here");
        }
    };
    let served = tokio::time::timeout(wait.max(Duration::from_secs(60)), words).await;
    served.expect("answers in both revisions");
    eprintln!("a new client was served after {:?}", start.elapsed());
    assert!(start.elapsed() < wait, "{:?}", start.elapsed());
}

/// One kind of client after the other holds on to a server, and all leave it.
async fn hold_on(served: &Served, crowd: &Crowd) {
    assert_serves(served, crowd.wait).await;
    let mut held = Vec::new();
    for _ in 0..crowd.streams {
        held.push(event_stream(served).await);
    }
    assert_serves(served, crowd.wait).await;
    let own = session(served).await;
    for id in 0..crowd.deaf {
        held.push(deaf(served, &own, id).await);
    }
    assert_serves(served, crowd.wait).await;
    for _ in 0..crowd.slow {
        held.push(open(served, "POST /mcp HTTP/1.1\r\nHost: ").await);
    }
    assert_serves(served, crowd.wait).await;
    for _ in 0..crowd.sessions {
        let (status, ..) = post(served, &[], &hello("2025-11-25")).await;
        assert_eq!(status, 200);
    }
    assert_serves(served, crowd.wait).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn persistent_crowd_does_not_block_new_clients() {
    hold_on(&server().await, &Crowd::of_this_run()).await;
}

/// Before the crowd comes, one honest client after the other begins a session and reads a large answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_returns_after_a_crowd() {
    if process::is_server() {
        return process::serve_until_test_ends(&server().await.authority);
    }
    let crowd = Crowd {
        wait: Duration::from_secs(60),
        ..Crowd::of_this_run()
    };
    let mut process = ServerProcess::start("crowd::memory_returns_after_a_crowd");
    let served = Served::in_process(process.place());
    for id in 0..crowd.honest {
        let session = session(&served).await;
        let mut answer = Vec::new();
        let mut stream = deaf(&served, &session, id).await;
        stream.read_to_end(&mut answer).await.unwrap();
        assert!(answer.len() > BIG, "{} bytes", answer.len());
    }
    // The sessions of the crowd end after five minutes. An ordinary run does not wait for that: as many as there may be
    // are there before.
    let mut patience = Duration::from_secs(360);
    if crowd.sessions < SESSIONS {
        patience = Duration::from_secs(60);
        for _ in 0..SESSIONS {
            session(&served).await;
        }
    }
    let before = process.memory();
    for _ in 0..3 {
        hold_on(&served, &crowd).await;
        process.memory();
    }
    process.assert_returns(before, patience);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sudden_crowd_does_not_block_new_clients() {
    let crowd = Crowd::of_this_run();
    let served = std::sync::Arc::new(server().await);
    let own = session(&served).await;
    let mut coming = JoinSet::new();
    for number in 0..crowd.streams.max(crowd.deaf).max(crowd.slow) {
        let (served, own) = (std::sync::Arc::clone(&served), own.clone());
        let (streams, deafs, slow) = (crowd.streams, crowd.deaf, crowd.slow);
        coming.spawn(async move {
            let mut held = Vec::new();
            if number < deafs {
                held.push(deaf(&served, &own, number).await);
            }
            if number < slow {
                held.push(open(&served, "POST /mcp HTTP/1.1\r\nHost: ").await);
            }
            if number < streams {
                held.push(event_stream(&served).await);
            }
            held
        });
    }
    assert_serves(&served, crowd.wait).await;
    let held = coming.join_all().await;
    assert_serves(&served, crowd.wait).await;
    drop(held);
}

/// A client that opens a session, uses it, leaves it idle, comes again, and begins anew. Every answer must come, and in
/// time.
async fn act(served: &Served, number: usize, crowd: &Crowd) {
    for round in 0..3 {
        let mut asked = Instant::now();
        let session = session(served).await;
        for _ in 0..2 {
            let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
                "name": "small", "arguments": {},
            } });
            let headers = [("Mcp-Session-Id", &*session)];
            let (status, _, body) = post(served, &headers, &body.to_string()).await;
            assert!(status == 200 && body.contains("here"), "{status}: {body}");
            assert!(asked.elapsed() < crowd.wait, "{:?}", asked.elapsed());
            let idle = Duration::from_millis(100 + 10 * (number as u64 % 10));
            tokio::time::sleep(idle).await;
            asked = Instant::now();
        }
        if round == 1 {
            let headers = [("Mcp-Session-Id", &*session)];
            let (status, ..) = crate::raw::send(served, "DELETE", &headers, "").await;
            assert!((200..300).contains(&status), "{status}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_act_keep_their_sessions() {
    let crowd = std::sync::Arc::new(Crowd::of_this_run());
    let served = std::sync::Arc::new(server().await);
    // Sessions that were begun before and are never used.
    for _ in 0..crowd.sessions {
        session(&served).await;
    }
    let mut beginning = JoinSet::new();
    for _ in 0..8 {
        let served = std::sync::Arc::clone(&served);
        beginning.spawn(async move {
            loop {
                let (status, ..) = post(&served, &[], &hello("2025-11-25")).await;
                assert!(matches!(status, 200 | 503), "{status}");
            }
        });
    }
    let mut honest = JoinSet::new();
    for number in 0..crowd.honest {
        let (served, crowd) = (
            std::sync::Arc::clone(&served),
            std::sync::Arc::clone(&crowd),
        );
        honest.spawn(async move { act(&served, number, &crowd).await });
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    honest.join_all().await;
    assert_serves(&served, crowd.wait).await;
    let ended = beginning.try_join_next();
    assert!(ended.is_none(), "{ended:?}");
}

#[tokio::test]
async fn newcomers_evict_only_idle_sessions() {
    let open = server_of_words().bind("127.0.0.1:0".parse().unwrap());
    let open = open.await.unwrap();
    let served = run(open.limit_sessions(RateLimit::new(10_000, 1.0)));
    let mut idle = Vec::new();
    for _ in 0..SESSIONS {
        idle.push(session(&served).await);
    }
    // Each newcomer costs an idle session, and none costs another newcomer what it has just opened.
    let mut opened = Vec::new();
    for _ in 0..20 {
        let (status, head, _) = post(&served, &[], &hello("2025-11-25")).await;
        assert_eq!(status, 200, "{head}");
        opened.push(session_of(&head));
    }
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
    for session in opened {
        let (status, ..) = post(&served, &[("Mcp-Session-Id", &session)], &ready).await;
        assert_eq!(status, 202);
    }
    let oldest = [("Mcp-Session-Id", &*idle[0])];
    assert_eq!(post(&served, &oldest, &ready).await.0, 404);
}

#[tokio::test]
async fn who_opens_sessions_too_fast_is_sent_away() {
    let open = server_of_words().bind("127.0.0.1:0".parse().unwrap());
    let open = open.await.unwrap();
    let served = run(open.limit_sessions(RateLimit::new(2, 0.0)));
    let mut last = (200, String::new());
    for _ in 0..3 {
        let (status, head, _) = post(&served, &[], &hello("2025-11-25")).await;
        last = (status, head.to_ascii_lowercase());
    }
    assert_eq!(last.0, 503, "{}", last.1);
    assert!(last.1.contains("retry-after: "), "{}", last.1);
}

#[tokio::test]
async fn disconnects_client_if_answers_stay_unread() {
    let served = server().await;
    let own = session(&served).await;
    // Enough answers for every buffer on the way.
    let body = json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {
        "name": "big", "arguments": {},
    } })
    .to_string();
    let headers = [("Mcp-Session-Id", &*own)];
    let request = head(&served, &headers, body.len()).replace("Connection: close\r\n", "") + &body;
    let mut stream = open(&served, &request.repeat(8)).await;
    tokio::time::sleep(Duration::from_secs(15)).await;
    let mut answers = Vec::new();
    // An error is an end too.
    let end = stream.read_to_end(&mut answers);
    let ended = tokio::time::timeout(Duration::from_secs(60), end).await;
    assert!(ended.is_ok(), "the connection is still open");
    assert!(answers.len() < 8 * BIG, "{} bytes came", answers.len());
}
