//! The stream items of rig, genai and async-openai, as their types are written in JSON. The tests of the adapters take
//! the types.

use serde_json::{Value, json};

use super::{Call, Random, ShapedTurn, chunk, each};

pub(super) fn rig(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let mut events =
            vec![json!({"event": "start", "part": at, "kind": "tool_call", "name": call.name})];
        if !random.fault(3) {
            let pieces = pieces.iter();
            events
                .extend(pieces.map(|text| json!({"event": "arguments", "part": at, "json": text})));
        }
        let content = json!({"type": "toolcall", "id": {"provider": call.id},
            "function": {"name": call.name, "arguments": call.arguments}});
        events.push(json!({"event": "end", "part": at, "content": content}));
        events
    });
    let start = vec![
        json!({"event": "start", "part": 99, "kind": "text"}),
        json!({"event": "text", "part": 99, "text": ""}),
    ];
    ShapedTurn::new(start, of_calls, Vec::new())
}

/// A stream of genai that captures its calls. What a chunk holds depends on the provider: the arguments so far, or their
/// newest piece.
pub(super) fn genai(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let is_so_far = random.fault(2);
    let call_of = |call: &Call, arguments: Value| json!({"call_id": call.id, "fn_name": call.name, "fn_arguments": arguments});
    let of_calls = each(calls, random, |_, call, pieces, _| {
        let mut so_far = String::new();
        let chunks = pieces.iter().map(|text| {
            if !is_so_far {
                so_far.clear();
            }
            so_far += text;
            json!({"ToolCallChunk": {"tool_call": call_of(call, so_far.as_str().into())}})
        });
        chunks.collect()
    });
    let captured = calls
        .iter()
        .map(|call| json!({"ToolCall": call_of(call, call.arguments.clone())}));
    let captured: Vec<Value> = captured.collect();
    let end = json!({"End": {"captured_content": captured,
        "captured_stop_reason": {"ToolCall": "tool_calls"}}});
    ShapedTurn::new(vec![json!("Start")], of_calls, vec![end])
}

/// The chunks that the types of async-openai can hold: each piece has an index, and arguments are a text or missing.
pub(super) fn async_openai(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (id_again, name_again) = (random.fault(2), random.fault(2));
    let of_calls = each(calls, random, |at, call, pieces, _| {
        let mut events = vec![json!({"index": at, "id": call.id, "type": "function",
            "function": {"name": call.name, "arguments": null}})];
        events.extend(pieces.iter().map(|text| {
            json!({"index": at, "id": id_again.then_some(&call.id), "type": null,
                "function": {"name": name_again.then_some(&call.name), "arguments": text}})
        }));
        let chunks = events.iter();
        chunks
            .map(|piece| chunk(&json!({"content": null, "refusal": null, "tool_calls": [piece]})))
            .collect()
    });
    let mut last = chunk(&json!({"content": null, "tool_calls": null}));
    last["choices"][0]["finish_reason"] = "tool_calls".into();
    ShapedTurn::new(Vec::new(), of_calls, vec![last])
}
