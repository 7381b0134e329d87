//! The typed stream items of every host.

use callpact::stream::{Ended, TurnAssembler};
use serde_json::json;

#[test]
fn chunks_of_async_openai_are_assembled() {
    use async_openai::types::{
        chat::CreateChatCompletionStreamResponse, responses::ResponseStreamEvent,
    };
    let chunk =
        |delta: serde_json::Value, reason: Option<&str>| -> CreateChatCompletionStreamResponse {
            serde_json::from_value(
                json!({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}),
            )
            .expect("a chunk")
        };
    let mut turn = TurnAssembler::new();
    for chunk in [
        chunk(
            json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": {"name": "add", "arguments": ""}}]}),
            None,
        ),
        chunk(
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"a\":1}"}}]}),
            None,
        ),
        chunk(json!({}), Some("tool_calls")),
    ] {
        turn.push_item(&chunk).expect("JSON");
    }
    let turn = turn.finish();
    assert_eq!((turn.ended, turn.calls.len()), (Ended::Stopped, 1));
    assert_eq!(
        (&*turn.calls[0].id, &*turn.calls[0].arguments),
        ("c1", r#"{"a":1}"#)
    );

    let mut turn = TurnAssembler::new();
    for event in [
        json!({"type": "response.output_item.added", "sequence_number": 0, "output_index": 0, "item":
            {"type": "function_call", "id": "i", "call_id": "c1", "name": "add", "arguments": "", "status": "in_progress"}}),
        json!({"type": "response.function_call_arguments.delta", "sequence_number": 1, "item_id": "i", "output_index": 0, "delta": "{}"}),
        json!({"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item":
            {"type": "function_call", "id": "i", "call_id": "c1", "name": "add", "arguments": "{}", "status": "completed"}}),
    ] {
        let event: ResponseStreamEvent = serde_json::from_value(event).expect("an event");
        turn.push_item(&event).expect("JSON");
    }
    let turn = turn.finish();
    // The stream was lost, and this call ended before.
    assert_eq!((turn.ended, turn.calls[0].cut_off), (Ended::Unknown, false));
}

#[test]
fn events_of_rig_are_assembled() {
    use rig_core::streaming::StreamEvent;
    let mut turn = TurnAssembler::new();
    for event in [
        json!({"event": "start", "part": 0, "kind": "text"}),
        json!({"event": "text", "part": 0, "text": "Hello"}),
        json!({"event": "start", "part": 1, "kind": "tool_call", "name": "add"}),
        json!({"event": "arguments", "part": 1, "json": "{\"a\":"}),
        json!({"event": "arguments", "part": 1, "json": "1}"}),
        json!({"event": "start", "part": 2, "kind": "tool_call", "name": "add"}),
        json!({"event": "arguments", "part": 2, "json": "{\"a\":2}"}),
        json!({"event": "end", "part": 1, "content": {"type": "toolcall", "id": {"provider": "c1"},
            "function": {"name": "add", "arguments": {"a": 1}}}}),
    ] {
        let event: StreamEvent = serde_json::from_value(event).expect("an event");
        turn.push_item(&event).expect("JSON");
    }
    let turn = turn.finish();
    assert_eq!((&*turn.text, &*turn.calls[0].id), ("Hello", "c1"));
    let calls: Vec<(&str, bool)> = turn
        .calls
        .iter()
        .map(|call| (&*call.arguments, call.cut_off))
        .collect();
    assert_eq!(calls, [(r#"{"a":1}"#, false), (r#"{"a":2}"#, true)]);
}

#[test]
fn events_of_genai_are_assembled() {
    use genai::chat::{
        ChatStreamEvent, MessageContent, StopReason, StreamChunk, StreamEnd, ToolCall, ToolChunk,
    };
    let call = |arguments| ToolCall {
        call_id: "c1".to_owned(),
        fn_name: "add".to_owned(),
        fn_arguments: arguments,
        thought_signatures: None,
    };
    let chunk = || {
        ChatStreamEvent::ToolCallChunk(ToolChunk {
            tool_call: call(json!("{\"a\"")),
        })
    };
    let end = |content, reason| {
        ChatStreamEvent::End(StreamEnd {
            captured_content: content,
            captured_stop_reason: Some(reason),
            ..StreamEnd::default()
        })
    };
    let captured = || Some(MessageContent::from(vec![call(json!({"a": 1}))]));
    for (content, reason, is_whole, is_fault) in [
        (
            captured(),
            StopReason::ToolCall("tool_calls".to_owned()),
            true,
            false,
        ),
        // genai makes an object of a call that was cut off.
        (
            captured(),
            StopReason::MaxTokens("length".to_owned()),
            false,
            false,
        ),
        (
            None,
            StopReason::ToolCall("tool_calls".to_owned()),
            false,
            true,
        ),
    ] {
        let mut turn = TurnAssembler::new();
        for event in [
            ChatStreamEvent::Start,
            ChatStreamEvent::Chunk(StreamChunk {
                content: "Hello".to_owned(),
            }),
            chunk(),
            end(content, reason),
        ] {
            turn.push_item(&event).expect("JSON");
        }
        let turn = turn.finish();
        assert_eq!(turn.text, "Hello");
        let call = &turn.calls[0];
        assert_eq!(
            (!call.cut_off && call.fault.is_none(), call.fault.is_some()),
            (is_whole, is_fault),
            "{turn:?}"
        );
    }
}
