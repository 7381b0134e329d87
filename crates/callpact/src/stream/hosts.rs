//! The items of rig and genai, as their types are written in JSON.

use serde_json::Value;

use super::{
    TurnAssembler,
    slot::{CallKey, SlotEnd},
};

/// Why a call of genai whose pieces alone are known does not run: whether a piece is the text so far or only its newest
/// part depends on the provider.
const NOT_CAPTURED: &str =
    "genai did not capture the calls of the stream (`with_capture_tool_calls`)";

impl<'a> TurnAssembler<'a> {
    /// An event of rig. Its key is the part.
    pub(super) fn read_rig(&mut self, event: &Value, kind: &str) {
        let key = CallKey::index(event, "part");
        let text = |key| event.get(key).and_then(Value::as_str).unwrap_or_default();
        match kind {
            "start" if text("kind") == "tool_call" => {
                let position = self.open(key);
                self.take_whole_name(position, text("name"));
            }
            "text" => self.add_text(event.get("text")),
            "reasoning" => self.add_thought(event.get("text")),
            "arguments" => {
                if let Some(slot) = self.find(&key) {
                    slot.take_piece(text("json"));
                }
            }
            "end" => {
                let content = event.get("content").unwrap_or(&Value::Null);
                let inside = |path| {
                    content
                        .pointer(path)
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                };
                if let Some(position) = self.calls().of_key(&key) {
                    for path in ["/id/provider", "/id/local", "/id"] {
                        self.take_id(position, inside(path));
                    }
                    let slot = self.slot(position);
                    inside("/function/name").clone_into(&mut slot.name);
                    if slot.arguments.is_empty() {
                        slot.take_arguments(content.pointer("/function/arguments"));
                    }
                    self.report_ended(position);
                }
            }
            _ => {}
        }
    }

    /// An event of genai. Calls are those that it captured, at the end.
    pub(super) fn read_genai(&mut self, event: &Value) {
        let text = |name: &str| event.get(name).and_then(|chunk| chunk.get("content"));
        self.add_text(text("Chunk"));
        self.add_thought(text("ReasoningChunk"));
        if let Some(call) = event.pointer("/ToolCallChunk/tool_call") {
            let slot = self.take_genai(call);
            slot.fail(NOT_CAPTURED);
            // For showing: a stream that captures has the arguments so far in each chunk.
            let so_far = call.get("fn_arguments").and_then(Value::as_str);
            if let Some(more) = so_far.and_then(|text| text.strip_prefix(&*slot.arguments)) {
                let more = more.to_owned();
                slot.take_piece(&more);
            }
        }
        let Some(end) = event.get("End").filter(|end| end.is_object()) else {
            return;
        };
        let parts = end.get("captured_content").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            let Some(call) = part.get("ToolCall") else {
                continue;
            };
            let slot = self.take_genai(call);
            slot.fault = None;
            slot.end = SlotEnd::Open;
            let arguments = call.get("fn_arguments");
            let shown: Option<Value> = serde_json::from_str(&slot.arguments).ok();
            if shown.as_ref() != arguments {
                slot.clear_arguments();
                slot.take_arguments(arguments);
            }
        }
        let reason = end.get("captured_stop_reason").and_then(Value::as_object);
        self.end(reason.and_then(|reason| reason.values().next()));
    }

    fn take_genai(&mut self, call: &Value) -> &mut super::slot::CallSlot<'a> {
        let id = call.get("call_id").and_then(Value::as_str);
        let position = self.find_or_open(CallKey::Name(id.unwrap_or_default().to_owned()));
        self.describe(position, call, ["/call_id", "/fn_name"])
    }
}
