//! Answers, redirects, encodings and charsets of a fetch.

use std::io::Write as _;
use std::time::Duration;

use callpact_tools::engine::fetch::{FetchError, FetchRequest, Fetched, Method, shown_url};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::server::{Reply, Server, local};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) async fn get(server: &Server, path: &str) -> Result<Fetched, FetchError> {
    local()
        .build()
        .unwrap()
        .fetch(FetchRequest::get(server.url(path)))
        .await
}

#[tokio::test]
async fn a_plain_answer() {
    let server = Server::start(|_| Reply::ok("hello")).await;
    let answer = get(&server, "/a?q=1&token=t#frag").await.unwrap();
    assert_eq!(
        (answer.status, answer.text().as_str(), answer.truncated),
        (200, "hello", false)
    );
    assert_eq!(answer.content_type.as_deref(), Some("text/plain"));
    assert_eq!(answer.url, server.url("/a?q=1&token=***"));
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(
        request.starts_with("get /a?q=1&token=t http/1.1\r\n"),
        "{request}"
    );
    assert!(request.contains("accept-encoding: gzip\r\n"), "{request}");
    assert!(request.contains("user-agent: callpact/"), "{request}");
}

#[tokio::test]
async fn gzip_is_decoded() {
    let server = Server::start(|request| match request.split(' ').nth(1) {
        Some("/cut") => {
            let whole = gzip(&b"text ".repeat(1000));
            Reply::new(200, &["Content-Encoding: gzip"], &whole[..whole.len() / 2])
        }
        Some("/two") => {
            let both = [gzip(b"one "), gzip(b"two")].concat();
            Reply::new(200, &["Content-Encoding: x-gzip"], both)
        }
        Some("/noise") => Reply::new(200, &["Content-Encoding: gzip"], b"this is not gzip at all"),
        Some("/empty") => Reply::new(200, &["Content-Encoding: gzip"], b""),
        _ => Reply::new(200, &["Content-Encoding: GZip"], gzip("café".as_bytes())),
    })
    .await;
    assert_eq!(get(&server, "/").await.unwrap().text(), "café");
    assert_eq!(get(&server, "/two").await.unwrap().text(), "one two");
    assert_eq!(get(&server, "/empty").await.unwrap().text(), "");
    assert_eq!(get(&server, "/cut").await, Err(FetchError::Damaged));
    assert_eq!(get(&server, "/noise").await, Err(FetchError::Damaged));
}

#[tokio::test]
async fn other_and_nested_encodings_are_refused() {
    for encoding in [
        "br",
        "zstd",
        "deflate",
        "gzip, gzip",
        "gzip, br",
        "compress",
        "aes128gcm",
    ] {
        let header = format!("Content-Encoding: {encoding}");
        let server = Server::start(move |_| Reply::new(200, &[&header], "x")).await;
        let found = get(&server, "/").await;
        assert_eq!(found, Err(FetchError::Encoding(encoding.into())));
    }
    let headers = ["Content-Encoding: gzip", "Content-Encoding: gzip"];
    let server = Server::start(move |_| Reply::new(200, &headers, gzip(&gzip(b"x")))).await;
    assert!(matches!(
        get(&server, "/").await,
        Err(FetchError::Encoding(_))
    ));
}

#[tokio::test]
async fn answers_that_are_not_http() {
    for bytes in [
        &b""[..],
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let server = Server::start(move |_| Reply::Once(bytes.to_vec())).await;
        let found = get(&server, "/").await;
        assert!(
            matches!(found, Err(FetchError::Protocol(_))),
            "{bytes:?}: {found:?}"
        );
    }
}

#[tokio::test]
async fn redirects_are_followed_and_counted() {
    let server = Server::start(|request| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        match path.trim_start_matches('/').parse::<u32>() {
            Ok(0) => Reply::ok("end"),
            Ok(left) => Reply::redirect(302, &format!("/{}", left - 1)),
            Err(_) => Reply::redirect(301, "/loop"),
        }
    })
    .await;
    let answer = get(&server, "/5").await.unwrap();
    assert_eq!((answer.text().as_str(), answer.redirects), ("end", 5));
    assert_eq!(answer.url, server.url("/0"));
    assert_eq!(
        get(&server, "/6").await,
        Err(FetchError::TooManyRedirects(5))
    );
    let before = server.connects();
    assert_eq!(
        get(&server, "/loop").await,
        Err(FetchError::TooManyRedirects(5))
    );
    assert_eq!(server.connects() - before, 6);
    let none = local().build().unwrap();
    let none = none
        .fetch(FetchRequest::get(server.url("/3")).max_redirects(0))
        .await
        .unwrap();
    assert_eq!(none.status, 302);
}

#[tokio::test]
async fn methods_and_bodies_over_redirects() {
    let server = Server::start(|request| match request.split(' ').nth(1) {
        Some("/end") => Reply::ok(request.split(' ').next().unwrap()),
        Some(path) => Reply::redirect(path[1..].parse().unwrap(), "/end"),
        None => Reply::ok(""),
    })
    .await;
    let fetcher = local().build().unwrap();
    let rows = [
        (301, Method::Post, "GET"),
        (302, Method::Post, "GET"),
        (303, Method::Post, "GET"),
        (307, Method::Post, "POST"),
        (308, Method::Post, "POST"),
        (301, Method::Put, "PUT"),
        (303, Method::Put, "GET"),
        (302, Method::Get, "GET"),
    ];
    for (status, method, expected) in rows {
        let request = FetchRequest::new(method, server.url(&format!("/{status}")));
        let request = request.header("Content-Type", "text/x").body("payload");
        let answer = fetcher.fetch(request).await.unwrap();
        assert_eq!(answer.text(), expected, "{status} {method}");
        let last = server.requests().pop().unwrap();
        assert_eq!(
            last.ends_with("payload"),
            expected == method.as_str(),
            "{last}"
        );
    }
}

#[tokio::test]
async fn headers_stay_within_the_origin() {
    let other = Server::start(|_| Reply::ok("other")).await;
    let to = other.url("/landed");
    let server = Server::start(move |request| match request.split(' ').nth(1) {
        Some("/same") => Reply::redirect(307, "/end"),
        Some("/other") => Reply::redirect(307, &to),
        _ => Reply::ok("end"),
    })
    .await;
    let fetcher = local().build().unwrap();
    let request = |path: &str| {
        FetchRequest::get(server.url(path))
            .secret_header("Authorization", "Bearer s3cr3t")
            .header("X-Api-Key", "k3y")
            .header("Cookie", "c00kie")
            .header("Accept", "text/plain")
    };
    fetcher.fetch(request("/same")).await.unwrap();
    let same = server.requests().pop().unwrap().to_ascii_lowercase();
    for kept in ["bearer s3cr3t", "k3y", "c00kie", "accept: text/plain"] {
        assert!(same.contains(kept), "{same}");
    }
    fetcher.fetch(request("/other")).await.unwrap();
    let landed = other.requests().pop().unwrap().to_ascii_lowercase();
    for gone in ["s3cr3t", "k3y", "c00kie", "authorization", "referer"] {
        assert!(!landed.contains(gone), "{landed}");
    }
    assert!(landed.contains("accept: text/plain"), "{landed}");
    // A body is never sent on to someone else.
    let post = FetchRequest::new(Method::Post, server.url("/other")).body("payload");
    let found = fetcher.fetch(post).await;
    assert!(matches!(found, Err(FetchError::Redirect(_))), "{found:?}");
    assert_eq!(other.connects(), 1);
}

#[tokio::test]
async fn text_is_read_in_its_charset() {
    let rows: &[(&str, &[u8], &str)] = &[
        ("text/plain; charset=utf-8", "żółw".as_bytes(), "żółw"),
        ("text/plain; charset=iso-8859-2", b"\xbf\xf3\xb3w", "żółw"),
        (
            "text/html; charset=windows-1251",
            b"\xcf\xf0\xe8\xe2\xe5\xf2",
            "Привет",
        ),
        ("text/html; charset=\"Shift_JIS\"", b"\x93\xfa\x96{", "日本"),
        ("text/html; charset=utf-16le", b"h\0i\0", "hi"),
        (
            "text/html",
            b"<meta charset=gbk>\xc4\xe3",
            "<meta charset=gbk>你",
        ),
        ("text/html", b"\xef\xbb\xbfbom", "bom"),
        ("text/plain; charset=unknown-8bit", b"ok\xff", "ok\u{fffd}"),
    ];
    for (content_type, body, expected) in rows {
        let (header, body) = (format!("Content-Type: {content_type}"), body.to_vec());
        let server = Server::start(move |_| Reply::new(200, &[&header], &body)).await;
        assert_eq!(
            get(&server, "/").await.unwrap().text(),
            *expected,
            "{content_type}"
        );
    }
}

#[tokio::test]
async fn requests_that_are_refused_unsent() {
    let server = Server::start(|_| Reply::ok("")).await;
    let fetcher = local().build().unwrap();
    let request = || FetchRequest::get(server.url("/"));
    for request in [
        request().header("Host", "other"),
        request().header("Transfer-Encoding", "chunked"),
        request().header("content-length", "5"),
        request().header("X", "a\r\nY: b"),
        request().header("X Y", "a"),
        request().secret_header("Proxy-Authorization", "x"),
    ] {
        let found = fetcher.fetch(request).await;
        assert!(
            matches!(found, Err(FetchError::InvalidRequest(_))),
            "{found:?}"
        );
    }
    assert_eq!(server.connects(), 0);
    assert!(local().timeout(Duration::ZERO).build().is_err());
    assert!(local().max_bytes(0).build().is_err());
    assert!(local().user_agent("a\nb").build().is_err());
    assert!("patch".parse::<Method>().is_ok() && "TRACE".parse::<Method>().is_err());
    assert_eq!(shown_url("http://h/?a"), "http://h/?a");
}

/// A server that does not speak TLS ends the call; nothing of the request is sent in the clear.
#[tokio::test]
async fn https_stays_https() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/secret-path", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut seen = vec![0; 4096];
        let read = stream.read(&mut seen).await.unwrap();
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            .await;
        String::from_utf8_lossy(&seen[..read]).into_owned()
    });
    let found = local().build().unwrap().fetch(FetchRequest::get(url)).await;
    assert!(
        matches!(found, Err(FetchError::Connect { .. })),
        "{found:?}"
    );
    assert!(!server.await.unwrap().contains("secret-path"));
}
