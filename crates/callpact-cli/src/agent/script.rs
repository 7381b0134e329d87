//! The embedded model: a script for one task, with a faulty call and its correction.

use serde_json::{Value, json};

/// Plays one task. The report that it writes uses the replies of its tools.
#[derive(Debug)]
pub(super) struct TaskScript {
    turn: usize,
    /// Whether the user asked for the script; otherwise it replaces a missing endpoint.
    pub(super) wanted: bool,
}

const PRICES: &str =
    r#"{"plans": [{"name": "small", "month": 37.5}, {"name": "large", "month": 82.25}]}"#;

impl TaskScript {
    pub(super) fn new(wanted: bool) -> Self {
        Self { turn: 0, wanted }
    }

    /// Returns the next message, as a chat completion.
    pub(super) fn next(&mut self, messages: &[Value]) -> Value {
        self.turn += 1;
        let message = match self.turn {
            1 => calls(
                "I look up the price of a month and work the discount out.",
                &[
                    (
                        "json_parser",
                        json!({"jsonPath": "plans[1].month", "json": PRICES}),
                    ),
                    ("calculator", json!({"input": "82.25 * 4 * (1 - 0.25)"})),
                ],
            ),
            // Typical faults of a model: the parameter names of another interface, and an invented value.
            2 => calls(
                "I write the report.",
                &[(
                    "file_write",
                    json!({"file_path": "report.md", "text": report(messages), "mode": "create"}),
                )],
            ),
            3 => calls(
                "The report names three faults; I mend them.",
                &[(
                    "file_write",
                    json!({"path": "report.md", "content": report(messages), "mode": "create_new"}),
                )],
            ),
            4 if last(messages).starts_with("Error") => {
                json!({"content": format!("The report could not be written: {}", last(messages))})
            }
            4 => calls(
                "I check what was written.",
                &[("file_read", json!({"path": "report.md"}))],
            ),
            _ => {
                let total = answer(messages, "call_1_1");
                json!({"content": format!(
                    "Four months of the large plan cost {total} with the discount; the sum is in report.md."
                )})
            }
        };
        // The ids of calls are unique across turns.
        let mut message = message;
        if let Some(list) = message.get_mut("tool_calls").and_then(Value::as_array_mut) {
            for (i, call) in list.iter_mut().enumerate() {
                if let Some(call) = call.as_object_mut() {
                    call.insert("id".to_owned(), format!("call_{}_{i}", self.turn).into());
                }
            }
        }
        json!({"choices": [{"index": 0, "message": message}]})
    }
}

fn calls(said: &str, list: &[(&str, Value)]) -> Value {
    let list: Vec<Value> = list
        .iter()
        .map(|(name, arguments)| {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            json!({"type": "function", "function": function})
        })
        .collect();
    json!({"role": "assistant", "content": said, "tool_calls": list})
}

/// The reply to a call.
fn answer<'a>(messages: &'a [Value], id: &str) -> &'a str {
    messages
        .iter()
        .find(|message| message.get("tool_call_id").and_then(Value::as_str) == Some(id))
        .map_or("unknown", content)
}

fn last(messages: &[Value]) -> &str {
    messages.last().map_or("", content)
}

fn content(message: &Value) -> &str {
    message
        .get("content")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn report(messages: &[Value]) -> String {
    let (month, total) = (answer(messages, "call_1_0"), answer(messages, "call_1_1"));
    format!("# Costs\n\n- large plan, a month: {month}\n- four months, less 25 %: {total}\n")
}
