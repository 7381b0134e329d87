//! The server, as rmcp's client sees it over HTTP.

use std::time::Duration;

use callpact::{Cancellation, Dialect, PermissionMode, ToolContext, ToolHints, Toolset, tool};
use callpact_mcp::{
    client::McpConfig,
    server::{RateLimit, ToolServer},
};
use rmcp::{
    ServiceError,
    model::{CallToolRequest, ClientRequest, ErrorCode},
    service::PeerRequestOptions,
};
use serde_json::{Value, json};

use crate::{
    fixture,
    help::{call, connect, connect_modern, counts, fixture_server, request, serve, text, until},
    identity::Log,
};

#[tokio::test]
async fn lists_the_tools() {
    let served = serve(fixture_server()).await;
    let client = connect(&served.url).await;
    let info = client.peer_info().unwrap();
    assert_eq!(info.server_info.as_ref().unwrap().name, "fixture");
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(
        names,
        [
            "add", "shout", "sleep", "steps", "counts", "crash", "erase", "halt", "fail", "chart",
            "items"
        ]
    );
    let hints = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name).unwrap();
        let hints = tool.annotations.clone().unwrap();
        (hints.read_only_hint, hints.destructive_hint)
    };
    assert_eq!(hints("add"), (Some(true), Some(false)));
    assert_eq!(hints("fail"), (Some(false), Some(false)));
    assert_eq!(hints("erase"), (Some(false), Some(true)));
    let add = &tools[0];
    assert_eq!(add.description.as_deref(), Some("Adds two numbers."));
    assert_eq!(
        Value::Object((*add.input_schema).clone()),
        json!({
            "type": "object",
            "properties": {
                "a": { "type": "integer", "description": "The first number" },
                "b": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 1000,
                    "description": "The second number",
                },
            },
            "required": ["a", "b"],
        })
    );
    assert_eq!(
        Value::Object((**add.output_schema.as_ref().unwrap()).clone()),
        json!({
            "type": "object",
            "description": "The sum, as text and as data.",
            "properties": { "sum": { "type": "integer", "description": "The sum" } },
            "required": ["sum"],
        })
    );
    assert_eq!(add.input_schema["type"], "object");
}

/// Deletes a report
#[tool(destructive, title = "Delete a report", idempotent, open_world = false)]
fn delete_report(name: String) -> String {
    name
}

#[tokio::test]
async fn tool_hints_and_annotations_match_both_ways() {
    let tools = Toolset::builder().tool(DeleteReport).build().unwrap();
    let served = serve(ToolServer::new(tools.clone(), ToolContext::new())).await;
    let listed = connect(&served.url).await.list_all_tools().await.unwrap();
    assert_eq!(listed[0].title.as_deref(), Some("Delete a report"));
    let annotations = listed[0].annotations.clone().unwrap();
    assert_eq!(annotations.title.as_deref(), Some("Delete a report"));
    assert_eq!(annotations.idempotent_hint, Some(true));
    assert_eq!(annotations.open_world_hint, Some(false));
    assert_eq!(annotations.destructive_hint, Some(true));
    // The text of the specification says it too.
    let spec = tools.spec("delete_report", Dialect::Mcp20260728).unwrap();
    let text: Value = serde_json::from_str(&spec.to_json()).unwrap();
    assert_eq!(
        text["annotations"],
        json!({
            "title": "Delete a report",
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": true,
            "openWorldHint": false,
        })
    );
    // A client takes the hints of a server that it trusts.
    for trusted in [false, true] {
        let config = McpConfig::url(&served.url);
        let config = if trusted {
            config.trust_annotations()
        } else {
            config
        };
        let client = config.open().await.unwrap();
        let tools = Toolset::builder().tools(client.tools()).build().unwrap();
        let taken = tools.spec("delete_report", Dialect::Portable).unwrap();
        let expected = if trusted {
            spec.hints.clone()
        } else {
            ToolHints::new()
        };
        let from = taken.hints.server.clone().expect("it names its server");
        assert_eq!(from.trusted, trusted);
        assert_eq!(taken.hints, expected.with_server(from));
    }
}

#[tokio::test]
async fn list_is_equal_across_servers_and_revisions() {
    let (one, two) = (serve(fixture_server()).await, serve(fixture_server()).await);
    let mut lists = Vec::new();
    for client in [
        connect(&one.url).await,
        connect(&two.url).await,
        connect_modern(&one.url).await,
        connect_modern(&two.url).await,
    ] {
        let tools = client.list_all_tools().await.unwrap();
        lists.push(serde_json::to_string(&tools).unwrap());
    }
    lists.dedup();
    assert_eq!(lists.len(), 1);
}

#[tokio::test]
async fn calls_with_structured_content() {
    let served = serve(fixture_server()).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let result = call(&client, "add", json!({ "a": 2, "b": 3 })).await;
        assert_eq!(result.is_error, Some(false));
        assert_eq!(text(&result), r#"{"sum":5}"#);
        assert_eq!(result.structured_content, Some(json!({ "sum": 5 })));
        let result = call(&client, "shout", json!({ "input": "hello" })).await;
        assert_eq!(text(&result), "HELLO");
        assert_eq!(result.structured_content, None);
        // Absent arguments are an empty object.
        let result = call(&client, "erase", Value::Null).await;
        assert_eq!(text(&result), "erased");
    }
}

#[tokio::test]
async fn only_new_revision_gets_non_object_structured_content() {
    let served = serve(fixture_server()).await;
    let old = call(&connect(&served.url).await, "items", json!({})).await;
    let new = call(&connect_modern(&served.url).await, "items", json!({})).await;
    assert_eq!((text(&old), text(&new)), ("[1,2]", "[1,2]"));
    assert_eq!(old.structured_content, None);
    assert_eq!(new.structured_content, Some(json!([1, 2])));
}

/// What came of a search: each variant is an object.
#[derive(serde::Serialize, callpact::ToolOutput)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Found {
    Nothing,
    Page { items: Vec<u8> },
}

/// A verdict: a string, or an object.
#[derive(serde::Serialize, callpact::ToolOutput)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Good,
    Bad { why: String },
}

/// Searches
#[tool(read_only)]
fn find(many: u8) -> Found {
    match many {
        0 => Found::Nothing,
        _ => Found::Page { items: vec![many] },
    }
}

/// Judges
#[tool(read_only)]
fn judge(good: bool) -> Verdict {
    if good {
        Verdict::Good
    } else {
        Verdict::Bad {
            why: "no".to_owned(),
        }
    }
}

/// Counts
#[tool(read_only)]
fn numbers() -> callpact::tool::Structured<Vec<u8>> {
    callpact::tool::Structured(vec![1, 2])
}

#[tokio::test]
async fn output_schema_of_enum_or_list_fits_revisions() {
    let tools = Toolset::builder().tool(Find).tool(Judge).tool(Numbers);
    let served = serve(ToolServer::new(tools.build().unwrap(), ToolContext::new())).await;
    for (is_modern, client) in [
        (false, connect(&served.url).await),
        (true, connect_modern(&served.url).await),
    ] {
        let listed = client.list_all_tools().await.unwrap();
        for (name, plain) in [
            (
                "find",
                json!({"type": "object", "description": "What came of a search: each variant is an object.", "anyOf": [
                    {"type": "object", "properties": {"kind": {"type": "string", "enum": ["nothing"]}}, "required": ["kind"]},
                    {"type": "object", "properties": {
                        "kind": {"type": "string", "enum": ["page"]},
                        "items": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}},
                    }, "required": ["kind", "items"]},
                ]}),
            ),
            (
                "judge",
                json!({"description": "A verdict: a string, or an object.", "anyOf": [
                    {"type": "string", "enum": ["good"]},
                    {"type": "object", "properties": {"bad": {
                        "type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"],
                    }}, "required": ["bad"], "additionalProperties": false},
                ]}),
            ),
            (
                "numbers",
                json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}}),
            ),
        ] {
            let tool = listed.iter().find(|tool| tool.name == name).unwrap();
            let schema = Value::Object((**tool.output_schema.as_ref().unwrap()).clone());
            let wrapped =
                json!({"type": "object", "properties": {"result": plain}, "required": ["result"]});
            let wraps = !is_modern && name != "find";
            assert_eq!(schema, if wraps { wrapped } else { plain }, "{name}");
        }
        for (name, arguments, output) in [
            ("find", json!({"many": 0}), json!({"kind": "nothing"})),
            (
                "find",
                json!({"many": 7}),
                json!({"kind": "page", "items": [7]}),
            ),
            ("judge", json!({"good": true}), json!("good")),
            (
                "judge",
                json!({"good": false}),
                json!({"bad": {"why": "no"}}),
            ),
            ("numbers", json!({}), json!([1, 2])),
        ] {
            let result = call(&client, name, arguments).await;
            let said: Value = serde_json::from_str(text(&result)).unwrap();
            assert_eq!(said, output, "{name}");
            let wrapped = json!({"result": output});
            let wraps = !is_modern && name != "find";
            let expected = if wraps { wrapped } else { output };
            assert_eq!(result.structured_content, Some(expected), "{name}");
        }
    }
    // The older revision in the adapter leaves out what it has no room for, in lists as in replies.
    let tools = Toolset::single(Judge).unwrap();
    let spec = |dialect| tools.spec("judge", dialect).unwrap().to_json();
    assert!(!spec(Dialect::Mcp20251125).contains("outputSchema"));
    assert!(spec(Dialect::Mcp20260728).contains("outputSchema"));
}

#[tokio::test]
async fn argument_faults_are_results_that_name_the_parameter() {
    let served = serve(fixture_server()).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let result = call(&client, "add", json!({ "a": "two", "b": 5000 })).await;
        assert_eq!(result.is_error, Some(true));
        let said = text(&result);
        assert!(
            said.starts_with("Error: Invalid arguments, 2 problems:"),
            "{said}"
        );
        assert!(
            said.contains("\n- a: ") && said.contains("\n- b: "),
            "{said}"
        );
        assert!(
            !said.contains("i64") && !said.contains("AddInput"),
            "{said}"
        );
        let result = call(&client, "add", Value::Null).await;
        assert_eq!(result.is_error, Some(true));
        assert!(text(&result).contains("- a: missing"), "{}", text(&result));
    }
}

#[tokio::test]
async fn failing_or_crashing_tool_returns_result() {
    let served = serve(fixture_server()).await;
    let client = connect(&served.url).await;
    let result = call(&client, "fail", json!({})).await;
    assert_eq!(
        (result.is_error, text(&result)),
        (Some(true), "Error: the disk is full")
    );
    let result = call(&client, "crash", json!({})).await;
    assert_eq!(result.is_error, Some(true));
    assert_eq!(
        text(&result),
        "Error: Tool 'crash' crashed; what it was doing may be half done"
    );
    // And the server goes on.
    assert_eq!(
        text(&call(&client, "add", json!({ "a": 1, "b": 1 })).await),
        r#"{"sum":2}"#
    );
}

#[tokio::test]
async fn tool_timeout_returns_result() {
    let tools = fixture::tools().unwrap();
    let cx = ToolContext::new().with_timeout(Duration::from_millis(20));
    let served = serve(ToolServer::new(tools, cx)).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let result = call(&client, "sleep", json!({ "millis": 60_000, "key": "time" })).await;
        assert_eq!(result.is_error, Some(true));
        let said = "Error: Tool 'sleep' was stopped after 20ms; what it was doing may be half done";
        assert_eq!(text(&result), said);
    }
}

#[tokio::test]
async fn denying_server_lists_and_runs_only_reads() {
    let cx = ToolContext::new().with_permissions(PermissionMode::Deny);
    let served = serve(ToolServer::new(fixture::tools().unwrap(), cx)).await;
    let client = connect(&served.url).await;
    let listed = client.list_all_tools().await.unwrap();
    assert!(listed.iter().any(|tool| tool.name == "add"));
    assert!(listed.iter().all(|tool| tool.name != "erase"));
    let sum = call(&client, "add", json!({ "a": 1, "b": 1 })).await;
    assert_eq!(text(&sum), r#"{"sum":2}"#);
    let refused = call(&client, "erase", json!({})).await;
    assert_eq!(refused.is_error, Some(true));
    assert!(text(&refused).contains("which is not allowed here"));
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error() {
    let served = serve(fixture_server()).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let name = format!("functions.\u{1b}{}", "x".repeat(1000));
        let error = client
            .call_tool(request(&name, json!({})))
            .await
            .unwrap_err();
        let ServiceError::McpError(error) = error else {
            panic!("{error}")
        };
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(
            error
                .message
                .starts_with("Unknown tool 'functions.\\u{1b}xxx"),
            "{}",
            error.message
        );
        assert!(error.message.len() < 400);
    }
}

#[tokio::test]
async fn halt_is_error_result_without_reason() {
    let served = serve(fixture_server()).await;
    let client = connect(&served.url).await;
    let log = Log::default();
    let _listening = log.listen();
    let result = client.call_tool(request("halt", json!({}))).await.unwrap();
    // The reason is for whoever runs the server.
    assert!(log.take().contains("the key hunter2 is missing"));
    assert_eq!(result.is_error, Some(true));
    assert!(!format!("{result:?}").contains("hunter2"), "{result:?}");
}

#[tokio::test]
async fn a_cancelled_call_stops_the_tool() {
    let served = serve(fixture_server()).await;
    let watcher = connect(&served.url).await;
    for (client, key) in [
        (connect(&served.url).await, "old"),
        (connect_modern(&served.url).await, "new"),
    ] {
        let arguments = json!({ "millis": 60_000, "key": key });
        let call =
            ClientRequest::CallToolRequest(CallToolRequest::new(request("sleep", arguments)));
        let handle = client
            .send_cancellable_request(call, PeerRequestOptions::no_options())
            .await
            .unwrap();
        until(&watcher, key, (1, 0)).await;
        handle.cancel(Some("enough".to_owned())).await.unwrap();
        until(&watcher, key, (1, 1)).await;
    }
}

#[tokio::test]
async fn the_programs_own_cancellation_holds() {
    let stop = Cancellation::new();
    let cx = ToolContext::new().with_cancellation(stop.clone());
    let served = serve(ToolServer::new(fixture::tools().unwrap(), cx)).await;
    let client = connect(&served.url).await;
    let call = tokio::spawn({
        let client = client.peer().clone();
        async move {
            client
                .call_tool(request("sleep", json!({ "millis": 60_000, "key": "own" })))
                .await
        }
    });
    while counts(&client, "own").await != (1, 0) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(5), call)
        .await
        .unwrap()
        .unwrap();
    assert!(ended.unwrap_err().to_string().contains("cancelled"));
}

#[tokio::test]
async fn progress_arrives_in_order_before_result() {
    let served = serve(fixture_server()).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let call = ClientRequest::CallToolRequest(CallToolRequest::new(request(
            "steps",
            json!({ "count": 5 }),
        )));
        let handle = client
            .send_cancellable_request(call, PeerRequestOptions::no_options())
            .await
            .unwrap();
        let token = handle.progress_token.clone();
        handle.await_response().await.unwrap();
        // Handlers of notifications run alongside the one that waits for the result.
        tokio::time::sleep(Duration::from_millis(100)).await;
        let heard = client.service().0.lock().unwrap().clone();
        let said: Vec<(f64, Option<f64>, Option<&str>)> = heard
            .iter()
            .map(|note| (note.progress, note.total, note.message.as_deref()))
            .collect();
        let five = Some(5.0);
        assert_eq!(
            said,
            [
                (1.0, five, Some("step 1")),
                (2.0, five, Some("step 2")),
                (3.0, five, Some("step 3")),
                (4.0, five, Some("step 4")),
                (5.0, five, Some("step 5")),
            ]
        );
        assert!(heard.iter().all(|note| note.progress_token == token));
    }
}

#[tokio::test]
async fn rate_limit_rejects_excess_calls_and_recovers() {
    let limited = fixture_server().with_rate_limit(RateLimit::new(10, 20.0));
    let served = serve(limited).await;
    let client = connect(&served.url).await;
    let mut limited = 0;
    for _ in 0..100 {
        let result = call(&client, "add", json!({ "a": 1, "b": 1 })).await;
        if result.is_error == Some(true) {
            let said = text(&result);
            assert!(
                said.starts_with("Error: too many calls; try again in "),
                "{said}"
            );
            limited += 1;
        }
    }
    assert!(limited > 0, "100 calls went through a burst of 10");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let result = call(&client, "add", json!({ "a": 1, "b": 1 })).await;
    assert_eq!(result.is_error, Some(false));
}

#[tokio::test]
async fn rejects_unknown_cursor() {
    let served = serve(fixture_server()).await;
    let client = connect(&served.url).await;
    let page = rmcp::model::PaginatedRequestParams::default().with_cursor(Some("7".to_owned()));
    assert!(client.list_tools(Some(page)).await.is_err());
}

#[tokio::test]
async fn instructions_reach_the_client() {
    let served = serve(fixture_server().with_instructions("Add only small numbers.")).await;
    let client = connect(&served.url).await;
    let info = client.peer_info().unwrap();
    assert_eq!(
        info.instructions.as_deref(),
        Some("Add only small numbers.")
    );
}

#[tokio::test]
async fn cloned_server_is_configured_separately() {
    let first = fixture_server().with_rate_limit(RateLimit::new(1, 0.0));
    let second = first
        .clone()
        .named("second", "2.0.0")
        .with_instructions("Shout.");
    let (one, two) = (serve(first).await, serve(second).await);
    for (served, name, instructions) in [(&one, "fixture", None), (&two, "second", Some("Shout."))]
    {
        let client = connect(&served.url).await;
        let info = client.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().unwrap().name, name);
        assert_eq!(info.instructions.as_deref(), instructions);
        // The limit goes along, and each has one of its own.
        let sum = || json!({ "a": 1, "b": 1 });
        assert_eq!(text(&call(&client, "add", sum()).await), r#"{"sum":2}"#);
        let limited = call(&client, "add", sum()).await;
        assert!(
            text(&limited).starts_with("Error: too many calls"),
            "{}",
            text(&limited)
        );
    }
}

#[tokio::test]
async fn what_was_dropped_is_told_in_both_revisions() {
    let served = serve(fixture_server()).await;
    for client in [
        connect(&served.url).await,
        connect_modern(&served.url).await,
    ] {
        let result = call(&client, "add", json!({"a": 2, "b": 3, "mode": "fast"})).await;
        let note = result.content.last().and_then(|block| block.as_text());
        let note = note.expect("a text").text.as_str();
        assert!(note.ends_with("- mode: not a parameter, ignored"), "{note}");
        assert_ne!(result.is_error, Some(true));
    }
}
