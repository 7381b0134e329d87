//! Calls that will be refused, whatever follows.

use callpact::{
    DynamicTool, Policy, ToolContext, Toolset,
    stream::{TurnAssembler, TurnEvent},
    tool,
};
use serde_json::{Value, json};

/// Dims a lamp
#[tool(write)]
fn dim(#[tool_param(max = 100)] percent: u32, note: Option<String>) -> String {
    format!("{percent} {note:?}")
}

fn tools() -> Toolset {
    let schema = r#"{"type": "object", "properties": {
        "city": {"type": "string"},
        "days": {"type": "array", "items": {"type": "integer", "minimum": 1}}
    }, "required": ["city"], "additionalProperties": false}"#;
    let remote = DynamicTool::new("remote", "Does it", Some(schema), |_, _| async { "done" });
    let tools = Toolset::builder().tool(Dim).tool(remote.unwrap());
    tools.build().unwrap()
}

/// The byte at which each issue came, with its line.
fn issues(name: &str, arguments: &str, policy: &Policy) -> Vec<(usize, String)> {
    let tools = tools();
    let mut turn = TurnAssembler::new().with_tools(&tools.known_tools(), policy);
    let mut found = Vec::new();
    let chunk = |function: Value| {
        json!({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": "a", "function": function},
        ]}}]})
    };
    turn.push(&chunk(json!({"name": name, "arguments": ""})));
    for (at, letter) in arguments.char_indices() {
        for event in turn.push(&chunk(json!({"arguments": letter.to_string()}))) {
            if let TurnEvent::Hopeless { position, issue } = event {
                assert_eq!(position, 0);
                found.push((at, issue.to_string()));
            }
        }
    }
    found
}

#[tokio::test]
async fn an_issue_comes_before_the_call_ends() {
    let policy = Policy::lax();
    for (name, arguments, at, line) in [
        (
            "dim",
            r#"{"percent": 300, "note": "long"}"#,
            15,
            "percent: expected an integer from 0 to 100, found 300",
        ),
        (
            "dim",
            r#"{"percent": 3, "note": ["long"]}"#,
            23,
            "note: expected a string, found an array",
        ),
        (
            "dim",
            r#"{"percent": 3, note: "long"}"#,
            15,
            "arguments: expected JSON, found a fault at byte 15",
        ),
        (
            "dim",
            r#"[3, "long"]"#,
            0,
            "arguments: expected an object, found another start",
        ),
        (
            "remote",
            r#"{"town": "Oslo", "days": [1]}"#,
            7,
            "town: not a parameter; known are `city`, `days`",
        ),
        (
            "remote",
            r#"{"city": "Oslo", "days": [1, 0]}"#,
            30,
            "days[1]: expected an integer of at least 1, found 0",
        ),
    ] {
        let found = issues(name, arguments, &policy);
        assert_eq!(found, [(at, line.to_owned())], "{arguments}");
        let call = callpact::ToolCall::new("a", name, arguments);
        let reply = tools().call(&call, &ToolContext::new()).await.unwrap();
        assert!(!reply.result.is_success(), "{reply:?}");
    }
}

#[test]
fn a_call_that_will_run_has_no_issue() {
    for (name, arguments) in [
        ("dim", r#"{"percent": 30, "note": "long"}"#),
        ("dim", r#"{"PERCENT": "30", "unknown": 1}"#),
        ("remote", r#"{"days": [], "city": "Oslo"}"#),
        ("unknown", r#"{"x": [1, 2}"#),
    ] {
        assert_eq!(issues(name, arguments, &Policy::lax()), [], "{arguments}");
    }
    for text in [
        "{'percent': 30}",
        "Sure: {\"percent\": 30}",
        "```json\n{\"percent\": 30}\n```",
    ] {
        assert_eq!(issues("dim", text, &Policy::repair()), [], "{text}");
    }
}

#[test]
fn a_placeholder_is_not_watched() {
    let tools = tools();
    let mut turn = TurnAssembler::new().with_tools(&tools.known_tools(), &Policy::lax());
    let chunk = |arguments: &str| {
        json!({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": "a", "function": {"name": "dim", "arguments": arguments}},
        ]}}]})
    };
    for text in ["{}", "{\"per", "cent\": 1}"] {
        let events = turn.push(&chunk(text));
        let mut hopeless = events
            .iter()
            .filter(|it| matches!(it, TurnEvent::Hopeless { .. }));
        assert_eq!(hopeless.next(), None, "{text}");
    }
    assert_eq!(turn.partial(0), Some(json!({"percent": 1})));
    assert_eq!(turn.finish().calls[0].arguments, "{\"percent\": 1}");
}
