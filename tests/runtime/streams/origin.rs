//! Custom calls, callers and namespaces.

use callpact::{
    Dialect, Halt, PermissionMode, ReviewDecision, ToolCall, ToolContext, Toolset,
    stream::TurnAssembler, tool,
};
use serde_json::{Value, json};

/// Runs a query
#[tool(read_only, text)]
fn query(sql: String) -> String {
    format!("ran {sql}")
}

/// Lists
#[tool(read_only)]
fn list() -> &'static str {
    "listed"
}

/// Deletes
#[tool(destructive)]
fn delete(name: String) -> String {
    format!("deleted {name}")
}

fn custom() -> Value {
    json!({"type": "custom_tool_call", "call_id": "c1", "name": "query", "input": "SELECT \"1\"",
        "caller": {"type": "program", "caller_id": "p1"}})
}

#[tokio::test]
async fn custom_call_contains_free_text() {
    let tools = Toolset::single(Query).unwrap();
    let responses =
        ToolCall::parse(&json!({"output": [custom()]}), Dialect::OpenAiResponses).unwrap();
    let chat = json!({"choices": [{"message": {"tool_calls": [
        {"id": "c1", "type": "custom", "custom": {"name": "query", "input": "SELECT \"1\""}},
    ]}}]});
    let chat = ToolCall::parse(&chat, Dialect::OpenAi).unwrap();
    let mut turn = TurnAssembler::new();
    turn.push(&json!({"type": "response.output_item.added", "output_index": 0, "item":
        {"type": "custom_tool_call", "call_id": "c1", "name": "query", "input": "", "caller": {"type": "program", "caller_id": "p1"}}}));
    for delta in ["SELECT", " \"1\""] {
        turn.push(&json!({"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": delta}));
    }
    turn.push(&json!({"type": "response.custom_tool_call_input.done", "output_index": 0, "input": "SELECT \"1\""}));
    turn.push(&json!({"type": "response.completed", "response": {}}));
    let streamed = turn.finish().calls;
    let mut turn = TurnAssembler::new();
    for input in ["SELECT", " \"1\""] {
        turn.push(&json!({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": "c1", "type": "custom", "custom": {"name": "query", "input": input}},
        ]}}]}));
    }
    turn.push(&json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}));
    let streamed_chat = turn.finish().calls;
    for calls in [&responses, &chat, &streamed, &streamed_chat] {
        assert_eq!(calls.len(), 1);
        assert!(calls[0].origin.is_text);
        let reply = tools.call(&calls[0], &ToolContext::new()).await.unwrap();
        assert_eq!(reply.to_model(), "ran SELECT \"1\"");
    }
    // The item of the reply has the type of the call, and its caller.
    for calls in [&responses, &streamed] {
        let reply = tools.call(&calls[0], &ToolContext::new()).await.unwrap();
        assert_eq!(
            reply.to_message(Dialect::OpenAiResponses),
            json!({"type": "custom_tool_call_output", "call_id": "c1", "output": "ran SELECT \"1\"",
                "caller": {"type": "program", "caller_id": "p1"}})
        );
    }
}

#[test]
fn a_text_tool_is_custom_for_openai_alone() {
    let tools = Toolset::single(Query).unwrap();
    let spec = |dialect| serde_json::from_str::<Value>(&tools.specs(dialect)).unwrap();
    let custom = json!({"name": "query", "description": "Runs a query"});
    assert_eq!(
        spec(Dialect::OpenAi),
        json!([{"type": "custom", "custom": custom}])
    );
    assert_eq!(
        spec(Dialect::OpenAiResponsesStrict),
        json!([{"type": "custom", "name": "query", "description": "Runs a query"}])
    );
    for dialect in Dialect::ALL {
        let text = tools.specs(dialect);
        assert_eq!(
            text.contains("custom"),
            dialect.name().starts_with("openai"),
            "{dialect}"
        );
        assert!(
            text.contains("custom") || text.contains("\"input\""),
            "{dialect}: {text}"
        );
    }
}

#[tokio::test]
async fn a_namespace_tells_two_tools_apart() {
    let crm = Toolset::single(List).unwrap().prefix("crm_").unwrap();
    let tools = Toolset::builder().tool(List).tools(crm).build().unwrap();
    let call = |namespace: &str, name: &str| {
        let item = json!({"type": "function_call", "call_id": "c1", "name": name, "arguments": "{}", "namespace": namespace});
        ToolCall::parse(&item, Dialect::OpenAiResponses)
            .unwrap()
            .remove(0)
    };
    let named = |call: ToolCall| {
        let tools = tools.clone();
        async move { tools.call(&call, &ToolContext::new()).await.unwrap().tool }
    };
    assert_eq!(named(call("crm", "list")).await, "crm_list");
    // Another namespace could mean either, and means neither.
    let unknown = tools
        .call(&call("billing", "list"), &ToolContext::new())
        .await
        .unwrap();
    assert!(!unknown.is_success());
    let single = Toolset::single(List).unwrap();
    assert!(
        single
            .call(&call("crm", "list"), &ToolContext::new())
            .await
            .unwrap()
            .is_success()
    );
}

#[tokio::test]
async fn a_reviewer_sees_who_calls() {
    let tools = Toolset::single(Delete).unwrap();
    let item = json!({"type": "function_call", "call_id": "c1", "name": "delete", "arguments": "{\"name\":\"a\"}",
        "caller": {"type": "program", "caller_id": "p1"}});
    let call = ToolCall::parse(&item, Dialect::OpenAiResponses)
        .unwrap()
        .remove(0);
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_deferred_approval();
    let Err(Halt::Pending(pending)) = tools.call(&call, &cx).await else {
        panic!("it waits")
    };
    assert_eq!(
        pending.request().description,
        "Call delete, which a program of the model calls (\"program\")"
    );
    // A question with another caller is another question.
    let mut other = pending.clone();
    other.origin = ToolCall::new("", "", "").origin;
    assert!(
        tools
            .decide(&other, ReviewDecision::Continue, &cx)
            .await
            .is_err()
    );
    // A resumed call still has its caller.
    let stored: callpact::PendingCall = serde_json::from_value(json!(pending)).unwrap();
    let reply = tools
        .decide(&stored, ReviewDecision::Continue, &cx)
        .await
        .unwrap();
    assert_eq!(
        reply.to_message(Dialect::OpenAiResponses)["caller"],
        json!({"type": "program", "caller_id": "p1"})
    );
}

#[tokio::test]
async fn a_call_with_a_fault_never_runs() {
    let tools = Toolset::single(List).unwrap();
    let mut call = ToolCall::new("c1", "list", "{}");
    call.fault = Some("the provider sent two names for it".to_owned());
    let reply = tools.call(&call, &ToolContext::new()).await.unwrap();
    assert_eq!(
        reply.to_model(),
        "Error: Tool 'list' did not run: the call cannot be read, because the provider sent two names for it. \
         Make the call again"
    );
}
