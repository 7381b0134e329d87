//! The result of a tool.

use std::fmt;

use base64::Engine;
use serde_json::Value;

use super::{Content, Halt, IntoText, Outcome, ToolError, content::BASE64};
use crate::input::{IssueKind, Report};

/// The text of a failure that came without one.
pub const NO_MESSAGE: &str = "Tool execution failed with no message";

/// The outcome of a tool: a success with its output, or a failure with its message. Both can carry
/// structured output and blocks of [`Content`] beside the text.
///
/// ```
/// use toolwright::ToolResult;
///
/// assert_eq!(ToolResult::success("4").to_model(), "4");
/// assert_eq!(ToolResult::success(None::<String>).output(), "");
/// assert_eq!(ToolResult::failure("no such file").to_model(), "Error: no such file");
/// assert_eq!(ToolResult::failure(None::<&str>).error(), Some("Tool execution failed with no message"));
/// ```
#[derive(Clone, PartialEq)]
pub struct ToolResult {
    output: String,
    error: Option<String>,
    /// Behind a pointer, like all that few results have: a result is moved often.
    structured: Option<Box<Value>>,
    content: Option<Box<Blocks>>,
    cause: Cause,
    /// The outcome of the call, where it is more than success or failure.
    outcome: Option<Outcome>,
}

#[derive(Clone, Default, PartialEq)]
struct Blocks(Vec<Content>);

/// Why a failure is one.
#[derive(Clone, PartialEq)]
enum Cause {
    /// The tool said so, or it is a success.
    Tool,
    /// The model may try again.
    Retry,
    /// The arguments were not accepted.
    Arguments(Box<Report>),
    /// Something that ran did not accept what another tool gave it.
    Inner(Box<Report>),
    /// The run stops.
    Halt(Box<Halt>),
}

impl ToolResult {
    /// A success; nothing at all is an empty output.
    pub fn success(output: impl IntoText) -> Self {
        Self {
            output: output.into_text().unwrap_or_default(),
            error: None,
            structured: None,
            content: None,
            cause: Cause::Tool,
            outcome: None,
        }
    }

    /// A failure; without a message it gets [`NO_MESSAGE`].
    pub fn failure(message: impl IntoText) -> Self {
        let message = message
            .into_text()
            .filter(|message| !message.trim().is_empty())
            .unwrap_or_else(|| NO_MESSAGE.to_owned());
        Self {
            output: String::new(),
            error: Some(message),
            structured: None,
            content: None,
            cause: Cause::Tool,
            outcome: None,
        }
    }

    /// A failure after which the model may try again.
    pub fn retry(message: impl IntoText) -> Self {
        Self {
            cause: Cause::Retry,
            ..Self::failure(message)
        }
    }

    /// A failure because of the arguments.
    #[allow(clippy::needless_pass_by_value)] // it is kept
    pub(crate) fn invalid(report: Report) -> Self {
        Self {
            cause: Cause::Arguments(Box::new(report.clone())),
            ..Self::failure(report.to_string())
        }
    }

    /// A result that stops the run; the model never sees it.
    #[allow(clippy::needless_pass_by_value)] // it is kept
    pub fn halt(halt: Halt) -> Self {
        Self {
            cause: Cause::Halt(Box::new(halt.clone())),
            ..Self::failure(halt.to_string())
        }
    }

    /// A call that was begun and whose end was not reported, so that nobody knows whether it was carried out.
    pub fn unknown(tool: &str) -> Self {
        Self::failure(format!(
            "Nobody knows whether '{tool}' was carried out: it was begun, and its end was not reported; it may \
             still be running. Look at what it may have changed before you make the call again"
        ))
        .with_outcome(Outcome::Unknown)
    }

    /// Sets what the call came to, for a tool that runs elsewhere: its reply came with an outcome.
    #[must_use]
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = Some(outcome);
        self
    }

    /// What the call came to: success or failure, unless [`with_outcome`](Self::with_outcome) says more.
    pub fn outcome(&self) -> Outcome {
        match self.outcome {
            Some(outcome) => outcome,
            None if self.is_success() => Outcome::Success,
            None => Outcome::Failure,
        }
    }

    /// Adds structured output beside the text.
    #[must_use]
    pub fn with_structured(mut self, structured: impl Into<Value>) -> Self {
        self.structured = Some(Box::new(structured.into()));
        self
    }

    /// Adds a block of content.
    #[must_use]
    pub fn with_content(mut self, content: Content) -> Self {
        self.content.get_or_insert_default().0.push(content);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn with_image(self, mime: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        self.with_content(Content::image(mime, BASE64.encode(bytes)))
    }

    /// Adds sound.
    #[must_use]
    pub fn with_audio(self, mime: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        self.with_content(Content::audio(mime, BASE64.encode(bytes)))
    }

    /// Adds a document that the host can name.
    #[must_use]
    pub fn with_resource(
        self,
        uri: impl Into<String>,
        mime: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        self.with_content(Content::resource(uri, mime, text))
    }

    /// The blocks of content beside the text, in order.
    pub fn content(&self) -> &[Content] {
        self.content.as_ref().map_or(&[], |blocks| &blocks.0)
    }

    /// The text of a success; empty for a failure.
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Whether the tool did what it was asked to.
    pub fn is_success(&self) -> bool {
        self.error.is_none()
    }

    /// The message of a failure.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The structured output.
    pub fn structured(&self) -> Option<&Value> {
        self.structured.as_deref()
    }

    /// The structured output as a type.
    ///
    /// # Errors
    /// When it is there but of another form.
    pub fn structured_as<T: serde::de::DeserializeOwned>(
        &self,
    ) -> Result<Option<T>, serde_json::Error> {
        self.structured()
            .map(|value| T::deserialize(value))
            .transpose()
    }

    /// Whether the model may try again.
    pub fn is_retry(&self) -> bool {
        matches!(self.cause, Cause::Retry)
    }

    /// The report on the arguments, when they were not accepted.
    pub fn report(&self) -> Option<&Report> {
        match &self.cause {
            Cause::Arguments(report) => Some(report),
            _ => None,
        }
    }

    /// The halt, when the run stops here.
    pub fn halted(&self) -> Option<&Halt> {
        match &self.cause {
            Cause::Halt(halt) => Some(halt),
            _ => None,
        }
    }

    /// The text that the model gets: the output, or `Error: ` and the message.
    pub fn to_model(&self) -> String {
        match &self.error {
            None => self.output.clone(),
            Some(message) => format!("Error: {message}"),
        }
    }

    /// Replaces the message.
    pub(crate) fn map_error(mut self, change: impl FnOnce(&str) -> String) -> Self {
        self.error = self.error.map(|message| change(&message));
        self
    }

    /// Marks an error as that of a tool that ran: arguments that it mentions are not the model's.
    #[inline]
    pub(crate) fn ran(mut self) -> Self {
        if self.report().is_some() {
            self.cause = match std::mem::replace(&mut self.cause, Cause::Tool) {
                Cause::Arguments(report) => Cause::Inner(report),
                cause => cause,
            };
        }
        self
    }

    /// Removes every value that a report on arguments quotes, whole or in part.
    pub(crate) fn without_values(mut self) -> Self {
        let (Cause::Arguments(report) | Cause::Inner(report)) = &mut self.cause else {
            return self;
        };
        let with = report.to_string();
        for issue in &mut report.issues {
            issue.found = "".into();
            issue.hint = None;
            if issue.kind == IssueKind::Invalid {
                issue.expected = "not accepted".into();
            }
        }
        let without = report.to_string();
        self.error = self.error.map(|error| error.replace(&with, &without));
        self
    }

    /// Changes every text, also those in structured output.
    pub(crate) fn map_text(
        mut self,
        text: impl Fn(&str) -> Option<String>,
        value: impl Fn(&Value) -> Value,
    ) -> Self {
        if let Some(changed) = text(&self.output) {
            self.output = changed;
        }
        if let Some(changed) = self.error.as_deref().and_then(&text) {
            self.error = Some(changed);
        }
        self.structured = self.structured.as_deref().map(value).map(Box::new);
        for content in self.content.iter_mut().flat_map(|blocks| &mut blocks.0) {
            content.change(&text);
        }
        self
    }
}

impl From<ToolError> for ToolResult {
    fn from(error: ToolError) -> Self {
        match error.into_parts() {
            Ok((message, true)) => Self::retry(message),
            Ok((message, false)) => Self::failure(message),
            Err(halt) => Self::halt(halt),
        }
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ToolResult");
        match &self.error {
            None => out.field("output", &self.output),
            Some(error) => out.field("error", error),
        };
        if let Some(structured) = &self.structured {
            out.field("structured", structured);
        }
        if let Some(blocks) = &self.content {
            out.field("content", &blocks.0.len());
        }
        out.finish_non_exhaustive()
    }
}

/// Stands in for the call of a function that cannot be a tool; the program does not compile.
#[doc(hidden)]
pub fn unusable_tool() -> ToolResult {
    ToolResult::failure(())
}
