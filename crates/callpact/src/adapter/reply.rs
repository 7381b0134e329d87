//! The reply to a call.

use std::time::Duration;

use crate::{
    input::{Fix, describe_fixes},
    schema::cut,
    tool::{CallOrigin, Outcome, ToolResult},
};

/// Which changes of the arguments the reply tells the model. Set it with
/// [`ToolsetBuilder::notes`](crate::ToolsetBuilder::notes).
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset, tool};
///
/// /// Greets somebody
/// #[tool(read_only)]
/// fn greet(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Greet).build()?;
/// let call = ToolCall::new("call-1", "greet", r#"{"name": "Ada", "volume": 11}"#);
/// let reply = tools.call(&call, &ToolContext::new()).await?;
/// assert_eq!(
///     reply.to_model(),
///     "Hello, Ada!\n\nNote: the arguments were read with these changes:\n- volume: not a parameter, ignored",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notes {
    /// None.
    Off,
    /// What a person edited, what was dropped, and what was taken as absent.
    #[default]
    Losses,
    /// Every change, including those without loss, such as a number that was sent as text.
    All,
}

/// The most characters of an edit that a model gets.
const EDIT: usize = 2000;

/// Tells the model that a person edited its call.
pub(super) fn describe_edit(edited: &str) -> String {
    format!("Note: a person edited this call to: {}", cut(edited, EDIT))
}

/// The reply to one call.
///
/// [`to_model`](Self::to_model) is the text for the model, cut at the limit of the toolset and with a
/// note on what was dropped of the arguments; [`result`](Self::result) is the whole.
///
/// ```
/// use callpact::{Dialect, ToolCall, ToolContext, Toolset, tool};
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a.saturating_add(b)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Add).build()?;
/// let call = ToolCall::new("call-1", "add", r#"{"a": 40, "b": 2}"#);
/// let reply = tools.call(&call, &ToolContext::new()).await?;
/// assert!(reply.is_success());
/// assert_eq!(reply.to_model(), "42");
/// // The message that goes back to a provider.
/// let message = reply.to_message(Dialect::OpenAi);
/// assert_eq!(message["tool_call_id"], "call-1");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolReply {
    /// The id of the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// What the provider said of the call, as in the [call](super::ToolCall::origin).
    pub origin: CallOrigin,
    /// The outcome.
    pub outcome: Outcome,
    /// The whole result, secrets redacted.
    pub result: ToolResult,
    /// The changes that were made to the arguments before the tool ran.
    pub fixes: Vec<Fix>,
    /// What a person wrote in place of the arguments, or in place of the action that the tool asked about.
    /// Secrets are placeholders.
    pub edited: Option<String>,
    /// Whether another try of the call ran the tool or is still running it, as a
    /// [store](crate::store::CallStore) says. This try did not run the tool.
    pub replayed: bool,
    /// Whether another try of the call is still running. Its result is not known yet, so the outcome
    /// is [`Outcome::Unknown`].
    pub runs_elsewhere: bool,
    /// How long it took.
    pub duration: Duration,
    /// The most characters that the model gets.
    pub(crate) limit: Option<usize>,
    /// The call that reads the rest, from the given character on.
    pub(crate) rest: Option<String>,
    pub(crate) told: Notes,
}

impl ToolReply {
    pub(crate) fn new(call_id: &str, tool: &str, outcome: Outcome, result: ToolResult) -> Self {
        Self {
            call_id: call_id.to_owned(),
            tool: tool.to_owned(),
            origin: CallOrigin::default(),
            outcome,
            result,
            fixes: Vec::new(),
            edited: None,
            replayed: false,
            runs_elsewhere: false,
            duration: Duration::ZERO,
            limit: None,
            rest: None,
            told: Notes::default(),
        }
    }

    /// Whether the tool did what it was asked to.
    pub fn is_success(&self) -> bool {
        self.outcome == Outcome::Success
    }

    /// Every change of the arguments, as a note; `None` if nothing was changed. The changes that the
    /// model is told are already in [`to_model`](Self::to_model).
    pub fn notes(&self) -> Option<String> {
        self.note_of(Notes::All)
    }

    /// The note that goes to the model.
    pub(super) fn told_notes(&self) -> Option<String> {
        if self.fixes.is_empty() && self.edited.is_none() {
            return None;
        }
        let edit = self.edited.as_deref().filter(|_| self.told != Notes::Off);
        // Refused arguments were not changed: the reply says what is wrong with them.
        let was_read = self.outcome != Outcome::InvalidArguments;
        let note = was_read.then(|| self.note_of(self.told)).flatten();
        match (edit.map(describe_edit), note) {
            (Some(edit), Some(note)) => Some(format!("{edit}\n\n{note}")),
            (edit, note) => edit.or(note),
        }
    }

    fn note_of(&self, which: Notes) -> Option<String> {
        const SHOWN: usize = 8;
        let fixes = self.fixes.iter().filter(|fix| match which {
            Notes::Off => false,
            Notes::Losses => fix.kind.is_loss(),
            Notes::All => true,
        });
        let fixes: Vec<Fix> = fixes.cloned().collect();
        if fixes.is_empty() {
            return None;
        }
        let mut lines = describe_fixes(&fixes);
        if let Some(more @ 1..) = lines.len().checked_sub(SHOWN) {
            lines.truncate(SHOWN);
            lines.push(format!("and {more} more"));
        }
        Some(format!(
            "Note: the arguments were read with these changes:\n- {}",
            lines.join("\n- ")
        ))
    }
}
