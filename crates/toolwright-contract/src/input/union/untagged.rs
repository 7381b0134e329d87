//! The variant is the one that fits.

use serde::de::Deserializer;
use serde_json::Value;

use super::Union;
use crate::{
    input::{
        At, FixKind, IssueKind, Policy,
        at::{Found, State},
        value::{found, read_any},
    },
    schema::{Field, Kind, Schema, Tagging, Union as Rules, Variant, expected},
};

/// Tries the variants on the same value: exactly first, where the first that fits is taken, then with
/// conversions, where more than one that fits would be a guess. A variant that would drop what another
/// one declares does not fit.
pub(super) fn untagged<'de, D: Deserializer<'de>, U: Union>(
    source: D,
    rules: &'static Rules,
    mut at: At<'_>,
) -> Result<Option<U>, D::Error> {
    if at.takes_absent() {
        // Null and the empty string mean what they mean for every optional field, unless a
        // variant takes them as they are.
        let value = at.reborrow().required(|at| read_any(source, at))?;
        let Some(value) = value else { return Ok(None) };
        let (kind, found) = match &value {
            Value::Null if !takes_null(rules) => (FixKind::NullAsAbsent, Found::Null),
            Value::String(text) if text.is_empty() && !at.keeps_empty() => {
                (FixKind::EmptyAsAbsent, Found::Text(""))
            }
            _ => return Ok(at.required(|at| pick(&value, rules, at))),
        };
        at.absent(kind, &found);
        return Ok(None);
    }
    let Some(value) = read_any(source, at.reborrow())? else {
        return Ok(None);
    };
    // Whether the field may be left out is no matter of a variant: null may be one of its values.
    Ok(at.required(|at| pick(&value, rules, at)))
}

/// Whether null is a value of one of the variants.
fn takes_null(rules: &Rules) -> bool {
    let mut contents = rules
        .variants
        .iter()
        .filter_map(|variant| variant.content.as_deref());
    contents.any(|content| match &content.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            content.nullable || takes_null(inner)
        }
        _ => content.nullable,
    })
}

fn pick<U: Union>(value: &Value, rules: &'static Rules, mut at: At<'_>) -> Option<U> {
    for (index, variant) in rules.variants.iter().enumerate() {
        if strangers(value, variant, rules).next().is_some() {
            continue;
        }
        let (read, state) = attempt::<U>(index, variant, value, Policy::exact(), &mut at);
        if read.is_some() {
            // Nothing is converted here, but keys that no variant takes are dropped.
            at.state().take_fixes(state.fixes);
            return read;
        }
    }
    let mut fits: Option<(U, State)> = None;
    let mut nearest: Option<Near<'_>> = None;
    for (index, variant) in rules.variants.iter().enumerate() {
        let policy = if at.converts() {
            // Several forms are open here already; to mend each of them would be a guess.
            at.state().policy.without_repair()
        } else {
            Policy::exact()
        };
        let (read, state) = attempt::<U>(index, variant, value, policy, &mut at);
        let strangers: Vec<&str> = strangers(value, variant, rules).collect();
        match read {
            Some(read) if strangers.is_empty() => {
                if fits.is_some() {
                    return none_of(value, "which fits more than one", &mut at);
                }
                fits = Some((read, state));
            }
            // The variant of the same form says best what is wrong.
            _ if same_form(value, variant) => {
                let near = Near { strangers, state };
                if nearest
                    .as_ref()
                    .is_none_or(|best| near.faults() < best.faults())
                {
                    nearest = Some(near);
                }
            }
            _ => {}
        }
    }
    if let Some((read, state)) = fits {
        at.state().take_fixes(state.fixes);
        return Some(read);
    }
    match nearest {
        Some(near) if near.state.issues.is_empty() => {
            let keys = near.strangers.iter().map(|key| format!("`{key}`"));
            let keys = keys.collect::<Vec<_>>().join(" and ");
            none_of(value, &format!("which fits only without {keys}"), &mut at)
        }
        Some(near) => {
            at.state().take_issues(near.state);
            None
        }
        None => none_of(value, "", &mut at),
    }
}

/// What a variant that does not fit says of the value.
struct Near<'a> {
    strangers: Vec<&'a str>,
    state: State,
}

impl Near<'_> {
    fn faults(&self) -> (usize, usize) {
        (self.strangers.len(), self.state.issues.len())
    }
}

/// The keys that this variant would drop and another one declares: who sent them meant that one.
///
/// Null says nothing: where every key is required, it stands for all keys of the other variants.
fn strangers<'a>(
    value: &'a Value,
    variant: &'static Variant,
    rules: &'static Rules,
) -> impl Iterator<Item = &'a str> {
    let given = value.as_object().into_iter().flatten();
    let given = given.filter(|(_, value)| !value.is_null());
    given.map(|(key, _)| key.as_str()).filter(move |key| {
        let declared = |variant: &Variant| match &variant.content {
            Some(content) => declares(content.part(), key),
            None => Some(false),
        };
        declared(variant) == Some(false)
            && rules
                .variants
                .iter()
                .any(|other| declared(other) == Some(true))
    })
}

/// Whether an object has a place for a key; nothing is known of what takes any.
fn declares(schema: &Schema, key: &str) -> Option<bool> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
    let declared = |field: &Field| {
        if field.flatten {
            declares(field.schema.part(), key) == Some(true)
        } else {
            field.name == key || field.aliases.contains(&key)
        }
    };
    if rules.fields.iter().any(declared) {
        Some(true)
    } else if rules.extra.is_some() {
        None
    } else {
        Some(false)
    }
}

fn none_of<U>(value: &Value, why: &str, at: &mut At<'_>) -> Option<U> {
    let words = expected(at.schema());
    let mut found = found(value, at.secret() || at.schema().holds_secret());
    if !why.is_empty() {
        found.push_str(", ");
        found.push_str(why);
    }
    at.issue(IssueKind::NoVariant, words, found);
    None
}

fn same_form(value: &Value, variant: &Variant) -> bool {
    let Some(content) = &variant.content else {
        return false;
    };
    match value {
        Value::Object(_) => matches!(
            content.kind,
            Kind::Object(_) | Kind::Map(_) | Kind::Union(_)
        ),
        Value::Array(_) => matches!(content.kind, Kind::List(_) | Kind::Tuple(_)),
        Value::String(_) => matches!(content.kind, Kind::Text(_)),
        Value::Number(_) => matches!(content.kind, Kind::Integer(_) | Kind::Number(_)),
        Value::Bool(_) => matches!(content.kind, Kind::Boolean),
        Value::Null => false,
    }
}

/// One variant on its own account: its issues count only if no other fits.
fn attempt<U: Union>(
    index: usize,
    variant: &'static Variant,
    value: &Value,
    policy: Policy,
    at: &mut At<'_>,
) -> (Option<U>, State) {
    let mut state = State::new(&policy);
    let read = match &variant.content {
        Some(content) => at.aside(&mut state, content.part(), |at| U::read(index, value, at)),
        None => Ok(None),
    };
    let clean = state.issues.is_empty() && state.omitted == 0;
    (read.unwrap_or_default().filter(|_| clean), state)
}
