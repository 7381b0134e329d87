//! Chat completions, what imitates them, and Ollama.

use serde_json::Value;

use super::{
    TurnAssembler,
    slot::{CallKey, CallSlot, is_no_id},
};
use crate::tool::CallOrigin;

impl TurnAssembler<'_> {
    pub(super) fn read_chat(&mut self, chunk: &Value) {
        let choices = chunk.get("choices").and_then(Value::as_array);
        for choice in choices.into_iter().flatten() {
            let index = choice.get("index").and_then(Value::as_u64);
            if index.unwrap_or_default() == self.choice {
                self.read_choice(choice);
            }
        }
    }

    fn read_choice(&mut self, choice: &Value) {
        // A whole response has a message in place of the delta.
        let delta = ["delta", "message"]
            .iter()
            .find_map(|key| choice.get(key).filter(|delta| delta.is_object()));
        if let Some(delta) = delta {
            self.read_delta(delta);
        }
        self.end(choice.get("finish_reason"));
    }

    fn read_delta(&mut self, delta: &Value) {
        match delta.get("content") {
            // Mistral's blocks.
            Some(Value::Array(blocks)) => {
                for block in blocks {
                    match block.get("thinking") {
                        Some(Value::Array(inner)) => {
                            for text in inner {
                                self.add_thought(text.get("text"));
                            }
                        }
                        thinking => self.add_thought(thinking),
                    }
                    self.add_text(block.get("text"));
                }
            }
            content => self.add_text(content),
        }
        let thoughts = ["reasoning_content", "reasoning", "thinking"];
        self.add_thought(
            thoughts
                .iter()
                .find_map(|key| delta.get(key).filter(|it| it.is_string())),
        );
        self.add_refusal(delta.get("refusal"));
        let pieces = delta.get("tool_calls").and_then(Value::as_array);
        // Two named pieces of one chunk are two calls.
        let mut is_first = true;
        for piece in pieces.into_iter().flatten() {
            self.read_piece(piece, is_first);
            is_first = false;
        }
        // The form before `tool_calls`.
        if let Some(call) = delta.get("function_call").filter(|call| call.is_object()) {
            let position = self.find_or_open(CallKey::Name("function_call".to_owned()));
            self.fill(position, call, "arguments");
        }
    }

    fn read_piece(&mut self, piece: &Value, is_first: bool) {
        let custom = piece.get("custom").filter(|custom| custom.is_object());
        let inner = custom
            .or_else(|| piece.get("function"))
            .unwrap_or(&Value::Null);
        let text = |value: &Value, key| {
            let text = value.get(key).and_then(Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let (id, name) = (text(piece, "id"), text(inner, "name"));
        let position = match piece.get("index").and_then(Value::as_u64) {
            Some(index) => self.at_index(index, &id),
            None => self.without_index(&id, &name, is_first),
        };
        self.take_id(position, &id);
        let slot = self.slot(position);
        let origin = CallOrigin::of(piece);
        if origin != CallOrigin::default() {
            slot.origin = origin;
        }
        slot.origin.is_text |= custom.is_some();
        let key = if custom.is_some() {
            "input"
        } else {
            "arguments"
        };
        self.fill(position, inner, key);
    }

    fn fill(&mut self, position: usize, inner: &Value, arguments: &str) {
        let name = inner.get("name").and_then(Value::as_str);
        self.take_name(position, name.unwrap_or_default());
        self.slot(position).take_arguments(inner.get(arguments));
    }

    /// The position of a piece with an index. Some servers give two calls one index, and only the ids differ.
    fn at_index(&mut self, index: u64, id: &str) -> usize {
        let key = CallKey::Index(index);
        let newest = self.calls().of_key(&key);
        // Only the newest call with an index may be without an id.
        let has_id = |position| {
            self.calls()
                .get(position)
                .is_some_and(|it| !it.id.is_empty())
        };
        let known = match newest {
            Some(position) if !is_no_id(id) && has_id(position) => {
                self.calls().of_both(key.clone(), id)
            }
            newest => newest,
        };
        known.unwrap_or_else(|| self.open(key))
    }

    /// The position of a piece without an index: a new id or a second name begins a call.
    fn without_index(&mut self, id: &str, name: &str, is_first: bool) -> usize {
        if let Some(position) = self.calls().of_id(id) {
            return position;
        }
        let newest = self.calls().newest();
        let goes_on = |last: &CallSlot<'_>| {
            let is_same_id = is_no_id(id) || last.id.is_empty() && name.is_empty();
            let is_same_name = name.is_empty()
                || last.name.is_empty()
                || last.name == name && last.arguments.is_empty() && is_first;
            is_same_id && is_same_name
        };
        newest
            .filter(|position| self.calls().get(*position).is_some_and(goes_on))
            .unwrap_or_else(|| self.open(CallKey::None))
    }

    /// A line of Ollama. Each of its calls is whole.
    pub(super) fn read_ollama(&mut self, line: &Value) {
        let message = line.get("message").unwrap_or(&Value::Null);
        self.add_text(message.get("content"));
        self.add_thought(message.get("thinking"));
        let calls = message.get("tool_calls").and_then(Value::as_array);
        for call in calls.into_iter().flatten() {
            let position = self.open(CallKey::None);
            let id = call.get("id").and_then(Value::as_str);
            self.take_id(position, id.unwrap_or_default());
            self.fill(
                position,
                call.get("function").unwrap_or(&Value::Null),
                "arguments",
            );
        }
        if line.get("done").and_then(Value::as_bool) == Some(true) {
            self.end(line.get("done_reason"));
            self.end_plainly("stop");
        }
    }
}
