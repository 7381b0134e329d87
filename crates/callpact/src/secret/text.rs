//! The strings of a JSON text with their paths and ranges.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::SecretError;
use super::location::{MAX_DEPTH, StringRole};
use crate::input::Step;

/// One string of a JSON text.
pub(super) struct Literal<'a> {
    pub(super) role: StringRole,
    /// The path of the value; for a key, the path of its object.
    pub(super) parts: &'a [Step],
    /// The string with its quotes, as a part of the text.
    pub(super) range: Range<usize>,
    /// The string without quotes and escapes.
    pub(super) content: &'a str,
}

/// Visits every string of a JSON text in order, keys included, repeated keys included.
///
/// # Errors
/// When the text is not JSON or is nested too deeply, or when the visitor fails.
pub(super) fn visit_strings(
    text: &str,
    mut visit: impl FnMut(Literal<'_>) -> Result<(), SecretError>,
) -> Result<(), SecretError> {
    // The loop below reads the structure from single bytes, which is correct only for valid JSON.
    // This check does not bound the depth; the loop does.
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| SecretError::NotJson)?;
    // One part for each open object or list; that of an object is its last key.
    let mut parts: Vec<Step> = Vec::new();
    let mut is_key = false;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => {
                is_key = byte == b'{';
                parts.push(if is_key {
                    Step::Key(String::new())
                } else {
                    Step::Index(0)
                });
                if parts.len() > MAX_DEPTH {
                    return Err(SecretError::TooDeep);
                }
            }
            b'}' | b']' => {
                parts.pop();
                is_key = false;
            }
            b',' => match parts.last_mut() {
                Some(Step::Index(index)) => *index += 1,
                _ => is_key = true,
            },
            b'"' => {
                let range = at..string_end(bytes, at)?;
                at = range.end - 1;
                let literal = text.get(range.clone()).ok_or(SecretError::NotJson)?;
                let content: String =
                    serde_json::from_str(literal).map_err(|_| SecretError::NotJson)?;
                let own = parts.len().saturating_sub(usize::from(is_key));
                visit(Literal {
                    role: if is_key {
                        StringRole::Key
                    } else {
                        StringRole::Value
                    },
                    parts: parts.get(..own).unwrap_or_default(),
                    range,
                    content: &content,
                })?;
                if std::mem::take(&mut is_key) {
                    parts.truncate(own);
                    parts.push(Step::Key(content));
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// Just past the closing quote of the string that opens at `start`.
fn string_end(bytes: &[u8], start: usize) -> Result<usize, SecretError> {
    let mut escaped = false;
    for (index, &byte) in bytes.iter().enumerate().skip(start + 1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Ok(index + 1),
            _ => {}
        }
    }
    Err(SecretError::NotJson)
}
