//! Row 1.9 of the search tool.

use std::sync::Arc;
use std::time::Duration;

use callpact_tools::WebSearch;
use callpact_tools::engine::search::{
    LocalSearch, Search, SearchError, SearchHit, SearchProvider, SerpApi, Tavily,
};
use serde_json::json;

use crate::bench::{said, set};
use crate::server::{Reply, Server, local};

struct Many;

impl SearchProvider for Many {
    fn search<'a>(&'a self, query: &'a str, _: usize) -> Search<'a> {
        let hit = |n: usize| SearchHit {
            title: format!("Title {n}"),
            url: format!("https://example.org/{n}"),
            snippet: query.to_owned(),
        };
        Box::pin(async move { Ok((1..=9).map(hit).collect()) })
    }
}

#[tokio::test]
async fn web_search_format_and_five_results() {
    let tools = set(WebSearch::new(Arc::new(Many)));
    let found = said(&tools, "web_search", json!({ "query": "rust" })).await;
    let expected = "1. Title 1\n   URL: https://example.org/1\n   rust\n\n2. Title 2\n";
    assert!(found.starts_with(expected), "{found}");
    assert!(
        found.contains("5. Title 5") && !found.contains("6. Title 6"),
        "{found}"
    );
}

#[tokio::test]
async fn web_search_blank() {
    let tools = set(WebSearch::new(Arc::new(Many)));
    let found = said(&tools, "web_search", json!({ "query": " " })).await;
    assert_eq!(found, "Error: Search query must not be blank");
    let found = said(&tools, "web_search", json!({ "query": "x".repeat(1_001) })).await;
    assert_eq!(found, "Error: Search query is longer than 1000 characters");
}

#[tokio::test]
async fn web_search_no_results() {
    let tools = set(WebSearch::offline(
        LocalSearch::new().document("A", "file:a", "text"),
    ));
    let found = said(&tools, "web_search", json!({ "query": "zebra" })).await;
    assert_eq!(found, "No results found.");
    let found = said(&tools, "web_search", json!({ "query": "text" })).await;
    assert_eq!(found, "1. A\n   URL: file:a\n   text");
}

#[tokio::test]
async fn web_search_failed_with_status() {
    let server = Server::start(|request| Reply::new(401, &[], format!("no: {request}"))).await;
    let fetcher = local().build().unwrap();
    let tavily = Tavily::new("tvly-k3y-1234")
        .unwrap()
        .base_url(&server.url(""))
        .fetcher(fetcher.clone());
    let serp = SerpApi::new("serp-k3y-1234")
        .unwrap()
        .base_url(&server.url(""))
        .fetcher(fetcher);
    for (tool, text, key) in [
        (
            WebSearch::new(Arc::new(tavily)),
            "Error: Search failed: Tavily API returned HTTP 401: no:",
            "tvly-k3y",
        ),
        (
            WebSearch::new(Arc::new(serp)),
            "Error: Search failed: SerpAPI returned HTTP 401: no:",
            "serp-k3y",
        ),
    ] {
        let found = said(&set(tool), "web_search", json!({ "query": "q" })).await;
        assert!(found.starts_with(text), "{found}");
        assert!(!found.contains(key), "{found}");
    }
}

#[tokio::test]
async fn web_search_constructors() {
    assert!(WebSearch::of_tavily("key-1234").is_ok() && WebSearch::of_serpapi("key-1234").is_ok());
    for made in [WebSearch::of_tavily(" "), WebSearch::of_serpapi("")] {
        assert_eq!(
            made.unwrap_err().to_string(),
            "the search key must not be blank"
        );
    }
}

struct Asleep;

impl SearchProvider for Asleep {
    fn search<'a>(&'a self, _: &'a str, _: usize) -> Search<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Err(SearchError::Other("late".into()))
        })
    }
}

#[tokio::test]
async fn time_is_bounded() {
    let tools = set(WebSearch::new(Arc::new(Asleep)).timeout(Duration::from_millis(50)));
    let found = said(&tools, "web_search", json!({ "query": "q" })).await;
    assert_eq!(found, "Error: Search failed: no answer within 50ms");
}
