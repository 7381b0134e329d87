//! The faults of real servers, one row each.

use callpact::stream::{AssembledTurn, Ended, TurnAssembler, TurnEvent};
use serde_json::{Value, json};

fn assemble(events: &[Value]) -> AssembledTurn {
    let mut turn = TurnAssembler::new();
    for event in events {
        turn.push(event);
    }
    turn.finish()
}

/// Chunks of a chat with these lists of pieces, and the end.
fn chat(chunks: Value, reason: &str) -> AssembledTurn {
    let Value::Array(chunks) = chunks else {
        panic!("a list of lists")
    };
    let mut events: Vec<Value> = chunks
        .into_iter()
        .map(|pieces| json!({"choices": [{"index": 0, "delta": {"tool_calls": pieces}}]}))
        .collect();
    if !reason.is_empty() {
        events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}));
    }
    assemble(&events)
}

fn calls(turn: &AssembledTurn) -> Vec<(&str, &str, &str)> {
    assert!(
        turn.calls
            .iter()
            .all(|call| call.fault.is_none() && !call.cut_off),
        "{turn:?}"
    );
    let calls = turn.calls.iter();
    calls
        .map(|call| (&*call.id, &*call.name, &*call.arguments))
        .collect()
}

fn piece(id: &str, name: &str, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn at(index: u64, mut piece: Value) -> Value {
    piece["index"] = index.into();
    piece
}

#[test]
fn reads_pieces_without_an_index() {
    let turn = chat(
        json!([
            [piece("a", "one", "")],
            [{"function": {"arguments": "{\"x\""}}],
            [{"index": null, "function": {"arguments": ":1}"}}],
            [piece("b", "two", "{}")],
            [piece("b", "two", "")],
        ]),
        "stop",
    );
    assert_eq!(
        calls(&turn),
        [("a", "one", r#"{"x":1}"#), ("b", "two", "{}")]
    );
    // Without ids, a second name begins a call.
    let turn = chat(
        json!([
            [{"function": {"name": "one", "arguments": "{\"x\":"}}, {"function": {"arguments": "1}"}}],
            [{"function": {"name": "one", "arguments": "{\"x\":2}"}}],
            [{"function": {"name": "two", "arguments": ""}}, {"function": {"name": "two"}}],
        ]),
        "tool_calls",
    );
    assert_eq!(
        calls(&turn),
        [
            ("call_0", "one", r#"{"x":1}"#),
            ("call_1", "one", r#"{"x":2}"#),
            ("call_2", "two", ""),
            ("call_3", "two", ""),
        ]
    );
}

#[test]
fn keeps_two_calls_with_one_index_apart() {
    let turn = chat(
        json!([
            [at(0, piece("a", "one", "{\"x\""))],
            [at(0, json!({"function": {"arguments": ":1}"}}))],
            [at(0, piece("b", "two", "{\"y\""))],
            [at(0, piece("", "", ":2}"))],
        ]),
        "stop",
    );
    assert_eq!(
        calls(&turn),
        [("a", "one", r#"{"x":1}"#), ("b", "two", r#"{"y":2}"#)]
    );
}

#[test]
fn repeated_ids_and_names_change_nothing() {
    let turn = chat(
        json!([
            [at(0, piece("a", "one", ""))],
            [at(0, piece("a", "one", "{\"x\":"))],
            [at(0, piece("", "", "1}"))],
            [at(
                0,
                json!({"id": null, "function": {"name": null, "arguments": null}})
            )],
            [at(0, json!({"function": null}))],
        ]),
        "tool_calls",
    );
    assert_eq!(calls(&turn), [("a", "one", r#"{"x":1}"#)]);
}

#[test]
fn a_name_in_two_pieces_is_one_name() {
    let pieces = json!([
        [at(0, piece("a", "read_", ""))],
        [at(0, piece("", "file", ""))],
        [at(0, piece("", "", "{}"))],
    ]);
    assert_eq!(
        calls(&chat(pieces.clone(), "stop")),
        [("a", "read_file", "{}")]
    );
    // The first piece is the name of a tool, so a second name is a fault.
    let mut turn = TurnAssembler::new().with_names(["read_"]);
    for pieces in pieces.as_array().unwrap() {
        turn.push(&json!({"choices": [{"delta": {"tool_calls": pieces}}]}));
    }
    let turn = turn.finish();
    assert_eq!(
        turn.calls[0].fault.as_deref(),
        Some("the provider sent two names for it")
    );
}

#[test]
fn arguments_may_come_before_the_name() {
    let mut turn = TurnAssembler::new();
    let chunk = |piece: Value| json!({"choices": [{"delta": {"tool_calls": [piece]}}]});
    let first = json!({"index": 0, "id": "a", "function": {"arguments": "{\"x\":"}});
    assert_eq!(turn.push(&chunk(first)), []);
    let second = turn.push(&chunk(
        json!({"index": 0, "function": {"name": "one", "arguments": "1}"}}),
    ));
    assert_eq!(
        second,
        [
            TurnEvent::CallStarted {
                position: 0,
                id: "a".to_owned(),
                name: "one".to_owned()
            },
            TurnEvent::Arguments {
                position: 0,
                text: r#"{"x":1}"#.to_owned()
            },
        ]
    );
}

#[test]
fn an_object_is_taken_once() {
    let object = |value: Value| {
        at(
            0,
            json!({"id": "a", "function": {"name": "one", "arguments": value}}),
        )
    };
    for again in [json!([]), json!([[object(json!({"x": 1}))]])] {
        let mut chunks = vec![json!([object(json!({"x": 1}))])];
        chunks.extend(again.as_array().unwrap().iter().cloned());
        assert_eq!(
            calls(&chat(chunks.into(), "stop")),
            [("a", "one", r#"{"x":1}"#)]
        );
    }
    let turn = chat(
        json!([[object(json!({"x": 1}))], [object(json!({"x": 2}))]]),
        "stop",
    );
    assert!(turn.calls[0].fault.is_some());
}

#[test]
fn repeats_and_placeholders_are_recognized() {
    let text = |pieces: &[&str]| {
        let chunks: Vec<Value> = pieces
            .iter()
            .map(|text| json!([at(0, piece("a", "one", text))]))
            .collect();
        chat(chunks.into(), "stop").calls.remove(0).arguments
    };
    assert_eq!(text(&["{\"a\"", ":1}", "{\"a\":1}"]), r#"{"a":1}"#);
    assert_eq!(text(&["{}", "{\"a\":1}"]), r#"{"a":1}"#);
    // Nothing else is cut away.
    assert_eq!(text(&["{\"a\":\"x", "x", "x\"}"]), r#"{"a":"xxx"}"#);
    assert_eq!(text(&["{\"a\":\"", "ll", "ll", "\"}"]), r#"{"a":"llll"}"#);
    assert_eq!(text(&["{\"a\":", "{}", "}"]), r#"{"a":{}}"#);
}

#[test]
fn the_last_open_call_is_cut_off() {
    let pieces = json!([
        [at(0, piece("a", "one", "{\"x\":1}"))],
        [at(1, piece("b", "two", "{\"y\":2}"))],
    ]);
    // Whole JSON is no proof: servers that read calls out of a text close it themselves.
    for reason in ["length", "content_filter", ""] {
        let turn = chat(pieces.clone(), reason);
        let cut: Vec<bool> = turn.calls.iter().map(|call| call.cut_off).collect();
        assert_eq!(cut, [false, true], "{reason}");
        assert_ne!(turn.ended, Ended::Stopped);
    }
    assert!(calls(&chat(pieces, "stop")).len() == 2);
    // A call that no piece said more about, in a turn that was lost.
    let turn = chat(
        json!([
            [at(0, piece("a", "one", ""))],
            [at(1, piece("b", "two", "{}"))]
        ]),
        "",
    );
    assert!(turn.calls.iter().all(|call| call.cut_off));
}

#[test]
fn an_error_in_the_stream_ends_it() {
    let chunk = json!({"choices": [{"delta": {"tool_calls": [at(0, piece("a", "one", "{}"))]}}]});
    let error = json!({"error": {"message": "tool_use_failed", "failed_generation":
        "<tool_call>\n{\"name\": \"one\", \"arguments\": {}}\n</tool_call>"}});
    let turn = assemble(&[chunk, error.clone()]);
    assert!(turn.calls[0].cut_off);
    assert_eq!(
        (turn.ended, turn.reason.as_deref()),
        (Ended::Cut, Some("tool_use_failed"))
    );
    // What the model wrote is the text, and it looks like a call.
    let turn = assemble(&[error]);
    assert!(turn.hint.is_some() && turn.text.starts_with("<tool_call>"));
}

#[test]
fn no_arguments_are_an_empty_object() {
    let lamp = |arguments: Value| json!({"index": 0, "id": "a", "function": {"name": "one", "arguments": arguments}});
    for arguments in [json!(""), json!(null), json!(" "), json!("null")] {
        assert_eq!(
            calls(&chat(json!([[lamp(arguments)]]), "stop")),
            [("a", "one", "")]
        );
    }
}

#[test]
fn a_second_start_begins_anew() {
    let start = json!({"type": "message_start", "message": {"content": []}});
    let open = |id: &str| {
        json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "tool_use", "id": id, "name": "one", "input": {}}})
    };
    let mut turn = TurnAssembler::new();
    turn.push(&start);
    turn.push(&open("a"));
    assert_eq!(turn.push(&start), [TurnEvent::Restarted]);
    turn.push(&open("b"));
    turn.push(&json!({"type": "content_block_stop", "index": 0}));
    turn.push(&json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}));
    assert_eq!(calls(&turn.finish()), [("b", "one", "")]);
}

#[test]
fn ended_call_is_whole_in_any_turn() {
    let block = |index: u64, kind: &str, more: Value| {
        let mut event = json!({"type": format!("content_block_{kind}"), "index": index});
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        event
    };
    let tool = |id: &str| json!({"content_block": {"type": "tool_use", "id": id, "name": "one", "input": {}}});
    let json = |text: &str| json!({"delta": {"type": "input_json_delta", "partial_json": text}});
    let turn = assemble(&[
        block(0, "start", tool("a")),
        block(0, "delta", json("{\"x\":1}")),
        block(0, "stop", json!({})),
        block(1, "start", tool("b")),
        block(1, "delta", json("{\"x\":2}")),
        json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}),
        json!({"type": "message_stop"}),
    ]);
    let cut: Vec<bool> = turn.calls.iter().map(|call| call.cut_off).collect();
    assert_eq!(cut, [false, true]);
}

#[test]
fn the_whole_input_at_the_start_is_taken() {
    let turn = assemble(&[
        json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "tool_use", "id": "a", "name": "one", "input": {"x": 1}}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_stop"}),
    ]);
    assert_eq!(calls(&turn), [("a", "one", r#"{"x":1}"#)]);
}

#[test]
fn joins_response_events_by_any_available_key() {
    let item = |id: Value| json!({"type": "function_call", "id": id, "call_id": "c1", "name": "one", "arguments": ""});
    let added = |more: Value| {
        let mut event = json!({"type": "response.output_item.added", "item": item(json!("i1"))});
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        event
    };
    let delta = |key: Value| {
        let mut event =
            json!({"type": "response.function_call_arguments.delta", "delta": "{\"x\":1}"});
        event
            .as_object_mut()
            .unwrap()
            .extend(key.as_object().unwrap().clone());
        event
    };
    let done = json!({"type": "response.completed", "response": {"status": "completed"}});
    for (start, piece) in [
        (json!({"output_index": 0}), json!({"output_index": 0})),
        // Another id in every event.
        (
            json!({"output_index": 0}),
            json!({"output_index": 0, "item_id": "other"}),
        ),
        (json!({}), json!({"item_id": "i1"})),
        (json!({}), json!({"call_id": "c1"})),
    ] {
        let turn = assemble(&[added(start), delta(piece), done.clone()]);
        assert_eq!(calls(&turn), [("c1", "one", r#"{"x":1}"#)]);
    }
    // Only the last events.
    let whole = json!({"type": "function_call", "call_id": "c1", "name": "one", "arguments": "{}"});
    let item = json!({"type": "response.output_item.done", "output_index": 0, "item": whole});
    let all = json!({"type": "response.completed", "response": {"status": "completed", "output": [whole]}});
    for events in [&[item.clone(), all.clone()][..], &[item], &[all]] {
        let mut events = events.to_vec();
        events.push(done.clone());
        assert_eq!(calls(&assemble(&events)), [("c1", "one", "{}")]);
    }
}

#[test]
fn reports_whole_differing_from_pieces() {
    let turn = assemble(&[
        json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"type": "function_call", "call_id": "c1", "name": "pay", "arguments": ""}}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{\"euros\":1"}),
        json!({"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{\"euros\":10}"}),
        json!({"type": "response.completed", "response": {}}),
    ]);
    assert!(turn.calls[0].fault.is_some());
}

#[test]
fn names_item_waiting_for_program() {
    let turn = assemble(&[
        json!({"type": "response.output_item.done", "output_index": 0,
            "item": {"type": "tool_search_call", "execution": "client", "call_id": "s1", "arguments": {}}}),
        json!({"type": "response.completed", "response": {"status": "completed"}}),
    ]);
    assert!(turn.hint.unwrap().contains("`tool_search_call`"));
    assert_eq!(turn.others.len(), 1);
}

#[test]
fn vertex_sends_values_with_their_paths() {
    let part =
        |call: Value| json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]});
    let turn = assemble(&[
        part(json!({"name": "book", "id": "a", "willContinue": true})),
        part(json!({"willContinue": true, "partialArgs":
            [{"jsonPath": "$.city", "stringValue": "Ber", "willContinue": true}]})),
        part(json!({"willContinue": true, "partialArgs": [
            {"jsonPath": "$.city", "stringValue": "gen"},
            {"jsonPath": "$.nights", "numberValue": 3.0},
            {"jsonPath": "$['names'][0]", "stringValue": "Ada"},
            {"jsonPath": "$.names[1].first", "stringValue": "Bo"},
        ]})),
        part(
            json!({"partialArgs": [{"jsonPath": "$.sea", "boolValue": true}, {"jsonPath": "$.note", "nullValue": null}]}),
        ),
        part(json!({"name": "book", "args": {"city": "Oslo"}})),
        json!({"candidates": [{"finishReason": "STOP"}]}),
    ]);
    let parsed: Vec<Value> = turn
        .calls
        .iter()
        .map(|call| serde_json::from_str(&call.arguments).unwrap())
        .collect();
    assert_eq!(
        parsed,
        [
            json!({"city": "Bergen", "nights": 3, "names": ["Ada", {"first": "Bo"}], "sea": true, "note": null}),
            json!({"city": "Oslo"}),
        ]
    );
    assert!(
        turn.calls
            .iter()
            .all(|call| !call.cut_off && call.fault.is_none())
    );
}

#[test]
fn other_choices_are_left_to_other_assemblers() {
    let event = json!({"choices": [
        {"index": 0, "delta": {"content": "zero"}}, {"index": 1, "delta": {"content": "one"}},
    ]});
    for (choice, text) in [(0, "zero"), (1, "one"), (2, "")] {
        let mut turn = TurnAssembler::new().with_choice(choice);
        turn.push(&event);
        assert_eq!(turn.finish().text, text);
    }
}
