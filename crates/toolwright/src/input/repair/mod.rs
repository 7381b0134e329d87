//! Mending what a model got wrong, where only one thing can have been meant.
//!
//! Under [`Policy::repair`] the ordinary reader goes first. Only what it refuses is read again: the
//! text by a tolerant reader that writes it as clean JSON, the form of its values by the same typed
//! reader, which then knows from the schema what was meant. Each change is a [`Fix`]; what is cut off,
//! ambiguous or lossy stays an error.

mod envelope;
mod form;
mod markup;
mod notes;
mod scan;
mod sound;
mod strings;
mod tolerant;
mod wrapped;

use std::borrow::Cow;

use serde_json::Value;

use super::{
    Fix, FixKind, Issue, IssueKind, Path, Policy, Read, Report, ToolInput,
    at::State,
    policy::MAX_DEPTH,
    read::{close, plain, plain_value, tail_of},
};
use crate::schema::quoted;
use envelope::Clean;
use tolerant::Stop;

pub(crate) use envelope::valid as is_json;
pub(super) use form::{choice_by_case, element_takes, field_by_case, structure, variant_by_case};
pub(super) use markup::{look_for_markup, swallowed};
pub(super) use wrapped::is_wrapper;

/// What the repairing reader keeps beside issues and fixes.
#[derive(Default)]
pub(super) struct Account {
    /// Keys were given that no field takes.
    pub(super) strangers: bool,
    /// How many strings the reader is inside of.
    layers: usize,
    /// Parameters that stand as markup in a string, and where.
    swallowed: Vec<(Path, String)>,
}

/// The issue of a change that the host does not want.
#[cold]
pub(super) fn refused(fix: Fix) -> Issue {
    let expected = match (fix.kind, &*fix.to) {
        (FixKind::UnknownDropped, _) => {
            return Issue::new(fix.path, IssueKind::UnknownKey, "no such parameter", "");
        }
        (FixKind::KeyCase | FixKind::Alias, name) => {
            let expected = format!("the name {name}");
            return Issue::new(fix.path, IssueKind::RefusedFix, expected, &*fix.from);
        }
        (_, "absent") => "nothing, the parameter left out",
        (_, "") => "JSON without it",
        (_, to) => to,
    };
    Issue::new(fix.path, IssueKind::RefusedFix, expected, &*fix.from)
}

/// A broken text as clean JSON, where that is certain; `None` where it is clean already or is not to
/// be mended. Only the text: the form of its values is for the schema to decide.
///
/// ```
/// use toolwright::{Policy, input::repair::clean_text};
///
/// assert_eq!(clean_text("{a: 1,}", &Policy::repair()).as_deref(), Some(r#"{"a":1}"#));
/// assert_eq!(clean_text(r#"{"a": 1}"#, &Policy::repair()), None);
/// assert_eq!(clean_text("{a: ", &Policy::repair()), None);
/// ```
pub fn clean_text(text: &str, policy: &Policy) -> Option<String> {
    if text.len() > policy.max_bytes() || envelope::valid(text) {
        return None;
    }
    let clean = envelope::arguments(text, policy).ok()?;
    // A number such as 1e999 is well written and still none that can be read.
    (!clean.refused && envelope::valid(&clean.text)).then(|| clean.text.into_owned())
}

fn good<T>(value: Option<&T>, state: &State) -> bool {
    value.is_some() && state.issues.is_empty() && state.omitted == 0
}

/// Reads a text: as it is, and where that fails once more with what is certain mended.
pub(super) fn read_text<T: ToolInput>(text: &str, policy: &Policy) -> Result<Read<T>, Report> {
    let mut first = State::new(&policy.without_repair());
    let value = plain::<T>(text, &mut first);
    if good(value.as_ref(), &first) && !first.repair.strangers && !markup::suspect(text) {
        return close(value, first);
    }
    drop(value);
    again(text, policy, first)
}

#[cold]
fn again<T: ToolInput>(text: &str, policy: &Policy, first: State) -> Result<Read<T>, Report> {
    let broken = first.issues.iter().any(|issue| {
        matches!(
            issue.kind,
            IssueKind::NotJson
                | IssueKind::CutOff
                | IssueKind::TrailingText
                | IssueKind::DuplicateKey
        )
    });
    // With many issues the one about the text may be among those left out.
    let broken = broken || (first.omitted > 0 && !envelope::valid(text));
    let clean = if broken {
        match envelope::arguments(text, policy) {
            Ok(clean) if !clean.refused => clean,
            Ok(_) => return close(None, first),
            Err(stop) => return Err(stopped(stop, text, first)),
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
    let mut second = State::new(policy);
    second.fixes.clone_from(&fixes);
    let value = plain::<T>(&text, &mut second);
    let is_good = good(value.as_ref(), &second);
    if (!is_good || second.repair.strangers)
        && let Some((key, inner)) = wrapped::text(&text, T::SCHEMA)
    {
        let mut state = State::new(policy);
        state.fixes = fixes;
        let value = plain::<T>(&inner, &mut state);
        if let Some(read) = unwrapped(key, value, state) {
            return read;
        }
    }
    close(value, second)
}

/// Reads a value: as it is, and where that fails once more with what is certain mended.
pub(super) fn read_borrowed<T: ToolInput>(
    value: &Value,
    policy: &Policy,
) -> Result<Read<T>, Report> {
    let mut first = State::new(&policy.without_repair());
    let read = plain_value::<T>(value, &mut first);
    if good(read.as_ref(), &first) && !first.repair.strangers && !suspect_value(value) {
        return close(read, first);
    }
    drop((read, first));
    let mut second = State::new(policy);
    let read = plain_value::<T>(value, &mut second);
    let is_good = good(read.as_ref(), &second);
    if (!is_good || second.repair.strangers)
        && let Some((key, inner)) = wrapped::value(value, T::SCHEMA)
    {
        let mut state = State::new(policy);
        let read = plain_value::<T>(&inner, &mut state);
        if let Some(read) = unwrapped(key, read, state) {
            return read;
        }
    }
    close(read, second)
}

/// The value inside a wrapping object, where it fits without anything left over.
fn unwrapped<T>(key: &str, value: Option<T>, mut state: State) -> Option<Result<Read<T>, Report>> {
    if !good(value.as_ref(), &state) || state.repair.strangers {
        return None;
    }
    state.fix(Fix {
        path: Path::default(),
        kind: FixKind::Wrapped,
        from: format!("an object in `{key}`"),
        to: "the arguments".to_owned(),
    });
    Some(close(value, state))
}

/// Whether a string anywhere in a value is worth a second look.
fn suspect_value(value: &Value) -> bool {
    match value {
        Value::String(text) => markup::suspect(text),
        Value::Array(items) => items.iter().any(suspect_value),
        Value::Object(map) => map.values().any(suspect_value),
        _ => false,
    }
}

/// What to tell about a text that was not mended: why, where that is known better than before.
#[cold]
fn stopped(stop: Stop, text: &str, mut first: State) -> Report {
    let issue = match stop {
        Stop::Syntax | Stop::TooLarge => None,
        Stop::CutOff(path) => {
            let mut issue = Issue::new(path, IssueKind::CutOff, "complete JSON", "");
            issue.found = format!("a text cut off after {}", tail_of(text.trim_ascii()));
            Some(issue.with_hint("send the whole call again"))
        }
        Stop::Several => Some(
            Issue::new(
                Path::default(),
                IssueKind::SeveralObjects,
                "one JSON object",
                "different ones",
            )
            .with_hint("make one call for each"),
        ),
        Stop::NotFinite(path, token) => Some(
            Issue::new(path, IssueKind::NotJson, "a finite number", quoted(&token))
                .with_hint("JSON has no such number"),
        ),
        Stop::Duplicate(path) => Some(Issue::new(
            path,
            IssueKind::DuplicateKey,
            "once",
            "more than once, with different values",
        )),
        Stop::TooDeep => Some(Issue::new(
            Path::default(),
            IssueKind::TooDeep,
            format!("at most {MAX_DEPTH} levels of nesting"),
            "",
        )),
    };
    if let Some(issue) = issue {
        // What was found before the text broke still holds.
        first.issues.retain(|issue| {
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
        issues: first.issues,
        omitted: first.omitted,
    }
}
