//! Gemini.

use serde_json::Value;

use super::{
    TurnAssembler,
    partial_args::PartialArgs,
    slot::{CallKey, SlotEnd},
};

impl TurnAssembler {
    pub(super) fn read_gemini(&mut self, chunk: &Value) {
        let candidates = chunk.get("candidates").and_then(Value::as_array);
        for candidate in candidates.into_iter().flatten() {
            let index = candidate.get("index").and_then(Value::as_u64);
            if index.unwrap_or_default() != self.choice() {
                continue;
            }
            let parts = candidate
                .pointer("/content/parts")
                .and_then(Value::as_array);
            for part in parts.into_iter().flatten() {
                self.read_part(part);
            }
            self.end(candidate.get("finishReason"));
        }
        self.end(chunk.pointer("/promptFeedback/blockReason"));
    }

    fn read_part(&mut self, part: &Value) {
        if let Some(call) = part.get("functionCall").filter(|call| call.is_object()) {
            self.read_function_call(call);
        } else if part.get("text").is_some() {
            if part.get("thought").and_then(Value::as_bool) == Some(true) {
                self.add_thought(part.get("text"));
            } else {
                self.add_text(part.get("text"));
            }
        } else if part.is_object() {
            self.add_other(part);
        }
    }

    fn read_function_call(&mut self, call: &Value) {
        let text = |key| call.get(key).and_then(Value::as_str).unwrap_or_default();
        let goes_on = call.get("willContinue").and_then(Value::as_bool) == Some(true);
        let pieces = call.get("partialArgs").and_then(Value::as_array);
        let open = self
            .slots()
            .iter()
            .rposition(|slot| slot.end == SlotEnd::Open);
        // A piece without a name belongs to the call that is open.
        let open = open.filter(|_| text("name").is_empty());
        let position = open.unwrap_or_else(|| self.open_at_end(CallKey::None));
        let slot = self.slot(position);
        slot.take_id(text("id"));
        if slot.name.is_empty() {
            text("name").clone_into(&mut slot.name);
        }
        slot.take_arguments(call.get("args"));
        for piece in pieces.into_iter().flatten() {
            slot.partial
                .get_or_insert_with(PartialArgs::default)
                .take(piece);
        }
        if !goes_on {
            self.report_ended(position);
        }
    }
}
