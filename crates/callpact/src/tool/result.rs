//! The result of a tool.

use std::fmt;

use base64::Engine;
use serde_json::Value;

use super::{Content, Halt, IntoText, Outcome, ToolError, content::BASE64, error::ToolErrorKind};
use crate::{
    input::{IssueKind, Report},
    secret::Redactor,
};

/// The text of a failure that came without one.
pub const NO_MESSAGE: &str = "Tool execution failed with no message";

/// The outcome of a tool: a success with its output, or a failure with its message. Both can carry
/// structured output and blocks of [`Content`] beside the text.
///
/// ```
/// use callpact::ToolResult;
///
/// assert_eq!(ToolResult::success("4").to_model(), "4");
/// assert_eq!(ToolResult::success(None::<String>).output(), "");
/// assert_eq!(ToolResult::failure("no such file").to_model(), "Error: no such file");
/// assert_eq!(ToolResult::failure(None::<&str>).error(), Some("Tool execution failed with no message"));
/// ```
#[derive(Clone, PartialEq)]
pub struct ToolResult {
    /// The output of a success, or the message of a failure.
    text: String,
    failed: bool,
    /// Behind a pointer, since a result is moved often and few results use any of these parts.
    more: Option<Box<ResultParts>>,
}

/// The parts of a result beside its text.
#[derive(Clone, Default, PartialEq)]
struct ResultParts {
    structured: Option<Value>,
    content: Vec<Content>,
    cause: FailureCause,
    /// The outcome of the call, where it is more than success or failure.
    outcome: Option<Outcome>,
}

/// The cause of a failure.
#[derive(Clone, Default, PartialEq)]
enum FailureCause {
    /// The tool reported it, or the result is a success.
    #[default]
    Tool,
    /// The model may try again.
    Retry,
    /// The arguments were not accepted.
    Arguments(Box<Report>),
    /// The arguments of an inner call, made by the tool, were not accepted.
    Inner(Box<Report>),
    /// The run stops.
    Halt(Box<Halt>),
}

impl ToolResult {
    /// A success. `()` or `None` gives an empty output.
    pub fn success(output: impl IntoText) -> Self {
        Self {
            text: output.into_text().unwrap_or_default(),
            failed: false,
            more: None,
        }
    }

    /// A failure; without a message it gets [`NO_MESSAGE`].
    pub fn failure(message: impl IntoText) -> Self {
        let message = message
            .into_text()
            .filter(|message| !message.trim().is_empty())
            .unwrap_or_else(|| NO_MESSAGE.to_owned());
        Self {
            text: message,
            failed: true,
            more: None,
        }
    }

    /// A failure after which the model may try again.
    pub fn retry(message: impl IntoText) -> Self {
        Self::failure(message).because(FailureCause::Retry)
    }

    /// A failure because of the arguments.
    pub(crate) fn invalid(report: Report) -> Self {
        Self::failure(report.to_string()).because(FailureCause::Arguments(Box::new(report)))
    }

    /// A result that stops the run; the model never sees it.
    pub fn halt(halt: Halt) -> Self {
        Self::failure(halt.to_string()).because(FailureCause::Halt(Box::new(halt)))
    }

    fn more(&mut self) -> &mut ResultParts {
        self.more.get_or_insert_default()
    }

    fn because(mut self, cause: FailureCause) -> Self {
        self.more().cause = cause;
        self
    }

    #[inline]
    fn cause(&self) -> &FailureCause {
        self.more
            .as_ref()
            .map_or(&FailureCause::Tool, |more| &more.cause)
    }

    /// A call that started and did not report its end, so nobody knows whether it was carried out.
    pub fn unknown(tool: &str) -> Self {
        Self::failure(format!(
            "Nobody knows whether '{tool}' was carried out: it was begun, and its end was not reported; it may \
             still be running. Look at what it may have changed before you make the call again"
        ))
        .with_outcome(Outcome::Unknown)
    }

    /// Sets the outcome, for a tool that runs elsewhere and whose reply has one.
    #[must_use]
    pub fn with_outcome(mut self, outcome: Outcome) -> Self {
        self.more().outcome = Some(outcome);
        self
    }

    /// The outcome: success or failure, unless [`with_outcome`](Self::with_outcome) set another one.
    pub fn outcome(&self) -> Outcome {
        match self.more.as_ref().and_then(|more| more.outcome) {
            Some(outcome) => outcome,
            None if self.is_success() => Outcome::Success,
            None => Outcome::Failure,
        }
    }

    /// Adds structured output beside the text.
    #[must_use]
    pub fn with_structured(mut self, structured: impl Into<Value>) -> Self {
        self.more().structured = Some(structured.into());
        self
    }

    /// Adds a block of content.
    #[must_use]
    pub fn with_content(mut self, content: Content) -> Self {
        self.more().content.push(content);
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
        self.more.as_ref().map_or(&[], |more| &more.content)
    }

    /// The text of a success; empty for a failure.
    pub fn output(&self) -> &str {
        if self.failed { "" } else { &self.text }
    }

    /// Whether the tool did what it was asked to.
    pub fn is_success(&self) -> bool {
        !self.failed
    }

    /// The message of a failure.
    pub fn error(&self) -> Option<&str> {
        self.failed.then_some(&*self.text)
    }

    /// The structured output.
    pub fn structured(&self) -> Option<&Value> {
        self.more.as_ref()?.structured.as_ref()
    }

    /// The structured output as a type.
    ///
    /// # Errors
    /// When it is there but does not fit the type.
    pub fn structured_as<T: serde::de::DeserializeOwned>(
        &self,
    ) -> Result<Option<T>, serde_json::Error> {
        self.structured()
            .map(|value| T::deserialize(value))
            .transpose()
    }

    /// Whether the model may try again.
    pub fn is_retry(&self) -> bool {
        matches!(self.cause(), FailureCause::Retry)
    }

    /// The report on the arguments, when they were not accepted.
    pub fn report(&self) -> Option<&Report> {
        match self.cause() {
            FailureCause::Arguments(report) => Some(report),
            _ => None,
        }
    }

    /// The halt, when the run stops here.
    pub fn halted(&self) -> Option<&Halt> {
        match self.cause() {
            FailureCause::Halt(halt) => Some(halt),
            _ => None,
        }
    }

    /// The text that the model gets: the output, or `Error: ` and the message.
    pub fn to_model(&self) -> String {
        if self.failed {
            format!("Error: {}", self.text)
        } else {
            self.text.clone()
        }
    }

    /// Replaces the message.
    pub(crate) fn map_error(mut self, change: impl FnOnce(&str) -> String) -> Self {
        if self.failed {
            self.text = change(&self.text);
        }
        self
    }

    /// Marks an error as one from a tool that ran: arguments that it mentions are not the model's.
    #[inline]
    pub(crate) fn ran(mut self) -> Self {
        if let Some(more) = &mut self.more {
            more.cause = match std::mem::take(&mut more.cause) {
                FailureCause::Arguments(report) => FailureCause::Inner(report),
                cause => cause,
            };
        }
        self
    }

    /// Removes every value that a report on arguments quotes, whole or in part.
    fn without_values(mut self) -> Self {
        let Some(FailureCause::Arguments(report) | FailureCause::Inner(report)) =
            self.more.as_mut().map(|more| &mut more.cause)
        else {
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
        self.map_error(|error| error.replace(&with, &without))
    }

    /// Removes secrets from every text, also from structured output.
    #[cold]
    pub(crate) fn redacted(self, redactor: &Redactor) -> Self {
        let mut result = self.without_values();
        redactor.clean(&mut result.text);
        if let Some(more) = &mut result.more {
            let structured = more.structured.as_ref();
            more.structured = structured.map(|value| redactor.redact_value(value));
            for content in &mut more.content {
                content.redact(redactor);
            }
        }
        result
    }
}

impl From<ToolError> for ToolResult {
    fn from(error: ToolError) -> Self {
        match error.0 {
            ToolErrorKind::Failed(message) => Self::failure(message),
            ToolErrorKind::Retry(message) => Self::retry(message),
            ToolErrorKind::Halt(halt) => Self::halt(halt),
        }
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ToolResult");
        let name = if self.failed { "error" } else { "output" };
        out.field(name, &self.text);
        if let Some(structured) = self.structured() {
            out.field("structured", structured);
        }
        if !self.content().is_empty() {
            out.field("content", &self.content().len());
        }
        out.finish_non_exhaustive()
    }
}

/// Replaces the call of a function that cannot be a tool; the program does not compile.
#[doc(hidden)]
pub fn unusable_tool() -> ToolResult {
    ToolResult::failure(())
}
