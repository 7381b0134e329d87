//! The events of each provider, from one description of a turn.

use serde_json::{Value, json};

use super::splits::Random;

/// A call as the model makes it.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
}

/// A provider: its whole response, and its stream. `None` in place of a reason is a lost connection.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) events: fn(&[Call], &mut Random) -> Vec<Vec<Value>>,
    pub(super) start: fn() -> Vec<Value>,
    pub(super) end: fn() -> Vec<Value>,
    /// Whether the pieces of two calls may alternate.
    pub(super) interleaves: bool,
    pub(super) has_ids: bool,
}

pub(super) const SHAPES: &[Shape] = &[
    Shape {
        name: "chat",
        events: chat,
        start: || {
            vec![
                json!({"choices": []}),
                json!({"choices": [{"delta": {"role": "assistant", "content": ""}}]}),
            ]
        },
        end: || {
            vec![
                json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
                json!({"choices": [], "usage": {}}),
            ]
        },
        interleaves: true,
        has_ids: true,
    },
    Shape {
        name: "chat without an index",
        events: chat_without_index,
        start: Vec::new,
        end: || vec![json!({"choices": [{"delta": {"content": null}, "finish_reason": "stop"}]})],
        interleaves: false,
        has_ids: true,
    },
    Shape {
        name: "chat with one index",
        events: chat_one_index,
        start: Vec::new,
        end: || vec![json!({"choices": [{"delta": {}, "finish_reason": "stop"}]})],
        interleaves: false,
        has_ids: true,
    },
    Shape {
        name: "ollama",
        events: ollama,
        start: Vec::new,
        end: || {
            vec![
                json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop"}),
            ]
        },
        interleaves: false,
        has_ids: false,
    },
    Shape {
        name: "responses",
        events: responses,
        start: || vec![json!({"type": "response.created", "response": {"status": "in_progress"}})],
        end: || vec![json!({"type": "response.completed", "response": {"status": "completed"}})],
        interleaves: true,
        has_ids: true,
    },
    Shape {
        name: "messages",
        events: messages,
        start: || {
            vec![
                json!({"type": "message_start", "message": {"content": []}}),
                json!({"type": "ping"}),
            ]
        },
        end: || {
            vec![
                json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
                json!({"type": "message_stop"}),
            ]
        },
        interleaves: true,
        has_ids: true,
    },
    Shape {
        name: "gemini",
        events: gemini,
        start: Vec::new,
        end: || vec![json!({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]})],
        interleaves: false,
        has_ids: false,
    },
    Shape {
        name: "converse",
        events: converse,
        start: || vec![json!({"messageStart": {"role": "assistant"}})],
        end: || {
            vec![
                json!({"messageStop": {"stopReason": "tool_use"}}),
                json!({"metadata": {}}),
            ]
        },
        interleaves: true,
        has_ids: true,
    },
    Shape {
        name: "cohere",
        events: cohere,
        start: || vec![json!({"type": "message-start"})],
        end: || vec![json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}})],
        interleaves: true,
        has_ids: true,
    },
    Shape {
        name: "conversations",
        events: conversations,
        start: || vec![json!({"type": "conversation.response.started"})],
        end: || vec![json!({"type": "conversation.response.done"})],
        interleaves: true,
        has_ids: true,
    },
    Shape {
        name: "interactions",
        events: interactions,
        start: || vec![json!({"event_type": "interaction.created"})],
        end: || {
            vec![
                json!({"event_type": "interaction.completed", "interaction": {"status": "requires_action"}}),
            ]
        },
        interleaves: true,
        has_ids: true,
    },
];

fn each(
    calls: &[Call],
    random: &mut Random,
    event: impl Fn(usize, &Call, Vec<String>, &mut Random) -> Vec<Value>,
) -> Vec<Vec<Value>> {
    let calls = calls.iter().enumerate();
    calls
        .map(|(index, call)| {
            let pieces = random.split(&call.arguments.to_string());
            event(index, call, pieces, random)
        })
        .collect()
}

fn chunk(piece: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]})
}

fn chat(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, pieces, random| {
        let mut first = json!({"index": index, "id": call.id, "type": "function",
            "function": {"name": call.name, "arguments": ""}});
        if random.below(3) == 0 {
            first["function"]["arguments"] = Value::Null;
        }
        let mut events = vec![chunk(&first)];
        for text in pieces {
            let mut piece = json!({"index": index, "function": {"arguments": text}});
            match random.below(4) {
                0 => piece["id"] = call.id.clone().into(),
                1 => piece["id"] = "".into(),
                2 => piece["function"]["name"] = call.name.clone().into(),
                _ => {}
            }
            events.push(chunk(&piece));
        }
        events
    })
}

fn chat_without_index(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |_, call, pieces, _| {
        let first = json!({"id": call.id, "function": {"name": call.name, "arguments": ""}});
        let more = pieces
            .iter()
            .map(|text| chunk(&json!({"function": {"arguments": text}})));
        std::iter::once(chunk(&first)).chain(more).collect()
    })
}

fn chat_one_index(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    let events = chat_without_index(calls, random);
    let mut events: Vec<Vec<Value>> = events;
    for event in events.iter_mut().flatten() {
        event["choices"][0]["delta"]["tool_calls"][0]["index"] = 0.into();
    }
    events
}

fn ollama(calls: &[Call], _: &mut Random) -> Vec<Vec<Value>> {
    let line = |call: &Call| {
        vec![
            json!({"message": {"role": "assistant", "content": "", "tool_calls": [
            {"function": {"name": call.name, "arguments": call.arguments}},
        ]}, "done": false}),
        ]
    };
    calls.iter().map(line).collect()
}

fn responses(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, pieces, random| {
        let item = |arguments: &str, status: &str| {
            json!({"type": "function_call", "id": format!("i{index}"), "call_id": call.id,
                "name": call.name, "arguments": arguments, "status": status})
        };
        let whole = call.arguments.to_string();
        let mut events = vec![
            json!({"type": "response.output_item.added", "output_index": index,
            "item": item("", "in_progress")}),
        ];
        events.extend(pieces.iter().map(|text| {
            json!({"type": "response.function_call_arguments.delta", "output_index": index,
                "item_id": format!("i{index}"), "delta": text})
        }));
        if random.below(2) == 0 {
            events.push(
                json!({"type": "response.function_call_arguments.done", "output_index": index,
                "arguments": whole}),
            );
        }
        events.push(
            json!({"type": "response.output_item.done", "output_index": index,
            "item": item(&whole, "completed")}),
        );
        events
    })
}

fn messages(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, mut pieces, random| {
        let mut input = json!({});
        if random.below(4) == 0 {
            input = call.arguments.clone();
            pieces = Vec::new();
        }
        let mut events = vec![json!({"type": "content_block_start", "index": index,
            "content_block": {"type": "tool_use", "id": call.id, "name": call.name, "input": input}})];
        events.extend(pieces.iter().map(|text| {
            json!({"type": "content_block_delta", "index": index,
                "delta": {"type": "input_json_delta", "partial_json": text}})
        }));
        events.push(json!({"type": "content_block_stop", "index": index}));
        events
    })
}

fn gemini(calls: &[Call], _: &mut Random) -> Vec<Vec<Value>> {
    let part = |call: &Call| {
        vec![json!({"candidates": [{"content": {"parts": [
            {"functionCall": {"name": call.name, "args": call.arguments}},
        ]}}]})]
    };
    calls.iter().map(part).collect()
}

fn converse(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, pieces, _| {
        let mut events = vec![json!({"contentBlockStart": {"contentBlockIndex": index,
            "start": {"toolUse": {"toolUseId": call.id, "name": call.name}}}})];
        events.extend(pieces.iter().map(|text| {
            json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": {"toolUse": {"input": text}}}})
        }));
        events.push(json!({"contentBlockStop": {"contentBlockIndex": index}}));
        events
    })
}

fn cohere(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, pieces, _| {
        let event = |kind: &str, call: Value| json!({"type": kind, "index": index, "delta": {"message": {"tool_calls": call}}});
        let mut events = vec![event(
            "tool-call-start",
            json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}),
        )];
        events.extend(
            pieces
                .iter()
                .map(|text| event("tool-call-delta", json!({"function": {"arguments": text}}))),
        );
        events.push(json!({"type": "tool-call-end", "index": index}));
        events
    })
}

fn conversations(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, pieces, _| {
        let event = |text: &str| {
            json!({"type": "function.call.delta", "id": format!("f{index}"), "tool_call_id": call.id,
                "name": call.name, "arguments": text})
        };
        pieces.iter().map(|text| event(text)).collect()
    })
}

fn interactions(calls: &[Call], random: &mut Random) -> Vec<Vec<Value>> {
    each(calls, random, |index, call, pieces, _| {
        let mut events = vec![json!({"event_type": "step.start", "index": index,
            "step": {"type": "function_call", "id": call.id, "name": call.name, "arguments": {}}})];
        events.extend(pieces.iter().map(|text| {
            json!({"event_type": "step.delta", "index": index,
                "delta": {"type": "arguments_delta", "arguments": text}})
        }));
        events.push(json!({"event_type": "step.stop", "index": index}));
        events
    })
}
