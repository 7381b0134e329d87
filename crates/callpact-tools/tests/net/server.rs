//! A scripted HTTP server on the loopback address. Every loop in it ends by itself.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use callpact_tools::engine::address::Network;
use callpact_tools::engine::fetch::{Fetcher, FetcherBuilder, Ports};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The server's action on one request.
pub(crate) enum Reply {
    /// Sends these bytes and closes.
    Once(Vec<u8>),
    /// Sends the first bytes, then the second again and again, with a pause before each.
    Repeat {
        head: Vec<u8>,
        chunk: Vec<u8>,
        pause: Duration,
        times: usize,
    },
    /// Says nothing for a while.
    Silence(Duration),
}

impl Reply {
    /// A whole answer with a length.
    pub(crate) fn new(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut text = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
        for header in headers {
            text.push_str(header);
            text.push_str("\r\n");
        }
        text.push_str("Connection: close\r\n\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend(body);
        Self::Once(bytes)
    }

    pub(crate) fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::new(200, &["Content-Type: text/plain"], body)
    }

    pub(crate) fn redirect(status: u16, to: &str) -> Self {
        Self::new(status, &[&format!("Location: {to}")], "")
    }
}

pub(crate) struct Server {
    pub(crate) port: u16,
    connects: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(crate) async fn start(script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connects = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn({
            let (connects, requests) = (Arc::clone(&connects), Arc::clone(&requests));
            let script = Arc::new(script);
            async move {
                for _ in 0..1_000 {
                    let Ok((stream, _)) = listener.accept().await else {
                        return;
                    };
                    connects.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(answer(stream, Arc::clone(&script), Arc::clone(&requests)));
                }
            }
        });
        Self {
            port,
            connects,
            requests,
            task,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// How many connections were accepted.
    pub(crate) fn connects(&self) -> usize {
        self.connects.load(Ordering::SeqCst)
    }

    /// The requests so far, in lower case up to the body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn answer(
    mut stream: TcpStream,
    script: Arc<impl Fn(&str) -> Reply>,
    requests: Arc<Mutex<Vec<String>>>,
) {
    let Some(request) = read_request(&mut stream).await else {
        return;
    };
    requests.lock().unwrap().push(request.clone());
    match script(&request) {
        Reply::Once(bytes) => {
            let _ = stream.write_all(&bytes).await;
        }
        Reply::Repeat {
            head,
            chunk,
            pause,
            times,
        } => {
            let _ = stream.write_all(&head).await;
            for _ in 0..times {
                if !pause.is_zero() {
                    tokio::time::sleep(pause).await;
                }
                if stream.write_all(&chunk).await.is_err() {
                    return;
                }
            }
        }
        Reply::Silence(time) => tokio::time::sleep(time).await,
    }
    let _ = stream.shutdown().await;
}

/// Reads one request, by its content length.
async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    for _ in 0..1_000 {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_ascii_lowercase();
            let length = lower
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |length| length.trim().parse().unwrap());
            if body.len() >= length {
                return Some(text);
            }
        }
        match stream.read(&mut buffer).await {
            Ok(read) if read > 0 => bytes.extend(&buffer[..read]),
            _ => return None,
        }
    }
    None
}

/// A fetcher that may talk to the servers of this file.
pub(crate) fn local() -> FetcherBuilder {
    Fetcher::builder()
        .ports(Ports::Any)
        .allow_network("127.0.0.1".parse::<Network>().unwrap())
        .timeout(Duration::from_secs(5))
}
