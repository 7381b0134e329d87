//! The messages that a tool writes for people while it works.

/// How much a message of [`ToolContext::log`](super::ToolContext::log) matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// A detail for who looks for a mistake.
    Debug,
    /// What happens.
    Info,
    /// Something that a person should look at.
    Warning,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// The level in one word, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
