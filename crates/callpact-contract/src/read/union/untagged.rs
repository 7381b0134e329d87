//! There is no tag: the variant is the one that fits.

use serde_json::Value;

use super::{
    super::{
        any::{count_values, read_any},
        at::At,
        found::Found,
        input::Input,
        state::{State, Tried},
    },
    forms::{declares, has_form, is_declared},
    pick::pick,
    variants::Variants,
};
use crate::{
    json::{Form, Source},
    report::FixKind,
    schema::{Kind, Schema, Tagging, Union as Rules, Variant},
};

/// The most steps from value to value for any union, and the additional steps for each value in it.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;

/// Tries the variants on the same value. Without conversions, the first that fits is taken. With conversions, only one
/// may fit, since a choice would be a guess. A variant that would drop a key of another one does not fit.
///
/// The outermost union keeps the value in memory, and every union remembers its choice. So each variant tries each
/// value once, however deep it is.
pub(super) fn read_untagged(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    mut at: At<'_>,
) -> bool {
    let is_hasty = at.state().hasty;
    if at.state().tried.is_none() && read_likely(input, rules, variants, &mut at) {
        return true;
    }
    if is_hasty {
        at.state().omitted += 1;
        input.give_up();
        return false;
    }
    let kept;
    let value = match input.as_value() {
        Some(value) => value,
        None => match at.reborrow().required(|at| read_any(input, at)) {
            Some(value) => {
                kept = value;
                &kept
            }
            None => return false,
        },
    };
    // Null and the empty string have the meaning that they have for every optional field, unless a variant
    // takes them as they are.
    let absent = match value {
        Value::Null if at.takes_null_as_absent() && !takes_null(rules) => {
            Some((FixKind::NullAsAbsent, Found::Null))
        }
        Value::String(text) if text.is_empty() && at.takes_empty() => {
            Some((FixKind::EmptyAsAbsent, Found::Text("")))
        }
        _ => None,
    };
    if let Some((kind, found)) = absent {
        at.absent(kind, &found);
        return false;
    }
    // The value that was just read may have the address of an earlier value that is remembered.
    let around = if input.as_value().is_none() {
        at.state().tried.take()
    } else {
        None
    };
    let is_outermost = at.state().tried.is_none();
    if is_outermost {
        let all = || {
            count_values(value)
                .saturating_mul(FUEL_EACH)
                .saturating_add(FUEL)
        };
        let fuel = around.as_ref().map_or_else(all, |tried| tried.fuel);
        at.state().tried = Some(Box::new(Tried {
            fuel,
            ..Tried::default()
        }));
    }
    // A variant must not see that the field is optional, since null may be one of its values.
    let is_there = at
        .reborrow()
        .required(|at| pick(value, rules, variants, at));
    if is_outermost {
        let left = at.state().tried.take().map_or(0, |tried| tried.fuel);
        at.state().tried = around.map(|mut tried| {
            tried.fuel = left;
            tried
        });
    }
    is_there
}

/// Reads the first variant that the form of the value and the first key of an object do not exclude, and takes it if it
/// fits exactly. Otherwise reports nothing, and the value is kept in memory.
///
/// Unions inside are read in the same way, and a failure of one ends this attempt. So everything is read once here.
fn read_likely(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let form = input.form();
    let is_open = match form {
        Form::Null | Form::Broken => return false,
        Form::Text => !at.takes_empty(),
        Form::List | Form::Object => at.tagged().is_none(),
        Form::Boolean(_) | Form::Number => true,
    };
    if !is_open {
        return false;
    }
    let key = if form == Form::Object {
        first_key(*input)
    } else {
        None
    };
    let mut is_wanted = None;
    for (index, variant) in rules.variants.iter().enumerate() {
        let Some(content) = variant.content.as_deref() else {
            continue;
        };
        if !has_form(form, content) {
            continue;
        }
        if let Some(key) = key
            && declares(content, key) == Some(false)
        {
            let rest = || rules.variants.iter().skip(index + 1);
            let is_wanted = *is_wanted.get_or_insert_with(|| {
                let declares = |other: &Variant| is_declared(key, other) == Some(true);
                rest().any(declares) || rules.variants.iter().any(declares)
            });
            if is_wanted {
                continue;
            }
        }
        let mut read = *input;
        if attempt_likely((index, content), &mut read, variants, at) {
            *input = read;
            return true;
        }
        // A list or an object is not read once for each variant.
        if matches!(form, Form::List | Form::Object) {
            return false;
        }
    }
    false
}

/// Reads one variant in place, and returns whether it fits exactly, without a key that another variant may take.
fn attempt_likely(
    (index, content): (usize, &Schema),
    input: &mut Input<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    if at.state().hasty {
        let before = at.issues();
        let is_there = at
            .reborrow()
            .in_form(content, |at| variants.read(index, input, at));
        let fits = is_there && at.issues() == before && !input.is_broken();
        at.state().omitted -= at.issues() - before;
        return fits;
    }
    let mut state = State::new(at.state().policy.for_form());
    state.quiet = true;
    state.hasty = true;
    state.ahead = at.state().ahead;
    let is_there = at.aside(&mut state, content, |at| variants.read(index, input, at));
    at.state().ahead = state.ahead;
    let fits = is_there && state.count() == 0 && !state.strangers && !input.is_broken();
    if fits && state.count_fixes() > 0 {
        at.state().take_fixes(state.into_fixes());
    }
    fits
}

/// The first key of the object that comes next, if it is written without escapes and its value is not null.
fn first_key(mut input: Input<'_>) -> Option<&str> {
    if let Some(map) = input.as_object() {
        let (key, value) = map.iter().next()?;
        return (!value.is_null()).then_some(key);
    }
    let json = input.as_text()?;
    let (key, behind) = json.first_key()?;
    if json.is_null_at(behind) {
        return None;
    }
    std::str::from_utf8(key).ok()
}

/// Whether null is a value of one of the variants.
fn takes_null(rules: &Rules) -> bool {
    let mut contents = rules.contents();
    contents.any(|content| match &content.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            content.nullable || takes_null(inner)
        }
        _ => content.nullable,
    })
}
