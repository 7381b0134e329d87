//! The responses API of OpenAI.

use serde_json::{Value, json};

use super::{Call, Random, ShapedTurn, each, empty};

fn item(at: usize, call: &Call, arguments: &str, status: &str) -> Value {
    json!({"type": "function_call", "id": format!("i{at}"), "call_id": call.id, "name": call.name,
        "arguments": arguments, "status": status})
}

pub(super) fn whole(calls: &[Call]) -> Value {
    let items = calls.iter().enumerate();
    let items = items.map(|(at, call)| item(at, call, &call.arguments.to_string(), "completed"));
    json!({"status": "completed", "output": items.collect::<Vec<_>>()})
}

/// What names the item of an event.
#[derive(Clone, Copy, PartialEq)]
enum ItemName {
    IndexAndId,
    Index,
    /// The index, and another id in each event.
    IndexAndAnyId,
    Id,
    CallId,
}

pub(super) fn responses(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let faults = [
        ItemName::Index,
        ItemName::IndexAndAnyId,
        ItemName::Id,
        ItemName::CallId,
    ];
    let name = if random.fault(2) {
        faults[random.below(4)]
    } else {
        ItemName::IndexAndId
    };
    let (has_deltas, has_done, has_end) = (!random.fault(4), random.fault(2), !random.fault(4));
    // An item that no event was about is in the response at the end.
    let only_last = random.fault(6);
    let is_object = random.fault(6);
    let mut number = 0;
    let of_calls = each(calls, random, |at, call, pieces, random| {
        let text = call.arguments.to_string();
        let mut events = Vec::new();
        if only_last {
            return events;
        }
        if has_deltas || !has_end {
            let mut first = item(at, call, "", "in_progress");
            empty(random, &mut first, "arguments");
            events.push(json!({"type": "response.output_item.added", "item": first}));
            events.extend(pieces.iter().map(
                |text| json!({"type": "response.function_call_arguments.delta", "delta": text}),
            ));
        }
        if has_done && has_deltas {
            events
                .push(json!({"type": "response.function_call_arguments.done", "arguments": text}));
        }
        if has_end {
            let mut last = item(at, call, &text, "completed");
            if is_object {
                last["arguments"] = call.arguments.clone();
            }
            events.push(json!({"type": "response.output_item.done", "item": last}));
        }
        for event in &mut events {
            number += 1;
            event["sequence_number"] = number.into();
            if !matches!(name, ItemName::Id | ItemName::CallId) {
                event["output_index"] = at.into();
            }
            match name {
                ItemName::IndexAndAnyId => event["item_id"] = format!("any{number}").into(),
                // An event with the item has its id there.
                ItemName::IndexAndId if event.get("item").is_some() => {}
                ItemName::Id | ItemName::IndexAndId => event["item_id"] = format!("i{at}").into(),
                ItemName::CallId => event["call_id"] = call.id.clone().into(),
                ItemName::Index => {}
            }
        }
        if matches!(name, ItemName::Index) && random.fault(3) {
            for event in &mut events {
                if let Some(item) = event.get_mut("item").and_then(Value::as_object_mut) {
                    item.remove("id");
                }
            }
        }
        events
    });
    let mut response = whole(calls);
    if !only_last && random.fault(2) {
        response["output"] = json!([]);
    }
    let start = json!({"type": "response.created", "response": {"status": "in_progress"}});
    let end = json!({"type": "response.completed", "response": response});
    ShapedTurn::new(vec![start], of_calls, vec![end])
}
