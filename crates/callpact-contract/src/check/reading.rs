//! Reads arguments by the checker: mends and checks the text, and hands the checked text on.

use serde_json::Value;

use super::{
    CheckedText, check_document,
    misplaced::{may_be_elsewhere, misplaced, unclaimed},
    state::CheckState,
    wrappers::{self, InnerArguments},
};
use crate::{
    json::{JsonDocument, JsonScanner},
    policy::{MAX_DEPTH, Policy},
    repair::{ReadStop, cut_off, explain, mend_arguments, too_deep},
    report::{Fix, FixKind, Fixes, Issue, IssueKind, Path, Report, Step, hide},
    schema::{Kind, Schema, Tagging, expected, foreign::deeper_than, is_wrapper},
    text::{meant_by, quoted},
};

/// What makes a value of a checked text.
pub(crate) trait TextAcceptor {
    /// Makes the value, and returns whether there is one. The state gets the reason why there is none.
    fn accept(&mut self, text: &CheckedText<'_>, state: &mut CheckState) -> bool;
}

/// The fixes of a text that the quick reader has read.
pub(crate) fn read_fixes(text: &str, schema: &Schema, policy: &Policy) -> Fixes {
    read_arguments(text, schema, policy, &mut AnyText).unwrap_or_default()
}

/// Accepts every text that fits.
pub(crate) struct AnyText;

impl TextAcceptor for AnyText {
    fn accept(&mut self, _: &CheckedText<'_>, _: &mut CheckState) -> bool {
        true
    }
}

/// Reads a text. The last text that the acceptor gets is that of the returned fixes.
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub(crate) fn read_arguments(
    text: &str,
    schema: &Schema,
    policy: &Policy,
    acceptor: &mut dyn TextAcceptor,
) -> Result<Fixes, Report> {
    if text.len() > policy.max_bytes() {
        return Err(too_large(text.len(), policy));
    }
    let mut state = CheckState::new(policy.without_repair());
    // Most broken texts are repaired, and then nobody reads about them.
    state.postpones_words = policy.repairs();
    let document = parse_arguments(text, schema);
    let is_there = read_once(&document, schema, &mut state, acceptor);
    let fixes = if policy.repairs() {
        read_repaired(is_there, state, &document, policy, schema, acceptor)
    } else {
        close(is_there, state, &document, schema)
    };
    hide(schema, fixes)
}

/// The text of a value in memory. A value may be deeper than any text, and writing it uses the stack.
pub(crate) fn text_of(value: &Value) -> Result<String, Report> {
    if deeper_than(value, MAX_DEPTH) {
        return Err(Report::new(vec![too_deep(Path::default())]));
    }
    serde_json::to_string(value).map_err(|_| Report::new(vec![Issue::unexplained(Path::default())]))
}

/// The arguments of a text: an empty object if there are none.
pub(crate) fn parse_arguments<'t>(text: &'t str, schema: &Schema) -> JsonDocument<'t> {
    JsonDocument::parse(if has_no_arguments(text, schema) {
        "{}"
    } else {
        text
    })
}

/// Checks arguments under the policy of the state, and returns whether there is a value.
pub(crate) fn read_once(
    document: &JsonDocument<'_>,
    schema: &Schema,
    state: &mut CheckState,
    acceptor: &mut dyn TextAcceptor,
) -> bool {
    check_document(document, schema, state).is_some_and(|checked| acceptor.accept(&checked, state))
}

#[cold]
fn too_large(len: usize, policy: &Policy) -> Report {
    let most = format!("at most {} bytes", policy.max_bytes());
    let found = format!("{len} bytes");
    Report::new(vec![Issue::new(
        Path::default(),
        IssueKind::TooLarge,
        most,
        found,
    )])
}

/// Reads a text again with certain repairs, if the first reading refused it, or if it has unknown keys. A text that is cut off, or
/// a repair that is ambiguous or lossy, stays an error.
fn read_repaired(
    is_there: bool,
    mut first: CheckState,
    document: &JsonDocument<'_>,
    policy: &Policy,
    schema: &Schema,
    acceptor: &mut dyn TextAcceptor,
) -> Result<Fixes, Report> {
    if is_good(is_there, &first) && !first.strangers {
        return Ok(first.into_fixes());
    }
    let is_doubled = |issue: &Issue| issue.kind == IssueKind::DuplicateKey;
    let broken = first.is_broken() || first.listed_issues().iter().any(is_doubled);
    let text = document.text();
    let clean = if broken {
        match mend_arguments(text, policy) {
            Ok(clean) if !clean.refused => Some(clean),
            Ok(_) => {
                explain_postponed(text, &mut first, schema);
                return Err(refusal(first));
            }
            Err(stop) => return Err(stopped(stop, text, first, schema)),
        }
    } else {
        None
    };
    drop(first);
    let mended = clean
        .as_ref()
        .map(|clean| parse_arguments(&clean.text, schema));
    let document = mended.as_ref().unwrap_or(document);
    let fixes = clean.as_ref().map_or(&[][..], |clean| &clean.fixes);
    let mut second = CheckState::new(*policy);
    second.fixes_mut().extend_from_slice(fixes);
    let is_there = read_once(document, schema, &mut second, acceptor);
    if (!is_good(is_there, &second) || second.strangers)
        && let Some((way, inner)) = wrappers::text(document.text(), schema)
    {
        let mut state = CheckState::new(*policy);
        state.fixes_mut().extend_from_slice(fixes);
        let is_there = read_once(
            &parse_arguments(&inner, schema),
            schema,
            &mut state,
            acceptor,
        );
        if unwrapped(&way, is_there, &mut state) {
            return if is_good(true, &state) {
                Ok(state.into_fixes())
            } else {
                Err(refusal(state))
            };
        }
        // The acceptor has the value of the wrapped text, if any.
        if is_there {
            read_once(document, schema, &mut CheckState::new(*policy), acceptor);
        }
    }
    close(is_there, second, document, schema)
}

/// Whether the content of a wrapping object fits and has no unknown keys. If so, notes the fix.
fn unwrapped(way: &str, is_there: bool, state: &mut CheckState) -> bool {
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

fn explain_postponed(text: &str, state: &mut CheckState, schema: &Schema) {
    if std::mem::take(&mut state.is_unexplained) {
        explain_broken(text, state, schema);
    }
}

/// The report on a text that was not repaired, with the reason.
#[cold]
fn stopped(stop: ReadStop, text: &str, mut first: CheckState, schema: &Schema) -> Report {
    let issue = match stop {
        ReadStop::Syntax | ReadStop::TooLarge => {
            explain_postponed(text, &mut first, schema);
            None
        }
        ReadStop::CutOff(path) => Some(cut_off(*path, text, schema.holds_secret())),
        ReadStop::Several => Some(
            Issue::new(
                Path::default(),
                IssueKind::SeveralObjects,
                "one JSON object",
                "several",
            )
            .with_hint("make one call for each"),
        ),
        ReadStop::NotFinite(path, token) => Some(
            Issue::new(*path, IssueKind::NotJson, "a finite number", quoted(&token))
                .with_hint("JSON has no such number"),
        ),
        ReadStop::Duplicate(path) => Some(Issue::new(
            *path,
            IssueKind::DuplicateKey,
            "once",
            "more than once, with different values",
        )),
        ReadStop::TooDeep => Some(too_deep(Path::default())),
    };
    if let Some(issue) = issue {
        // The issues before the place where the text broke are still true.
        first.notes_mut().issues.retain(|issue| {
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

/// Ends the reading of a text.
pub(crate) fn close(
    is_there: bool,
    state: CheckState,
    document: &JsonDocument<'_>,
    schema: &Schema,
) -> Result<Fixes, Report> {
    if is_good(is_there, &state) {
        return unless_lost(state, schema, document);
    }
    // A broken text does not show what the call is.
    if state.is_broken() {
        return Err(refusal(state));
    }
    Err(refuse(state, document, schema))
}

/// The fixes of a call, unless dropping a key would lose a parameter: inside a whole call around the arguments, inside
/// any other key, or in the wrong object. The exact policy refuses no such key, since it accepts what the schema
/// accepts.
fn unless_lost(
    state: CheckState,
    schema: &Schema,
    document: &JsonDocument<'_>,
) -> Result<Fixes, Report> {
    let may_lose = state.strangers && state.policy.converts();
    if may_lose && may_be_elsewhere(document.text(), schema) {
        if let Some(report) = report_around(&state, document, schema) {
            return Err(report);
        }
        let misplaced = misplaced(unclaimed(&state), schema, document);
        if !misplaced.is_empty() {
            return Err(Report::new(misplaced));
        }
    }
    Ok(state.into_fixes())
}

/// The report on arguments inside something else: what to send alone, and all that is wrong in it. There is none if they
/// cannot be read.
#[cold]
fn report_around(
    outer: &CheckState,
    document: &JsonDocument<'_>,
    schema: &Schema,
) -> Option<Report> {
    if outer.gives_parameter {
        return None;
    }
    let InnerArguments { key, way, text } = wrappers::inner(document, schema)?;
    let path = Path::of(vec![Step::Key(key)]);
    let issue = Issue::new(path, IssueKind::UnknownKey, "the arguments alone", "");
    let hint = format!("send what is in `{way}`, and nothing around it");
    let mut state = CheckState::new(outer.policy);
    state.push(issue.with_hint(hint));
    check_document(&parse_arguments(&text, schema), schema, &mut state);
    (!state.is_broken()).then(|| refusal(state))
}

/// The report on a refused call.
#[cold]
#[inline(never)]
fn refuse(state: CheckState, document: &JsonDocument<'_>, schema: &Schema) -> Report {
    let policy = state.policy;
    let mut strangers = strangers_of(&state);
    if !policy.converts() {
        strangers.drain(..unclaimed(&state).count());
    }
    if state.gives_parameter && strangers.is_empty() {
        return refusal(state);
    }
    if let Some(report) = report_around(&state, document, schema) {
        return report;
    }
    let mut report = refusal(state);
    if !strangers.is_empty() {
        let max_issues = policy.max_issues();
        add_misplaced(&mut report, &strangers, document, schema, max_issues);
    }
    report
}

/// Adds to the faults of a call what its unknown keys hold: all of the arguments, or a parameter of another place. This
/// is the hint of a key with an issue; any other key gets an issue, in front of what is missing.
#[cold]
#[inline(never)]
fn add_misplaced(
    report: &mut Report,
    strangers: &[Path],
    document: &JsonDocument<'_>,
    schema: &Schema,
    max_issues: usize,
) {
    let is_missing = |issue: &Issue| issue.kind == IssueKind::Missing;
    let issues = &mut report.issues;
    let misses = issues.iter().any(is_missing);
    // The hint of a missing parameter tells of an object around the arguments, and of a key that is to be renamed.
    let is_told = |path: &Path| {
        let is_around = path.steps().len() == 1 && path.parameter().is_some_and(is_wrapper);
        match issues.iter().find(|issue| issue.path == *path) {
            // A name that was tried is the better hint.
            Some(issue) if issue.kind == IssueKind::UnknownKey => {
                issue.clue.is_tried || misses && is_around
            }
            Some(_) => true,
            None => {
                let is_meant = |issue: &Issue| is_missing(issue) && means(path, &issue.path);
                misses && (is_around || issues.iter().any(is_meant))
            }
        }
    };
    let untold: Vec<&Path> = strangers.iter().filter(|path| !is_told(path)).collect();
    let mut added = Vec::new();
    for found in misplaced(untold.into_iter(), schema, document) {
        match issues.iter_mut().find(|issue| issue.path == found.path) {
            Some(issue) => issue.hint = found.hint,
            None => added.push(found),
        }
    }
    let room = max_issues.saturating_sub(issues.len());
    report.omitted += added.len().saturating_sub(room);
    added.truncate(room);
    let behind = issues.iter().position(is_missing).unwrap_or(issues.len());
    issues.splice(behind..behind, added);
}

/// Whether the key at a path may mean the parameter at another one beside it.
fn means(key: &Path, parameter: &Path) -> bool {
    match (key.steps().split_last(), parameter.steps().split_last()) {
        (Some((Step::Key(key), around)), Some((Step::Key(name), beside))) => {
            around == beside && meant_by(key, [name.as_str()]).is_some()
        }
        _ => false,
    }
}

/// The paths of the unknown keys: first the [unclaimed] ones, then those that are denied.
pub(crate) fn strangers_of(state: &CheckState) -> Vec<Path> {
    let is_denied = |issue: &&Issue| issue.kind == IssueKind::UnknownKey;
    let denied = state.listed_issues().iter().filter(is_denied);
    let denied = denied.map(|issue| &issue.path);
    unclaimed(state).chain(denied).cloned().collect()
}

pub(crate) fn is_good(is_there: bool, state: &CheckState) -> bool {
    is_there && state.count() == 0
}

#[cold]
#[inline(never)]
pub(crate) fn refusal(mut state: CheckState) -> Report {
    let omitted = state.omitted;
    let (mut issues, broken) = state.take_told();
    if issues.is_empty() && omitted == 0 {
        // A reader gave neither a value nor a reason; one that is written by hand can do this.
        issues.push(Issue::unexplained(broken.unwrap_or_default()));
    }
    Report { issues, omitted }
}

fn has_no_arguments(text: &str, schema: &Schema) -> bool {
    let bytes = text.as_bytes();
    // The common case first: an object starts with its brace.
    if bytes.first() == Some(&b'{') {
        return false;
    }
    if text.trim_ascii().is_empty() {
        return takes_fields(schema, true);
    }
    let mut json = JsonScanner::new(text);
    let is_null = json.is_null() && json.take_rest(*b"ull").is_some() && json.is_done();
    is_null && takes_fields(schema, false)
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

/// Reports a text that is not JSON, unless the state postpones it.
#[cold]
pub(crate) fn report_broken(text: &str, state: &mut CheckState, schema: &Schema) {
    if state.postpones_words {
        state.is_unexplained = true;
    } else {
        explain_broken(text, state, schema);
    }
}

#[cold]
fn explain_broken(text: &str, state: &mut CheckState, schema: &Schema) {
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
