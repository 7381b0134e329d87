//! The bounds of a query, and why it has no answer.

use std::fmt;
use std::time::Duration;

/// The bounds of a query.
#[derive(Debug, Clone, Copy)]
pub struct QueryLimits {
    /// Most bytes of JSON. Default 2 MiB.
    pub max_json: usize,
    /// Most bytes of the path. Default 1,024.
    pub max_path: usize,
    /// Most levels of nesting in the JSON. Default 128.
    pub max_depth: usize,
    /// Most results. Default 1,000.
    pub max_results: usize,
    /// Most bytes of the answer. Default 64 KiB.
    pub max_output: usize,
    /// Most time that a `JSONPath` may run. Default 1 s.
    pub max_time: Duration,
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self {
            max_json: 2 << 20,
            max_path: 1_024,
            max_depth: 128,
            max_results: 1_000,
            max_output: 64 << 10,
            max_time: Duration::from_secs(1),
        }
    }
}

/// Why a query has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonQueryError {
    /// The path is blank.
    BlankPath,
    /// The JSON is blank.
    BlankJson,
    /// The text is not JSON.
    InvalidJson(String),
    /// The path is not in one of the two forms.
    InvalidPath(String),
    /// There is nothing at the path: the first key that is missing, or the whole `JSONPath`.
    NotFound(String),
    /// The array has no such element.
    OutOfBounds {
        /// The requested index.
        index: usize,
        /// The length of the array.
        size: usize,
    },
    /// A limit was reached.
    Limit(String),
}

impl fmt::Display for JsonQueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlankPath => f.write_str("Path expression must not be blank"),
            Self::BlankJson => f.write_str("JSON content must not be blank"),
            Self::InvalidJson(reason) => write!(f, "Invalid JSON: {reason}"),
            Self::InvalidPath(reason) => write!(f, "Invalid path: {reason}"),
            Self::NotFound(path) => write!(f, "Path not found: '{path}'"),
            Self::OutOfBounds { index, size } => write!(
                f,
                "Array index out of bounds: index {index} is out of bounds for array of size {size}"
            ),
            Self::Limit(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for JsonQueryError {}

/// The start of a foreign text, for an error.
pub(super) fn short(text: &str) -> String {
    let mut chars = text.chars().filter(|c| !c.is_control());
    let mut start: String = chars.by_ref().take(100).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    start
}
