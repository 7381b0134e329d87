//! The two entries of the reader: a text, and a borrowed JSON value.

use serde_json::Value;

use super::{
    At, Fix, Issue, IssueKind, Path, Policy, Report, ToolInput,
    at::{Here, State},
};
use crate::schema::{Kind, Schema, cut, expected, quoted};

/// A value that was read, and what was changed on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read<T> {
    /// The value.
    pub value: T,
    /// The conversions, and the unknown parameters that were dropped.
    pub fixes: Vec<Fix>,
}

/// Reads arguments from the text that a model wrote, in one pass.
///
/// An empty text and `null` mean no arguments.
///
/// ```
/// use toolwright::{Policy, ToolInput, read_str};
///
/// #[derive(ToolInput)]
/// struct Add { a: i64, b: i64 }
///
/// let read = read_str::<Add>(r#"{"a": 1, "b": "2"}"#, &Policy::lax())?;
/// assert_eq!((read.value.a, read.value.b), (1, 2));
/// assert_eq!(read.fixes[0].to_string(), "b: \"2\" read as 2");
/// # Ok::<(), toolwright::Report>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_str<T: ToolInput>(text: &str, policy: &Policy) -> Result<Read<T>, Report> {
    if text.len() > policy.max_bytes() {
        return Err(too_large(text.len(), policy));
    }
    if policy.repairs() {
        return super::repair::read_text(text, policy);
    }
    let mut state = State::new(policy);
    let value = plain(text, &mut state);
    close(value, state)
}

/// Reads a text in one pass, as the policy of the account says.
#[inline]
pub(super) fn plain<T: ToolInput>(text: &str, state: &mut State) -> Option<T> {
    let here = Here::root(T::SCHEMA);
    // By the same source, since another one would be all the code of the readers once more.
    let text = if no_arguments(text, T::SCHEMA) {
        "{}"
    } else {
        text
    };
    let mut source = serde_json::Deserializer::from_str(text);
    let value = match T::read(&mut source, At::new(state, &here)) {
        Ok(value) => value,
        Err(error) => {
            broken(text, &error, state, T::SCHEMA);
            return None;
        }
    };
    if let Err(error) = source.end() {
        trailing(text, &error, state);
    }
    value
}

/// Reads arguments from a JSON value without cloning it.
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_value<T: ToolInput>(value: &Value, policy: &Policy) -> Result<Read<T>, Report> {
    if policy.repairs() {
        return super::repair::read_borrowed(value, policy);
    }
    let mut state = State::new(policy);
    let value = plain_value(value, &mut state);
    close(value, state)
}

/// Reads a value, as the policy of the account says.
pub(super) fn plain_value<T: ToolInput>(value: &Value, state: &mut State) -> Option<T> {
    let here = Here::root(T::SCHEMA);
    let at = At::new(state, &here);
    let read = if value.is_null() && takes_fields(T::SCHEMA) {
        T::read(&Value::Object(serde_json::Map::new()), at)
    } else {
        T::read(value, at)
    };
    read.unwrap_or_default()
}

#[inline]
pub(super) fn close<T>(value: Option<T>, state: State) -> Result<Read<T>, Report> {
    match value {
        Some(value) if state.issues.is_empty() && state.omitted == 0 => Ok(Read {
            value,
            fixes: state.fixes,
        }),
        _ => Err(refusal(state)),
    }
}

#[cold]
#[inline(never)]
fn refusal(mut state: State) -> Report {
    if state.issues.is_empty() {
        // A reader that gives neither a value nor a reason, such as one written by hand.
        let path = state.broken.take().unwrap_or_default();
        state
            .issues
            .push(Issue::new(path, IssueKind::Invalid, "not accepted", ""));
    }
    Report {
        issues: state.issues,
        omitted: state.omitted,
    }
}

pub(super) fn no_arguments(text: &str, schema: &Schema) -> bool {
    let bytes = text.as_bytes();
    // The common case first: an object starts with its brace.
    if bytes.first() == Some(&b'{') {
        return false;
    }
    let text = text.trim_ascii();
    (text.is_empty() || text == "null") && takes_fields(schema)
}

fn takes_fields(schema: &Schema) -> bool {
    matches!(schema.kind, Kind::Object(_) | Kind::Map(_)) && !schema.nullable
}

#[cold]
fn too_large(len: usize, policy: &Policy) -> Report {
    let most = format!("at most {} bytes", policy.max_bytes());
    Report::new(vec![Issue::new(
        Path::default(),
        IssueKind::TooLarge,
        most,
        format!("{len} bytes"),
    )])
}

#[cold]
fn broken(text: &str, error: &serde_json::Error, state: &mut State, schema: &Schema) {
    let path = state.broken.take().unwrap_or_default();
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        let words = expected(schema);
        state.push(Issue::new(path, IssueKind::NotJson, words, "an empty text"));
        return;
    }
    if error.is_eof() {
        let tail: String = tail_of(trimmed);
        let mut issue = Issue::new(path, IssueKind::CutOff, "complete JSON", "");
        issue.found = format!("a text cut off after {tail}");
        issue.hint = Some("send the whole call again".to_owned());
        state.push(issue);
        return;
    }
    if error.to_string().starts_with("recursion limit") {
        let limit = super::MAX_DEPTH;
        let words = format!("at most {limit} levels of nesting");
        state.push(Issue::new(path, IssueKind::TooDeep, words, ""));
        return;
    }
    let mut issue = Issue::new(path, IssueKind::NotJson, "JSON", near(text, error));
    issue.hint = Some(reason(error));
    state.push(issue);
}

#[cold]
fn trailing(text: &str, error: &serde_json::Error, state: &mut State) {
    let found = near(text, error);
    let mut issue = Issue::new(
        Path::default(),
        IssueKind::TrailingText,
        "one JSON value",
        found,
    );
    issue.hint = Some("send nothing behind it".to_owned());
    state.push(issue);
}

/// What `serde_json` says is wrong, without its position.
fn reason(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let words = words
        .rfind(" at line ")
        .and_then(|end| words.get(..end))
        .unwrap_or(&words);
    cut(words, 120)
}

/// The text from where it broke.
fn near(text: &str, error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let rest = text
        .split('\n')
        .nth(line.saturating_sub(1))
        .and_then(|line| {
            // Columns count bytes and name the last one that was read.
            (0..=column.saturating_sub(1))
                .rev()
                .find_map(|start| line.get(start..))
        })
        .unwrap_or_default();
    let shown: String = rest.chars().take(24).collect();
    if shown.is_empty() {
        format!("something else at line {line}, column {column}")
    } else {
        format!("{} at line {line}, column {column}", quoted(&shown))
    }
}

pub(super) fn tail_of(text: &str) -> String {
    let start = text
        .char_indices()
        .rev()
        .nth(23)
        .map_or(0, |(start, _)| start);
    quoted(text.get(start..).unwrap_or_default())
}
