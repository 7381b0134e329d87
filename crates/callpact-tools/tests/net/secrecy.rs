//! A key never comes back: not in an answer's error, not in `Debug`, in none of its spellings.

use std::time::Duration;

use callpact_tools::engine::fetch::{FetchRequest, Method};
use callpact_tools::engine::http_call::HttpCall;
use callpact_tools::engine::search::{SearchProvider, SerpApi, Tavily};

use crate::server::{Reply, Server, local};
use crate::ssrf::Script;

/// Has characters that URLs and JSON escape.
const KEY: &str = "sk-Zk9/q+8\"Xw=47 vQ";

/// Every spelling that a server or a library might use.
const SPELLINGS: &[&str] = &[
    KEY,
    "sk-Zk9%2Fq%2B8%22Xw%3D47+vQ",
    "sk-Zk9%2Fq%2B8%22Xw%3D47%20vQ",
    "sk-Zk9%2fq%2b8%22Xw%3d47+vQ",
    "sk-Zk9/q+8\\\"Xw=47 vQ",
    "c2stWms5L3ErOCJYdz00NyB2",
];

fn assert_hidden(what: &str, text: &str) {
    for spelling in SPELLINGS {
        assert!(!text.contains(spelling), "{what}: {text}");
    }
    // Nor a recognisable part of it.
    assert!(!text.contains("Zk9"), "{what}: {text}");
}

/// Servers that fail in different ways while they repeat the key.
fn failure(path: &str) -> Reply {
    let echo = SPELLINGS.join(" | ");
    match path {
        "/status" => Reply::new(500, &[], format!("{} {echo}", "x".repeat(20))),
        // The cut at 200 characters falls into the key.
        "/edge" => Reply::new(403, &[], format!("{} {echo}", "x".repeat(190))),
        "/json" => Reply::new(200, &[], format!("{{\"{echo}")),
        "/encoding" => Reply::new(200, &[&format!("Content-Encoding: {}", SPELLINGS[1])], "x"),
        "/redirect" => Reply::redirect(302, &format!("http://10.0.0.1/?k={}", SPELLINGS[1])),
        "/host" => Reply::redirect(302, "http://sk-zk9.localhost/"),
        "/garbage" => Reply::Once(format!("HTTP/1.1 {echo}\r\n\r\n").into_bytes()),
        "/header" => Reply::Once(format!("HTTP/1.1 200 OK\r\n{echo}\r\n\r\n").into_bytes()),
        "/close" => Reply::Once(Vec::new()),
        _ => Reply::Silence(Duration::from_secs(9)),
    }
}

const PATHS: &[&str] = &[
    "/status",
    "/edge",
    "/json",
    "/encoding",
    "/redirect",
    "/host",
    "/garbage",
    "/header",
    "/close",
    "/silence",
];

fn last_dir(request: &str) -> String {
    let target = request.split([' ', '?']).nth(1).unwrap_or_default();
    let end = ["/search.json", "/search"]
        .iter()
        .find_map(|tail| target.strip_suffix(tail));
    end.unwrap_or(target).to_owned()
}

#[tokio::test]
async fn keys_of_search_services() {
    let server = Server::start(|request| failure(&last_dir(request))).await;
    // The name in a redirect is not looked up at another machine.
    let fetcher = local().resolver(Script::new(&[]));
    let fetcher = fetcher.timeout(Duration::from_millis(300)).build().unwrap();
    for path in PATHS {
        let base = server.url(path);
        let tavily = Tavily::new(KEY)
            .unwrap()
            .base_url(&base)
            .fetcher(fetcher.clone());
        let serp = SerpApi::new(KEY)
            .unwrap()
            .base_url(&base)
            .fetcher(fetcher.clone());
        let providers: [&dyn SearchProvider; 2] = [&tavily, &serp];
        for provider in providers {
            let error = provider.search("x", 5).await.unwrap_err();
            assert_hidden(path, &format!("{error} {error:?}"));
        }
        assert_hidden(path, &format!("{tavily:?} {serp:?}"));
    }
    // Nobody listens, or the base is not a URL.
    for base in ["http://127.0.0.1:1", "nonsense", "ftp://127.0.0.1"] {
        let serp = SerpApi::new(KEY)
            .unwrap()
            .base_url(base)
            .fetcher(fetcher.clone());
        let error = serp.search("x", 5).await.unwrap_err();
        assert_hidden(base, &format!("{error} {error:?}"));
    }
}

#[tokio::test]
async fn keys_of_configured_calls() {
    let server = Server::start(|request| failure(&last_dir(request))).await;
    for path in PATHS {
        let call = HttpCall::builder()
            .url(format!("{}?api={}", server.url(path), SPELLINGS[1]))
            .secret(KEY)
            .secret_header("X-Api-Key", KEY)
            .secret_header("Authorization", &format!("Bearer {KEY}"))
            .allow_internal(true)
            .timeout(Duration::from_millis(300));
        assert_hidden(path, &format!("{call:?}"));
        let call = call.build().unwrap();
        assert_hidden(path, &format!("{call:?} {}", call.shown_url()));
        let (Ok(text) | Err(text)) = call.call("input").await;
        assert_hidden(path, &text);
    }
}

#[tokio::test]
async fn keys_of_single_requests() {
    let server = Server::start(|request| failure(&last_dir(request))).await;
    let fetcher = local().timeout(Duration::from_millis(300)).build().unwrap();
    for path in PATHS {
        let request = FetchRequest::new(Method::Post, server.url(path))
            .query(&[("q", KEY)])
            .secret_header("Authorization", KEY)
            .body(KEY);
        let request = request.secret(KEY);
        assert_hidden(path, &format!("{request:?}"));
        match fetcher.fetch(request).await {
            Ok(answer) => assert_hidden(path, &answer.url),
            Err(error) => assert_hidden(path, &format!("{error} {error:?}")),
        }
    }
    // A key as a host name or in a bad header.
    let request = FetchRequest::get("http://10.0.0.1/")
        .secret_header(KEY, "x")
        .secret(KEY);
    let error = fetcher.fetch(request).await.unwrap_err();
    assert_hidden("header name", &format!("{error} {error:?}"));
}
