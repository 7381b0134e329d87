//! The dotted form: `a.b[0].c`, with `["a.b"]` for keys that hold dots or brackets.

use super::error::{JsonQueryError, short};
use super::node::JsonNode;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum DottedStep {
    Key(String),
    Index(usize),
}

/// Reads a path. A part that the original silently ignored is an error here.
pub(super) fn parse(path: &str) -> Result<Vec<DottedStep>, JsonQueryError> {
    let bad = |reason: &str| JsonQueryError::InvalidPath(format!("{reason} in `{}`", short(path)));
    let mut steps = Vec::new();
    let mut rest = path;
    // `a`, or `[0]` and `["a"]`; each further key needs a dot before it.
    let mut key_may_follow = true;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (step, after) = bracket(inner).map_err(bad)?;
            steps.push(step);
            rest = after;
            key_may_follow = false;
        } else if let Some(after) = rest.strip_prefix('.') {
            if key_may_follow || after.is_empty() || after.starts_with(['.', '[']) {
                return Err(bad("a key is missing at a dot"));
            }
            rest = after;
            key_may_follow = true;
        } else if key_may_follow {
            let end = rest.find(['.', '[', ']']).unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            if key.is_empty() || after.starts_with(']') {
                return Err(bad("a `]` has no `[`"));
            }
            steps.push(DottedStep::Key(key.to_owned()));
            rest = after;
            key_may_follow = false;
        } else {
            return Err(bad("a dot is missing after `]`"));
        }
    }
    Ok(steps)
}

/// The text between `[` and `]`, and the rest.
fn bracket(inner: &str) -> Result<(DottedStep, &str), &'static str> {
    if let Some(quote) = inner.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        return quoted(inner, quote);
    }
    let (digits, after) = inner.split_once(']').ok_or("a `]` is missing")?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("expected an index such as `[0]` or a key such as `[\"a\"]`");
    }
    let index = digits.parse().map_err(|_| "an index is too large")?;
    Ok((DottedStep::Index(index), after))
}

/// A key in quotes; a backslash makes the next character part of the key.
fn quoted(inner: &str, quote: char) -> Result<(DottedStep, &str), &'static str> {
    let mut key = String::new();
    let mut chars = inner.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => key.push(chars.next().ok_or("a closing quote is missing")?.1),
            c if c == quote => {
                let rest = inner.get(at + c.len_utf8()..).unwrap_or_default();
                let after = rest.strip_prefix(']').ok_or("a `]` is missing")?;
                return Ok((DottedStep::Key(key), after));
            }
            c => key.push(c),
        }
    }
    Err("a closing quote is missing")
}

/// Walks down from `root`.
pub(super) fn find<'a>(
    path: &str,
    steps: &[DottedStep],
    root: &'a JsonNode,
) -> Result<&'a JsonNode, JsonQueryError> {
    let mut node = root;
    for step in steps {
        node = match step {
            DottedStep::Key(key) => node
                .member(key)
                .ok_or_else(|| JsonQueryError::NotFound(short(key)))?,
            DottedStep::Index(index) => {
                let items = node
                    .items()
                    .ok_or_else(|| JsonQueryError::NotFound(short(path)))?;
                let size = items.len();
                let missing = JsonQueryError::OutOfBounds {
                    index: *index,
                    size,
                };
                items.get(*index).ok_or(missing)?
            }
        };
    }
    Ok(node)
}
