//! Repairs the form of a value if the schema leaves only one meaning.

use std::borrow::Cow;

use super::{at::At, found::Found, input::Input, take::refuse_whole};
use crate::{
    json::{Form, Number, Source},
    repair::{explain, mend_value},
    report::FixKind,
    schema::{Choice, Kind, Schema, Tagging, Union, Variant},
    text::{only_by_case, quoted},
};

/// The most layers of strings from which JSON is taken.
const LAYERS: usize = 2;

type Reader<'a> = &'a mut dyn FnMut(&mut Input<'_>, At<'_>);

/// Gives the JSON in a string to a reader, one layer further down. Other strings are reported.
#[inline(never)]
pub(crate) fn take_out(value: &str, mut at: At<'_>, read: Reader<'_>) {
    let Some(text) = inside(value, &mut at) else {
        at.mismatch(&Found::Text(value));
        return;
    };
    let policy = at.state().policy;
    let clean = mend_value(&text, &policy)
        .ok()
        .filter(|clean| !clean.refused);
    let Some(clean) = clean else {
        at.mismatch(&Found::Text(value));
        return;
    };
    let path = at.path();
    for mut fix in clean.fixes {
        fix.path = path.clone().below(fix.path);
        at.push_fix(fix);
    }
    let kind = if at.is_root() {
        FixKind::DoubleEncoded
    } else {
        FixKind::StructureFromText
    };
    at.fixed(kind, &Found::Text(value), "the JSON in it");
    at.state().notes_mut().layers += 1;
    let mut input = Input::text(&clean.text);
    read(&mut input, at.reborrow());
    at.state().notes_mut().layers -= 1;
    if input.is_broken() {
        let path = at.state().notes_mut().broken.take();
        let path = path.unwrap_or_else(|| at.path());
        let secret = at.secret() || at.schema().holds_secret();
        if let Some(issue) = explain(&clean.text, path, secret) {
            at.state().push(issue);
        }
    }
}

/// Whether a string may contain a value for this place, for a type that also takes strings.
#[cold]
pub(crate) fn holds(value: &str, at: &mut At<'_>) -> bool {
    inside(value, at).is_some()
}

/// The text inside a string, if it may be a value for this place.
fn inside<'a>(value: &'a str, at: &mut At<'_>) -> Option<Cow<'a, str>> {
    if !at.repairs() || at.state().notes_mut().layers >= LAYERS {
        return None;
    }
    let mut text = Cow::Borrowed(value.trim());
    if at.is_root() && text.starts_with('"') {
        // The whole was encoded twice.
        text = Cow::Owned(serde_json::from_str::<String>(&text).ok()?);
    }
    let fits = match &at.schema().kind {
        Kind::List(_) | Kind::Tuple(_) => text.starts_with('['),
        Kind::Map(_) => text.starts_with(['{', '[']),
        Kind::Object(_) => text.starts_with('{'),
        Kind::Union(Union { tagging, .. }) => *tagging != Tagging::None && text.starts_with('{'),
        Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_) => false,
    };
    fits.then_some(text)
}

/// The only number in a list, in place of a number. Other lists are reported.
#[cold]
#[inline(never)]
pub(crate) fn only_number(input: &mut Input<'_>, at: &mut At<'_>) -> Option<Number> {
    if at.repairs() {
        let mut ahead = *input;
        let mut items = ahead.open_list();
        if ahead.next_item(&mut items)
            && ahead.form() == Form::Number
            && let Some(number) = ahead.take_number()
            && !ahead.next_item(&mut items)
            && !ahead.is_broken()
        {
            *input = ahead;
            at.fixed(FixKind::SingleFromList, &Found::Array, "the number in it");
            return Some(number);
        }
    }
    refuse_whole(input, &Found::Array, at.reborrow());
    None
}

/// Whether the items of a list take such a value, so that the value can only be an item.
pub(crate) fn element_takes(list: &Schema, found: &Found<'_>) -> bool {
    let Kind::List(rules) = &list.kind else {
        return false;
    };
    match (found, &rules.items.kind) {
        // Null stays null.
        (Found::Text(text), Kind::Text(rules)) => {
            !rules.choices.is_empty() || !may_be_several_or_none(text.trim())
        }
        (Found::Text(_), Kind::Integer(_) | Kind::Number(_) | Kind::Boolean)
        | (Found::Boolean(_), Kind::Boolean)
        | (Found::Integer(_) | Found::Number(_), Kind::Integer(_) | Kind::Number(_))
        | (Found::Object, Kind::Object(_)) => true,
        (Found::Object | Found::Text(_), Kind::Union(rules)) => rules.tagging != Tagging::None,
        _ => false,
    }
}

/// Whether a text may mean several items or none, such as `a, b` and `null`. Only the model can decide this.
fn may_be_several_or_none(text: &str) -> bool {
    const NONE: [&str; 7] = ["", "null", "none", "nil", "undefined", "n/a", "-"];
    const BETWEEN: [&str; 4] = [" and ", " or ", " & ", " + "];
    let lower = text.to_ascii_lowercase();
    let is_numbered = || lower.starts_with("1.") && lower.contains(" 2.");
    NONE.contains(&&*lower)
        || lower.starts_with(['[', '{'])
        || lower.contains([',', ';', '\n', '\t', '|', '、', '，', '；'])
        || BETWEEN.iter().any(|word| lower.contains(word))
        || is_numbered()
}

/// The only value of a closed list that a text can mean.
#[cold]
pub(crate) fn choice_by_case<'a>(
    value: &str,
    choices: &'a [Choice],
    at: &mut At<'_>,
) -> Option<&'a str> {
    if !at.repairs() {
        return None;
    }
    let name = only_by_case(value, choices.iter().map(|choice| choice.name.part()))?;
    at.fixed(FixKind::ChoiceCase, &Found::Text(value), quoted(name));
    Some(name)
}

/// The only variant that a name can mean.
#[cold]
pub(crate) fn variant_by_case<'s>(value: &str, variants: &'s [Variant]) -> Option<&'s str> {
    only_by_case(value, variants.iter().map(|variant| variant.name.part()))
}
