//! Enums with content.

use std::cell::OnceCell;

use super::{PlaceRules, QuickInput, input::NextKey};
use crate::{
    json::JsonForm,
    schema::{Held, Kind, Schema, Tagging, Union as Rules, Variant, declares, has_form},
    text::is_equal,
};

/// The readers of an enum with content, which the derive generates.
pub trait QuickUnion: Sized {
    /// The schema that names the variants; its kind is a union.
    const UNION: &'static Schema;

    /// Reads the content of a variant quickly.
    fn read_quick(variant: usize, input: &mut QuickInput<'_>) -> Option<Self>;

    /// The value of a variant without content.
    fn unit(variant: usize) -> Option<Self>;
}

/// Reads an enum with content.
pub fn quick_union<U: QuickUnion>(input: &mut QuickInput<'_>) -> Option<U> {
    let Kind::Union(rules) = &U::UNION.kind else {
        return None;
    };
    match &rules.tagging {
        Tagging::External => read_external(input, rules),
        Tagging::Internal { tag } => read_internal(input, rules, tag.part()),
        Tagging::Adjacent { tag, content } => {
            read_adjacent(input, rules, (tag.part(), content.part()))
        }
        Tagging::None => read_untagged(input, rules),
    }
}

/// The rules of the content of a variant, for content that has some.
#[must_use]
pub const fn content_rules(union: &'static Schema, number: usize) -> PlaceRules {
    match &union.kind {
        Kind::Union(rules) => match &rules.variants.part()[number].content {
            Some(Held::Static(content)) => Some(content),
            _ => None,
        },
        _ => None,
    }
}

/// The number of the variant with this name, and whether it has content.
fn find(name: &str, rules: &Rules) -> Option<(usize, bool)> {
    let (index, variant) = find_exact(name.as_bytes(), rules)?;
    Some((index, variant.content.is_some()))
}

/// Reads `{"variant": content}`, or the name of a variant without content.
fn read_external<U: QuickUnion>(input: &mut QuickInput<'_>, rules: &Rules) -> Option<U> {
    if input.form() == JsonForm::Text {
        let (index, has_content) = find(&input.take_text()?, rules)?;
        return if has_content { None } else { U::unit(index) };
    }
    let mut object = input.open_own_object()?;
    let NextKey::Key(name) = input.next_key(&mut object)? else {
        return None;
    };
    let (index, has_content) = find(&name, rules)?;
    // At the root, a strict dialect may have made the model write null for the other variants.
    if !has_content || input.is_null() && !input.is_checked() {
        return None;
    }
    let value = U::read_quick(index, input)?;
    matches!(input.next_key(&mut object)?, NextKey::End).then_some(value)
}

/// Reads the content of the variant that the tag among its keys names.
fn read_internal<U: QuickUnion>(
    input: &mut QuickInput<'_>,
    rules: &Rules,
    tag: &'static str,
) -> Option<U> {
    let (index, has_content) = find(&input.take_tag(tag)?, rules)?;
    if has_content {
        let value = U::read_quick(index, input)?;
        return input.has_read_content().then_some(value);
    }
    let mut object = input.open_object()?;
    match input.next_key(&mut object)? {
        NextKey::End => U::unit(index),
        NextKey::Key(_) => None,
    }
}

/// Reads `{"tag": name, "content": …}`, in any order.
fn read_adjacent<U: QuickUnion>(
    input: &mut QuickInput<'_>,
    rules: &Rules,
    (tag, content): (&'static str, &str),
) -> Option<U> {
    let (index, has_content) = find(&input.take_tag(tag)?, rules)?;
    let mut value = None;
    let mut object = input.open_object()?;
    while let NextKey::Key(key) = input.next_key(&mut object)? {
        if !has_content || value.is_some() || key != content {
            return None;
        }
        value = Some(U::read_quick(index, input)?);
    }
    if has_content { value } else { U::unit(index) }
}

/// Reads the first variant that the form of the value and the first key of an object allow. The other variants are
/// tried only for a scalar, which every reader of the library accepts or refuses for certain.
fn read_untagged<U: QuickUnion>(input: &mut QuickInput<'_>, rules: &Rules) -> Option<U> {
    if let Some(form) = input.next_form() {
        return U::read_quick(form, input);
    }
    let form = input.form();
    let key = match form {
        JsonForm::Null | JsonForm::Broken => return None,
        JsonForm::Object => input.first_key(),
        JsonForm::Text | JsonForm::Number | JsonForm::Boolean(_) | JsonForm::List => None,
    };
    let start = input.start_of_value()?;
    for (index, _) in likely_variants(form, key, rules) {
        if let Some(value) = input.strictly(|input| U::read_quick(index, input)) {
            return Some(value);
        }
        if matches!(form, JsonForm::List | JsonForm::Object) || input.is_foreign() {
            return None;
        }
        input.go_back(start);
    }
    None
}

/// The variant with this name, and its number.
#[inline]
fn find_exact<'s>(name: &[u8], rules: &'s Rules) -> Option<(usize, &'s Variant)> {
    let mut variants = rules.variants.iter().enumerate();
    variants.find(|(_, variant)| is_equal(variant.name.part().as_bytes(), name))
}

/// The variants that the form of a value and the first key of an object do not exclude, with their numbers and their
/// content.
fn likely_variants<'s>(
    form: JsonForm,
    key: Option<&str>,
    rules: &'s Rules,
) -> impl Iterator<Item = (usize, &'s Schema)> {
    let is_wanted = OnceCell::new();
    let is_excluded = move |content: &Schema| {
        key.is_some_and(|key| {
            let declared = |variant: &Variant| {
                variant
                    .content
                    .as_deref()
                    .is_some_and(|content| declares(content, key) == Some(true))
            };
            declares(content, key) == Some(false)
                && *is_wanted.get_or_init(|| rules.variants.iter().any(declared))
        })
    };
    let variants = rules.variants.iter().enumerate();
    variants.filter_map(move |(index, variant)| {
        let content = variant.content.as_deref()?;
        (has_form(form, content) && !is_excluded(content)).then_some((index, content))
    })
}
