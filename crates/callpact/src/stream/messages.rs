//! The messages of Anthropic.

use serde_json::Value;

use super::{TurnAssembler, slot::CallKey};
use crate::tool::CallOrigin;

impl TurnAssembler<'_> {
    pub(super) fn read_messages(&mut self, event: &Value, kind: &str) {
        let key = || CallKey::index(event, "index");
        match kind {
            "message_start" => {
                self.restart();
                self.read_message(event.get("message").unwrap_or(&Value::Null));
            }
            "message" => self.read_message(event),
            "content_block_start" => {
                let block = event.get("content_block").unwrap_or(&Value::Null);
                self.read_block(key(), block);
            }
            "content_block_delta" => {
                let delta = event.get("delta").unwrap_or(&Value::Null);
                self.add_text(delta.get("text"));
                self.add_thought(delta.get("thinking"));
                let piece = delta.get("partial_json").and_then(Value::as_str);
                if let (Some(piece), Some(slot)) = (piece, self.find(&key())) {
                    slot.take_piece(piece);
                }
            }
            "content_block_stop" => self.end_call(&key()),
            "message_delta" => self.end(event.pointer("/delta/stop_reason")),
            "message_stop" => self.end_plainly("end_turn"),
            _ => {}
        }
    }

    /// A message, whole if the server does not stream.
    fn read_message(&mut self, message: &Value) {
        let blocks = message.get("content").and_then(Value::as_array);
        for (index, block) in blocks.into_iter().flatten().enumerate() {
            let key = CallKey::Index(u64::try_from(index).unwrap_or(u64::MAX));
            self.read_block(key, block);
        }
        self.end(message.get("stop_reason"));
    }

    fn read_block(&mut self, key: CallKey, block: &Value) {
        let kind = block.get("type").and_then(Value::as_str);
        match kind.unwrap_or_default() {
            "tool_use" => {
                let position = self.open(key);
                let slot = self.describe(position, block, ["/id", "/name"]);
                slot.origin = CallOrigin::of(block);
                slot.take_start(block.get("input"));
            }
            "text" => self.add_text(block.get("text")),
            "thinking" => self.add_thought(block.get("thinking")),
            "redacted_thinking" => {}
            _ => self.add_other(block),
        }
    }
}
