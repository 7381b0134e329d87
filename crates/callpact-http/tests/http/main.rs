//! The listener with clients that hold on to it. The tests of the MCP server and of the desk have more of them.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger. It needs 4,000 open files.

use std::{convert::Infallible, time::Duration};

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

/// One crowd at a time, since most systems allow a process 1,024 open files.
static CROWD: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A server on a port of its own; it stops when this is dropped.
struct Served {
    address: std::net::SocketAddr,
    stop: Stop,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.stop();
    }
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
    let (address, stop) = (listener.local_addr().unwrap(), listener.stopper());
    let app = Router::new()
        .route("/word", get(|| async { "here" }))
        .route("/big", get(|| async { "x".repeat(3 << 20) }))
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
    let read = tokio::time::timeout(Duration::from_secs(60), read).await;
    read.expect("an answer").unwrap();
    answer
}

async fn assert_serves(served: &Served) {
    let answer = ask(served, "GET", "/word", "").await;
    assert!(answer.ends_with("here"), "{answer}");
}

#[tokio::test]
async fn a_crowd_that_holds_on_keeps_nobody_out() {
    let _alone = CROWD.lock().await;
    let whole = std::env::var("CALLPACT_CROWD").is_ok_and(|crowd| crowd == "whole");
    let count = if whole { 520 } else { 140 };
    let served = serve().await;
    let mut held = Vec::new();
    for request in [
        "GET /word HTTP/1.1\r\nHost: ",
        "POST /length HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n1",
        "GET /big HTTP/1.1\r\nHost: h\r\n\r\n",
    ] {
        for _ in 0..count {
            held.push(open(&served, request).await);
        }
        assert_serves(&served).await;
    }
    drop(held);
    assert_serves(&served).await;
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
    assert_serves(&served).await;
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
