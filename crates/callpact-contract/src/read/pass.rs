//! One pass over a text or a value, under a policy.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    any::parse,
    at::At,
    here::Here,
    input::{Alone, Input},
    misplaced::{holds_objects, misplaced, unclaimed},
    state::{Notes, State},
    tool_input::ToolInput,
    wrapped,
};
use crate::{
    json::Json,
    policy::MAX_DEPTH,
    repair::explain,
    report::{
        Fixes, Issue, IssueKind, Part, Path, Refused, Report, Step, Trail, Trial, add_hints,
        meant_by,
    },
    schema::{Kind, Schema, Tagging, expected, foreign::deeper_than, is_wrapper},
};

/// The place of a value that is read. Only this trait is generic in a reading, so that little is compiled for each
/// type.
pub(crate) trait Place {
    /// Reads the value into its place, and returns whether there is one.
    fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool;
}

impl<T: ToolInput> Place for Option<T> {
    fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool {
        *self = T::read(input, at);
        self.is_some()
    }
}

/// Reads a text in one pass under the policy of the state, and returns whether there is a value.
pub(crate) fn plain(text: &str, schema: &Schema, state: &mut State, place: &mut dyn Place) -> bool {
    let here = Here::root(schema);
    let mut input = Input::text(without_absence(text, schema));
    let is_there = place.read(&mut input, At::new(state, &here));
    settle(is_there, &mut input, text, state, schema)
}

/// Reports a text that is broken, or that continues behind the value. Returns whether there is a value.
pub(super) fn settle(
    is_there: bool,
    input: &mut Input<'_>,
    text: &str,
    state: &mut State,
    schema: &Schema,
) -> bool {
    if input.is_broken() {
        report_broken(text, state, schema);
        return false;
    }
    if !input.is_at_end() {
        report_trailing(text, state, schema);
    }
    is_there
}

/// The text to read: an empty object if there are no arguments.
#[inline]
pub(super) fn without_absence<'a>(text: &'a str, schema: &Schema) -> &'a str {
    if no_arguments(text, schema) {
        "{}"
    } else {
        text
    }
}

/// Reads a value in memory under the policy of the state, and returns whether there is one.
pub(crate) fn plain_value(
    value: &Value,
    schema: &Schema,
    state: &mut State,
    place: &mut dyn Place,
) -> bool {
    let here = Here::root(schema);
    place.read(&mut input_of(value, schema), At::new(state, &here))
}

/// The source of a value in memory: an empty object if there are no arguments.
#[cold]
#[inline(never)]
pub(super) fn input_of<'a>(value: &'a Value, schema: &Schema) -> Input<'a> {
    if value.is_null() && takes_fields(schema, false) {
        Input::text("{}")
    } else {
        Input::value(value)
    }
}

/// Ends the reading of a text.
pub(crate) fn close_text(
    is_there: bool,
    state: State,
    text: &str,
    schema: &Schema,
    place: &mut dyn Place,
) -> Result<Fixes, Report> {
    if is_good(is_there, &state) {
        let whole = || wrapped::way(text, schema, wrapped::text);
        let may_lose = || wrapped::may_lose_in_text(text, schema);
        let call = || parse(text).ok().map(Cow::Owned);
        return unless_lost(state, schema, whole, may_lose, call);
    }
    // A broken text does not show what the call is.
    if state.is_broken() {
        return Err(refusal(state));
    }
    Err(refuse(state, text, schema, place))
}

/// Ends the reading of a value.
pub(crate) fn close_value(
    is_there: bool,
    state: State,
    value: &Value,
    schema: &Schema,
    place: &mut dyn Place,
) -> Result<Fixes, Report> {
    if is_good(is_there, &state) {
        let whole = || wrapped::way(value, schema, wrapped::value);
        let may_lose = || wrapped::may_lose(value, schema);
        return unless_lost(state, schema, whole, may_lose, || {
            Some(Cow::Borrowed(value))
        });
    }
    // A value in memory may be deeper than any text, and writing it uses the stack.
    if deeper_than(value, MAX_DEPTH) {
        return Err(refusal(state));
    }
    Err(refuse(state, &value.to_string(), schema, place))
}

/// The fixes of a call, unless dropping a key would lose a parameter: inside a whole call around the arguments, inside
/// any other key, or in the wrong object. The exact policy refuses no such key, since it accepts what the schema
/// accepts.
#[inline]
fn unless_lost<'a>(
    state: State,
    schema: &Schema,
    whole: impl FnOnce() -> Option<String>,
    may_lose: impl FnOnce() -> bool,
    call: impl FnOnce() -> Option<Cow<'a, Value>>,
) -> Result<Fixes, Report> {
    if state.strangers && state.policy.converts() {
        if let Some(way) = whole() {
            return Err(around_the_arguments(&way));
        }
        // The unclaimed keys last: to look at them makes a fix of each name.
        if (holds_objects(schema) || may_lose())
            && unclaimed(&state).next().is_some()
            && let Some(call) = call()
        {
            let misplaced = misplaced(unclaimed(&state), schema, &call);
            if !misplaced.is_empty() {
                return Err(Report::new(misplaced));
            }
        }
    }
    Ok(state.into_fixes())
}

#[cold]
fn around_the_arguments(way: &str) -> Report {
    let key = way.split('.').next().unwrap_or_default().to_owned();
    let path = Path::from_iter([Step::Key(key)]);
    let issue = Issue::new(path, IssueKind::UnknownKey, "the arguments alone", "");
    Report::new(vec![issue.with_hint(send_inner(way))])
}

/// What a model is told of an object around the arguments.
fn send_inner(way: &str) -> String {
    format!("send what is in `{way}`, and nothing around it")
}

/// The report on a refused call, with hints for its repair.
#[cold]
#[inline(never)]
fn refuse(state: State, text: &str, schema: &Schema, place: &mut dyn Place) -> Report {
    let policy = state.policy;
    let strangers = strangers_of(&state);
    let (unclaimed, denied) = strangers.split_at(unclaimed(&state).count());
    let mut report = refusal(state);
    if !denied.is_empty() {
        tell_denied(&mut report, denied, text, schema);
    }
    let refused = Refused {
        text,
        schema,
        strangers: &strangers,
        proves_whole: policy.proves_whole(),
    };
    add_hints(&mut report, &refused, &mut |trial| {
        let mut state = State::new(policy);
        state.wordless = true;
        state.quiet = !matches!(trial, Trial::Places(_));
        let is_good = match trial {
            Trial::Count(text) | Trial::Places(text) => {
                let is_there = plain(text, schema, &mut state, place);
                is_good(is_there, &state)
            }
            Trial::Value(trail, value) => is_good_alone(trail, value, schema, &mut state, place),
        };
        if is_good {
            Report::new(Vec::new())
        } else {
            refusal(state)
        }
    });
    if policy.converts() && !unclaimed.is_empty() {
        add_misplaced(&mut report, unclaimed, text, schema, policy.max_issues());
    }
    report
}

/// Tells of denied keys what they hold: all of the arguments, or a parameter of another place. A missing parameter tells
/// of an object around the arguments by itself.
#[cold]
#[inline(never)]
fn tell_denied(report: &mut Report, denied: &[Path], text: &str, schema: &Schema) {
    let misses = report.issues.iter().any(is_missing);
    let mut set = |path: &Path, hint: Option<Cow<'static, str>>| {
        let mut issues = report.issues.all().iter_mut();
        if let Some(issue) = issues.find(|issue| issue.path == *path) {
            issue.hint = hint;
        }
    };
    let way = (!misses).then(|| wrapped::way(text, schema, wrapped::text));
    if let Some(way) = way.flatten() {
        let key = way.split('.').next().unwrap_or_default().to_owned();
        return set(&Path::one(key), Some(send_inner(&way).into()));
    }
    let Ok(call) = parse(text) else {
        return;
    };
    let denied = denied.iter().filter(|path| !(misses && is_around(path)));
    for found in misplaced(denied, schema, &call) {
        set(&found.path, found.hint);
    }
}

fn is_missing(issue: &Issue) -> bool {
    issue.kind == IssueKind::Missing
}

/// Whether a key of the arguments may stand for an object around them.
fn is_around(path: &Path) -> bool {
    let trail = path.trail();
    trail.depth() == 1 && trail.parameter().is_some_and(is_wrapper)
}

/// Adds to the faults of a call its misplaced parameters, in front of what is missing.
#[cold]
#[inline(never)]
fn add_misplaced(
    report: &mut Report,
    unclaimed: &[Path],
    text: &str,
    schema: &Schema,
    max_issues: usize,
) {
    let misses = report.issues.iter().any(is_missing);
    // The hint of a missing parameter tells of an object around the arguments, and of a key that is to be renamed.
    let is_told = |path: &Path| {
        // The variant of an untagged union that was read for its faults tells of its own keys.
        if report.issues.iter().any(|issue| issue.path == *path) {
            return true;
        }
        let Some((Part::Key(key), around)) = path.trail().split_last() else {
            return false;
        };
        let is_meant = |issue: &Issue| match issue.path.trail().split_last() {
            Some((Part::Key(name), beside)) => {
                is_missing(issue) && beside.is_same(around) && meant_by(key, [name]).is_some()
            }
            _ => false,
        };
        misses && (is_around(path) || report.issues.iter().any(is_meant))
    };
    let unclaimed: Vec<&Path> = unclaimed.iter().filter(|path| !is_told(path)).collect();
    let Ok(call) = parse(text) else {
        return;
    };
    let mut misplaced = misplaced(unclaimed.into_iter(), schema, &call);
    let room = max_issues.saturating_sub(report.issues.len());
    report.omitted += misplaced.len().saturating_sub(room);
    misplaced.truncate(room);
    let issues = report.issues.all();
    let behind = issues.iter().position(is_missing).unwrap_or(issues.len());
    issues.splice(behind..behind, misplaced);
}

/// The paths of the unknown keys: first the [unclaimed] ones, then those that are denied.
pub(super) fn strangers_of(state: &State) -> Vec<Path> {
    let is_denied = |issue: &&Issue| issue.kind == IssueKind::UnknownKey;
    let denied = state.listed_issues().iter().filter(is_denied);
    let denied = denied.map(|issue| &issue.path);
    unclaimed(state).chain(denied).cloned().collect()
}

/// Whether a value is good, judged by its own reader and the readers on the path to it.
fn is_good_alone(
    trail: Trail<'_>,
    value: Json<'_>,
    schema: &Schema,
    state: &mut State,
    place: &mut dyn Place,
) -> bool {
    let value = Input::scanned(value);
    let alone = Alone { trail, value };
    place.read(
        &mut Input::alone(&alone),
        At::new(state, &Here::root(schema)),
    );
    // Markup in a string may stand for a parameter around it.
    let is_plain = |notes: &Notes| notes.swallowed.is_empty();
    state.reached && state.count() == 0 && state.notes().is_none_or(is_plain)
}

pub(crate) fn is_good(is_there: bool, state: &State) -> bool {
    is_there && state.count() == 0
}

/// The fixes of a good reading, or its report.
pub(crate) fn close(is_there: bool, state: State) -> Result<Fixes, Report> {
    if is_good(is_there, &state) {
        Ok(state.into_fixes())
    } else {
        Err(refusal(state))
    }
}

#[cold]
#[inline(never)]
pub(crate) fn refusal(mut state: State) -> Report {
    let omitted = state.omitted;
    let (mut issues, broken) = state.take_told();
    if issues.is_empty() && omitted == 0 {
        // A reader gave neither a value nor a reason; one that is written by hand can do this.
        issues.push(not_accepted(broken.unwrap_or_default()), 1);
    }
    Report { issues, omitted }
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
    match text {
        "" => takes_fields(schema, true),
        _ => text == "null" && takes_fields(schema, false),
    }
}

/// Whether no arguments mean an object without fields. If null is a value, only an empty text means that.
fn takes_fields(schema: &Schema, takes_null: bool) -> bool {
    let is_object = match &schema.kind {
        Kind::Object(_) | Kind::Map(_) => true,
        Kind::Union(rules) if rules.tagging == Tagging::None => {
            let mut contents = rules.contents();
            contents.any(|content| takes_fields(content, takes_null))
        }
        _ => false,
    };
    is_object && (takes_null || !schema.nullable)
}

#[cold]
fn report_broken(text: &str, state: &mut State, schema: &Schema) {
    let path = state.notes_mut().broken.take().unwrap_or_default();
    let trimmed = text.trim_ascii();
    if trimmed.is_empty() {
        let words = expected(schema);
        state.push(Issue::new(path, IssueKind::NotJson, words, "an empty text"));
        return;
    }
    // The place where it broke is in the whole text; the reader may have read a part of the text alone.
    let issue = explain(text, path.clone(), schema.holds_secret());
    // The reader and the explanation agree on every text, so this fallback is never used.
    state.push(issue.unwrap_or_else(|| Issue::new(path, IssueKind::NotJson, "JSON", "")));
}

#[cold]
fn report_trailing(text: &str, state: &mut State, schema: &Schema) {
    let path = Path::default();
    let issue = explain(text, path.clone(), schema.holds_secret());
    state.push(
        issue.unwrap_or_else(|| Issue::new(path, IssueKind::TrailingText, "one JSON value", "")),
    );
}
