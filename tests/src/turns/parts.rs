//! APIs whose calls come as parts: Gemini, Ollama, and the conversations of Mistral.

use serde_json::{Value, json};

use super::{Call, Random, ShapedTurn, each, empty};

pub(super) fn whole_gemini(calls: &[Call]) -> Value {
    let parts = calls.iter().map(
        |call| json!({"functionCall": {"id": call.id, "name": call.name, "args": call.arguments}}),
    );
    json!({"candidates": [{"index": 0, "finishReason": "STOP",
        "content": {"role": "model", "parts": parts.collect::<Vec<_>>()}}]})
}

fn part(call: &Value) -> Value {
    json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]})
}

fn join_parts(first: &mut Value, second: &Value) -> bool {
    let parts = |event: &Value| event.pointer("/candidates/0/content/parts").cloned();
    let (Some(Value::Array(mut before)), Some(Value::Array(after))) = (parts(first), parts(second))
    else {
        return false;
    };
    before.extend(after);
    first["candidates"][0]["content"]["parts"] = before.into();
    true
}

fn end_of_gemini(random: &mut Random) -> Vec<Value> {
    let mut last = json!({"candidates": [{"finishReason": "STOP"}]});
    match random.below(3) {
        0 => last["candidates"][0]["content"] = json!({"parts": []}),
        1 => last["candidates"][0]["content"] = json!({"parts": [{"text": ""}]}),
        _ => {}
    }
    vec![last]
}

pub(super) fn gemini(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let has_ids = !random.fault(2);
    let of_calls = each(calls, random, |_, call, _, random| {
        let mut sent = json!({"name": call.name, "args": call.arguments});
        if call.arguments == json!({}) && random.fault(2) {
            sent = json!({"name": call.name});
            if random.fault(2) {
                sent["args"] = Value::Null;
            }
        }
        if has_ids {
            sent["id"] = call.id.clone().into();
        } else {
            empty(random, &mut sent, "id");
        }
        vec![part(&sent)]
    });
    let mut turn = ShapedTurn::new(Vec::new(), of_calls, end_of_gemini(random));
    turn.has_ids = has_ids;
    turn.join = (random.fault(2)).then_some(join_parts);
    turn
}

/// The leaves of a value with their paths, unless a list or an object in it is empty: no leaf says so.
fn leaves(value: &Value, path: &str, found: &mut Vec<(String, Value)>) -> bool {
    match value {
        Value::Object(members) => {
            !members.is_empty()
                && members.iter().all(|(key, inner)| {
                    let step = match key.as_str() {
                        "a" => ".a".to_owned(),
                        key => format!("['{key}']"),
                    };
                    leaves(inner, &format!("{path}{step}"), found)
                })
        }
        Value::Array(items) => {
            !items.is_empty()
                && items
                    .iter()
                    .enumerate()
                    .all(|(at, inner)| leaves(inner, &format!("{path}[{at}]"), found))
        }
        leaf => {
            found.push((path.to_owned(), leaf.clone()));
            true
        }
    }
}

/// Vertex sends arguments by path. A call that paths cannot describe comes as a whole.
pub(super) fn vertex(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let has_ids = !random.fault(2);
    let of_calls = each(calls, random, |_, call, _, random| {
        let mut first = json!({"name": call.name});
        if has_ids {
            first["id"] = call.id.clone().into();
        }
        let mut found = Vec::new();
        if !leaves(&call.arguments, "$", &mut found) {
            first["args"] = call.arguments.clone();
            return vec![part(&first)];
        }
        first["willContinue"] = true.into();
        let mut events = vec![part(&first)];
        for (path, leaf) in found {
            let values = match &leaf {
                Value::String(text) => random.split(text).into_iter().map(Value::from).collect(),
                leaf => vec![leaf.clone()],
            };
            let last = values.len() - 1;
            for (at, value) in values.into_iter().enumerate() {
                let key = match &value {
                    Value::String(_) => "stringValue",
                    Value::Number(_) => "numberValue",
                    Value::Bool(_) => "boolValue",
                    _ => "nullValue",
                };
                let value = if value.is_null() {
                    "NULL_VALUE".into()
                } else {
                    value
                };
                let mut piece = json!({"jsonPath": path, key: value});
                if at < last {
                    piece["willContinue"] = true.into();
                }
                let mut more = json!({"partialArgs": [piece], "willContinue": true});
                empty(random, &mut more, "name");
                events.push(part(&more));
            }
        }
        let mut last = json!({});
        empty(random, &mut last, "name");
        events.push(part(&last));
        events
    });
    let mut turn = ShapedTurn::new(Vec::new(), of_calls, end_of_gemini(random));
    turn.has_ids = has_ids;
    turn.interleaves = false;
    turn
}

pub(super) fn whole_ollama(calls: &[Call]) -> Value {
    let calls = calls.iter().map(
        |call| json!({"id": call.id, "function": {"name": call.name, "arguments": call.arguments}}),
    );
    json!({"done": true, "done_reason": "stop",
        "message": {"role": "assistant", "content": "", "tool_calls": calls.collect::<Vec<_>>()}})
}

fn join_lines(first: &mut Value, second: &Value) -> bool {
    let calls = |line: &Value| line.pointer("/message/tool_calls").cloned();
    let (Some(Value::Array(mut before)), Some(Value::Array(after))) = (calls(first), calls(second))
    else {
        return false;
    };
    before.extend(after);
    first["message"]["tool_calls"] = before.into();
    true
}

pub(super) fn ollama(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (has_ids, as_text) = (random.fault(2), random.fault(4));
    let of_calls = each(calls, random, |_, call, _, random| {
        let mut function = json!({"name": call.name, "arguments": call.arguments});
        if as_text {
            function["arguments"] = call.arguments.to_string().into();
        } else if call.arguments == json!({}) && random.fault(2) {
            function["arguments"] = Value::Null;
        }
        // Ollama counts it from 0 in each line.
        if random.fault(2) {
            function["index"] = 0.into();
        }
        let mut sent = json!({"function": function});
        if has_ids {
            sent["id"] = call.id.clone().into();
        } else {
            empty(random, &mut sent, "id");
        }
        let mut message = json!({"role": "assistant", "tool_calls": [sent]});
        empty(random, &mut message, "content");
        vec![json!({"message": message, "done": false})]
    });
    let mut last = json!({"message": {"role": "assistant", "content": ""}, "done": true});
    if random.fault(2) {
        last["done_reason"] = "stop".into();
    }
    let mut turn = ShapedTurn::new(Vec::new(), of_calls, vec![last]);
    turn.has_ids = has_ids;
    turn.join = (random.fault(2)).then_some(join_lines);
    turn
}

pub(super) fn conversations(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (as_object, name_once) = (random.fault(4), random.fault(3));
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let event = |arguments: Value| {
            json!({"type": "function.call.delta", "id": format!("f{at}"), "tool_call_id": call.id,
                "name": call.name, "arguments": arguments})
        };
        let mut events: Vec<Value> = pieces.into_iter().map(|text| event(text.into())).collect();
        if as_object {
            events = vec![event(call.arguments.clone())];
        }
        if random.fault(3) {
            events.push(event(Value::Null));
        }
        if name_once {
            for event in events.iter_mut().skip(1) {
                event["name"] = "".into();
                event["tool_call_id"] = ["", "null"][random.below(2)].into();
            }
        }
        if random.fault(3) {
            // Some clients keep the data beside the name of the event.
            for event in &mut events {
                let kind = event["type"].clone();
                *event = json!({"event": kind, "data": event.clone()});
            }
        }
        events
    });
    let start = json!({"type": "conversation.response.started"});
    let end = json!({"type": "conversation.response.done"});
    ShapedTurn::new(vec![start], of_calls, vec![end])
}
