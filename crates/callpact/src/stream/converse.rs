//! Bedrock Converse.

use serde_json::Value;

use super::{TurnAssembler, slot::CallKey};

impl TurnAssembler<'_> {
    pub(super) fn read_converse(&mut self, event: &Value) {
        let key = |event| CallKey::index(event, "contentBlockIndex");
        for (name, inner) in event.as_object().into_iter().flatten() {
            match name.as_str() {
                "messageStart" => self.restart(),
                "contentBlockStart" => {
                    let Some(call) = inner.pointer("/start/toolUse") else {
                        continue;
                    };
                    if call.get("type").and_then(Value::as_str) == Some("server_tool_use") {
                        self.add_other(call);
                        continue;
                    }
                    let position = self.open(key(inner));
                    self.describe(position, call, ["/toolUseId", "/name"]);
                }
                "contentBlockDelta" => {
                    let delta = inner.get("delta").unwrap_or(&Value::Null);
                    self.add_text(delta.get("text"));
                    self.add_thought(delta.pointer("/reasoningContent/text"));
                    let input = delta.pointer("/toolUse/input");
                    if let (Some(input), Some(slot)) = (input, self.find(&key(inner))) {
                        slot.take_arguments(Some(input));
                    }
                }
                "contentBlockStop" => self.end_call(&key(inner)),
                "messageStop" => self.end(inner.get("stopReason")),
                name if name.ends_with("Exception") => self.fail(inner),
                _ => {}
            }
        }
    }
}
