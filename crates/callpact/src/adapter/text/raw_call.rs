//! A call as it is written in a text.

use serde_json::Value;

/// A call as it is written.
#[derive(Clone, Debug)]
pub(super) struct RawCall {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) arguments: String,
}

/// The text as a JSON string.
pub(super) fn quote(text: &str) -> String {
    Value::from(text).to_string()
}
