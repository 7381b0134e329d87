//! Cohere, and the conversations of Mistral.

use serde_json::Value;

use super::{TurnAssembler, slot::CallKey};

impl TurnAssembler<'_> {
    pub(super) fn read_cohere(&mut self, event: &Value, kind: &str) {
        let key = || CallKey::index(event, "index");
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
                let position = match kind {
                    "tool-call-start" => self.open(key()),
                    _ => self.find_or_open(key()),
                };
                self.describe(position, call, ["/id", "/function/name"])
                    .take_arguments(call.pointer("/function/arguments"));
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
        match kind {
            "conversation.response.started" => self.restart(),
            "message.output.delta" => match event.get("content") {
                Some(Value::Object(block)) => {
                    self.add_text(block.get("text"));
                }
                content => self.add_text(content),
            },
            "function.call.delta" => {
                let id = event.get("id").and_then(Value::as_str).unwrap_or_default();
                let position = self.find_or_open(CallKey::Name(id.to_owned()));
                self.describe(position, event, ["/tool_call_id", "/name"])
                    .take_arguments(event.get("arguments"));
            }
            "conversation.response.done" => self.end_plainly("done"),
            "conversation.response.error" => self.fail(event),
            _ => {}
        }
    }
}
