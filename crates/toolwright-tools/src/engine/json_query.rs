//! Values out of a JSON text: by `JSONPath` (RFC 9535) when the path starts with `$`, else by the
//! dotted form `a.b[0].c`.
//!
//! The text is read strictly and results are given as it writes them, so no digit of a number is
//! lost. Size, nesting, work and output are bounded; a query that would take more is an error.

mod dotted;
mod node;
mod path;
mod read;

use std::fmt;
use std::time::Duration;

use node::Node;

/// The bounds of a query.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
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

impl Default for Limits {
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
        /// The index asked for.
        index: usize,
        /// The length of the array.
        size: usize,
    },
    /// A limit was met.
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

/// The value at `path` in `json`, as text: a string without quotes, everything else as compact JSON.
///
/// A `JSONPath` that can only name one value gives that value. Any other gives an array of what it
/// finds, in the order of RFC 9535; it is empty when nothing is found.
/// Filters compare numbers as doubles; two members with one name in an object are an error.
///
/// ```
/// use toolwright_tools::engine::json_query::{Limits, query};
///
/// let json = r#"{"a": {"b": [{"c": "text"}, {"c": 12345678901234567890}]}}"#;
/// let limits = Limits::default();
/// assert_eq!(query("a.b[1].c", json, &limits)?, "12345678901234567890");
/// assert_eq!(query("$.a.b[0].c", json, &limits)?, "text");
/// assert_eq!(query("$..c", json, &limits)?, r#"["text",12345678901234567890]"#);
/// # Ok::<(), toolwright_tools::engine::json_query::JsonQueryError>(())
/// ```
pub fn query(path: &str, json: &str, limits: &Limits) -> Result<String, JsonQueryError> {
    let path = path.trim();
    if path.is_empty() {
        return Err(JsonQueryError::BlankPath);
    }
    if json.trim().is_empty() {
        return Err(JsonQueryError::BlankJson);
    }
    if path.len() > limits.max_path {
        let limit = limits.max_path;
        return Err(JsonQueryError::Limit(format!(
            "the path is longer than {limit} bytes"
        )));
    }
    if json.len() > limits.max_json {
        let limit = limits.max_json;
        return Err(JsonQueryError::Limit(format!(
            "the JSON is longer than {limit} bytes"
        )));
    }
    if path.starts_with('$') {
        // The path first: a faulty one is found without reading megabytes of JSON.
        let parsed = path::parse(path)?;
        let root = read::read(json, limits.max_depth)?;
        path::run(path, &parsed, &root, json, limits)
    } else {
        let steps = dotted::parse(path)?;
        let root = read::read(json, limits.max_depth)?;
        show(dotted::find(path, &steps, &root)?, json, limits)
    }
}

/// One value as text.
fn show(node: &Node, json: &str, limits: &Limits) -> Result<String, JsonQueryError> {
    let mut out = String::new();
    match node.as_text() {
        Some(text) => out.push_str(text),
        None => node.write(json, &mut out),
    }
    within(out, limits)
}

fn within(out: String, limits: &Limits) -> Result<String, JsonQueryError> {
    if out.len() > limits.max_output {
        Err(too_long(limits))
    } else {
        Ok(out)
    }
}

fn too_long(limits: &Limits) -> JsonQueryError {
    let limit = limits.max_output;
    JsonQueryError::Limit(format!(
        "the result is longer than {limit} bytes; ask for a smaller part"
    ))
}

/// The start of a text from outside, for an error.
fn short(text: &str) -> String {
    let mut chars = text.chars().filter(|c| !c.is_control());
    let mut start: String = chars.by_ref().take(100).collect();
    if chars.next().is_some() {
        start.push('…');
    }
    start
}
