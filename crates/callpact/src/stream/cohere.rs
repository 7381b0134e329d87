//! Cohere, and the conversations of Mistral.

use serde_json::Value;

use super::{TurnAssembler, slot::CallKey};

impl TurnAssembler {
    pub(super) fn read_cohere(&mut self, event: &Value, kind: &str) {
        let key = || {
            CallKey::Index(
                event
                    .get("index")
                    .and_then(Value::as_u64)
                    .unwrap_or(u64::MAX),
            )
        };
        let message = event.pointer("/delta/message").unwrap_or(&Value::Null);
        match kind {
            "message-start" => self.restart(),
            "content-start" | "content-delta" => {
                self.add_text(message.pointer("/content/text"));
                self.add_thought(message.pointer("/content/thinking"));
            }
            "tool-plan-delta" => self.add_thought(message.get("tool_plan")),
            "tool-call-start" | "tool-call-delta" => {
                let call = message.get("tool_calls").unwrap_or(&Value::Null);
                // The list of one that older servers send.
                let call = call.get(0).unwrap_or(call);
                let slot = match kind {
                    "tool-call-start" => self.open(key()),
                    _ => self.find_or_open(key()),
                };
                slot.take_id(call.get("id").and_then(Value::as_str).unwrap_or_default());
                let name = call.pointer("/function/name").and_then(Value::as_str);
                if slot.name.is_empty() {
                    name.unwrap_or_default().clone_into(&mut slot.name);
                }
                slot.take_arguments(call.pointer("/function/arguments"));
            }
            "tool-call-end" => self.end_call(&key()),
            "message-end" => {
                self.end(event.pointer("/delta/finish_reason"));
                if let Some(error) = event.pointer("/delta/error").filter(|it| !it.is_null()) {
                    self.fail(error);
                }
            }
            _ => {}
        }
    }

    pub(super) fn read_conversation(&mut self, event: &Value, kind: &str) {
        let text = |key| event.get(key).and_then(Value::as_str).unwrap_or_default();
        match kind {
            "conversation.response.started" => self.restart(),
            "message.output.delta" => match event.get("content") {
                Some(Value::Object(block)) => {
                    self.add_text(block.get("text"));
                }
                content => self.add_text(content),
            },
            "function.call.delta" => {
                let slot = self.find_or_open(CallKey::Name(text("id").to_owned()));
                slot.take_id(text("tool_call_id"));
                if slot.name.is_empty() {
                    text("name").clone_into(&mut slot.name);
                }
                slot.take_arguments(event.get("arguments"));
            }
            "conversation.response.done" => self.end_plainly("done"),
            "conversation.response.error" => self.fail(event),
            _ => {}
        }
    }
}
