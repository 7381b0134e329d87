//! The responses API of OpenAI.

use serde_json::Value;

use super::{
    TurnAssembler,
    slot::{CallKey, SlotEnd},
};
use crate::tool::CallOrigin;

/// Parts of the answer, which come in events of their own.
const PARTS: &[&str] = &["message", "reasoning"];

impl TurnAssembler<'_> {
    pub(super) fn read_responses(&mut self, event: &Value, kind: &str) {
        match kind {
            "response.created" => self.restart(),
            "response.output_text.delta" => self.add_text(event.get("delta")),
            "response.refusal.delta" => self.add_refusal(event.get("delta")),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.add_thought(event.get("delta"));
            }
            "response.output_item.added" => self.read_item(event, false),
            "response.output_item.done" => self.read_item(event, true),
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                if let Some(position) = self.item_position(event) {
                    let delta = event.get("delta").and_then(Value::as_str);
                    self.slot(position).take_piece(delta.unwrap_or_default());
                }
            }
            "response.function_call_arguments.done" | "response.custom_tool_call_input.done" => {
                if let Some(position) = self.item_position(event) {
                    let whole = ["arguments", "input"]
                        .iter()
                        .find_map(|key| event.get(key)?.as_str());
                    self.slot(position).take_whole(whole.unwrap_or_default());
                    self.report_ended(position);
                }
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                let response = event.get("response").unwrap_or(&Value::Null);
                let items = response.get("output").and_then(Value::as_array);
                for (index, item) in items.into_iter().flatten().enumerate() {
                    self.read_last(index, item);
                }
                let reason = response
                    .pointer("/incomplete_details/reason")
                    .or_else(|| response.get("status"));
                match kind {
                    "response.completed" => self.end_plainly("completed"),
                    "response.incomplete" => {
                        self.fail(reason.unwrap_or(&Value::Null));
                    }
                    _ => self.fail(response.get("error").unwrap_or(&Value::Null)),
                }
            }
            _ => {}
        }
    }

    /// The position of the call that an event is about: by its index, or by the id of its item or of the call.
    fn item_position(&self, event: &Value) -> Option<usize> {
        if let Some(index) = event.get("output_index").and_then(Value::as_u64) {
            return self.calls().of_key(&CallKey::Index(index));
        }
        let id = ["item_id", "call_id"]
            .iter()
            .find_map(|key| event.get(key)?.as_str())?;
        let key = CallKey::Name(id.to_owned());
        let calls = self.calls();
        calls.of_key(&key).or_else(|| calls.of_id(id))
    }

    fn read_item(&mut self, event: &Value, is_done: bool) {
        let Some(item) = event.get("item").filter(|item| item.is_object()) else {
            return;
        };
        let text = |key| item.get(key).and_then(Value::as_str).unwrap_or_default();
        if !is_call(item) {
            if is_done && !PARTS.contains(&text("type")) {
                self.add_other(item);
            }
            return;
        }
        let index = event.get("output_index").and_then(Value::as_u64);
        let known = match index {
            Some(_) => self.item_position(event),
            None => self
                .calls()
                .of_id(text("call_id"))
                .or_else(|| self.item_position(event)),
        };
        let position = known.unwrap_or_else(|| {
            self.open(match index {
                Some(index) => CallKey::Index(index),
                None => CallKey::Name(text("id").to_owned()),
            })
        });
        self.fill_item(position, item, is_done);
    }

    fn fill_item(&mut self, position: usize, item: &Value, is_done: bool) {
        let text = |key| item.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_text = text("type") == "custom_tool_call";
        let slot = self.describe(position, item, ["/call_id", "/name"]);
        slot.origin = CallOrigin::of(item);
        slot.origin.is_text = is_text;
        let arguments = item.get(if is_text { "input" } else { "arguments" });
        match arguments {
            Some(Value::String(whole)) if is_done => slot.take_whole(whole),
            Some(Value::String(start)) if slot.arguments.is_empty() => slot.take_piece(start),
            Some(Value::String(_)) | None => {}
            object => slot.take_arguments(object),
        }
        if is_done {
            if matches!(text("status"), "incomplete" | "in_progress" | "failed") {
                slot.end = SlotEnd::Cut;
            }
            self.report_ended(position);
        }
    }

    /// An item of the whole response at the end: fills in what no event was about.
    fn read_last(&mut self, index: usize, item: &Value) {
        let text = |key| item.get(key).and_then(Value::as_str).unwrap_or_default();
        if is_call(item) {
            let key = CallKey::Index(u64::try_from(index).unwrap_or(u64::MAX));
            let known = self
                .calls()
                .of_id(text("call_id"))
                .or_else(|| self.calls().of_key(&key));
            let position = known.unwrap_or_else(|| self.open(key));
            // An item without a status ends as the response does.
            self.fill_item(position, item, item.get("status").is_some());
        } else if !PARTS.contains(&text("type")) {
            self.add_other(item);
        } else if text("type") == "message" && self.has_no_text() {
            let parts = item.get("content").and_then(Value::as_array);
            for part in parts.into_iter().flatten() {
                self.add_text(part.get("text"));
                self.add_refusal(part.get("refusal"));
            }
        }
    }
}

/// Whether an item is a call of a tool of the program.
fn is_call(item: &Value) -> bool {
    let kind = item.get("type").and_then(Value::as_str);
    matches!(kind, Some("function_call" | "custom_tool_call"))
}
