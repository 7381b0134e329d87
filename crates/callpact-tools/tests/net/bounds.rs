//! Answers that never end, are slow, or are far larger than they look.

use std::time::{Duration, Instant};

use callpact_tools::engine::fetch::{FetchError, FetchRequest, Oversize};

use crate::fetching::{get, gzip};
use crate::server::{Reply, Server, local};

/// 1 GiB of zeros in 1 MiB, as many gzip members.
#[tokio::test]
async fn a_gzip_bomb_stops_at_the_cap() {
    let bomb = gzip(&vec![0; 1 << 20]).repeat(1024);
    assert!(bomb.len() < 2 << 20, "{}", bomb.len());
    let server = Server::start(move |_| Reply::new(200, &["Content-Encoding: gzip"], &bomb)).await;
    let before = peak_memory();
    let start = Instant::now();
    let found = local().max_bytes(1 << 20).build().unwrap();
    let found = found.fetch(FetchRequest::get(server.url("/"))).await;
    assert_eq!(found, Err(FetchError::TooLarge(1 << 20)));
    let cut = local()
        .max_bytes(1 << 20)
        .on_oversize(Oversize::Truncate)
        .build()
        .unwrap();
    let cut = cut.fetch(FetchRequest::get(server.url("/"))).await.unwrap();
    assert_eq!((cut.body.len(), cut.truncated), (1 << 20, true));
    let grown = peak_memory().saturating_sub(before);
    println!(
        "gzip bomb: {:?}, {} KiB more at the peak",
        start.elapsed(),
        grown
    );
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert!(grown < 64 << 10, "{grown} KiB");
}

/// The peak memory of this process, in KiB; 0 if the system does not say.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok())
        .unwrap_or(0)
}

#[tokio::test]
async fn an_endless_body_stops_at_the_cap() {
    let server = Server::start(|_| Reply::Repeat {
        head: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec(),
        chunk: [b"4000\r\n".as_slice(), &[b'x'; 0x4000], b"\r\n"].concat(),
        pause: Duration::ZERO,
        times: 100_000,
    })
    .await;
    let start = Instant::now();
    assert_eq!(get(&server, "/").await, Err(FetchError::TooLarge(5 << 20)));
    println!("endless body of 5 MiB: {:?}", start.elapsed());
    let cut = local()
        .max_bytes(1000)
        .on_oversize(Oversize::Truncate)
        .build()
        .unwrap();
    let cut = cut.fetch(FetchRequest::get(server.url("/"))).await.unwrap();
    assert_eq!((cut.body.len(), cut.truncated), (1000, true));
    assert!(
        start.elapsed() < Duration::from_secs(40),
        "{:?}",
        start.elapsed()
    );
}

/// An endless gzip stream that never decodes to anything: the wire is bounded too.
#[tokio::test]
async fn an_endless_empty_gzip_stops() {
    let server = Server::start(|_| Reply::Repeat {
        head: b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".to_vec(),
        chunk: gzip(b"").repeat(500),
        pause: Duration::ZERO,
        times: 100_000,
    })
    .await;
    let fetcher = local().max_bytes(1000).build().unwrap();
    let found = fetcher.fetch(FetchRequest::get(server.url("/"))).await;
    assert_eq!(found, Err(FetchError::TooLarge(1000)));
}

#[tokio::test]
async fn a_body_of_exactly_the_limit_fits() {
    let server = Server::start(|_| Reply::ok([b'x'; 1000])).await;
    for (limit, fits) in [(999, false), (1000, true), (1001, true)] {
        let fetcher = local().max_bytes(limit).build().unwrap();
        let found = fetcher.fetch(FetchRequest::get(server.url("/"))).await;
        assert_eq!(found.is_ok(), fits, "{limit}");
    }
}

/// Everything slow ends at the deadline: the bytes, the headers, the redirects, the silence.
#[tokio::test]
async fn the_deadline_is_for_the_whole_call() {
    let slow = |head: &'static [u8], chunk: &'static [u8]| Reply::Repeat {
        head: head.to_vec(),
        chunk: chunk.to_vec(),
        pause: Duration::from_millis(300),
        times: 60,
    };
    let server = Server::start(move |request| match request.split(' ').nth(1) {
        Some("/body") => slow(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", b"x"),
        Some("/headers") => slow(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
        Some("/hops") => slow(
            b"HTTP/1.1 302 Found\r\nLocation: /hops\r\nContent-Length: 0\r\n",
            b"\r\n",
        ),
        Some("/interim") => slow(b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
        _ => Reply::Silence(Duration::from_secs(20)),
    })
    .await;
    let limit = Duration::from_secs(1);
    let fetcher = local().timeout(limit).max_redirects(20).build().unwrap();
    for path in ["/body", "/headers", "/hops", "/interim", "/silence"] {
        let start = Instant::now();
        let found = fetcher.fetch(FetchRequest::get(server.url(path))).await;
        assert_eq!(found, Err(FetchError::Timeout(limit)), "{path}");
        let took = start.elapsed();
        println!("slow {path}: {took:?}");
        assert!(took < 15 * limit, "{path}: {took:?}");
    }
}

#[tokio::test]
async fn floods_of_headers_end() {
    let server = Server::start(|request| match request.split(' ').nth(1) {
        Some("/many") => Reply::Repeat {
            head: b"HTTP/1.1 200 OK\r\n".to_vec(),
            chunk: b"A-Header: with a value\r\n".repeat(100),
            pause: Duration::ZERO,
            times: 100_000,
        },
        Some("/interim") => Reply::Repeat {
            head: Vec::new(),
            chunk: b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100),
            pause: Duration::ZERO,
            times: 100_000,
        },
        _ => Reply::Repeat {
            head: b"HTTP/1.1 200 OK\r\nLong: ".to_vec(),
            chunk: [b'x'; 4096].to_vec(),
            pause: Duration::ZERO,
            times: 100_000,
        },
    })
    .await;
    let fetcher = local().timeout(Duration::from_secs(2)).build().unwrap();
    for path in ["/many", "/long", "/interim"] {
        let start = Instant::now();
        let found = fetcher.fetch(FetchRequest::get(server.url(path))).await;
        println!("header flood {path}: {:?} {found:?}", start.elapsed());
        assert!(
            matches!(found, Err(FetchError::Protocol(_) | FetchError::Timeout(_))),
            "{found:?}"
        );
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{:?}",
            start.elapsed()
        );
    }
}
