//! The exit codes, and the failures that end a command.

use std::fmt;

use toolwright::Halt;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The command did its work.
    Done,
    /// Something could not be done: a file, a server, the configuration, or lint found errors.
    Failed,
    /// The arguments of the program or of a tool do not fit.
    Invalid,
    /// The tool ran and failed, or the agent came to no answer.
    Tool,
    /// The call was halted: it was rejected or cancelled, or nobody could be asked.
    Halted,
    /// The run ended because a call waits for a decision, or another process has claimed a call.
    Waiting,
    /// The call was begun, and nobody knows whether it was carried out.
    Unknown,
}

impl Code {
    /// The exit code as a number.
    pub const fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Invalid => 2,
            Self::Tool => 3,
            Self::Halted => 4,
            Self::Waiting => 5,
            Self::Unknown => 6,
        }
    }
}

/// A failure that ends a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How the program exits.
    pub code: Code,
    /// The message on standard error.
    pub message: String,
}

impl Failure {
    /// A failure with [`Code::Failed`].
    pub fn failed(message: impl fmt::Display) -> Self {
        Self {
            code: Code::Failed,
            message: message.to_string(),
        }
    }

    /// A failure with [`Code::Invalid`].
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self {
            code: Code::Invalid,
            message: message.to_string(),
        }
    }
}

impl Failure {
    /// Adds a line to the message.
    #[must_use]
    pub(crate) fn and(mut self, line: &str) -> Self {
        self.message = format!("{}\n{line}", self.message);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        if let Halt::Pending(pending) = &halt {
            return Self {
                code: Code::Waiting,
                message: format!(
                    "the call of `{}` waits for a decision under the id {}",
                    pending.tool, pending.id
                ),
            };
        }
        Self {
            code: Code::Halted,
            message: format!("halted: {halt}"),
        }
    }
}
