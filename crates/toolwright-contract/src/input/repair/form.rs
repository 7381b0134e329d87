//! The form of values: what the schema says that a model can only have meant.

use std::borrow::Cow;

use super::envelope;
use crate::{
    input::{
        At, FixKind,
        at::Found,
        json::Broken,
        read::Source,
        visit::{Take, visit_apart},
    },
    schema::{Choice, Kind, Object, Schema, Tagging, Union, Variant, quoted},
};

/// How often JSON is taken out of a string.
const LAYERS: usize = 2;

/// What a type that is not a string does with a string: reads the JSON in it, where the policy says
/// so and it starts as the type's own form does.
#[cold]
pub(in crate::input) fn structure<T: Take>(take: T, value: &str, at: At<'_>) -> Option<T::Out> {
    let mut take = Some(take);
    let mut out = None;
    take_out(value, at, &mut |source, at| {
        if let Some(take) = take.take() {
            out = visit_apart(source, take, at)?;
        }
        Ok(())
    });
    out
}

type Reader<'a> = &'a mut dyn FnMut(&mut Source<'_>, At<'_>) -> Result<(), Broken>;

/// Gives the JSON in a string to a reader, one layer further down; other strings are reported.
#[inline(never)]
pub(in crate::input) fn take_out(value: &str, mut at: At<'_>, read: Reader<'_>) {
    let Some(text) = inside(value, &mut at) else {
        at.mismatch(&Found::Text(value));
        return;
    };
    at.state().repair.layers += 1;
    let policy = at.state().policy;
    let clean = envelope::value(&text, &policy)
        .ok()
        .filter(|clean| !clean.refused);
    if let Some(clean) = clean {
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
        // Clean JSON does not break.
        let _ = read(&mut Source::new(&clean.text), at.reborrow());
    } else {
        at.mismatch(&Found::Text(value));
    }
    at.state().repair.layers = at.state().repair.layers.saturating_sub(1);
}

/// Whether there may be a value of this place in a string, for a type that also takes strings.
#[cold]
pub(in crate::input) fn holds(value: &str, at: &mut At<'_>) -> bool {
    inside(value, at).is_some()
}

/// The text to look into, if there may be a value of this place in a string.
fn inside<'a>(value: &'a str, at: &mut At<'_>) -> Option<Cow<'a, str>> {
    if !at.repairs() || at.state().repair.layers >= LAYERS {
        return None;
    }
    let mut text = Cow::Borrowed(value.trim());
    if at.is_root() && text.starts_with('"') {
        // The whole was encoded twice.
        text = Cow::Owned(serde_json::from_str::<String>(&text).ok()?);
    }
    let fits = match at.schema().kind {
        Kind::List(_) | Kind::Tuple(_) => text.starts_with('['),
        Kind::Map(_) => text.starts_with(['{', '[']),
        Kind::Object(_) => text.starts_with('{'),
        Kind::Union(Union { tagging, .. }) => tagging != Tagging::None && text.starts_with('{'),
        _ => false,
    };
    fits.then_some(text)
}

/// Whether the items of a list take such a value, so that it can only be one of them.
pub(in crate::input) fn element_takes(list: &Schema, found: &Found<'_>) -> bool {
    let Kind::List(rules) = list.kind else {
        return false;
    };
    match (found, rules.items.kind) {
        // Null stays null. An empty text, `null` or `a, b` may mean no item or several: that is for the model to say.
        (Found::Text(text), Kind::Text(rules)) => {
            let text = text.trim();
            !rules.choices.is_empty()
                || !(text.is_empty()
                    || text.contains([',', ';', '\n'])
                    || text.starts_with(['[', '{'])
                    || text.eq_ignore_ascii_case("null")
                    || text.eq_ignore_ascii_case("none"))
        }
        (Found::Text(_), Kind::Integer(_) | Kind::Number(_) | Kind::Boolean)
        | (Found::Boolean(_), Kind::Boolean)
        | (Found::Integer(_) | Found::Number(_), Kind::Integer(_) | Kind::Number(_))
        | (Found::Object, Kind::Object(_)) => true,
        (Found::Object | Found::Text(_), Kind::Union(rules)) => rules.tagging != Tagging::None,
        _ => false,
    }
}

/// A name without its case and separators.
fn fold(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
}

/// The only name that differs in case and separators alone.
fn only<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A name from the model may be a megabyte long.
    if given.len() > 256 || fold(given).next().is_none() {
        return None;
    }
    let mut found = None;
    for name in names.filter(|name| fold(name).eq(fold(given))) {
        if found.is_some_and(|found| found != name) {
            return None;
        }
        found = Some(name);
    }
    found
}

/// The name of the field that a key can only mean.
#[cold]
pub(in crate::input) fn field_by_case(rules: &Object, key: &str) -> Option<&'static str> {
    let schema = Schema::of(Kind::Object(*rules));
    only(key, schema.fields().map(|field| field.name))
}

/// The value of a closed list that a text can only mean.
#[cold]
pub(in crate::input) fn choice_by_case(
    value: &str,
    choices: &'static [Choice],
    at: &mut At<'_>,
) -> Option<&'static str> {
    if !at.repairs() {
        return None;
    }
    let name = only(value, choices.iter().map(|choice| choice.name))?;
    at.fixed(FixKind::ChoiceCase, &Found::Text(value), quoted(name));
    Some(name)
}

/// The variant that a name can only mean.
#[cold]
pub(in crate::input) fn variant_by_case(
    value: &str,
    variants: &'static [Variant],
    at: &mut At<'_>,
) -> Option<&'static str> {
    if !at.repairs() {
        return None;
    }
    let name = only(value, variants.iter().map(|variant| variant.name))?;
    at.fixed(FixKind::ChoiceCase, &Found::Text(value), quoted(name));
    Some(name)
}
