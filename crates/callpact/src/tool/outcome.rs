//! The outcome of a call.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The outcome of a call, in one word.
///
/// ```
/// use callpact::{Outcome, ToolCall, ToolContext, Toolset, tool};
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
/// let call = ToolCall::new("call-1", "add", r#"{"a": "one"}"#);
/// let reply = tools.call(&call, &ToolContext::new()).await?;
/// assert_eq!(reply.outcome, Outcome::InvalidArguments);
/// assert_eq!(reply.outcome.name(), "invalid_arguments");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The tool succeeded.
    Success,
    /// The tool reported a failure.
    Failure,
    /// The tool crashed.
    Crash,
    /// The tool ran out of time.
    TimedOut,
    /// The arguments were not accepted; the tool did not run.
    InvalidArguments,
    /// There is no such tool.
    UnknownTool,
    /// The call is not allowed; the tool did not run.
    Refused,
    /// The tool was started and nobody knows whether it succeeded.
    Unknown,
}

impl Outcome {
    /// The name in logs, metrics and traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Crash => "crash",
            Self::TimedOut => "timed_out",
            Self::InvalidArguments => "invalid_arguments",
            Self::UnknownTool => "unknown_tool",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
