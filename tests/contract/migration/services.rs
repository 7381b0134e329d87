//! Web, mail, data and other services.
#![allow(dead_code)] // declarations that a reader fills

use std::collections::BTreeMap;

use callpact::ToolInput;
use schemars::JsonSchema;
use serde::Deserialize;

use super::moved;

moved! {
    HttpRequest: r#"{"url": "http://a.b", "method": "POST", "headers": {"a": "b"}, "body": {"x": [1]}}"#,
    WebSearch: r#"{"query": "lamp", "maxResults": 5}"#,
    SendMail: r#"{"to": ["a@b.c"], "subject": "Hi", "body": {"html": "<p>"}}"#,
    SqlQuery: r#"{"sql": "select 1", "params": [1, "a", null, true, 1.5]}"#,
    CreateIssue: r#"{"repo": "a/b", "title": "x", "labels": ["bug"]}"#,
    Weather: r#"{"location": {"lat": 60.4, "lon": 5.3}}"#,
    Payment: r#"{"amount": {"currency": "EUR", "cents": 100}, "method": {"type": "card", "number": "4"}}"#,
    Translate: r#"{"text": "a", "target": "de"}"#,
    Calendar: r#"{"title": "a", "start": "2026-01-02T03:04:05Z", "id": "67e55044-10b1-426f-9247-bb680e5fe0c8"}"#,
    VectorSearch: r#"{"embedding": [0.5, 1.0], "filter": {"lang": "de"}, "k": 3}"#,
    ChartRequest: r#"{"series": [{"name": "a", "points": [[0.0, 1.5]]}], "kind": {"stacked": {"gap": 0.5}}}"#,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
enum Method {
    #[serde(rename = "GET")]
    Get,
    #[serde(rename = "POST")]
    Post,
}

/// Sends a request
#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct HttpRequest {
    #[schemars(regex(pattern = "^https?://"))]
    url: String,
    #[serde(default = "get")]
    method: Method,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<serde_json::Value>,
}

fn get() -> Method {
    Method::Get
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "camelCase")]
struct WebSearch {
    query: String,
    #[schemars(range(min = 1, max = 20))]
    max_results: u8,
    #[serde(default)]
    safe_search: bool,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "lowercase")]
enum MailBody {
    Text(String),
    Html(String),
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct SendMail {
    #[schemars(length(min = 1, max = 50))]
    to: Vec<String>,
    #[serde(default)]
    cc: Vec<String>,
    subject: String,
    body: MailBody,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct SqlQuery {
    sql: String,
    #[serde(default)]
    params: Vec<serde_json::Value>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Labels {
    #[serde(default)]
    labels: Vec<String>,
    milestone: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct CreateIssue {
    #[schemars(pattern("^[^/]+/[^/]+$"))]
    repo: String,
    title: String,
    #[serde(flatten)]
    more: Labels,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(untagged)]
enum Location {
    Point { lat: f64, lon: f64 },
    City { city: String },
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Weather {
    location: Location,
    #[schemars(range(min = 1, max = 14))]
    days: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Amount {
    #[schemars(length(equal = 3))]
    currency: String,
    cents: i64,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(tag = "type", rename_all = "snake_case")]
enum PaymentMethod {
    Card { number: String },
    Transfer(Transfer),
    Cash,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Transfer {
    iban: String,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Payment {
    amount: Amount,
    method: PaymentMethod,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct LanguageCode(#[schemars(length(min = 2, max = 5))] String);

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Translate {
    text: String,
    target: LanguageCode,
    source: Option<LanguageCode>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Calendar {
    title: String,
    start: chrono::DateTime<chrono::Utc>,
    end: Option<chrono::DateTime<chrono::Utc>>,
    id: String,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct VectorSearch {
    embedding: Vec<f32>,
    #[serde(default)]
    filter: serde_json::Map<String, serde_json::Value>,
    #[schemars(range(min = 1, max = 100))]
    k: usize,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "lowercase")]
enum ChartKind {
    Line,
    Stacked { gap: f64 },
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct ChartRequest {
    series: Vec<Series>,
    kind: ChartKind,
}
