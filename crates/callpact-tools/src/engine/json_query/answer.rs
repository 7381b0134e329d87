//! The answer as text, within its limit.

use super::error::{JsonQueryError, QueryLimits};
use super::node::JsonNode;

/// One value as text.
pub(super) fn show(
    node: &JsonNode,
    json: &str,
    limits: &QueryLimits,
) -> Result<String, JsonQueryError> {
    let mut out = String::new();
    match node.as_text() {
        Some(text) => out.push_str(text),
        None => node.write(json, &mut out),
    }
    within(out, limits)
}

/// The text, unless it is too long.
pub(super) fn within(out: String, limits: &QueryLimits) -> Result<String, JsonQueryError> {
    if out.len() > limits.max_output {
        Err(too_long(limits))
    } else {
        Ok(out)
    }
}

/// The error of an answer that is too long.
pub(super) fn too_long(limits: &QueryLimits) -> JsonQueryError {
    let limit = limits.max_output;
    JsonQueryError::Limit(format!(
        "the result is longer than {limit} bytes; ask for a smaller part"
    ))
}
