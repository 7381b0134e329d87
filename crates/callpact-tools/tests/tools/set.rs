//! The tools as a set: what they declare, and the toolbox.

use callpact::{AgentTool, Dialect, Permission, Toolset};
use callpact_tools::{
    Calculator, DateTime, FileEdit, FileRead, FileWrite, HumanInput, JsonParser, Shell, WebScrape,
    WebSearch, engine::search::LocalSearch, toolbox,
};
use serde_json::json;

use crate::bench::{Place, said};

fn declared(tool: &impl AgentTool) -> (String, Permission, &'static [&'static str]) {
    (
        tool.name().to_owned(),
        tool.permission(),
        tool.secret_params(),
    )
}

#[test]
fn every_tool_declares_how_far_it_reaches() {
    use Permission::{Destructive, ReadOnly, Write};
    let place = Place::new();
    let shell = Shell::new(place.base()).unwrap();
    let found = [
        declared(&FileRead::new(place.base()).unwrap()),
        declared(&FileWrite::new(place.base()).unwrap()),
        declared(&FileEdit::new(place.base()).unwrap()),
        declared(&JsonParser::new()),
        declared(&WebSearch::offline(LocalSearch::new())),
        declared(&WebScrape::new().unwrap()),
        declared(&Calculator::new()),
        declared(&DateTime::new()),
        declared(&HumanInput::new()),
        declared(&shell.processes()),
        declared(&shell),
    ];
    let none: &[&str] = &[];
    let expected = [
        ("file_read", ReadOnly, none),
        ("file_write", Write, none),
        ("file_edit", Write, none),
        ("json_parser", ReadOnly, none),
        ("web_search", ReadOnly, none),
        ("web_scrape", ReadOnly, none),
        ("calculator", ReadOnly, none),
        ("datetime", ReadOnly, none),
        ("human_input", ReadOnly, none),
        ("shell_process", Write, none),
        ("shell", Destructive, &["command"]),
    ];
    for (found, (name, permission, secrets)) in found.iter().zip(expected) {
        assert_eq!(found, &(name.to_owned(), permission, secrets));
    }
    assert_eq!(found.len(), expected.len());
}

#[tokio::test]
async fn the_toolbox_is_the_safe_set() {
    let place = Place::new();
    let tools = Toolset::builder()
        .tools(toolbox(place.base()).unwrap())
        .build()
        .unwrap();
    let names: Vec<&str> = tools.names().collect();
    let expected = [
        "file_read",
        "file_write",
        "file_edit",
        "json_parser",
        "calculator",
        "datetime",
        "human_input",
    ];
    assert_eq!(names, expected);
    said(&tools, "file_write", json!({ "path": "a", "content": "x" })).await;
    assert_eq!(said(&tools, "file_read", json!({ "path": "a" })).await, "x");
    let error = toolbox("/no/such/dir").unwrap_err().to_string();
    assert!(
        error.starts_with("baseDir must be an existing directory: /no/such/dir"),
        "{error}"
    );
}

#[test]
fn every_dialect_takes_every_tool() {
    let place = Place::new();
    let shell = Shell::new(place.base()).unwrap();
    let tools = Toolset::builder()
        .tools(toolbox(place.base()).unwrap())
        .tool(WebSearch::offline(LocalSearch::new()))
        .tool(WebScrape::new().unwrap())
        .tool(shell.processes())
        .tool(shell)
        .build()
        .unwrap();
    for dialect in [Dialect::Portable, Dialect::OpenAiStrict, Dialect::Anthropic] {
        let specs = tools.specs(dialect);
        let list: serde_json::Value = serde_json::from_str(&specs).unwrap();
        assert_eq!(list.as_array().map(Vec::len), Some(11), "{specs}");
    }
}
