//! Redirects: a request for one server never reaches another.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use callpact_mcp::client::McpConfig;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A server that redirects `/mcp` to another address, and refuses every other path.
struct Sends {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Sends {
    async fn start(answer: impl Fn(SocketAddr) -> String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&heads), answer(address));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Some((head, mut stream)) = request(stream).await else {
                    continue;
                };
                let answer = if head.contains(" /mcp ") {
                    &answer
                } else {
                    "404 Not Found\r\n"
                };
                log.lock().unwrap().push(head);
                let answer =
                    format!("HTTP/1.1 {answer}content-length: 0\r\nconnection: close\r\n\r\n");
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self { address, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// Reads a request, and returns its head in lower case.
async fn request(stream: TcpStream) -> Option<(String, TcpStream)> {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let head = head.to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"))
        .map_or(0, |length| length.trim().parse().unwrap());
    stream.read_exact(&mut vec![0; length]).await.ok()?;
    Some((head, stream.into_inner()))
}

async fn open(address: SocketAddr) {
    let config = McpConfig::url(format!("http://{address}/mcp"))
        .bearer_token("hunter2")
        .open_timeout(Duration::from_secs(20));
    config.open().await.unwrap_err();
}

const STATUSES: [&str; 5] = ["301", "302", "303", "307", "308"];

#[tokio::test]
async fn nothing_is_sent_to_another_origin() {
    let other = Sends::start(|_| "404 Not Found\r\n".to_owned()).await;
    for status in STATUSES {
        // The same host by another port, and by another name.
        for host in ["127.0.0.1", "localhost"] {
            let to = format!("http://{host}:{}/mcp", other.address.port());
            let server = Sends::start(|_| format!("{status} Moved\r\nlocation: {to}\r\n")).await;
            open(server.address).await;
            let heads = server.heads();
            assert!(!heads.is_empty());
            for head in heads {
                assert!(head.contains("authorization: bearer hunter2\r\n"), "{head}");
            }
            assert_eq!(other.heads(), [""; 0], "{status}");
        }
    }
}

#[tokio::test]
async fn follows_local_redirect_if_request_is_kept() {
    for status in STATUSES {
        let server =
            Sends::start(|home| format!("{status} Moved\r\nlocation: http://{home}/moved\r\n"))
                .await;
        open(server.address).await;
        let heads = server.heads();
        let moved: Vec<&String> = heads
            .iter()
            .filter(|head| head.contains(" /moved "))
            .collect();
        // The others turn what is posted into something that is fetched.
        let keeps = matches!(status, "307" | "308");
        assert_eq!(!moved.is_empty(), keeps, "{status}: {heads:?}");
        for head in moved {
            assert!(
                head.starts_with("post ") && head.contains("bearer hunter2"),
                "{head}"
            );
        }
    }
}

#[tokio::test]
async fn a_redirect_in_a_circle_ends() {
    let server = Sends::start(|home| format!("307 Moved\r\nlocation: http://{home}/mcp\r\n")).await;
    open(server.address).await;
    let count = server.heads().len();
    // Ten and the first, for each of the few requests that open a connection.
    assert!((11..60).contains(&count), "{count}");
}
