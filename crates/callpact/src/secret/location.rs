//! Where a string stands in JSON arguments.

use std::fmt::Write as _;

/// How deeply nested the arguments may be; this is more than `serde_json` allows in a `Value`.
pub(super) const MAX_DEPTH: usize = 256;

/// How many characters of a key a path shows.
const MAX_KEY: usize = 60;

/// Whether a string is a key or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringRole {
    Key,
    Value,
}

/// One part of the path to a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathPart {
    Key(String),
    Index(usize),
}

/// Writes a path: `headers[0].value`, with a key in quotes unless it is a plain word.
pub(super) fn write_path(parts: &[PathPart]) -> String {
    let mut out = String::new();
    for part in parts {
        let written = match part {
            PathPart::Index(index) => write!(out, "[{index}]"),
            PathPart::Key(key) if !is_word(key) => {
                // The model wrote the key: it is cut, and its control characters are escaped.
                let cut: String = key.chars().take(MAX_KEY).collect();
                let more = if cut.len() < key.len() { "..." } else { "" };
                write!(out, "[\"{}{more}\"]", cut.escape_debug())
            }
            PathPart::Key(key) if out.is_empty() => out.write_str(key),
            PathPart::Key(key) => write!(out, ".{key}"),
        };
        debug_assert!(written.is_ok(), "writing to a String does not fail");
    }
    out
}

fn is_word(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= MAX_KEY
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}
