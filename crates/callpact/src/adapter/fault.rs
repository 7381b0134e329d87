//! Responses that cannot be read.

use std::fmt;

/// Why the calls of a response cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallFault {
    /// Where in the response, as a JSON pointer.
    pub path: String,
    /// The fault.
    pub message: String,
}

impl fmt::Display for CallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() {
            "the response"
        } else {
            &self.path
        };
        write!(f, "{path}: {}", self.message)
    }
}

impl std::error::Error for CallFault {}
