//! "Nothing runs on a guess: a truncated argument is an error, never a call", even if only the
//! response says so, and not the text of the arguments.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use callpact::{
    Dialect, DynamicTool, Outcome, ToolCall, ToolContext, Toolset, adapter::sanitized_for_replay,
};
use serde_json::{Value, json};

/// A set with one tool that needs no arguments, and how often it ran.
fn purge() -> (Toolset, Arc<AtomicUsize>) {
    let ran = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&ran);
    let tool = DynamicTool::new("purge", "Empties a folder, or all", None, move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        async { "purged" }
    })
    .expect("a good tool");
    let tools = Toolset::builder().tool(tool).build().expect("one tool");
    (tools, ran)
}

/// Two calls, the second without arguments, in the words of each provider; and how a response says that
/// it ended well and that it was cut off.
fn responses(ending: impl Fn(&str, &str) -> String) -> Vec<(Dialect, Value)> {
    let chat = |id: &str, arguments: &str| {
        json!({"id": id, "type": "function",
            "function": {"name": "purge", "arguments": arguments}})
    };
    let chats = json!([chat("a", "{}"), chat("b", "")]);
    let item = |id: &str, arguments: &str| json!({"type": "function_call", "call_id": id, "name": "purge", "arguments": arguments});
    let block = |id: &str| json!({"type": "tool_use", "id": id, "name": "purge", "input": {}});
    let part = |id: &str| json!({"functionCall": {"id": id, "name": "purge", "args": {}}});
    let converse = |id: &str| json!({"toolUse": {"toolUseId": id, "name": "purge", "input": {}}});
    vec![
        (
            Dialect::OpenAi,
            json!({"choices": [{"message": {"tool_calls": chats},
                "finish_reason": ending("tool_calls", "length")}]}),
        ),
        (
            Dialect::OpenAiStrict,
            json!({"choices": [{"message": {"tool_calls": chats},
                "finish_reason": ending("tool_calls", "content_filter")}]}),
        ),
        (
            Dialect::Mistral,
            json!({"choices": [{"message": {"tool_calls": chats},
                "finish_reason": ending("tool_calls", "model_length")}]}),
        ),
        (
            Dialect::Vllm,
            json!({"choices": [{"message": {"tool_calls": chats},
                "finish_reason": ending("stop", "length")}]}),
        ),
        (
            Dialect::Ollama,
            json!({"message": {"tool_calls": chats}, "done_reason": ending("stop", "length")}),
        ),
        (
            Dialect::OpenAiResponses,
            json!({"output": [item("a", "{}"), item("b", "")],
                "status": ending("completed", "incomplete")}),
        ),
        (
            Dialect::OpenAiResponsesStrict,
            json!({"type": "response.done", "response": {"output": [item("a", "{}"), item("b", "")],
                "status": ending("completed", "incomplete")}}),
        ),
        (
            Dialect::Anthropic,
            json!({"content": [block("a"), block("b")],
                "stop_reason": ending("tool_use", "max_tokens")}),
        ),
        (
            Dialect::AnthropicStrict,
            json!({"content": [block("a"), block("b")],
                "stop_reason": ending("tool_use", "model_context_window_exceeded")}),
        ),
        (
            Dialect::Gemini,
            json!({"candidates": [{"content": {"parts": [part("a"), part("b")]},
                "finishReason": ending("STOP", "MAX_TOKENS")}]}),
        ),
        (
            Dialect::Bedrock,
            json!({"output": {"message": {"content": [converse("a"), converse("b")]}},
                "stopReason": ending("tool_use", "max_tokens")}),
        ),
    ]
}

#[tokio::test]
async fn skips_last_call_of_truncated_response() {
    for (dialect, response) in responses(|_, cut| cut.to_owned()) {
        let calls = ToolCall::parse(&response, dialect).expect("two calls");
        let (tools, ran) = purge();
        let replies = tools.call_all(&calls, &ToolContext::new()).await;
        let replies: Vec<_> = replies
            .into_iter()
            .map(|reply| reply.expect("no halt"))
            .collect();
        assert_eq!(replies.len(), 2, "{dialect}");
        assert!(
            replies[0].is_success(),
            "{dialect}: the first call is whole"
        );
        assert_eq!(replies[1].outcome, Outcome::InvalidArguments, "{dialect}");
        assert_eq!(
            replies[1].to_model(),
            "Error: Tool 'purge' did not run: the response was cut off in this call. Make the call \
             again, with shorter arguments or in several calls",
            "{dialect}"
        );
        assert_eq!(ran.load(Ordering::Relaxed), 1, "{dialect}");
        // Nor does a dry run say that it would.
        assert!(!tools.check(&calls[1], &ToolContext::new()).is_success());
    }
}

#[tokio::test]
async fn runs_all_calls_of_complete_response() {
    for (dialect, response) in responses(|good, _| good.to_owned()) {
        let calls = ToolCall::parse(&response, dialect).expect("two calls");
        let (tools, ran) = purge();
        for reply in tools.call_all(&calls, &ToolContext::new()).await {
            assert!(reply.expect("no halt").is_success(), "{dialect}");
        }
        assert_eq!(ran.load(Ordering::Relaxed), 2, "{dialect}");
    }
}

#[test]
fn call_is_whole_if_followed_or_marked_complete() {
    let cut = |response: Value, dialect| -> Vec<bool> {
        let calls = ToolCall::parse(&response, dialect).expect("calls");
        calls.iter().map(|call| call.cut_off).collect()
    };
    let block = json!({"type": "tool_use", "id": "a", "name": "purge", "input": {}});
    // The text behind the call is what was cut.
    assert_eq!(
        cut(
            json!({"content": [block, {"type": "text", "text": "And no"}], "stop_reason": "max_tokens"}),
            Dialect::Anthropic
        ),
        [false]
    );
    for (status, expected) in [
        ("completed", false),
        ("incomplete", true),
        ("in_progress", true),
    ] {
        let item = json!({"type": "function_call", "call_id": "a", "name": "purge",
            "arguments": "{}", "status": status});
        assert_eq!(
            cut(
                json!({"output": [item], "status": "incomplete"}),
                Dialect::OpenAiResponses
            ),
            [expected],
            "{status}"
        );
        // Its own word counts without that of the response.
        assert_eq!(cut(item, Dialect::OpenAiResponses), [expected], "{status}");
    }
}

/// Gemini can send a call in pieces, none of which is the call.
#[tokio::test]
async fn a_piece_of_a_call_does_not_run() {
    for call in [
        json!({"name": "purge", "willContinue": true}),
        json!({"name": "purge", "args": {}, "willContinue": true}),
        json!({"name": "purge", "partialArgs": [{"jsonPath": "$.folder", "stringValue": "/"}]}),
        json!({"willContinue": true, "partialArgs": []}),
    ] {
        let response = json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [
            {"functionCall": call}, {"functionCall": {"name": "purge", "args": {}}},
        ]}}]});
        let calls = ToolCall::parse(&response, Dialect::Gemini).expect("two calls");
        let cut: Vec<bool> = calls.iter().map(|call| call.cut_off).collect();
        assert_eq!(cut, [true, false], "{response}");
        let (tools, ran) = purge();
        tools.call_all(&calls, &ToolContext::new()).await;
        assert_eq!(ran.load(Ordering::Relaxed), 1, "{response}");
    }
    let whole = json!({"functionCall": {"name": "purge", "args": {}, "willContinue": false, "partialArgs": null}});
    let calls = ToolCall::parse(&whole, Dialect::Gemini).expect("a call");
    assert!(!calls[0].cut_off);
}

/// Complete JSON proves nothing: some servers close what was cut off, or send an object for it.
#[tokio::test]
async fn rejects_complete_json_in_truncated_call() {
    let call = json!({"id": "a", "type": "function",
        "function": {"name": "purge", "arguments": "{\"folder\": \"/\"}"}});
    let response =
        json!({"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "length"}]});
    let calls = ToolCall::parse(&response, Dialect::OpenAi).expect("a call");
    let (tools, ran) = purge();
    let reply = tools
        .call(&calls[0], &ToolContext::new())
        .await
        .expect("no halt");
    assert!(!reply.is_success());
    assert_eq!(ran.load(Ordering::Relaxed), 0);
    // The mark outlives a history, and the text is what the model wrote.
    let kept: ToolCall =
        serde_json::from_value(json!(sanitized_for_replay(&calls[0]))).expect("a call");
    assert_eq!(kept, calls[0]);
    assert!(kept.cut_off);
}

/// Cut off before the name was there: a reply that the model can use, and the calls before it run.
#[tokio::test]
async fn a_call_cut_off_before_its_name() {
    let response = json!({"choices": [{"finish_reason": "length", "message": {"tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "purge", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"arguments": ""}},
    ]}}]});
    let calls = ToolCall::parse(&response, Dialect::OpenAi).expect("two calls");
    let (tools, ran) = purge();
    let replies = tools.call_all(&calls, &ToolContext::new()).await;
    assert_eq!(ran.load(Ordering::Relaxed), 1);
    let last = replies[1].as_ref().expect("no halt");
    assert_eq!(last.call_id, "b");
    assert_eq!(
        last.to_model(),
        "Error: No tool ran: the response was cut off in this call. Make the call again, with \
         shorter arguments or in several calls"
    );
}

#[test]
fn whole_call_serialises_without_truncation_flag() {
    let call = ToolCall::new("a", "purge", "{}");
    assert_eq!(
        json!(call),
        json!({"id": "a", "name": "purge", "arguments": "{}"})
    );
    assert_eq!(
        serde_json::from_value::<ToolCall>(json!(call)).expect("a call"),
        call
    );
}
