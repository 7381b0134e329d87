//! Faults 1.11 of the network tools, which ours do not have.

use callpact_tools::engine::fetch::{Fetcher, Method};
use callpact_tools::{HttpAgentTool, WebScrape};
use serde_json::json;

use crate::bench::{said, set};
use crate::connects::Connects;
use crate::server::{Reply, Server, local};

#[tokio::test]
async fn read_web_scrape_reaches_no_internal_address() {
    let server = Server::start(|_| Reply::ok("INTERNAL")).await;
    let tools = set(WebScrape::new().unwrap());
    let port = server.port;
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://0x7f.1:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "file:///etc/passwd".to_owned(),
        "gopher://example.org/".to_owned(),
    ] {
        let found = said(&tools, "web_scrape", json!({ "url": url })).await;
        assert!(
            found.starts_with("Error: Failed to fetch URL: "),
            "{url}: {found}"
        );
    }
    assert_eq!(server.connects(), 0);
    let connects = Connects::default();
    let fetcher = connects.of(Fetcher::builder()).build().unwrap();
    let tools = set(WebScrape::with_fetcher(fetcher));
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
    ] {
        let found = said(&tools, "web_scrape", json!({ "url": url })).await;
        let text = "Error: Failed to fetch URL: access denied: ";
        assert!(found.starts_with(text), "{url}: {found}");
    }
    assert_eq!(connects.refused(), 0);
}

#[tokio::test]
async fn read_web_scrape_checks_every_redirect() {
    let server = Server::start(|_| Reply::redirect(302, "http://169.254.169.254/")).await;
    let connects = Connects::default();
    connects.permit();
    let tools = set(WebScrape::with_fetcher(
        connects.of(local()).build().unwrap(),
    ));
    let found = said(&tools, "web_scrape", json!({ "url": server.url("/") })).await;
    let text = "Error: Failed to fetch URL: redirect refused: access denied: `169.254.169.254`";
    assert!(found.starts_with(text), "{found}");
    assert_eq!(connects.refused(), 0);
}

#[tokio::test]
async fn http_agent_requires_permission_for_internal_address() {
    let server = Server::start(|_| Reply::ok("INTERNAL")).await;
    let error = HttpAgentTool::get("svc", "d", server.url("/"))
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("access denied: `127.0.0.1`"), "{error}");
    assert_eq!(server.connects(), 0);
}

#[tokio::test]
async fn read_keys_are_in_no_text() {
    let server = Server::start(|request| Reply::new(500, &[], request)).await;
    let tool = HttpAgentTool::builder()
        .name("svc")
        .description("d")
        .allow_internal(true);
    let tool = tool
        .url(server.url("/?api_key=k3y-in-url"))
        .secret("k3y-in-url")
        .method(Method::Get);
    let tools = set(tool
        .secret_header("X-Key", "k3y-in-header")
        .build()
        .unwrap());
    let found = said(&tools, "svc", json!({ "input": "q" })).await;
    assert!(found.starts_with("Error: HTTP 500"), "{found}");
    assert!(!found.contains("k3y-in"), "{found}");
    assert!(server.requests()[0].contains("k3y-in-header"));
}

#[tokio::test]
async fn read_size_and_nesting_are_bounded() {
    let server = Server::start(|request| match request.split(' ').nth(1) {
        Some("/deep") => Reply::new(
            200,
            &["Content-Type: text/html"],
            "<div>".repeat(100_000) + "core",
        ),
        _ => Reply::ok("x".repeat(3 << 20)),
    })
    .await;
    let fetcher = local().max_bytes(1 << 20).build().unwrap();
    let tools = set(WebScrape::with_fetcher(fetcher));
    let deep = said(&tools, "web_scrape", json!({ "url": server.url("/deep") })).await;
    assert!(deep.contains("\ncore\n"), "{deep}");
    let large = said(&tools, "web_scrape", json!({ "url": server.url("/large") })).await;
    assert_eq!(
        large,
        "Error: Failed to fetch URL: the response is larger than 1048576 bytes"
    );
    assert!(Fetcher::builder().max_bytes(0).build().is_err());
}
