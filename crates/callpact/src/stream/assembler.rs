//! Assembles a turn. Each provider's file turns an event into the few changes that are made here.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::Value;

use super::{
    AssembledTurn, Ended, KnownTools, TextReader, TurnEvent,
    slot::{CallKey, CallSlot, SlotEnd},
    slots::CallSlots,
    text_calls::TextCalls,
};
use crate::{
    Policy,
    adapter::{is_cut_word, name_calls, text_hint},
    input::{PartialInput, stream::ArgumentWatch},
};

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
pub struct TurnAssembler<'a> {
    pub(super) choice: u64,
    names: HashSet<String>,
    tools: Option<(KnownTools<'a>, Policy)>,
    /// The reader of calls in the text, before the first piece.
    reader: Option<TextReader<'a>>,
    state: TurnState<'a>,
}

/// The events of genai.
const GENAI: &[&str] = &["Chunk", "ReasoningChunk", "ToolCallChunk", "End"];

/// What has arrived of a turn.
#[derive(Debug, Default)]
struct TurnState<'a> {
    calls: CallSlots<'a>,
    /// The call that got the last piece.
    last: Option<usize>,
    text: String,
    thoughts: String,
    refusal: String,
    reason: Option<String>,
    is_failed: bool,
    others: Vec<Value>,
    /// The JSON of these items, since some come twice.
    known_others: HashSet<String>,
    events: Vec<TurnEvent>,
    /// The text as the reader of calls in it sees it.
    in_text: Option<TextCalls<'a>>,
}

impl<'a> TurnAssembler<'a> {
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
    pub fn with_names<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        self.names = names.into_iter().map(str::to_owned).collect();
        self
    }

    /// Watches the arguments by the schemas of the tools: of types, of run-time schemas, or of a whole
    /// [`Toolset`](crate::Toolset::known_tools). [`TurnEvent::Hopeless`] reports each issue as soon as nothing can
    /// correct it. The policy is that of the calls.
    ///
    /// ```
    /// use serde_json::json;
    /// use callpact::{Policy, Toolset, stream::{TurnAssembler, TurnEvent}, tool};
    ///
    /// /// Dims a lamp
    /// #[tool(write)]
    /// fn dim(#[tool_param(max = 100)] percent: u32, note: String) -> String {
    ///     format!("{percent} {note}")
    /// }
    ///
    /// # fn main() -> Result<(), callpact::ToolsetError> {
    /// let tools = Toolset::builder().tool(Dim).build()?;
    /// let mut turn = TurnAssembler::new().with_tools(&tools.known_tools(), &Policy::lax());
    /// let events = turn.push(&json!({"choices": [{"delta": {"tool_calls": [
    ///     {"index": 0, "id": "c1", "function": {"name": "dim", "arguments": "{\"percent\": 300, \"note\": \"Dear "}},
    /// ]}}]}));
    /// let Some(TurnEvent::Hopeless { issue, .. }) = events.last() else { panic!("{events:?}") };
    /// assert_eq!(issue.to_string(), "percent: expected an integer from 0 to 100, found 300");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_tools(mut self, tools: &KnownTools<'a>, policy: &Policy) -> Self {
        self.names.extend(tools.names().map(str::to_owned));
        self.tools = Some((tools.clone(), *policy));
        self
    }

    /// Reads calls in the text too, of a server that hands the text on as the model writes it. If the server makes calls
    /// itself, a call in the text is a quotation.
    ///
    /// ```
    /// use serde_json::json;
    /// use callpact::stream::{KnownTools, TextReader, TurnAssembler};
    ///
    /// let reader = TextReader::new(&KnownTools::any());
    /// let mut turn = TurnAssembler::new().with_text_calls(reader);
    /// for piece in ["I look. <tool_", "call>{\"name\": \"look\", \"arguments\": {}}</tool_call>"] {
    ///     turn.push(&json!({"choices": [{"delta": {"content": piece}}]}));
    /// }
    /// turn.push(&json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
    /// let turn = turn.finish();
    /// assert_eq!((&*turn.text, &*turn.calls[0].name), ("I look. ", "look"));
    /// ```
    #[must_use]
    pub fn with_text_calls(mut self, reader: TextReader<'a>) -> Self {
        self.state.in_text = Some(TextCalls::new(reader.clone()));
        self.reader = Some(reader);
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
            mut text,
            mut thoughts,
            refusal,
            reason,
            is_failed,
            others,
            in_text,
            ..
        } = self.state;
        let ended = match &reason {
            _ if is_failed => Ended::Cut,
            None => Ended::Unknown,
            Some(word) if is_cut_word(word) => Ended::Cut,
            Some(_) => Ended::Stopped,
        };
        let newest = slots.newest();
        let mut calls = Vec::with_capacity(slots.len());
        for (position, slot) in slots.into_iter().enumerate() {
            // Servers that read calls out of a text send one that was cut off as a whole one.
            let is_open = Some(position) == newest || Some(position) == last || !slot.is_object();
            calls.push(slot.into_call(ended != Ended::Stopped && is_open));
        }
        name_calls(&mut calls);
        let mut hint = None;
        if calls.is_empty() {
            hint = match in_text {
                Some(in_text) => {
                    let read = in_text.finish(ended);
                    (calls, text) = (read.calls, read.text);
                    thoughts.push_str(&read.thoughts);
                    read.hint
                }
                None => text_hint(&text),
            };
        }
        let mut waiting = others.iter().filter(|_| calls.is_empty());
        let hint = waiting
            .find_map(waiting_item)
            .or_else(|| hint.map(str::to_owned));
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
        if let Some(partial) = &slot.partial {
            return Some(partial.root().clone());
        }
        let document = slot.document();
        document.value().filter(|_| !document.is_broken())
    }

    /// What has arrived of the arguments of a call, as the [partial](PartialInput) of the tool's type.
    pub fn partial_of<T: PartialInput>(&self, position: usize) -> Option<T::Partial> {
        self.state.calls.get(position)?.document().partial::<T>()
    }

    // What the files of the providers do.

    pub(super) fn has_no_text(&self) -> bool {
        self.state.text.is_empty() && self.state.refusal.is_empty()
    }

    pub(super) fn restart(&mut self) {
        let is_new = self.state.calls.newest().is_none()
            && self.state.text.is_empty()
            && self.state.thoughts.is_empty()
            && self.state.others.is_empty();
        self.state = TurnState {
            in_text: self.reader.clone().map(TextCalls::new),
            ..TurnState::default()
        };
        if !is_new {
            self.state.events.push(TurnEvent::Restarted);
        }
    }

    pub(super) fn add_text(&mut self, text: Option<&Value>) {
        if let Some(text) = text.and_then(Value::as_str).filter(|text| !text.is_empty()) {
            self.state.text.push_str(text);
            match &mut self.state.in_text {
                Some(in_text) if self.state.calls.newest().is_none() => {
                    in_text.push(text, &mut self.state.events);
                }
                _ => self.state.events.push(TurnEvent::Text(text.to_owned())),
            }
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
        if self.state.known_others.insert(item.to_string()) {
            self.state.others.push(item.clone());
        }
    }

    pub(super) fn end(&mut self, reason: Option<&Value>) {
        if let Some(word) = reason
            .and_then(Value::as_str)
            .filter(|word| !word.is_empty())
        {
            if self.state.reason.is_none()
                && self.state.calls.newest().is_none()
                && let Some(in_text) = &mut self.state.in_text
            {
                in_text.end(&mut self.state.events);
            }
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

    /// Opens a call, which gets the next piece, and returns its position.
    pub(super) fn open(&mut self, key: CallKey) -> usize {
        let position = self.state.calls.open(key);
        self.state.last = Some(position);
        position
    }

    /// The call at a position, which gets the next piece.
    pub(super) fn slot(&mut self, position: usize) -> &mut CallSlot<'a> {
        self.state.last = Some(position);
        self.state.calls.slot(position)
    }

    pub(super) fn calls(&self) -> &CallSlots<'a> {
        &self.state.calls
    }

    /// The newest call with a key.
    pub(super) fn find(&mut self, key: &CallKey) -> Option<&mut CallSlot<'a>> {
        let position = self.state.calls.of_key(key)?;
        Some(self.slot(position))
    }

    /// The position of the newest call with a key, opened if it is new.
    pub(super) fn find_or_open(&mut self, key: CallKey) -> usize {
        let known = self.state.calls.of_key(&key);
        known.unwrap_or_else(|| self.open(key))
    }

    pub(super) fn take_id(&mut self, position: usize, id: &str) {
        self.state.calls.take_id(position, id);
    }

    /// Takes the id and the whole name of a call, from the places that these pointers name.
    pub(super) fn describe(
        &mut self,
        position: usize,
        call: &Value,
        [id, name]: [&str; 2],
    ) -> &mut CallSlot<'a> {
        let text = |place| call.pointer(place).and_then(Value::as_str);
        self.take_id(position, text(id).unwrap_or_default());
        self.take_whole_name(position, text(name).unwrap_or_default());
        self.slot(position)
    }

    /// Takes a name that comes as a whole.
    pub(super) fn take_whole_name(&mut self, position: usize, name: &str) {
        let slot = self.slot(position);
        if slot.name.is_empty() {
            name.clone_into(&mut slot.name);
        }
    }

    pub(super) fn take_name(&mut self, position: usize, name: &str) {
        let names = std::mem::take(&mut self.names);
        self.slot(position)
            .take_name(name, |name| names.contains(name));
        self.names = names;
    }

    pub(super) fn report_ended(&mut self, position: usize) {
        let slot = self.state.calls.reported(position);
        if let Some(slot) = slot.filter(|slot| slot.end == SlotEnd::Open) {
            slot.end = SlotEnd::Whole;
            self.report_call(position);
            self.state.events.push(TurnEvent::CallEnded { position });
        }
    }

    /// Ends the newest call with a key.
    pub(super) fn end_call(&mut self, key: &CallKey) {
        if let Some(position) = self.state.calls.of_key(key) {
            self.report_ended(position);
        }
    }

    /// Reports what is new about the calls that changed.
    fn report_calls(&mut self) {
        for position in self.state.calls.take_changed() {
            self.report_call(position);
        }
    }

    /// Reports the beginning of a call once its name is known, and then its arguments.
    fn report_call(&mut self, position: usize) {
        let Some(slot) = self.state.calls.reported(position) else {
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
            let tools = self.tools.as_ref();
            if let Some((tools, policy)) = tools
                && let Some(schema) = tools.schema(&slot.name)
            {
                slot.watch_by(ArgumentWatch::new(schema, &policy.of_call()));
            }
        }
        let (text, issues) = slot.grow();
        if !text.is_empty() {
            let arguments = TurnEvent::Arguments { position, text };
            let issues = issues.into_iter();
            let hopeless = issues.map(|issue| TurnEvent::Hopeless { position, issue });
            self.state
                .events
                .extend(std::iter::once(arguments).chain(hopeless));
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
