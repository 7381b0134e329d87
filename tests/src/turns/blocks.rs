//! APIs whose blocks begin, grow and end: Anthropic, Bedrock, Cohere, and the interactions of Gemini.

use serde_json::{Value, json};

use super::{Call, IndexFault, Random, ShapedTurn, each, empty};

pub(super) fn whole_messages(calls: &[Call]) -> Value {
    let blocks = calls.iter().map(
        |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}),
    );
    json!({"type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": blocks.collect::<Vec<_>>()})
}

pub(super) fn messages(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (index, has_end, at_start) = (IndexFault::any(random), !random.fault(3), random.fault(4));
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let mut block = json!({"type": "tool_use", "id": call.id, "name": call.name});
        if at_start {
            block["input"] = call.arguments.clone();
        } else if random.fault(3) {
            empty(random, &mut block, "input");
        } else {
            block["input"] = json!({});
        }
        let mut events = vec![json!({"type": "content_block_start", "content_block": block})];
        if !at_start {
            events.extend(pieces.iter().map(|text| {
                let delta = json!({"type": "input_json_delta", "partial_json": text});
                json!({"type": "content_block_delta", "delta": delta})
            }));
        }
        if random.fault(3) {
            events.push(json!({"type": "content_block_delta",
                "delta": {"type": "input_json_delta", "partial_json": null}}));
        }
        if has_end {
            events.push(json!({"type": "content_block_stop"}));
        }
        for event in &mut events {
            index.put(event, "index", at);
        }
        if random.fault(3) {
            events.push(json!({"type": "ping"}));
        }
        events
    });
    let mut end = vec![json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}})];
    if random.fault(2) {
        end.push(json!({"type": "message_stop"}));
    }
    let start = json!({"type": "message_start", "message": {"content": []}});
    let mut turn = ShapedTurn::new(vec![start], of_calls, end);
    turn.interleaves = index.is_none();
    turn
}

pub(super) fn whole_converse(calls: &[Call]) -> Value {
    let blocks = calls.iter().map(
        |call| json!({"toolUse": {"toolUseId": call.id, "name": call.name, "input": call.arguments}}),
    );
    json!({"stopReason": "tool_use",
        "output": {"message": {"role": "assistant", "content": blocks.collect::<Vec<_>>()}}})
}

pub(super) fn converse(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (index, has_end, is_object) = (IndexFault::any(random), !random.fault(3), random.fault(5));
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let first = json!({"toolUseId": call.id, "name": call.name});
        let delta =
            |input: &Value| json!({"contentBlockDelta": {"delta": {"toolUse": {"input": input}}}});
        let mut events = vec![json!({"contentBlockStart": {"start": {"toolUse": first}}})];
        if random.fault(3) {
            events.push(delta(&Value::Null));
        }
        if is_object {
            events.push(delta(&call.arguments));
        } else {
            events.extend(pieces.iter().map(|text| delta(&text.as_str().into())));
        }
        if has_end {
            events.push(json!({"contentBlockStop": {}}));
        }
        for inner in events
            .iter_mut()
            .filter_map(|it| it.as_object_mut()?.values_mut().next())
        {
            index.put(inner, "contentBlockIndex", at);
        }
        events
    });
    let start = json!({"messageStart": {"role": "assistant"}});
    let end = json!({"messageStop": {"stopReason": "tool_use"}});
    let mut turn = ShapedTurn::new(vec![start], of_calls, vec![end, json!({"metadata": {}})]);
    turn.interleaves = index.is_none();
    turn
}

pub(super) fn cohere(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (index, has_end, is_list) = (IndexFault::any(random), !random.fault(3), random.fault(4));
    let (id_again, name_again) = (random.fault(3), random.fault(3));
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let event = |kind: &str, call: Value| {
            let calls = if is_list { json!([call]) } else { call };
            json!({"type": kind, "delta": {"message": {"tool_calls": calls}}})
        };
        let mut first = json!({"id": call.id, "type": "function", "function": {"name": call.name}});
        empty(random, &mut first["function"], "arguments");
        let mut events = vec![event("tool-call-start", first)];
        events.extend(pieces.iter().map(|text| {
            let mut piece = json!({"function": {"arguments": text}});
            if id_again {
                piece["id"] = call.id.clone().into();
            } else {
                empty(random, &mut piece, "id");
            }
            if name_again {
                piece["function"]["name"] = call.name.clone().into();
            } else {
                empty(random, &mut piece["function"], "name");
            }
            event("tool-call-delta", piece)
        }));
        if has_end {
            events.push(json!({"type": "tool-call-end"}));
        }
        for event in &mut events {
            index.put(event, "index", at);
        }
        events
    });
    let start = json!({"type": "message-start"});
    let end = json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}});
    let mut turn = ShapedTurn::new(vec![start], of_calls, vec![end]);
    turn.interleaves = index.is_none();
    turn
}

pub(super) fn interactions(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (index, has_end, at_start) = (IndexFault::any(random), !random.fault(3), random.fault(5));
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let mut step = json!({"type": "function_call", "id": call.id, "name": call.name});
        if at_start {
            step["arguments"] = call.arguments.clone();
        } else if random.fault(3) {
            empty(random, &mut step, "arguments");
        } else {
            step["arguments"] = json!({});
        }
        let mut events = vec![json!({"event_type": "step.start", "step": step})];
        if !at_start {
            events.extend(pieces.iter().map(|text| {
                let delta = json!({"type": "arguments_delta", "arguments": text});
                json!({"event_type": "step.delta", "delta": delta})
            }));
        }
        if has_end {
            events.push(json!({"event_type": "step.stop"}));
        }
        for event in &mut events {
            index.put(event, "index", at);
        }
        events
    });
    let start = json!({"event_type": "interaction.created"});
    let end = json!({"event_type": "interaction.completed", "interaction": {"status": "requires_action"}});
    let mut turn = ShapedTurn::new(vec![start], of_calls, vec![end]);
    turn.interleaves = index.is_none();
    turn
}
