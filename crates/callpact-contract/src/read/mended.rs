//! Reads arguments again that the ordinary reader refused, with certain repairs.
//!
//! Under [`Policy::repair`], the ordinary reader goes first. Arguments are read again if it refuses them, or if they
//! have unknown keys or markup of a call in a string. The text is first written as clean JSON. Then the same typed
//! reader repairs the form of values, since the schema says what was meant. A text that is cut off, or a repair that
//! is ambiguous or lossy, stays an error.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    pass::{Place, close, close_text, close_value, is_good, plain, plain_value, refusal},
    state::State,
    wrapped,
};
use crate::{
    policy::Policy,
    repair::{Clean, Stop, cut_off, is_suspect, mend_arguments, too_deep},
    report::{Fix, FixKind, Fixes, Issue, IssueKind, Path, Report},
    schema::Schema,
    text::quoted,
};

/// Ends the reading of a text that was read as it is. If that failed, reads it again with certain repairs. Returns the
/// fixes.
pub(super) fn read_text(
    is_there: bool,
    first: State,
    text: &str,
    policy: &Policy,
    schema: &Schema,
    place: &mut dyn Place,
) -> Result<Fixes, Report> {
    if is_good(is_there, &first) && !first.strangers && !is_suspect(text) {
        return Ok(first.into_fixes());
    }
    let is_doubled = |issue: &Issue| issue.kind == IssueKind::DuplicateKey;
    let broken = first.is_broken() || first.listed_issues().iter().any(is_doubled);
    let clean = if broken {
        match mend_arguments(text, policy) {
            Ok(clean) if !clean.refused => clean,
            Ok(_) => return Err(refusal(first)),
            Err(stop) => return Err(stopped(stop, text, first, schema)),
        }
    } else {
        Clean {
            text: Cow::Borrowed(text),
            fixes: Vec::new(),
            refused: false,
        }
    };
    drop(first);
    let Clean { text, fixes, .. } = clean;
    let mut second = State::new(*policy);
    second.fixes_mut().clone_from(&fixes);
    let is_there = plain(&text, schema, &mut second, place);
    if (!is_good(is_there, &second) || second.strangers)
        && let Some((way, inner)) = wrapped::text(&text, schema)
    {
        let mut state = State::new(*policy);
        *state.fixes_mut() = fixes;
        let is_there = plain(&inner, schema, &mut state, place);
        if unwrapped(&way, is_there, &mut state) {
            return close(true, state);
        }
        // There is only one place, and the wrapped value may be in it.
        plain(&text, schema, &mut State::new(*policy), place);
    }
    close_text(is_there, second, &text, schema, place)
}

/// Like [`read_text`], for a value in memory.
pub(super) fn read_borrowed(
    is_there: bool,
    first: State,
    value: &Value,
    policy: &Policy,
    schema: &Schema,
    place: &mut dyn Place,
) -> Result<Fixes, Report> {
    if is_good(is_there, &first) && !first.strangers && !suspect_value(value) {
        return Ok(first.into_fixes());
    }
    drop(first);
    let mut second = State::new(*policy);
    let is_there = plain_value(value, schema, &mut second, place);
    if (!is_good(is_there, &second) || second.strangers)
        && let Some((way, inner)) = wrapped::value(value, schema)
    {
        let mut state = State::new(*policy);
        let is_there = plain_value(&inner, schema, &mut state, place);
        if unwrapped(&way, is_there, &mut state) {
            return close(true, state);
        }
        plain_value(value, schema, &mut State::new(*policy), place);
    }
    close_value(is_there, second, value, schema, place)
}

/// Whether the content of a wrapping object fits and has no unknown keys. If so, notes the fix.
fn unwrapped(way: &str, is_there: bool, state: &mut State) -> bool {
    if !is_good(is_there, state) || state.strangers {
        return false;
    }
    state.fix(Fix {
        path: Path::default(),
        kind: FixKind::Wrapped,
        from: format!("an object in `{way}`").into(),
        to: "the arguments".into(),
    });
    true
}

/// Whether any string in a value is suspect.
fn suspect_value(value: &Value) -> bool {
    match value {
        Value::String(text) => is_suspect(text),
        Value::Array(items) => items.iter().any(suspect_value),
        Value::Object(map) => map.values().any(suspect_value),
        _ => false,
    }
}

/// The report on a text that was not repaired, with the reason.
#[cold]
fn stopped(stop: Stop, text: &str, mut first: State, schema: &Schema) -> Report {
    let issue = match stop {
        Stop::Syntax | Stop::TooLarge => None,
        Stop::CutOff(path) => Some(cut_off(*path, text, schema.holds_secret())),
        Stop::Several => Some(
            Issue::new(
                Path::default(),
                IssueKind::SeveralObjects,
                "one JSON object",
                "several",
            )
            .with_hint("make one call for each"),
        ),
        Stop::NotFinite(path, token) => Some(
            Issue::new(*path, IssueKind::NotJson, "a finite number", quoted(&token))
                .with_hint("JSON has no such number"),
        ),
        Stop::Duplicate(path) => Some(Issue::new(
            *path,
            IssueKind::DuplicateKey,
            "once",
            "more than once, with different values",
        )),
        Stop::TooDeep => Some(too_deep(Path::default())),
    };
    if let Some(issue) = issue {
        // The issues before the place where the text broke are still true.
        first.notes_mut().issues.all().retain(|issue| {
            !matches!(
                issue.kind,
                IssueKind::NotJson
                    | IssueKind::CutOff
                    | IssueKind::TrailingText
                    | IssueKind::DuplicateKey
                    | IssueKind::Missing
            )
        });
        first.push(issue);
    }
    Report {
        omitted: first.omitted,
        issues: first.take_told().0,
    }
}
