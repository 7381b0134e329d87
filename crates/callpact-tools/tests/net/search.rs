//! Tavily, `SerpAPI` and the offline provider.

use std::time::Duration;

use callpact_tools::engine::search::{
    LocalSearch, SearchError, SearchHit, SearchProvider, SerpApi, Tavily, format_hits,
};

use crate::server::{Reply, Server, local};

fn tavily(server: &Server) -> Tavily {
    Tavily::new("tvly-k3y")
        .unwrap()
        .base_url(&server.url("/"))
        .fetcher(local().build().unwrap())
}

fn serp(server: &Server) -> SerpApi {
    SerpApi::new("serp+k3y")
        .unwrap()
        .base_url(&server.url(""))
        .fetcher(local().build().unwrap())
}

fn json(text: &'static str) -> impl Fn(&str) -> Reply + Send + Sync + 'static {
    move |_| Reply::new(200, &["Content-Type: application/json"], text)
}

#[tokio::test]
async fn tavily_finds() {
    let server = Server::start(json(
        r#"{"query":"q","results":[
            {"title":"A","url":"https://a.example","content":"first","score":0.9,"raw_content":null},
            {"title":null,"url":"https://b.example","extra":[1]},
            {"title":"C","url":"https://c.example","content":"third"}]}"#,
    ))
    .await;
    let hits = tavily(&server).search("rust \"lang\" é", 2).await.unwrap();
    assert_eq!(
        format_hits(&hits),
        "1. A\n   URL: https://a.example\n   first\n\n2. \n   URL: https://b.example\n   "
    );
    let request = server.requests().remove(0);
    assert!(
        request.starts_with("POST /search HTTP/1.1\r\n"),
        "{request}"
    );
    assert!(
        request.contains("authorization: Bearer tvly-k3y\r\n"),
        "{request}"
    );
    let body: serde_json::Value =
        serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(
        body,
        serde_json::json!({ "query": "rust \"lang\" é", "max_results": 2 })
    );
}

#[tokio::test]
async fn serpapi_finds() {
    let server = Server::start(json(
        r#"{"search_metadata":{"id":"x"},"organic_results":[
            {"position":1,"title":"A","link":"https://a.example","snippet":"first"}]}"#,
    ))
    .await;
    let hits = serp(&server).search("a&api_key=mine#x", 5).await.unwrap();
    let expected = SearchHit {
        title: "A".into(),
        url: "https://a.example".into(),
        snippet: "first".into(),
    };
    assert_eq!(hits, [expected]);
    let request = server.requests().remove(0);
    let line = request.lines().next().unwrap();
    assert_eq!(
        line,
        "GET /search.json?engine=google&q=a%26api_key%3Dmine%23x&num=5&api_key=serp%2Bk3y HTTP/1.1"
    );
}

#[tokio::test]
async fn nothing_found() {
    let server = Server::start(json(r#"{"results":[],"organic_results":[]}"#)).await;
    assert_eq!(
        format_hits(&tavily(&server).search("x", 5).await.unwrap()),
        "No results found."
    );
    let server = Server::start(json("{}")).await;
    assert_eq!(
        format_hits(&serp(&server).search("x", 5).await.unwrap()),
        "No results found."
    );
}

#[tokio::test]
async fn errors_are_bounded_and_hold_no_key() {
    // The services echo the key, in every spelling.
    let server = Server::start(|_| {
        let text = format!(
            "bad key tvly-k3y serp+k3y serp%2Bk3y\r\n\u{1b}[2J {}",
            "x".repeat(9999)
        );
        Reply::new(401, &[], text)
    })
    .await;
    let found = tavily(&server)
        .search("x", 5)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        found.starts_with("Tavily API returned HTTP 401: bad key *** serp"),
        "{found}"
    );
    assert!(
        found.chars().count() < 240 && !found.contains(char::is_control),
        "{found}"
    );
    let found = serp(&server).search("x", 5).await.unwrap_err().to_string();
    assert!(
        found.starts_with("SerpAPI returned HTTP 401: bad key tvly-k3y *** ***"),
        "{found}"
    );
    let empty = Server::start(|_| Reply::new(503, &[], "")).await;
    let found = tavily(&empty).search("x", 5).await.unwrap_err().to_string();
    assert_eq!(found, "Tavily API returned HTTP 503");
}

#[tokio::test]
async fn answers_that_are_not_the_services() {
    for text in [
        "",
        "<html>",
        "[]",
        r#"{"results":{}}"#,
        r#"{"results":[1]}"#,
    ] {
        let server = Server::start(json(text)).await;
        let found = tavily(&server).search("x", 5).await;
        assert_eq!(
            found,
            Err(SearchError::Answer {
                service: "Tavily API"
            }),
            "{text}"
        );
    }
    // A redirect is not followed: the key would go along.
    let other = Server::start(|_| Reply::ok("{}")).await;
    let to = other.url("/");
    let server = Server::start(move |_| Reply::redirect(302, &to)).await;
    let found = serp(&server).search("x", 5).await.unwrap_err();
    assert!(
        matches!(found, SearchError::Status { status: 302, .. }),
        "{found:?}"
    );
    assert_eq!(other.connects(), 0);
}

#[tokio::test]
async fn slow_services() {
    let server = Server::start(|_| Reply::Silence(Duration::from_secs(9))).await;
    let fetcher = local().timeout(Duration::from_millis(300)).build().unwrap();
    let found = tavily(&server)
        .fetcher(fetcher)
        .search("x", 5)
        .await
        .unwrap_err();
    assert_eq!(found.to_string(), "no complete answer within 300ms");
}

#[tokio::test]
async fn providers_are_interchangeable() {
    let server = Server::start(json("{}")).await;
    let offline = LocalSearch::new().document("Doc", "file:doc", "some words");
    let providers: Vec<Box<dyn SearchProvider>> = vec![
        Box::new(tavily(&server)),
        Box::new(serp(&server)),
        Box::new(offline),
    ];
    let mut found = Vec::new();
    for provider in &providers {
        found.push(provider.search("words", 5).await.unwrap().len());
    }
    assert_eq!(found, [0, 0, 1]);
    assert!(Tavily::new(" ").is_err() && SerpApi::new("").is_err());
    assert!(!format!("{:?} {:?}", tavily(&server), serp(&server)).contains("k3y"));
}
