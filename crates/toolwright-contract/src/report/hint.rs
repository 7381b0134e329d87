//! How to mend a call. A hint is said only when it was tried: what it proposes is done to the call, and
//! the call is read again; that fault is gone then, and no other one came.

use serde_json::{Map, Value};

use super::{Issue, IssueKind, Path, Report, Step, secrecy::along};
use crate::{
    policy::MAX_DEPTH,
    schema::{FUNCTION, Kind, Schema, Tagging, WRAPPERS, foreign::deeper_than, is_wrapper},
    text::{cut, nearest, quoted},
};

/// How many proposals are tried one by one.
const TRIES: usize = 16;
/// Beyond this many bytes a call is read once more and not as often as that.
const LARGE: usize = 64 << 10;

/// A change to a call that mends one of its faults.
#[derive(Clone, Debug, PartialEq)]
enum Proposal {
    /// Give the value under another key of the same object.
    Rename { from: String, to: String },
    /// Send this value of a closed list.
    Choose(String),
    /// Send a number or a boolean as a text.
    Quote,
    /// Send what is in a text.
    Unquote,
    /// Send the value as the only one of a list.
    List,
    /// Send the only item of a list alone.
    Item,
    /// Leave the key out.
    LeaveOut,
    /// Send what is behind these keys in place of the whole.
    Unwrap(Vec<String>),
}

/// A call that was refused: its value, its schema, and the keys in it that nothing takes.
pub(crate) struct Refused<'a> {
    pub(crate) value: &'a Value,
    pub(crate) schema: &'a Schema,
    pub(crate) strangers: &'a [Path],
    /// How long its text is.
    pub(crate) length: usize,
}

/// Adds to the issues of a report how they can be mended.
#[cold]
pub(crate) fn add_hints(
    report: &mut Report,
    call: &Refused<'_>,
    read: &mut dyn FnMut(&Value) -> Report,
) {
    let mut taken = Vec::new();
    let mut found: Vec<(usize, Proposal)> = Vec::new();
    for (number, issue) in report.issues.iter().enumerate() {
        if let Some(proposal) = propose(issue, call, &mut taken) {
            found.push((number, proposal));
        }
    }
    // A value in memory may be deeper than any text; to copy it takes the stack.
    if found.is_empty() || deeper_than(call.value, MAX_DEPTH) {
        return;
    }
    let mut prove = |proposals: &[(usize, Proposal)]| {
        let mut value = call.value.clone();
        let all = proposals.iter().all(|(number, proposal)| {
            let issue = report.issues.get(*number);
            issue.is_some_and(|issue| apply(&mut value, &issue.path, proposal).is_some())
        });
        all && mends(report, proposals, &read(&value))
    };
    if !prove(&found) {
        let tries = if call.length > LARGE || found.len() == 1 {
            0
        } else {
            TRIES
        };
        found.truncate(tries);
        found.retain(|proposal| prove(std::slice::from_ref(proposal)));
    }
    for (number, proposal) in found {
        if let Some(issue) = report.issues.get_mut(number) {
            issue.hint = Some(words(&proposal, issue));
        }
    }
}

/// Whether the faults of these proposals are gone, and no other one came.
fn mends(before: &Report, proposals: &[(usize, Proposal)], after: &Report) -> bool {
    let is_same = |one: &Issue, other: &Issue| one.kind == other.kind && one.path == other.path;
    if proposals
        .iter()
        .all(|(_, proposal)| matches!(proposal, Proposal::Unwrap(_)))
    {
        // What is wrong inside of it is not seen before it is unwrapped.
        return proposals.iter().all(|(number, _)| {
            let mended = before.issues.get(*number);
            mended.is_some_and(|mended| !after.issues.iter().any(|issue| is_same(issue, mended)))
        });
    }
    after.omitted <= before.omitted
        && after.issues.iter().all(|issue| {
            let mut known = before.issues.iter().enumerate();
            known.any(|(number, other)| {
                is_same(issue, other) && proposals.iter().all(|(mended, _)| *mended != number)
            })
        })
}

/// What an issue may be mended by; the only one, since two would be a guess.
fn propose(issue: &Issue, call: &Refused<'_>, taken: &mut Vec<Path>) -> Option<Proposal> {
    let found = value_at(call.value, issue.path.steps());
    match issue.kind {
        IssueKind::Missing => unwrap(issue, call).or_else(|| rename_to(issue, call, taken)),
        IssueKind::UnknownKey => rename_from(issue, call),
        IssueKind::NotAChoice => {
            choose(issue, call, found?).or_else(|| of_value(issue, call, found?))
        }
        IssueKind::WrongType | IssueKind::NotAnObject | IssueKind::NoVariant => {
            of_value(issue, call, found?)
        }
        IssueKind::OutOfRange
        | IssueKind::Length
        | IssueKind::Pattern
        | IssueKind::DuplicateKey
        | IssueKind::ItemCount
        | IssueKind::DuplicateItem
        | IssueKind::Invalid
        | IssueKind::NotJson
        | IssueKind::CutOff
        | IssueKind::TrailingText
        | IssueKind::TooDeep
        | IssueKind::TooLarge
        | IssueKind::SeveralObjects
        | IssueKind::LeakedMarkup
        | IssueKind::RefusedFix => None,
    }
}

/// The wrapping object that a missing parameter stands in: `arguments`, or that in `function`.
fn unwrap(issue: &Issue, call: &Refused<'_>) -> Option<Proposal> {
    let [Step::Key(name)] = issue.path.steps() else {
        return None;
    };
    let root = call.value.as_object()?;
    let holds = |keys: &[&str]| {
        let (first, rest) = keys.split_first()?;
        let inner = rest
            .iter()
            .try_fold(root.get(*first)?, |inner, key| inner.get(key))?;
        inner.get(name)?;
        Some(Proposal::Unwrap(
            keys.iter().map(|key| (*key).to_owned()).collect(),
        ))
    };
    call.strangers.iter().find_map(|path| match path.steps() {
        [Step::Key(key)] if key == FUNCTION => {
            WRAPPERS.iter().find_map(|inner| holds(&[key, inner]))
        }
        [Step::Key(key)] if is_wrapper(key) => holds(&[key]),
        _ => None,
    })
}

/// A key beside a missing one that nothing takes and that resembles it.
fn rename_to(issue: &Issue, call: &Refused<'_>, taken: &mut Vec<Path>) -> Option<Proposal> {
    let (Step::Key(name), parent) = issue.path.steps().split_last()? else {
        return None;
    };
    let (stranger, from) = call
        .strangers
        .iter()
        .filter(|path| !taken.contains(path))
        .find_map(|path| match path.steps().split_last()? {
            (Step::Key(key), beside) if beside == parent => {
                nearest(key, [&**name]).map(|_| (path, key))
            }
            _ => None,
        })?;
    taken.push(stranger.clone());
    Some(Proposal::Rename {
        from: from.clone(),
        to: name.clone(),
    })
}

/// The declared name that a key resembles, which is not given.
fn rename_from(issue: &Issue, call: &Refused<'_>) -> Option<Proposal> {
    let (Step::Key(key), parent) = issue.path.steps().split_last()? else {
        return None;
    };
    let given = value_at(call.value, parent)?.as_object()?;
    let names = names_at(call.schema, parent);
    let free = names.into_iter().filter(|name| !given.contains_key(*name));
    Some(Proposal::Rename {
        from: key.clone(),
        to: nearest(key, free)?.to_owned(),
    })
}

/// The value of a closed list that another one resembles.
fn choose(issue: &Issue, call: &Refused<'_>, found: &Value) -> Option<Proposal> {
    let place = along(call.schema, &issue.path);
    if place.told.secret {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for schema in place.schemas {
        match &schema.kind {
            Kind::Text(rules) => names.extend(rules.choices.iter().map(|choice| &*choice.name)),
            Kind::Union(rules) if rules.tagging == Tagging::External => {
                names.extend(rules.variants.iter().map(|variant| &*variant.name));
            }
            _ => {}
        }
    }
    if let Some((Step::Key(key), parent)) = issue.path.steps().split_last() {
        let parent: Path = parent.iter().cloned().collect();
        for schema in along(call.schema, &parent).schemas {
            if let Kind::Union(rules) = &schema.kind
                && let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = &rules.tagging
                && **tag == **key
            {
                names.extend(rules.variants.iter().map(|variant| &*variant.name));
            }
        }
    }
    nearest(found.as_str()?, names).map(|name| Proposal::Choose(name.to_owned()))
}

/// What a value of another type may be meant as.
fn of_value(issue: &Issue, call: &Refused<'_>, found: &Value) -> Option<Proposal> {
    let place = along(call.schema, &issue.path);
    let takes = |fits: fn(&Kind) -> bool| place.schemas.iter().any(|schema| fits(&schema.kind));
    let is_key = matches!(issue.path.steps().last(), Some(Step::Key(_)));
    match found {
        Value::Null if is_key => Some(Proposal::LeaveOut),
        Value::String(text) if is_key && means_nothing(text) => Some(Proposal::LeaveOut),
        Value::String(text) => {
            if inside(text).is_some() {
                return Some(Proposal::Unquote);
            }
            let several = text.trim().is_empty()
                || text.contains([',', ';', '\n'])
                || text.trim_start().starts_with(['[', '{']);
            (!several && takes(|kind| matches!(kind, Kind::List(_)))).then_some(Proposal::List)
        }
        Value::Number(_) | Value::Bool(_) if takes(|kind| matches!(kind, Kind::Text(_))) => {
            Some(Proposal::Quote)
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) => {
            takes(|kind| matches!(kind, Kind::List(_))).then_some(Proposal::List)
        }
        Value::Array(items) => (items.len() == 1).then_some(Proposal::Item),
        Value::Null => None,
    }
}

/// Whether a text is what models write for a parameter that they do not want to give.
fn means_nothing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || ["null", "none", "nil", "undefined", "n/a", "nan"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// The JSON in a text, which is not a text again.
fn inside(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (!value.is_string() && !value.is_null()).then_some(value)
}

/// The names that an object declares.
fn names_at<'s>(schema: &'s Schema, steps: &[Step]) -> Vec<&'s str> {
    let path: Path = steps.iter().cloned().collect();
    let mut names = Vec::new();
    for schema in along(schema, &path).schemas {
        match &schema.kind {
            Kind::Object(_) => names.extend(schema.fields().map(|field| &*field.name)),
            Kind::Map(rules) => names.extend(rules.keys.iter().map(|key| &*key.name)),
            Kind::Union(rules) if rules.tagging == Tagging::External => {
                names.extend(rules.variants.iter().map(|variant| &*variant.name));
            }
            _ => {}
        }
    }
    names
}

fn value_at<'a>(value: &'a Value, steps: &[Step]) -> Option<&'a Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

fn value_at_mut<'a>(value: &'a mut Value, steps: &[Step]) -> Option<&'a mut Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    })
}

/// Does to a call what is proposed for a place.
fn apply(call: &mut Value, path: &Path, proposal: &Proposal) -> Option<()> {
    let steps = path.steps();
    let object = |call| -> Option<&mut Map<String, Value>> {
        let (_, parent) = steps.split_last()?;
        value_at_mut(call, parent)?.as_object_mut()
    };
    match proposal {
        Proposal::Rename { from, to } => {
            let object = object(call)?;
            let value = object.remove(from)?;
            object.insert(to.clone(), value);
        }
        Proposal::LeaveOut => {
            let Some(Step::Key(key)) = steps.last() else {
                return None;
            };
            object(call)?.remove(key)?;
        }
        // Every parameter that stands in the wrapper proposes this once.
        Proposal::Unwrap(keys) => {
            let inner = keys
                .iter()
                .try_fold(&mut *call, |inner, key| inner.get_mut(key));
            if let Some(inner) = inner {
                *call = inner.take();
            }
        }
        Proposal::Choose(name) => *value_at_mut(call, steps)? = name.as_str().into(),
        Proposal::Quote => {
            let value = value_at_mut(call, steps)?;
            *value = value.to_string().into();
        }
        Proposal::Unquote => {
            let value = value_at_mut(call, steps)?;
            *value = inside(value.as_str()?)?;
        }
        Proposal::List => {
            let value = value_at_mut(call, steps)?;
            *value = Value::Array(vec![value.take()]);
        }
        Proposal::Item => {
            let value = value_at_mut(call, steps)?;
            *value = value.get_mut(0)?.take();
        }
    }
    Some(())
}

/// What a model is told to do.
fn words(proposal: &Proposal, issue: &Issue) -> String {
    match proposal {
        Proposal::Rename { to, .. } if issue.kind == IssueKind::UnknownKey => {
            format!("did you mean `{to}`?")
        }
        Proposal::Rename { from, to } => {
            format!("`{}` was given: rename it to `{to}`", cut(from, 64))
        }
        Proposal::Choose(name) => format!("did you mean {}?", quoted(name)),
        Proposal::Quote => "put it in quotes".to_owned(),
        Proposal::Unquote => "send it without the quotes around it".to_owned(),
        Proposal::List => "send it as the only item of a list".to_owned(),
        Proposal::Item => "send it alone, without a list".to_owned(),
        Proposal::LeaveOut => "send one, or leave it out".to_owned(),
        Proposal::Unwrap(keys) => {
            let way = keys.join(".");
            format!("found inside `{way}`: send it without that")
        }
    }
}
