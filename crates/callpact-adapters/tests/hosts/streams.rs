//! The typed stream items of every host.

use callpact::stream::{Ended, TurnAssembler};
use callpact_tests::turns::{Random, SHAPES, stream};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

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

fn push<T: Serialize + DeserializeOwned>(turn: &mut TurnAssembler<'_>, event: &Value) {
    let mut event = event.clone();
    // What a chunk of chat completions has beside its choices.
    if event.get("choices").is_some() {
        event["id"] = "x".into();
        event["object"] = "chat.completion.chunk".into();
        event["created"] = 1.into();
        event["model"] = "m".into();
    }
    let item: T = serde_json::from_value(event).expect("an item");
    turn.push_item(&item).expect("JSON");
}

/// The events of genai have no reader.
fn push_genai(turn: &mut TurnAssembler<'_>, event: &Value) {
    use genai::chat::{
        ChatStreamEvent, MessageContent, StopReason, StreamEnd, ToolCall, ToolChunk,
    };
    let call = |call: &Value| ToolCall {
        call_id: call["call_id"].as_str().expect("an id").to_owned(),
        fn_name: call["fn_name"].as_str().expect("a name").to_owned(),
        fn_arguments: call["fn_arguments"].clone(),
        thought_signatures: None,
    };
    let item = if let Some(end) = event.get("End") {
        let captured = end["captured_content"].as_array().expect("content");
        let captured: Vec<ToolCall> = captured.iter().map(|it| call(&it["ToolCall"])).collect();
        ChatStreamEvent::End(StreamEnd {
            captured_content: Some(MessageContent::from(captured)),
            captured_stop_reason: Some(StopReason::ToolCall("tool_calls".to_owned())),
            ..StreamEnd::default()
        })
    } else if let Some(chunk) = event.get("ToolCallChunk") {
        let tool_call = call(&chunk["tool_call"]);
        ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call })
    } else {
        ChatStreamEvent::Start
    };
    turn.push_item(&item).expect("JSON");
}

/// `CALLPACT_ROUNDS` sets how many turns of each host are tried.
#[test]
fn random_items_give_their_calls() {
    type PushEvent = fn(&mut TurnAssembler<'_>, &Value);
    let rounds = std::env::var("CALLPACT_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|it| it.parse().ok()).unwrap_or(300);
    let hosts: [(&str, PushEvent); 3] = [
        ("items of rig", push::<rig_core::streaming::StreamEvent>),
        ("items of genai", push_genai),
        (
            "items of async-openai",
            push::<async_openai::types::chat::CreateChatCompletionStreamResponse>,
        ),
    ];
    for (name, push) in hosts {
        let shape = SHAPES.iter().find(|it| it.name == name).expect("a shape");
        for round in 0..rounds {
            let mut random = Random::new(round + 1);
            let made = random.calls();
            let (events, _, _) = stream(shape, &made, &mut random);
            let mut turn = TurnAssembler::new();
            for event in &events {
                push(&mut turn, event);
            }
            let turn = turn.finish();
            assert_eq!(turn.calls.len(), made.len(), "{name} {round}: {turn:?}");
            for (call, made) in turn.calls.iter().zip(&made) {
                let arguments: Value = serde_json::from_str(&call.arguments).expect("JSON");
                assert_eq!(
                    (&call.id, &call.name, &arguments),
                    (&made.id, &made.name, &made.arguments),
                    "{name} {round}: {turn:?}"
                );
                assert!(
                    call.fault.is_none() && !call.cut_off,
                    "{name} {round}: {turn:?}"
                );
            }
        }
    }
}
