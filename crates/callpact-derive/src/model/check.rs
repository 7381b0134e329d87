//! Checks a declaration as far as its tokens allow, and reports every mistake.
//!
//! Rules that depend on types are checked by the constants that [`checks`](crate::emit) emits.

use std::collections::HashSet;

use proc_macro2::Span;

use super::{
    declaration::{FieldModel, InputModel, TypeShape, UnionTagging, VariantBody, VariantModel},
    pattern,
    reader::contains_itself,
    types,
};
use crate::attrs::{
    errors::AttributeErrors,
    receivers::FieldAttrs,
    values::{DefaultValue, SpannedLiteral, SpannedStr, ValueKind},
};

pub(crate) fn check(model: &InputModel, errors: &mut AttributeErrors) {
    for field in model.fields() {
        if field.lost.list {
            continue;
        }
        match (field.skip, field.flatten) {
            (Some(span), _) => check_skipped(field, span, errors),
            (None, Some(_)) => check_flattened(field, errors),
            (None, None) => check_parameter(field, model, errors),
        }
    }
    if let Some(span) = model.partial {
        check_partial(model, span, errors);
    }
    match &model.shape {
        TypeShape::Struct(fields) => check_object(fields, None, errors),
        TypeShape::Newtype(field) => {
            check_without_key(field, "a struct of one unnamed field", errors);
        }
        TypeShape::Names(variants) => check_variant_names(variants, errors),
        TypeShape::Union { tagging, variants } => {
            // It is unknown how the variants are told apart.
            if model.lost.list {
                return;
            }
            if !matches!(tagging, UnionTagging::None) {
                check_variant_names(variants, errors);
            }
            for variant in variants {
                check_variant(variant, tagging, errors);
            }
        }
    }
}

/// Checks a type whose value can be shown while it arrives.
fn check_partial(model: &InputModel, partial: Span, errors: &mut AttributeErrors) {
    if model.is_generic() {
        errors.at(
            &model.generics,
            "`partial` needs a type without parameters: remove them, or implement `PartialInput`",
        );
    }
    if let TypeShape::Union {
        tagging: UnionTagging::None,
        ..
    } = &model.shape
    {
        errors.span(
            partial,
            "`partial` needs a tag, since only the end of an untagged value says what it is: write `tag = \"…\"`",
        );
    }
    let is_map = |field: &&FieldModel| {
        let last = types::last_segment(&field.ty);
        last.is_some_and(|last| last.ident.to_string().ends_with("Map"))
    };
    let flattened = model.fields().into_iter();
    for field in flattened
        .filter(|field| field.flatten.is_some())
        .filter(is_map)
    {
        errors.at(
            &field.ty,
            "`partial` cannot tell the keys of a flattened map from those of the fields: remove `flatten` or `partial`",
        );
    }
}

/// Whether a word is a rule of the value.
fn is_rule(word: &str) -> bool {
    let others = ["description", "default", "skip", "flatten", "recursive"];
    !is_of_the_key(word) && !others.contains(&word)
}

/// Whether a word concerns the key or its presence.
fn is_of_the_key(word: &str) -> bool {
    ["rename", "required", "alias", "keep_empty", "any_name"].contains(&word)
}

fn check_skipped(field: &FieldModel, skip: Span, errors: &mut AttributeErrors) {
    let without_effect = ["default", "skip", "rename", "keep_empty", "any_name"];
    let said = field
        .attrs
        .first_given(|word| !without_effect.contains(&word));
    if said.is_some() || field.flatten.is_some() {
        errors.span(
            skip,
            "a skipped field is not a parameter: only `default` goes with `skip`",
        );
    }
}

fn check_flattened(field: &FieldModel, errors: &mut AttributeErrors) {
    let conflict = field
        .attrs
        .first_given(|word| !["skip", "flatten"].contains(&word))
        .or(field.aliases.first().map(|alias| alias.span))
        .or(field.default.as_ref().map(DefaultValue::span));
    if let Some(conflict) = conflict {
        errors.span(
            conflict,
            "a flattened field is not a parameter itself: say this on the fields of its type",
        );
    }
}

fn check_parameter(field: &FieldModel, model: &InputModel, errors: &mut AttributeErrors) {
    let attrs = &field.attrs;
    if let (Some(required), Some(default)) = (attrs.required, &field.default)
        && required.value
    {
        errors.span(
            default.span(),
            "a required field is never left out: remove `default` or `required`",
        );
    }
    if let (Some(keep), Some(required)) = (attrs.keep_empty, attrs.required)
        && required.value
    {
        errors.span(
            keep.span,
            "`keep_empty` belongs on an optional field: a required one keeps `\"\"` anyway",
        );
    }
    if types::holds_itself(&field.ty, &model.ident)
        && attrs.with.is_none()
        && !FieldModel::is(attrs.recursive)
        && !field.lost.form
    {
        errors.at(&field.ty, contains_itself(&model.ident, "tool_param"));
    }
    if let syn::Type::Reference(reference) = &field.ty
        && attrs.with.is_none()
        && model.generics.lifetimes().next().is_none()
    {
        errors.at(
            reference,
            "a tool input owns its data: use `String` instead of `&str`, `Vec<T>` instead of `&[T]`",
        );
    }
    check_rules(field, errors);
}

/// Checks the rules of a field against each other.
fn check_rules(field: &FieldModel, errors: &mut AttributeErrors) {
    check_ranges(&field.attrs, errors);
    check_choices(field, errors);
    check_pattern(field, errors);
}

/// Whether the rules of a field agree, as far as their tokens show.
pub(crate) fn rules_agree(field: &FieldModel) -> bool {
    let mut errors = AttributeErrors::default();
    check_rules(field, &mut errors);
    errors.len() == 0
}

/// Whether `one_of` lists values of one kind, which can be checked against the type.
pub(crate) fn is_of_one_kind(list: &ValueKind) -> bool {
    let items = list.items();
    let texts = |item: &ValueKind| matches!(item, ValueKind::Text(_));
    list.whole_numbers() || !items.is_empty() && items.iter().all(texts)
}

fn check_ranges(attrs: &FieldAttrs, errors: &mut AttributeErrors) {
    let low = [("min", &attrs.min), ("exclusive_min", &attrs.exclusive_min)];
    let high = [("max", &attrs.max), ("exclusive_max", &attrs.exclusive_max)];
    for (min_name, min) in low {
        for (max_name, max) in high {
            if let (Some(min), Some(max)) = (min, max) {
                check_order((min_name, &min.0), (max_name, &max.0), errors);
            }
        }
    }
    for (min_name, min, max_name, max) in [
        (
            "min_length",
            attrs.min_length,
            "max_length",
            attrs.max_length,
        ),
        ("min_items", attrs.min_items, "max_items", attrs.max_items),
    ] {
        if let (Some(min), Some(max)) = (min, max) {
            check_order((min_name, &min.into()), (max_name, &max.into()), errors);
        }
    }
    for [(one, first), (two, second)] in [low, high] {
        if let (Some(_), Some(second)) = (first, second) {
            errors.span(
                second.0.span,
                format!("`{one}` and `{two}` say the same end twice: keep one"),
            );
        }
    }
    if let Some(step) = &attrs.multiple_of
        && step.0.kind.as_number().is_some_and(|step| step <= 0.0)
    {
        errors.span(step.0.span, "`multiple_of` needs a number above zero");
    }
}

fn check_order(
    min: (&str, &SpannedLiteral),
    max: (&str, &SpannedLiteral),
    errors: &mut AttributeErrors,
) {
    let ((min_name, low), (max_name, high)) = (min, max);
    let order = match (&low.kind, &high.kind) {
        (ValueKind::Integer(low), ValueKind::Integer(high)) => Some(low.cmp(high)),
        (low, high) => low
            .as_number()
            .zip(high.as_number())
            .and_then(|(low, high)| low.partial_cmp(&high)),
    };
    let exclusive = min_name.starts_with("exclusive") || max_name.starts_with("exclusive");
    match order {
        Some(std::cmp::Ordering::Greater) => errors.span(
            low.span,
            format!("`{min_name}` is greater than `{max_name}`"),
        ),
        Some(std::cmp::Ordering::Equal) if exclusive => errors.span(
            low.span,
            format!("`{min_name}` and `{max_name}` leave no value between them"),
        ),
        _ => {}
    }
}

fn check_choices(field: &FieldModel, errors: &mut AttributeErrors) {
    let Some(list) = &field.attrs.one_of else {
        return;
    };
    let ValueKind::List(items) = &list.kind else {
        errors.span(list.span, "expected a list: `one_of = [\"…\", \"…\"]`");
        return;
    };
    if items.is_empty() {
        errors.span(
            list.span,
            "`one_of` without values allows nothing: list them, or remove it",
        );
    } else if !is_of_one_kind(&list.kind) {
        errors.span(
            list.span,
            "`one_of` lists strings, or whole numbers, not both",
        );
    }
    let mut twice = items.iter().enumerate();
    if twice.any(|(i, item)| items.iter().take(i).any(|earlier| earlier == item)) {
        errors.span(list.span, "`one_of` names a value twice: keep one");
    }
    let attrs = &field.attrs;
    let rules = attrs.pattern.is_some() || attrs.min_length.is_some() || attrs.max_length.is_some();
    if rules {
        errors.span(
            list.span,
            "a rule of length or pattern says nothing new beside `one_of`: keep one",
        );
    }
}

/// Checks that the pattern compiles, and that the default and the example match it.
fn check_pattern(field: &FieldModel, errors: &mut AttributeErrors) {
    let Some(written) = &field.attrs.pattern else {
        return;
    };
    let translated = match pattern::translate(&written.value) {
        Ok(translated) => translated,
        Err(why) => {
            errors.span(written.span, why);
            return;
        }
    };
    let default = match &field.default {
        Some(DefaultValue::Literal(value)) => Some(value),
        _ => None,
    };
    for (word, value) in [
        ("default", default),
        ("example", field.attrs.example.as_ref()),
    ] {
        if let Some(value) = value
            && let ValueKind::Text(text) = &value.kind
            && !pattern::matches(&translated, text)
        {
            errors.span(value.span, format!("the {word} does not match `pattern`"));
        }
    }
}

/// A name and its other spellings.
fn spellings<'a>(
    name: &'a str,
    span: Span,
    aliases: &'a [SpannedStr],
) -> impl Iterator<Item = (&'a str, Span)> {
    let aliases = aliases
        .iter()
        .map(|alias| (alias.value.as_str(), alias.span));
    std::iter::once((name, span)).chain(aliases)
}

/// Checks the names of an object: each is well formed, and none is repeated.
fn check_object(fields: &[FieldModel], tag: Option<&str>, errors: &mut AttributeErrors) {
    let mut seen: HashSet<&str> = HashSet::new();
    for field in fields
        .iter()
        .filter(|field| field.skip.is_none() && field.flatten.is_none())
        .filter(|field| !field.lost.list && !field.lost.name)
    {
        let any = FieldModel::is(field.attrs.any_name);
        if !any && !field.name.is_empty() && !is_plain_name(&field.name) {
            errors.span(
                field.name_span,
                format!(
                    "`{}` is not a name that every provider takes (letters, digits, `_` and `-`, at most 64): rename it, or allow it with `any_name`",
                    field.name
                ),
            );
        }
        for (name, span) in spellings(&field.name, field.name_span, &field.aliases) {
            if name.is_empty() {
                errors.span(span, "the name of a parameter is empty: give it one");
            }
            if tag == Some(name) {
                errors.span(
                    span,
                    format!("`{name}` is the tag of this enum already: rename one"),
                );
            }
            if !seen.insert(name) {
                errors.span(
                    span,
                    format!("two parameters are named `{name}`: rename one"),
                );
            }
        }
    }
}

fn is_plain_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn check_without_key(field: &FieldModel, place: &str, errors: &mut AttributeErrors) {
    let named = field
        .attrs
        .first_given(is_of_the_key)
        .or(field.aliases.first().map(|alias| alias.span))
        .or(field.default.as_ref().map(DefaultValue::span))
        .or(field.flatten)
        .or(field.skip);
    if let Some(span) = named {
        errors.span(
            span,
            format!(
                "{place} is the value itself, it has no key: this belongs on the field that uses it"
            ),
        );
    }
}

fn check_variant_names(variants: &[VariantModel], errors: &mut AttributeErrors) {
    let mut seen: HashSet<&str> = HashSet::new();
    for variant in variants.iter().filter(|variant| !variant.lost.list) {
        for (name, span) in spellings(&variant.name, variant.name_span, &variant.aliases) {
            if !seen.insert(name) {
                errors.span(span, format!("two variants are named `{name}`: rename one"));
            }
        }
    }
}

fn check_variant(variant: &VariantModel, tagging: &UnionTagging, errors: &mut AttributeErrors) {
    match (&variant.body, tagging) {
        (VariantBody::Unit, UnionTagging::None) => errors.at(
            &variant.ident,
            "a unit variant of an untagged enum has no form: give it content, or tag the enum",
        ),
        (VariantBody::Tuple(_), UnionTagging::Internal(_)) => errors.at(
            &variant.ident,
            "a variant of several unnamed fields has no place for the tag: name the fields",
        ),
        _ => {}
    }
    match &variant.body {
        VariantBody::Unit => {}
        VariantBody::Newtype(field) => check_without_key(field, "the content of a variant", errors),
        VariantBody::Tuple(fields) => {
            for field in fields {
                check_without_key(field, "an unnamed field", errors);
                if let Some(span) = field.attrs.first_given(is_rule) {
                    errors.span(
                        span,
                        "rules of unnamed fields have no place in a list: name the fields",
                    );
                }
            }
        }
        VariantBody::Struct(fields) => {
            check_object(fields, tagging.internal_tag(), errors);
        }
    }
}
