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
    schema::{Kind, Union as Rules, Variant, expected},
};

/// Tries the variants on the same value: exactly first, then with conversions, where more than
/// one that fits would be a guess.
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
            Value::Null => (FixKind::NullAsAbsent, Found::Null),
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
    Ok(pick(&value, rules, at))
}

fn pick<U: Union>(value: &Value, rules: &'static Rules, mut at: At<'_>) -> Option<U> {
    for (index, variant) in rules.variants.iter().enumerate() {
        let (read, state) = attempt::<U>(index, variant, value, Policy::exact(), &mut at);
        if read.is_some() {
            // Nothing is converted here, but keys that nothing takes are dropped.
            at.state().take_fixes(state.fixes);
            return read;
        }
    }
    let mut fits: Option<(U, State)> = None;
    let mut nearest: Option<State> = None;
    for (index, variant) in rules.variants.iter().enumerate() {
        let policy = if at.converts() {
            // Several forms are open here already; to mend each of them would be a guess.
            at.state().policy.without_repair()
        } else {
            Policy::exact()
        };
        let (read, state) = attempt::<U>(index, variant, value, policy, &mut at);
        match read {
            Some(_) if fits.is_some() => {
                let words = expected(at.schema());
                let found = found(value, at.secret());
                at.issue(
                    IssueKind::NoVariant,
                    words,
                    format!("{found}, which fits more than one"),
                );
                return None;
            }
            Some(read) => fits = Some((read, state)),
            // The variant of the same form says best what is wrong.
            None if same_form(value, variant)
                && nearest
                    .as_ref()
                    .is_none_or(|best| state.issues.len() < best.issues.len()) =>
            {
                nearest = Some(state);
            }
            None => {}
        }
    }
    if let Some((read, state)) = fits {
        at.state().take_fixes(state.fixes);
        return Some(read);
    }
    if let Some(state) = nearest {
        at.state().take_issues(state);
    } else {
        let words = expected(at.schema());
        at.issue(IssueKind::NoVariant, words, found(value, at.secret()));
    }
    None
}

fn same_form(value: &Value, variant: &Variant) -> bool {
    let Some(content) = variant.content else {
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
    let read = match variant.content {
        Some(content) => at.aside(&mut state, content, |at| U::read(index, value, at)),
        None => Ok(None),
    };
    let clean = state.issues.is_empty() && state.omitted == 0;
    (read.unwrap_or_default().filter(|_| clean), state)
}
