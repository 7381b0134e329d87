//! The exit codes, and the failures that end a command.

use std::fmt;

use callpact::{Halt, Outcome};
use serde_json::{Value, json};

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Code {
    /// The command succeeded.
    Done,
    /// Something could not be done: a file, a server, the configuration, or lint found errors.
    Failed,
    /// The arguments of the program or of a tool are invalid.
    Invalid,
    /// The tool ran and failed, or the agent found no answer.
    Tool,
    /// The call was halted: it was rejected or cancelled, or nobody could be asked.
    Halted,
    /// The run ended because a call waits for a decision, or another process has claimed a call.
    Waiting,
    /// The call was started, and nobody knows whether it was carried out.
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

    /// The more important exit code. In order: something could not be done, nobody knows, the run was halted, a tool
    /// failed, arguments were invalid, something is not done yet.
    #[must_use]
    pub fn or_worse(self, other: Self) -> Self {
        [
            Self::Failed,
            Self::Unknown,
            Self::Halted,
            Self::Tool,
            Self::Invalid,
            Self::Waiting,
        ]
        .into_iter()
        .find(|code| [self, other].contains(code))
        .unwrap_or(Self::Done)
    }
}

impl From<Outcome> for Code {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::Done,
            Outcome::InvalidArguments | Outcome::UnknownTool => Self::Invalid,
            Outcome::Unknown => Self::Unknown,
            _ => Self::Tool,
        }
    }
}

/// A failure that ends a command.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// How the program exits.
    pub code: Code,
    /// The message on standard error.
    pub message: String,
    /// The id of the call that waits, after [`Code::Waiting`].
    pub id: Option<String>,
    /// The calls that an agent had made, as JSON.
    pub calls: Vec<Value>,
}

impl Failure {
    /// A failure with an exit code and a message.
    pub fn new(code: Code, message: impl fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
            id: None,
            calls: Vec::new(),
        }
    }

    /// A failure with [`Code::Failed`].
    pub fn failed(message: impl fmt::Display) -> Self {
        Self::new(Code::Failed, message)
    }

    /// A failure with [`Code::Invalid`].
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self::new(Code::Invalid, message)
    }

    /// Adds a line to the message.
    #[must_use]
    pub(crate) fn and(mut self, line: &str) -> Self {
        self.message = format!("{}\n{line}", self.message);
        self
    }

    /// The failure as JSON.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({"exit_code": self.code.number(), "message": self.message});
        if let Some(id) = &self.id {
            error["id"] = id.as_str().into();
        }
        let mut failure = json!({"error": error});
        if !self.calls.is_empty() {
            failure["calls"] = self.calls.as_slice().into();
        }
        failure
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
        match halt {
            Halt::Pending(pending) => {
                let (tool, id) = (&pending.tool, &pending.id);
                let text = format!("the call of `{tool}` waits for a decision under the id {id}");
                Self {
                    id: Some(pending.id),
                    ..Self::new(Code::Waiting, text)
                }
            }
            Halt::StoreFailed(_) => Self::failed(halt),
            halt => Self::new(Code::Halted, format!("halted: {halt}")),
        }
    }
}
