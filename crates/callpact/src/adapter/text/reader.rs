//! Reads the calls in a text, whole or in pieces.

use super::{
    bare::{BareReader, read_bare},
    block::broken,
    code::CodeFence,
    form::{BodyForm, CallCertainty, TextForm},
    hint::{UNREAD, UNREAD_BESIDE, looks_like_call},
    known::KnownTools,
    table::FORMS,
    thoughts::without_end,
};
use crate::adapter::{CallFault, ToolCall, name_calls};

/// How a turn or a text ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// The model ended it.
    Stopped,
    /// A limit, a filter or an error ended it.
    Cut,
    /// Nothing says how: the connection was lost, or the server sends no reason.
    Unknown,
}

/// The content of a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TextTurn {
    /// The calls in their order. A call that does not end is [cut off](ToolCall::cut_off), and one that cannot be read
    /// has a [fault](ToolCall::fault): a [`Toolset`](crate::Toolset) replies to both and runs neither.
    pub calls: Vec<ToolCall>,
    /// The words of the answer.
    pub text: String,
    /// The thoughts.
    pub thoughts: String,
    /// Why the text may mean more than its calls: something in it is written like a call and was not read.
    pub hint: Option<&'static str>,
}

/// Reads the calls that a model writes into its text, in the forms of more than fifty families of models.
///
/// Use it only if the server does not take calls out of the text itself; with a server that does, a call in the text is
/// a quotation. A text in code, between back-ticks or in closed thoughts is never a call. `push` takes pieces of any
/// length, and the result does not depend on how the text was split.
///
/// ```
/// use callpact::{Toolset, stream::{Ended, TextReader}, tool};
///
/// /// Looks up a word
/// #[tool(read_only)]
/// fn look_up(word: String, times: Option<u32>) -> String {
///     format!("{word} {times:?}")
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let tools = Toolset::builder().tool(LookUp).build()?;
/// let mut reader = TextReader::new(&tools.known_tools());
/// reader.push("<tool_call>\n<function=look_up>\n<parameter=word>\n7\n</parameter>\n");
/// reader.push("<parameter=times>\n3\n</parameter>\n</function>\n</tool_call>");
/// let turn = reader.finish(Ended::Stopped);
/// // The values have the types of the schema.
/// assert_eq!(turn.calls[0].arguments, r#"{"word":"7","times":3}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct TextReader<'a> {
    pub(super) tools: KnownTools<'a>,
    pub(super) own: Vec<TextForm>,
    pub(super) family: Option<String>,
    pub(super) buffer: String,
    /// Everything before this place was read.
    pub(super) at: usize,
    pub(super) state: ReaderState,
    pub(super) calls: Vec<ToolCall>,
    pub(super) text: String,
    pub(super) thoughts: String,
    /// Where the answer begins, behind the thoughts.
    pub(super) answer: usize,
    /// The block of code that is open, and whether it surrounds the answer.
    pub(super) fence: Option<CodeFence>,
    pub(super) outer: Option<OuterFence>,
    /// Whether the place is between back-ticks.
    pub(super) is_ticked: bool,
    /// The end of the last block, which counts as the beginning of a line.
    pub(super) block_end: usize,
    /// The thought inside which a call was read: how many calls came before.
    pub(super) open_thought: Option<usize>,
    pub(super) drops_text: bool,
    /// The length of the text at the last call, as long as only white space has come behind it.
    pub(super) pause: Option<usize>,
    /// The last call, if its model may repeat it.
    pub(super) repeat: Option<RepeatedBody>,
    pub(super) is_suspect: bool,
    /// How many bytes were read in vain since something was read.
    pub(super) spent: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReaderState {
    #[default]
    Answer,
    /// Between the calls of a section of this row.
    Section(usize),
    /// In a thought with these marks; whether it has something like a call.
    Thought(usize, bool),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OuterFence {
    pub(super) fence: CodeFence,
    pub(super) is_closed: bool,
    pub(super) calls: usize,
}

/// A call whose body may come again behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RepeatedBody {
    pub(super) row: usize,
    /// Where its block starts and ends.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The length of the words before it.
    pub(super) text: usize,
}

impl<'a> TextReader<'a> {
    /// A reader at the start of a text.
    pub fn new(tools: &KnownTools<'a>) -> Self {
        Self {
            tools: tools.clone(),
            ..Self::default()
        }
    }

    /// Names the family of the model, such as `qwen3-coder`. Then only its forms are read, also inside of thoughts that
    /// are open, where some families call.
    ///
    /// # Errors
    /// When no form has this name.
    pub fn with_family(mut self, family: &str) -> Result<Self, CallFault> {
        if !self.rows().any(|(_, row)| row.is_of(family)) {
            return Err(CallFault {
                path: "family".to_owned(),
                message: format!("no form of calls has the name {family:?}"),
            });
        }
        self.family = Some(family.to_owned());
        Ok(self)
    }

    /// Adds a form to those that are known.
    #[must_use]
    pub fn with_form(mut self, form: TextForm) -> Self {
        self.own.push(form);
        self
    }

    /// The names of all forms.
    pub fn forms(&self) -> impl Iterator<Item = &str> {
        self.rows().map(|(_, row)| &*row.name)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, &TextForm)> {
        FORMS.iter().chain(&self.own).enumerate()
    }

    pub(super) fn row(&self, index: usize) -> &TextForm {
        match FORMS.get(index) {
            Some(row) => row,
            None => &self.own[index - FORMS.len()],
        }
    }

    pub(super) fn is_active(&self, row: &TextForm) -> bool {
        match &self.family {
            Some(family) => row.is_of(family),
            None => row.certainty != CallCertainty::Named,
        }
    }

    pub(super) fn counts(&self, row: &TextForm, name: &str) -> bool {
        self.family.is_some() || row.certainty == CallCertainty::Certain || self.tools.has(name)
    }

    /// The words of the answer so far, without white space that may be between two calls.
    pub fn text(&self) -> &str {
        let end = self.pause.unwrap_or(self.text.len());
        self.text.get(..end).unwrap_or_default()
    }

    /// The calls so far. They are for showing: what follows may show that they are part of a thought or of code.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// Takes the next piece.
    pub fn push(&mut self, piece: &str) {
        self.buffer.push_str(piece);
        // A block that is not complete is not read again at every byte.
        if self.spent <= 4 * (self.buffer.len() - self.at) + 1024 {
            self.advance(None);
        }
    }

    /// Reads what `push` has left for later.
    pub(crate) fn catch_up(&mut self) {
        self.advance(None);
    }

    /// The content of the text. Call it when the text ends, however it ends.
    pub fn finish(mut self, ended: Ended) -> TextTurn {
        self.advance(Some(ended));
        if let Some(outer) = self.outer
            && !outer.is_closed
        {
            if ended == Ended::Stopped {
                self.quote(outer.calls);
            }
            for call in self.calls.iter_mut().skip(outer.calls) {
                call.cut_off = true;
            }
        }
        // After a limit, nobody knows what the end of the section would have been.
        if matches!(self.state, ReaderState::Section(_))
            && ended != Ended::Stopped
            && let Some(call) = self.calls.last_mut()
        {
            call.cut_off = true;
        }
        let answer = self.buffer.get(self.answer..).unwrap_or_default();
        let in_thought = matches!(self.state, ReaderState::Thought(..));
        let is_bare = self
            .family
            .as_deref()
            .is_none_or(|family| self.takes_bare(family));
        if !in_thought && is_bare {
            match read_bare(answer, &self.tools) {
                BareReader::Calls(calls) => {
                    self.calls.clear();
                    self.text.clear();
                    self.add_calls(calls, false);
                }
                BareReader::Cut(name) => {
                    self.text.clear();
                    self.calls = vec![broken(&name, None)];
                }
                BareReader::None => {}
            }
        }
        let mut text = without_end(&self.text).to_owned();
        if text.trim().is_empty() {
            text.clear();
        }
        let is_suspect = self.is_suspect || self.state_is_suspect();
        let words = if in_thought { &self.thoughts } else { &text };
        let mut hint = is_suspect.then_some(UNREAD);
        hint = hint.or_else(|| looks_like_call(words));
        if !self.calls.is_empty() {
            hint = hint.map(|_| UNREAD_BESIDE);
        }
        name_calls(&mut self.calls);
        TextTurn {
            calls: self.calls,
            text,
            thoughts: self.thoughts,
            hint,
        }
    }

    pub(super) fn state_is_suspect(&self) -> bool {
        matches!(self.state, ReaderState::Thought(_, true))
    }

    /// Whether a family writes calls without marks too, or loses them.
    pub(super) fn takes_bare(&self, family: &str) -> bool {
        self.rows()
            .filter(|(_, row)| row.is_of(family))
            .any(|(_, row)| matches!(row.body, BodyForm::Json(_) | BodyForm::Python))
    }
}
