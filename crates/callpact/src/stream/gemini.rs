//! Gemini.

use serde_json::Value;

use super::{
    TurnAssembler,
    partial_args::PartialArgs,
    slot::{CallKey, SlotEnd},
};

impl TurnAssembler<'_> {
    pub(super) fn read_gemini(&mut self, chunk: &Value) {
        let candidates = chunk.get("candidates").and_then(Value::as_array);
        for candidate in candidates.into_iter().flatten() {
            let index = candidate.get("index").and_then(Value::as_u64);
            if index.unwrap_or_default() != self.choice {
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
        let name = call.get("name").and_then(Value::as_str);
        let has_name = name.is_some_and(|name| !name.is_empty());
        let goes_on = call.get("willContinue").and_then(Value::as_bool) == Some(true);
        let pieces = call.get("partialArgs").and_then(Value::as_array);
        // A piece without a name belongs to the call that goes on.
        let growing = CallKey::Name("growing".to_owned());
        let open = self.calls().of_key(&growing);
        let is_open = |position: &usize| {
            let slot = self.calls().get(*position);
            !has_name && slot.is_some_and(|slot| slot.end == SlotEnd::Open)
        };
        let position = open
            .filter(is_open)
            .unwrap_or_else(|| self.open(if goes_on { growing } else { CallKey::None }));
        let slot = self.describe(position, call, ["/id", "/name"]);
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
