//! Chat completions, and the servers that imitate them.

use serde_json::{Value, json};

use super::{Call, Random, ShapedTurn, chunk, each, empty};

pub(super) fn whole(calls: &[Call]) -> Value {
    let calls = calls.iter().map(|call| {
        json!({"id": call.id, "type": "function",
            "function": {"name": call.name, "arguments": call.arguments.to_string()}})
    });
    json!({"choices": [{"index": 0, "finish_reason": "tool_calls",
        "message": {"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()}}]})
}

fn start(random: &mut Random) -> Vec<Value> {
    let mut role = json!({"role": "assistant"});
    empty(random, &mut role, "content");
    let all = [json!({"choices": []}), chunk(&role)];
    all[random.below(3)..].to_vec()
}

fn end(random: &mut Random) -> Vec<Value> {
    let reason = ["tool_calls", "stop", "function_call"][random.below(3)];
    let mut delta = json!({});
    empty(random, &mut delta, "content");
    empty(random, &mut delta, "tool_calls");
    let mut last = chunk(&delta);
    last["choices"][0]["finish_reason"] = reason.into();
    let mut events = vec![last];
    if random.fault(2) {
        events.push(json!({"choices": [], "usage": null}));
    }
    events
}

/// Puts the pieces of the second chunk into the first.
fn join(first: &mut Value, second: &Value) -> bool {
    let pieces = |event: &Value| event.pointer("/choices/0/delta/tool_calls").cloned();
    let (Some(Value::Array(mut before)), Some(Value::Array(after))) =
        (pieces(first), pieces(second))
    else {
        return false;
    };
    before.extend(after);
    first["choices"][0]["delta"]["tool_calls"] = before.into();
    true
}

/// The faults of a server.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // independent faults
struct ChatFaults {
    has_ids: bool,
    id_again: bool,
    name_again: bool,
    /// The first piece comes without the name.
    name_late: bool,
    placeholder: bool,
    whole_again: bool,
    as_object: bool,
}

impl ChatFaults {
    fn any(random: &mut Random) -> Self {
        let mut fault = |times| random.fault(times);
        Self {
            has_ids: true,
            id_again: fault(3),
            name_again: fault(3),
            name_late: fault(6),
            placeholder: fault(4),
            whole_again: fault(4),
            as_object: fault(6),
        }
    }

    /// The pieces of a call, without an index.
    fn pieces(self, call: &Call, texts: Vec<String>, random: &mut Random) -> Vec<Value> {
        let mut first = json!({"type": "function", "function": {}});
        if self.has_ids {
            first["id"] = call.id.clone().into();
        } else {
            empty(random, &mut first, "id");
        }
        if self.name_late {
            empty(random, &mut first["function"], "name");
        } else {
            first["function"]["name"] = call.name.clone().into();
        }
        if self.placeholder && !self.as_object {
            first["function"]["arguments"] = "{}".into();
        } else {
            empty(random, &mut first["function"], "arguments");
        }
        let mut pieces = vec![first];
        let whole = call.arguments.to_string();
        if self.as_object {
            for _ in 0..=random.below(2) {
                pieces.push(json!({"function": {"arguments": call.arguments}}));
            }
        } else {
            let texts = texts.into_iter();
            pieces.extend(texts.map(|text| json!({"function": {"arguments": text}})));
            if self.whole_again {
                pieces.push(json!({"function": {"arguments": whole}}));
            }
        }
        let last = pieces.len() - 1;
        for (at, piece) in pieces.iter_mut().enumerate().skip(1) {
            if self.has_ids && self.id_again {
                piece["id"] = call.id.clone().into();
            } else {
                empty(random, piece, "id");
            }
            if self.name_again || self.name_late && at == last {
                piece["function"]["name"] = call.name.clone().into();
            } else {
                empty(random, &mut piece["function"], "name");
            }
        }
        if random.fault(4) {
            pieces.push(json!({"function": null}));
        }
        pieces
    }

    fn turn(
        self,
        calls: &[Call],
        random: &mut Random,
        index: Option<fn(usize) -> usize>,
    ) -> ShapedTurn {
        let of_calls = each(calls, random, |at, call, texts, random| {
            let mut pieces = self.pieces(call, texts, random);
            for piece in &mut pieces {
                match index {
                    Some(index) => piece["index"] = index(at).into(),
                    None if random.fault(2) => piece["index"] = Value::Null,
                    None => {}
                }
            }
            let chunks = pieces.iter();
            chunks
                .map(|piece| chunk(&json!({"tool_calls": [piece]})))
                .collect()
        });
        let mut turn = ShapedTurn::new(start(random), of_calls, end(random));
        turn.has_ids = self.has_ids;
        turn
    }
}

pub(super) fn indexed(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let mut faults = ChatFaults::any(random);
    faults.has_ids = !random.fault(3);
    let mut turn = faults.turn(calls, random, Some(|at| at));
    turn.join = (random.fault(2)).then_some(join);
    if random.fault(3) {
        // The end comes with the last pieces.
        let reason = turn.end[0]["choices"][0]["finish_reason"].clone();
        turn.end[0] = chunk(&json!({"tool_calls": [{"index": 0, "function": {"arguments": ""}}]}));
        turn.end[0]["choices"][0]["finish_reason"] = reason;
    }
    turn
}

/// Without an index, an id or a name begins a call.
pub(super) fn without_index(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let mut faults = ChatFaults::any(random);
    faults.has_ids = !random.fault(3);
    // A name that comes again would begin a call, unless the id says that it is the same.
    faults.name_again &= faults.has_ids && faults.id_again;
    faults.name_late &= faults.has_ids && faults.id_again;
    let mut turn = faults.turn(calls, random, None);
    turn.interleaves = faults.has_ids && faults.id_again && all_have_ids(&turn);
    turn
}

/// All calls have the index 0, and only the ids differ.
pub(super) fn one_index(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let faults = ChatFaults::any(random);
    let mut turn = faults.turn(calls, random, Some(|_| 0));
    turn.interleaves = faults.id_again && all_have_ids(&turn);
    turn
}

fn all_have_ids(turn: &ShapedTurn) -> bool {
    turn.of_calls.iter().flatten().all(|event| {
        let id = event.pointer("/choices/0/delta/tool_calls/0/id");
        id.and_then(Value::as_str).is_some_and(|id| !id.is_empty())
    })
}

/// Mistral sends a call as a whole, mostly, and its SDK fills in the id `null`.
pub(super) fn mistral(calls: &[Call], random: &mut Random) -> ShapedTurn {
    let (has_index, has_ids, as_object) = (random.below(2), random.below(2), random.below(2));
    let of_calls = each(calls, random, |at, call, _, random| {
        let mut piece =
            json!({"function": {"name": call.name, "arguments": call.arguments.to_string()}});
        if as_object == 0 {
            piece["function"]["arguments"] = call.arguments.clone();
        }
        piece["id"] = if has_ids == 0 { &call.id } else { "null" }.into();
        if has_index == 0 {
            piece["index"] = at.into();
        }
        let mut delta = json!({"tool_calls": [piece]});
        empty(random, &mut delta, "content");
        vec![chunk(&delta)]
    });
    let mut turn = ShapedTurn::new(Vec::new(), of_calls, end(random));
    turn.has_ids = has_ids == 0;
    turn.join = Some(join);
    turn
}
