//! One pass over a text or a value, as a policy says.

use serde_json::Value;

use super::{
    at::{At, Here, State},
    input::Input,
};
use crate::{
    json::{Why, why},
    policy::MAX_DEPTH,
    report::{Fix, Issue, IssueKind, NO_END, Path, Report},
    schema::{Kind, Schema, expected},
    text::{cut, quoted},
};

/// Reads the arguments into their place; whether there is a value then. What is generic in a reading ends
/// here, so that little is compiled for each type.
pub(crate) type Place<'a> = &'a mut dyn FnMut(&mut Input<'_>, At<'_>) -> bool;

/// Reads a text in one pass, as the policy of the account says; whether there is a value.
pub(crate) fn plain(
    text: &str,
    schema: &'static Schema,
    state: &mut State,
    place: Place<'_>,
) -> bool {
    let here = Here::root(schema);
    let text = if no_arguments(text, schema) {
        "{}"
    } else {
        text
    };
    let mut input = Input::text(text);
    let is_there = place(&mut input, At::new(state, &here));
    if input.is_broken() {
        report_broken(text, state, schema);
        return false;
    }
    if !input.is_at_end() {
        report_trailing(text, state, schema);
    }
    is_there
}

/// Reads a value, as the policy of the account says; whether there is one.
pub(crate) fn plain_value(
    value: &Value,
    schema: &'static Schema,
    state: &mut State,
    place: Place<'_>,
) -> bool {
    let here = Here::root(schema);
    let at = At::new(state, &here);
    if value.is_null() && takes_fields(schema) {
        let empty = Value::Object(serde_json::Map::new());
        place(&mut Input::value(&empty), at)
    } else {
        place(&mut Input::value(value), at)
    }
}

/// The fixes of a reading that holds.
pub(crate) fn close(is_there: bool, state: State) -> Result<Vec<Fix>, Report> {
    if is_there && state.issues.is_empty() && state.omitted == 0 {
        Ok(state.fixes)
    } else {
        Err(refusal(state))
    }
}

#[cold]
#[inline(never)]
pub(crate) fn refusal(mut state: State) -> Report {
    if state.issues.is_empty() && state.omitted == 0 {
        // A reader that gives neither a value nor a reason, such as one written by hand.
        let path = state.broken.take().unwrap_or_default();
        state.issues.push(not_accepted(path));
    }
    Report {
        issues: state.issues,
        omitted: state.omitted,
    }
}

pub(crate) fn not_accepted(path: Path) -> Issue {
    Issue::new(path, IssueKind::Invalid, "not accepted", "")
}

pub(crate) fn no_arguments(text: &str, schema: &Schema) -> bool {
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
fn report_broken(text: &str, state: &mut State, schema: &Schema) {
    let path = state.broken.take().unwrap_or_default();
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        let words = expected(schema);
        state.push(Issue::new(path, IssueKind::NotJson, words, "an empty text"));
        return;
    }
    // Where it broke is a place in the whole text, of which a part may have been read on its own.
    let issue = match why(text) {
        // Not to be reached: the two disagree about a text.
        None => Issue::new(path, IssueKind::NotJson, "JSON", ""),
        Some(Why::TooDeep) => {
            let words = format!("at most {MAX_DEPTH} levels of nesting");
            Issue::new(path, IssueKind::TooDeep, words, "")
        }
        Some(Why::Text(error)) if error.is_eof() => cut_off(path, text, schema),
        Some(Why::Text(error)) => {
            let found = near(text, &error, schema);
            Issue::new(path, IssueKind::NotJson, "JSON", found).with_hint(reason(&error))
        }
    };
    state.push(issue);
}

#[cold]
fn report_trailing(text: &str, state: &mut State, schema: &Schema) {
    let found = match why(text) {
        Some(Why::Text(error)) => Some(near(text, &error, schema)),
        Some(Why::TooDeep) | None => None,
    };
    let mut issue = Issue::new(
        Path::default(),
        IssueKind::TrailingText,
        "one JSON value",
        found.unwrap_or_default(),
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

/// The report on a text that ends too early.
pub(crate) fn cut_off(path: Path, text: &str, schema: &Schema) -> Issue {
    let mut issue = Issue::new(path, IssueKind::CutOff, "complete JSON", "");
    issue.found = if schema.holds_secret() {
        NO_END.to_owned()
    } else {
        format!("a text cut off after {}", tail_of(text.trim_ascii()))
    };
    issue.with_hint("send the whole call again")
}

/// The text from where it broke; only the place where it may hold a secret, since nobody knows any more
/// what in a broken text is whose value.
fn near(text: &str, error: &serde_json::Error, schema: &Schema) -> String {
    let (line, column) = (error.line(), error.column());
    if schema.holds_secret() {
        return format!("something at line {line}, column {column} (not shown)");
    }
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

fn tail_of(text: &str) -> String {
    let start = text
        .char_indices()
        .rev()
        .nth(23)
        .map_or(0, |(start, _)| start);
    quoted(text.get(start..).unwrap_or_default())
}
