//! Assembles a turn. Each provider's file turns an event into the few changes that are made here.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use super::{
    AssembledTurn, Ended, TurnEvent, partial_value,
    slot::{CallKey, CallSlot, SlotEnd, is_no_id},
};
use crate::adapter::{is_cut_word, name_calls, text_hint};

/// Assembles the calls, the text and the thoughts of a turn from the events of a stream.
///
/// It knows each event by its shape, so it needs no setting: chat completions (with the faults of the servers that
/// imitate them), Responses, Anthropic, Gemini, Mistral, Cohere, Ollama and Bedrock. Feed it with the JSON of each
/// event.
///
/// ```
/// use serde_json::json;
/// use callpact::stream::{Ended, TurnAssembler};
///
/// let mut turn = TurnAssembler::new();
/// for event in [
///     json!({"choices": [{"delta": {"content": "I will look."}}]}),
///     json!({"choices": [{"delta": {"tool_calls": [
///         {"index": 0, "id": "c1", "type": "function", "function": {"name": "search", "arguments": ""}},
///     ]}}]}),
///     json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{\"query\": "}}]}}]}),
///     json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "\"lamp\"}"}}]}}]}),
///     json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
/// ] {
///     turn.push(&event);
/// }
/// let turn = turn.finish();
/// assert_eq!((&*turn.text, turn.ended), ("I will look.", Ended::Stopped));
/// assert_eq!((&*turn.calls[0].name, &*turn.calls[0].arguments), ("search", r#"{"query": "lamp"}"#));
/// ```
///
/// A turn that ends without a reason was lost on the way. Its last call is [cut off](crate::ToolCall::cut_off), even if
/// its JSON happens to be complete.
#[derive(Debug, Default)]
pub struct TurnAssembler {
    choice: u64,
    names: HashSet<String>,
    state: TurnState,
}

/// The events of genai.
const GENAI: &[&str] = &["Chunk", "ReasoningChunk", "ToolCallChunk", "End"];

/// What has arrived of a turn.
#[derive(Debug, Default)]
struct TurnState {
    calls: Vec<CallSlot>,
    /// The call that got the last piece.
    last: Option<usize>,
    text: String,
    thoughts: String,
    refusal: String,
    reason: Option<String>,
    is_failed: bool,
    others: Vec<Value>,
    events: Vec<TurnEvent>,
}

impl TurnAssembler {
    /// An assembler at the start of a turn.
    pub fn new() -> Self {
        Self::default()
    }

    /// Assembles another choice than the first, of a request that asked for several.
    #[must_use]
    pub fn with_choice(mut self, choice: u64) -> Self {
        self.choice = choice;
        self
    }

    /// Names the tools. A few servers send a name in two pieces, and only the names say where it is complete.
    #[must_use]
    pub fn with_names<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.names = names.into_iter().map(str::to_owned).collect();
        self
    }

    /// Takes the next event. Events of other kinds, such as `ping` or the use of tokens, change nothing.
    pub fn push(&mut self, event: &Value) -> Vec<TurnEvent> {
        self.read_event(event);
        self.report_calls();
        std::mem::take(&mut self.state.events)
    }

    /// Takes a typed item of a host by its JSON: a chunk of async-openai, an event of rig or one of genai. A stream of
    /// genai must capture its calls.
    ///
    /// # Errors
    /// When the item cannot be written as JSON.
    pub fn push_item(
        &mut self,
        item: &impl Serialize,
    ) -> Result<Vec<TurnEvent>, serde_json::Error> {
        Ok(self.push(&serde_json::to_value(item)?))
    }

    fn read_event(&mut self, event: &Value) {
        // Some clients keep the data of an event beside its name.
        if event.get("event").is_some_and(Value::is_string)
            && let Some(data) = event.get("data").filter(|data| data.is_object())
        {
            return self.read_event(data);
        }
        if let (Some(kind), Some(_)) = (
            event.get("event").and_then(Value::as_str),
            event.get("part"),
        ) {
            return self.read_rig(event, kind);
        }
        let kind = ["type", "event_type"]
            .iter()
            .find_map(|key| event.get(key)?.as_str())
            .unwrap_or_default();
        if event.get("choices").is_some_and(Value::is_array) {
            self.read_chat(event);
        } else if kind.starts_with("response.") {
            self.read_responses(event, kind);
        } else if kind.starts_with("interaction.") || kind.starts_with("step.") {
            self.read_interaction(event, kind);
        } else if kind.contains('.') {
            self.read_conversation(event, kind);
        } else if kind.contains('-') {
            self.read_cohere(event, kind);
        } else if !kind.is_empty() && kind != "error" {
            self.read_messages(event, kind);
        } else if event.get("candidates").is_some() || event.get("promptFeedback").is_some() {
            self.read_gemini(event);
        } else if event.get("message").is_some_and(Value::is_object) {
            self.read_ollama(event);
        } else if GENAI.iter().any(|key| event.get(key).is_some()) {
            self.read_genai(event);
        } else {
            self.read_converse(event);
        }
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            self.fail(error);
        } else if kind == "error" {
            self.fail(event);
        }
    }

    /// The whole turn. Call it when the stream ends, however it ends.
    pub fn finish(self) -> AssembledTurn {
        let TurnState {
            calls: slots,
            last,
            text,
            thoughts,
            refusal,
            reason,
            is_failed,
            others,
            ..
        } = self.state;
        let ended = match &reason {
            _ if is_failed => Ended::Cut,
            None => Ended::Unknown,
            Some(word) if is_cut_word(word) => Ended::Cut,
            Some(_) => Ended::Stopped,
        };
        let newest = slots.len().checked_sub(1);
        let mut calls = Vec::with_capacity(slots.len());
        for (position, slot) in slots.into_iter().enumerate() {
            // Servers that read calls out of a text send one that was cut off as a whole one.
            let is_open = Some(position) == newest || Some(position) == last || !slot.is_object();
            calls.push(slot.into_call(ended != Ended::Stopped && is_open));
        }
        name_calls(&mut calls);
        let hint = if calls.is_empty() {
            let waiting = others.iter().find_map(waiting_item);
            waiting.or_else(|| text_hint(&text).map(str::to_owned))
        } else {
            None
        };
        AssembledTurn {
            calls,
            text,
            thoughts,
            refusal: (!refusal.is_empty()).then_some(refusal),
            ended,
            reason,
            others,
            hint,
        }
    }

    /// The arguments of a call so far.
    pub fn arguments(&self, position: usize) -> Option<&str> {
        let slot = self.state.calls.get(position)?;
        Some(&slot.arguments)
    }

    /// The arguments of a call so far, as a [partial value](super::partial_value). Those of a custom call are a text.
    pub fn partial(&self, position: usize) -> Option<Value> {
        let slot = self.state.calls.get(position)?;
        if slot.origin.is_text {
            return Some(slot.arguments.as_str().into());
        }
        partial_value(&slot.arguments)
    }

    // What the files of the providers do.

    pub(super) fn has_no_text(&self) -> bool {
        self.state.text.is_empty() && self.state.refusal.is_empty()
    }

    pub(super) fn choice(&self) -> u64 {
        self.choice
    }

    pub(super) fn restart(&mut self) {
        let is_new = self.state.calls.is_empty()
            && self.state.text.is_empty()
            && self.state.thoughts.is_empty()
            && self.state.others.is_empty();
        self.state = TurnState::default();
        if !is_new {
            self.state.events.push(TurnEvent::Restarted);
        }
    }

    pub(super) fn add_text(&mut self, text: Option<&Value>) {
        if let Some(text) = text.and_then(Value::as_str).filter(|text| !text.is_empty()) {
            self.state.text.push_str(text);
            self.state.events.push(TurnEvent::Text(text.to_owned()));
        }
    }

    pub(super) fn add_thought(&mut self, text: Option<&Value>) {
        if let Some(text) = text.and_then(Value::as_str).filter(|text| !text.is_empty()) {
            self.state.thoughts.push_str(text);
            self.state.events.push(TurnEvent::Thought(text.to_owned()));
        }
    }

    pub(super) fn add_refusal(&mut self, text: Option<&Value>) {
        self.state
            .refusal
            .push_str(text.and_then(Value::as_str).unwrap_or_default());
    }

    pub(super) fn add_other(&mut self, item: &Value) {
        if !self.state.others.contains(item) {
            self.state.others.push(item.clone());
        }
    }

    pub(super) fn end(&mut self, reason: Option<&Value>) {
        if let Some(word) = reason
            .and_then(Value::as_str)
            .filter(|word| !word.is_empty())
        {
            self.state.reason = Some(word.to_owned());
        }
    }

    /// Ends the turn with a word of ours, if the provider has not ended it.
    pub(super) fn end_plainly(&mut self, word: &str) {
        self.state.reason.get_or_insert_with(|| word.to_owned());
    }

    pub(super) fn fail(&mut self, error: &Value) {
        let message = ["/message", "/error/message"]
            .iter()
            .find_map(|path| error.pointer(path)?.as_str());
        let text = message.or_else(|| error.as_str()).unwrap_or("error");
        self.state.reason = Some(text.to_owned());
        self.state.is_failed = true;
        // Such a text is what the model wrote, and may be a call.
        let failed = ["/failed_generation", "/error/failed_generation"];
        if let Some(text) = failed.iter().find_map(|path| error.pointer(path)) {
            self.add_text(Some(text));
        }
    }

    /// Opens a call.
    pub(super) fn open(&mut self, key: CallKey) -> &mut CallSlot {
        let position = self.state.calls.len();
        self.state.calls.push(CallSlot::new(key));
        self.slot(position)
    }

    /// Opens a call, and gives its position.
    pub(super) fn open_at_end(&mut self, key: CallKey) -> usize {
        self.open(key);
        self.state.calls.len() - 1
    }

    /// The call at a position, which gets the next piece.
    pub(super) fn slot(&mut self, position: usize) -> &mut CallSlot {
        self.state.last = Some(position);
        &mut self.state.calls[position]
    }

    pub(super) fn slots(&self) -> &[CallSlot] {
        &self.state.calls
    }

    /// The newest call with a key.
    pub(super) fn find(&mut self, key: &CallKey) -> Option<&mut CallSlot> {
        let position = self.state.calls.iter().rposition(|slot| slot.key == *key)?;
        Some(self.slot(position))
    }

    /// The call with a key, opened if it is new.
    pub(super) fn find_or_open(&mut self, key: CallKey) -> &mut CallSlot {
        match self.state.calls.iter().rposition(|slot| slot.key == key) {
            Some(position) => self.slot(position),
            None => self.open(key),
        }
    }

    /// The newest call with an id.
    pub(super) fn position_of_id(&self, id: &str) -> Option<usize> {
        let mut slots = self.state.calls.iter();
        slots
            .rposition(|slot| slot.id == id)
            .filter(|_| !is_no_id(id))
    }

    pub(super) fn take_name(&mut self, position: usize, name: &str) {
        let names = std::mem::take(&mut self.names);
        self.slot(position)
            .take_name(name, |name| names.contains(name));
        self.names = names;
    }

    pub(super) fn report_ended(&mut self, position: usize) {
        let slot = &mut self.state.calls[position];
        if slot.end == SlotEnd::Open {
            slot.end = SlotEnd::Whole;
            self.report_call(position);
            self.state.events.push(TurnEvent::CallEnded { position });
        }
    }

    /// Ends the newest call with a key.
    pub(super) fn end_call(&mut self, key: &CallKey) {
        if let Some(position) = self.state.calls.iter().rposition(|slot| slot.key == *key) {
            self.report_ended(position);
        }
    }

    /// Reports what is new about the call that got the last piece.
    fn report_calls(&mut self) {
        let first = self.state.calls.iter().position(|slot| !slot.is_reported);
        let new = first.unwrap_or(self.state.calls.len())..self.state.calls.len();
        let last = self.state.last;
        for position in last.into_iter().chain(new) {
            self.report_call(position);
        }
    }

    /// Reports the beginning of a call once its name is known, and then its arguments.
    fn report_call(&mut self, position: usize) {
        let Some(slot) = self.state.calls.get_mut(position) else {
            return;
        };
        if slot.name.is_empty() {
            return;
        }
        if !std::mem::replace(&mut slot.is_reported, true) {
            self.state.events.push(TurnEvent::CallStarted {
                position,
                id: slot.id.clone(),
                name: slot.name.clone(),
            });
        }
        let new = slot.arguments.get(slot.reported..).unwrap_or_default();
        if !new.is_empty() {
            self.state.events.push(TurnEvent::Arguments {
                position,
                text: new.to_owned(),
            });
            slot.reported = slot.arguments.len();
        }
    }
}

/// Why an item means that the program has something to do, though it is no call of a tool.
fn waiting_item(item: &Value) -> Option<String> {
    let kind = item.get("type").and_then(Value::as_str)?;
    let is_ours = match kind {
        "tool_search_call" => item.get("execution").and_then(Value::as_str) == Some("client"),
        "computer_call" | "shell_call" | "local_shell_call" | "apply_patch_call" => true,
        _ => false,
    };
    is_ours.then(|| {
        format!(
            "the turn makes no call of a tool, but its item `{kind}` waits for the program; it is in `others`"
        )
    })
}
