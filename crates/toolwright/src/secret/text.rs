//! The strings of a JSON text with their paths and places.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::SecretError;
use super::path::Step;
use super::scan::{MAX_DEPTH, Place};

/// One string of a JSON text.
pub(super) struct Literal<'a> {
    pub(super) place: Place,
    /// Where the value is; for a key, the object that it belongs to.
    pub(super) steps: &'a [Step],
    /// The string with its quotes, as a part of the text.
    pub(super) range: Range<usize>,
    /// What it says.
    pub(super) content: &'a str,
}

/// Visits every string of a JSON text in order, keys included, repeated keys included.
///
/// # Errors
/// When the text is not JSON or nested too deeply, or what the visitor says.
pub(super) fn visit_strings(
    text: &str,
    mut visit: impl FnMut(Literal<'_>) -> Result<(), SecretError>,
) -> Result<(), SecretError> {
    // Everything below relies on this: in valid JSON the structure can be read off without a parser.
    // It does not bound the depth, which is done below.
    serde_json::from_str::<IgnoredAny>(text).map_err(|_| SecretError::NotJson)?;
    // One step for each open object or list; an object has none before its first key.
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if open.len() > MAX_DEPTH {
            return Err(SecretError::TooDeep);
        }
        match byte {
            b'{' => open.push(Open::Object {
                at_key: true,
                has_step: false,
            }),
            b'[' => {
                open.push(Open::List);
                steps.push(Step::Index(0));
            }
            b'}' | b']' => {
                if matches!(
                    open.pop(),
                    Some(Open::List | Open::Object { has_step: true, .. })
                ) {
                    steps.pop();
                }
            }
            b',' => match (open.last_mut(), steps.last_mut()) {
                (Some(Open::Object { at_key, .. }), _) => *at_key = true,
                (Some(Open::List), Some(Step::Index(index))) => *index += 1,
                _ => return Err(SecretError::NotJson),
            },
            b'"' => {
                let range = at..string_end(bytes, at)?;
                at = range.end - 1;
                let literal = text.get(range.clone()).ok_or(SecretError::NotJson)?;
                let content: String =
                    serde_json::from_str(literal).map_err(|_| SecretError::NotJson)?;
                if let Some(Open::Object {
                    at_key: at_key @ true,
                    has_step,
                }) = open.last_mut()
                {
                    if *has_step {
                        steps.pop();
                    }
                    (*at_key, *has_step) = (false, true);
                    visit(Literal {
                        place: Place::Key,
                        steps: &steps,
                        range,
                        content: &content,
                    })?;
                    steps.push(Step::Key(content));
                } else {
                    visit(Literal {
                        place: Place::Value,
                        steps: &steps,
                        range,
                        content: &content,
                    })?;
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

enum Open {
    List,
    Object { at_key: bool, has_step: bool },
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
