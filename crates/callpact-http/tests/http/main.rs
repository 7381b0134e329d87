//! The listener with clients that hold on to it. The tests of the MCP server and of the desk have more of them.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger and the times stricter. The times need a release build and an idle
//! machine, and all of it needs 4,000 open files.

mod process;

use std::{
    convert::Infallible,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use callpact_http::{BodyFault, Listener, Peer, Stop, read_body};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use process::ServerProcess;

/// The bytes of an answer that no socket takes at once.
const BIG: usize = 3 << 20;

/// A time that nothing here takes.
const LONG: Duration = Duration::from_secs(60);

/// One crowd at a time, since most systems allow a process 1,024 open files.
static CROWD: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A server on a port of its own; it stops when this is dropped.
struct Served {
    address: std::net::SocketAddr,
    /// `None` for a server in a process of its own.
    stop: Option<Stop>,
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }
}

/// Whether the whole crowd comes.
fn is_whole() -> bool {
    std::env::var("CALLPACT_CROWD").is_ok_and(|crowd| crowd == "whole")
}

/// An endless stream of events, after the first one silent.
async fn events() -> Response {
    let (sender, mut first) = tokio::sync::mpsc::channel::<Bytes>(1);
    let _ = sender.send("data: 1\n\n".into()).await;
    let frames = http_stream(move |cx| {
        let _open = &sender;
        first.poll_recv(cx)
    });
    ([("content-type", "text/event-stream")], frames).into_response()
}

fn http_stream(
    poll: impl FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<Bytes>> + Send + 'static,
) -> Body {
    struct Frames<F>(F);
    impl<F: FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<Bytes>> + Unpin>
        http_body::Body for Frames<F>
    {
        type Data = Bytes;
        type Error = Infallible;
        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            cx: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
            (self.0)(cx).map(|part| part.map(|part| Ok(http_body::Frame::data(part))))
        }
    }
    Body::new(Frames(Box::new(poll)))
}

async fn length(request: Request) -> Response {
    match read_body(request.into_body(), 1_000).await {
        Ok(body) => body.len().to_string().into_response(),
        Err(BodyFault::TooLong) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn serve() -> Served {
    let listener = Listener::bind("127.0.0.1:0".parse().unwrap())
        .await
        .unwrap();
    let address = listener.local_addr().unwrap();
    let stop = Some(listener.stopper());
    let app = Router::new()
        .route("/word", get(|| async { "here" }))
        .route("/big", get(|| async { "x".repeat(BIG) }))
        .route("/events", get(events))
        .route("/length", post(length))
        .route(
            "/peer",
            get(|request: Request| async move {
                let Peer(peer) = request.extensions().get().unwrap();
                peer.to_string()
            }),
        );
    tokio::spawn(listener.serve(app));
    Served { address, stop }
}

/// Opens a connection and sends a request that may be incomplete.
async fn open(served: &Served, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(served.address).await.unwrap();
    let _ = stream.write_all(text.as_bytes()).await;
    stream
}

/// Sends a request and returns the whole answer.
async fn ask(served: &Served, method: &str, path: &str, body: &str) -> String {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = open(served, &head).await;
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    let read = tokio::time::timeout(LONG, read).await;
    read.expect("an answer").unwrap();
    answer
}

/// A new client gets an answer in time.
async fn assert_serves(served: &Served, wait: Duration) {
    let start = Instant::now();
    let answer = ask(served, "GET", "/word", "").await;
    assert!(answer.ends_with("here"), "{answer}");
    let waited = start.elapsed();
    eprintln!("a new client was served after {waited:?}");
    assert!(waited < wait, "{waited:?}");
}

/// One kind of client after the other holds on to a server, and all leave it.
async fn hold_on(served: &Served, wait: Duration) {
    let sizes = if is_whole() {
        [520, 520, 512, 300]
    } else {
        [140, 140, 140, 100]
    };
    let requests = [
        "GET /word HTTP/1.1\r\nHost: ",
        "POST /length HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n1",
        "GET /big HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /events HTTP/1.1\r\nHost: h\r\n\r\n",
    ];
    let mut held = Vec::new();
    for (request, size) in requests.into_iter().zip(sizes) {
        for _ in 0..size {
            held.push(open(served, request).await);
        }
        assert_serves(served, wait).await;
    }
    drop(held);
    assert_serves(served, wait).await;
}

#[tokio::test]
async fn a_crowd_that_holds_on_keeps_nobody_out() {
    let _alone = CROWD.lock().await;
    let wait = if is_whole() {
        Duration::from_secs(2)
    } else {
        LONG
    };
    hold_on(&serve().await, wait).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_returns_after_a_crowd() {
    if process::is_server() {
        return process::serve_until_test_ends(&serve().await.address.to_string());
    }
    let _alone = CROWD.lock().await;
    let mut process = ServerProcess::start("memory_returns_after_a_crowd");
    let served = Served {
        address: process.place().parse().unwrap(),
        stop: None,
    };
    for _ in 0..20 {
        let answer = ask(&served, "GET", "/big", "").await;
        assert!(answer.len() > BIG, "{} bytes", answer.len());
    }
    let before = process.memory();
    for _ in 0..3 {
        hold_on(&served, LONG).await;
        process.assert_returns(before, Duration::from_secs(60));
    }
}

#[tokio::test]
async fn event_streams_have_a_bound() {
    let _alone = CROWD.lock().await;
    let served = serve().await;
    let request = "GET /events HTTP/1.1\r\nHost: h\r\n\r\n";
    let mut held = Vec::new();
    for number in 0..351 {
        let mut stream = open(&served, request).await;
        let mut start = [0; 12];
        stream.read_exact(&mut start).await.unwrap();
        let expected: &[u8] = if number < 350 {
            b"HTTP/1.1 200"
        } else {
            b"HTTP/1.1 503"
        };
        assert_eq!(start, expected, "{number}");
        held.push(stream);
    }
    assert_serves(&served, LONG).await;
}

#[tokio::test]
async fn requests_come_with_their_peer() {
    let served = serve().await;
    let answer = ask(&served, "GET", "/peer", "").await;
    assert!(answer.contains("\r\n\r\n127.0.0.1:"), "{answer}");
}

#[tokio::test]
async fn bodies_have_a_bounded_length() {
    let served = serve().await;
    let whole = ask(&served, "POST", "/length", &"x".repeat(1_000)).await;
    assert!(whole.ends_with("\r\n1000"), "{whole}");
    let long = ask(&served, "POST", "/length", &"x".repeat(1_001)).await;
    assert!(long.starts_with("HTTP/1.1 413"), "{long}");
}
