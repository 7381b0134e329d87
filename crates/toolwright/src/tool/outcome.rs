//! The outcome of a call.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The outcome of a call, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The tool did it.
    Success,
    /// The tool said that it did not.
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
    /// The tool was started and nobody knows whether it did it.
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
