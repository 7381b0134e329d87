//! Rows 1.9 and 1.10 of the JSON tool; where the original was wrong, the right answer.

use callpact_tools::JsonParser;
use serde_json::json;

use crate::bench::{said, set};

async fn at(path: &str, json: &str) -> String {
    let tools = set(JsonParser::new());
    said(
        &tools,
        "json_parser",
        json!({ "jsonPath": path, "json": json }),
    )
    .await
}

#[tokio::test]
async fn json_parser_values() {
    let json = r#"{"a": {"b": [{"c": "text"}, null, true, {"d": [1, 2]}]}}"#;
    assert_eq!(at("a.b[0].c", json).await, "text");
    assert_eq!(at("a.b[1]", json).await, "null");
    assert_eq!(at("a.b[2]", json).await, "true");
    assert_eq!(at("a.b[3]", json).await, r#"{"d":[1,2]}"#);
    assert_eq!(at("$.a.b[3].d[*]", json).await, "[1,2]");
}

#[tokio::test]
async fn json_parser_blank() {
    assert_eq!(
        at(" ", "{}").await,
        "Error: Path expression must not be blank"
    );
    assert_eq!(at("a", " ").await, "Error: JSON content must not be blank");
}

#[tokio::test]
async fn json_parser_invalid_json() {
    for json in ["{", "{\"a\": 1} garbage", "nope"] {
        let found = at("a", json).await;
        assert!(
            found.starts_with("Error: Invalid JSON: "),
            "{json}: {found}"
        );
    }
}

#[tokio::test]
async fn json_parser_path_not_found() {
    assert_eq!(
        at("a.x.y", r#"{"a": {"b": 1}}"#).await,
        "Error: Path not found: 'x'"
    );
    assert_eq!(
        at("$.a.x", r#"{"a": {"b": 1}}"#).await,
        "Error: Path not found: '$.a.x'"
    );
}

#[tokio::test]
async fn json_parser_index_out_of_bounds() {
    let text = "Error: Array index out of bounds: index 5 is out of bounds for array of size 1";
    assert_eq!(at("a[5]", r#"{"a": [1]}"#).await, text);
}

#[tokio::test]
async fn json_parser_numbers_digit_for_digit() {
    let json = r#"{"a": 12345678901234567890, "b": 1e3, "c": 1.10}"#;
    assert_eq!(at("a", json).await, "12345678901234567890");
    assert_eq!(at("b", json).await, "1e3");
    assert_eq!(at("c", json).await, "1.10");
}

#[tokio::test]
async fn json_parser_malformed_paths_are_refused() {
    for path in [
        "a..b",
        "a[x]",
        "a[0",
        "a[-1]",
        ".",
        "a[99999999999999999999]",
    ] {
        let found = at(path, r#"{"a": [{"b": 1}]}"#).await;
        assert!(found.starts_with("Error: "), "{path}: {found}");
    }
}

#[tokio::test]
async fn json_parser_keys_with_dots_are_reached() {
    assert_eq!(at("$['a.b']", r#"{"a.b": 7}"#).await, "7");
}

#[tokio::test]
async fn the_name_in_snake_case_works_too() {
    let tools = set(JsonParser::new());
    let found = said(
        &tools,
        "json_parser",
        json!({ "json_path": "a", "json": "{\"a\": 1}" }),
    )
    .await;
    assert_eq!(found, "1");
    let specs = tools.specs(callpact::Dialect::Portable);
    assert!(
        specs.contains("\"jsonPath\"") && !specs.contains("json_path"),
        "{specs}"
    );
}

#[tokio::test]
async fn nesting_is_bounded() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(at("$[0]", &deep).await.starts_with("Error: "));
    assert!(at(&"(".repeat(100_000), "{}").await.starts_with("Error: "));
}

/// The last one, as most readers take, would be a guess.
#[tokio::test]
async fn a_key_that_stands_twice_is_an_error() {
    for (path, json) in [
        ("a", r#"{"a": 1, "b": {}, "a": 2}"#),
        ("$.a", r#"{"a": 1, "b": {}, "\u0061": 1}"#),
        ("b", r#"{"b": [{"a": 1, "a": 1}]}"#),
    ] {
        assert_eq!(
            at(path, json).await,
            "Error: Invalid JSON: 'a' stands twice in one object",
            "{json}"
        );
    }
    assert_eq!(at("a.a", r#"{"a": {"a": 1}, "b": {"a": 2}}"#).await, "1");
}
