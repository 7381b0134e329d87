//! The interactions of Gemini.

use serde_json::Value;

use super::{TurnAssembler, slot::CallKey};

impl TurnAssembler<'_> {
    pub(super) fn read_interaction(&mut self, event: &Value, kind: &str) {
        let key = || CallKey::index(event, "index");
        match kind {
            "interaction.created" => self.restart(),
            "step.start" => {
                let step = event.get("step").unwrap_or(&Value::Null);
                let kind = step.get("type").and_then(Value::as_str);
                match kind.unwrap_or_default() {
                    "function_call" => {
                        let position = self.open(key());
                        self.describe(position, step, ["/id", "/name"])
                            .take_start(step.get("arguments"));
                    }
                    "model_output" | "thought" | "" => {}
                    _ => self.add_other(step),
                }
            }
            "step.delta" => {
                let delta = event.get("delta").unwrap_or(&Value::Null);
                let text = |key| delta.get(key).and_then(Value::as_str).unwrap_or_default();
                match text("type") {
                    "arguments_delta" => {
                        if let Some(slot) = self.find(&key()) {
                            slot.take_piece(text("arguments"));
                        }
                    }
                    "text" => self.add_text(delta.get("text")),
                    "thought_summary" => self.add_thought(delta.pointer("/content/text")),
                    _ => {}
                }
            }
            "step.stop" => self.end_call(&key()),
            "interaction.completed" => {
                let status = event.pointer("/interaction/status");
                self.end(status);
                self.end_plainly("completed");
            }
            _ => {}
        }
    }
}
