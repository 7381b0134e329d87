//! Rules across what was written, as far as tokens tell; what needs the type is checked by consts
//! that [`schema`](crate::schema) emits. Collects everything and never returns early.

use std::collections::HashMap;

use proc_macro2::Span;
use syn::spanned::Spanned;

use crate::{
    errors::Errors,
    literal::{DefaultValue, NumberValue, ValueKind},
    model::{Body, Field, Model, Shape, Tagging, Variant},
    pattern, types,
};

pub(crate) fn check(model: &Model, errors: &mut Errors) {
    for field in model.fields() {
        if field.skip {
            skipped(field, errors);
        } else {
            this(field, model, errors);
        }
    }
    match &model.shape {
        Shape::Struct(fields) => object(fields, None, errors),
        Shape::Newtype(field) => newtype(field, "a struct of one unnamed field", errors),
        Shape::Names(variants) => names(variants, errors),
        Shape::Union { tagging, variants } => {
            if !matches!(tagging, Tagging::None) {
                names(variants, errors);
            }
            for variant in variants {
                self::variant(variant, tagging, errors);
            }
        }
    }
}

fn skipped(field: &Field, errors: &mut Errors) {
    let attrs = &field.attrs;
    let others = attrs.required.is_some()
        || field.flatten.is_some()
        || !field.aliases.is_empty()
        || attrs.description.is_some()
        || attrs.with.is_some()
        || attrs.example.is_some();
    if others && let Some(skip) = attrs.skip {
        errors.span(
            skip.span,
            "a skipped field is no parameter: only `default` goes with `skip`",
        );
    }
}

fn this(field: &Field, model: &Model, errors: &mut Errors) {
    let attrs = &field.attrs;
    if let Some(span) = field.flatten {
        flattened(field, span, errors);
        return;
    }
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
    let recursive = Field::is(attrs.recursive);
    if types::holds_itself(&field.ty, &model.ident) && !recursive {
        errors.at(
            &field.ty,
            format!(
                "`{}` contains itself, and its schema would never end: add `#[tool_param(recursive)]` to leave it open here",
                model.ident
            ),
        );
    }
    if let syn::Type::Reference(reference) = &field.ty {
        errors.at(reference, "a tool input owns its data: use `String` instead of `&str`, `Vec<T>` instead of `&[T]`");
    }
    order(
        attrs.min.as_ref(),
        "min",
        attrs.max.as_ref(),
        "max",
        false,
        errors,
    );
    order(
        attrs.exclusive_min.as_ref(),
        "exclusive_min",
        attrs.exclusive_max.as_ref(),
        "exclusive_max",
        true,
        errors,
    );
    order(
        attrs.min.as_ref(),
        "min",
        attrs.exclusive_max.as_ref(),
        "exclusive_max",
        true,
        errors,
    );
    order(
        attrs.exclusive_min.as_ref(),
        "exclusive_min",
        attrs.max.as_ref(),
        "max",
        true,
        errors,
    );
    for (both, one, two) in [
        (
            attrs.min.as_ref().zip(attrs.exclusive_min.as_ref()),
            "min",
            "exclusive_min",
        ),
        (
            attrs.max.as_ref().zip(attrs.exclusive_max.as_ref()),
            "max",
            "exclusive_max",
        ),
    ] {
        if let Some((_, second)) = both {
            errors.span(
                second.0.span,
                format!("`{one}` and `{two}` say the same end twice: keep one"),
            );
        }
    }
    if let Some(step) = &attrs.multiple_of
        && step.0.kind.as_number().is_some_and(|step| step <= 0.0)
    {
        errors.span(step.0.span, "`multiple_of` is above zero");
    }
    for (min, max, name) in [
        (attrs.min_length, attrs.max_length, "length"),
        (attrs.min_items, attrs.max_items, "items"),
    ] {
        if let (Some(min), Some(max)) = (min, max)
            && min.value > max.value
        {
            errors.span(
                min.span,
                format!("`min_{name}` is greater than `max_{name}`"),
            );
        }
    }
    choices(field, errors);
    expression(field, errors);
}

fn flattened(field: &Field, span: Span, errors: &mut Errors) {
    let attrs = &field.attrs;
    let renamed = attrs.rename.as_ref().map(|rename| rename.span);
    let conflict = renamed
        .or(attrs.required.map(|switch| switch.span))
        .or(field.default.as_ref().map(DefaultValue::span))
        .or(field.aliases.first().map(|alias| alias.span))
        .or(attrs.with.as_ref().map(|with| with.0.span()))
        .or(attrs.example.as_ref().map(|example| example.span))
        .or(attrs.min.as_ref().map(|min| min.0.span))
        .or(attrs.one_of.as_ref().map(|list| list.span));
    if let Some(conflict) = conflict {
        errors.span(
            conflict,
            "a flattened field is not a parameter itself: say this on the fields of its type",
        );
    }
    if matches!(field.member, syn::Member::Unnamed(_)) {
        errors.span(span, "`flatten` belongs on a named field");
    }
}

fn order(
    min: Option<&NumberValue>,
    min_name: &str,
    max: Option<&NumberValue>,
    max_name: &str,
    strictly: bool,
    errors: &mut Errors,
) {
    let (Some(low), Some(high)) = (min, max) else {
        return;
    };
    let (Some(a), Some(b)) = (low.0.kind.as_number(), high.0.kind.as_number()) else {
        return;
    };
    if a > b {
        errors.span(
            low.0.span,
            format!("`{min_name}` is greater than `{max_name}`"),
        );
    } else if strictly && a >= b {
        errors.span(
            low.0.span,
            format!("`{min_name}` and `{max_name}` leave no value between them"),
        );
    }
}

fn choices(field: &Field, errors: &mut Errors) {
    let Some(list) = &field.attrs.one_of else {
        return;
    };
    let ValueKind::List(items) = &list.kind else {
        errors.span(list.span, "expected a list: `one_of = [\"…\", \"…\"]`");
        return;
    };
    let texts = items
        .iter()
        .filter(|item| matches!(item, ValueKind::Text(_)))
        .count();
    let integers = items
        .iter()
        .filter(|item| matches!(item, ValueKind::Integer(_)))
        .count();
    if items.is_empty() {
        errors.span(list.span, "`one_of` without values allows nothing");
    } else if texts != items.len() && integers != items.len() {
        errors.span(
            list.span,
            "`one_of` lists strings, or whole numbers, not both",
        );
    }
    for (i, item) in items.iter().enumerate() {
        if items.iter().take(i).any(|earlier| earlier == item) {
            errors.span(list.span, "`one_of` names a value twice");
            break;
        }
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

/// The pattern compiles, and the literals beside it match.
fn expression(field: &Field, errors: &mut Errors) {
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
    if let Some(DefaultValue::Literal(value)) = &field.default
        && let ValueKind::Text(text) = &value.kind
        && !pattern::matches(&translated, text)
    {
        errors.span(value.span, "the default does not match `pattern`");
    }
    if let Some(value) = &field.attrs.example
        && let ValueKind::Text(text) = &value.kind
        && !pattern::matches(&translated, text)
    {
        errors.span(value.span, "the example does not match `pattern`");
    }
}

/// Names of one object: well formed, and none twice.
fn object(fields: &[Field], tag: Option<&str>, errors: &mut Errors) {
    let mut seen: HashMap<&str, ()> = HashMap::new();
    for field in fields
        .iter()
        .filter(|field| !field.skip && field.flatten.is_none())
    {
        let any = Field::is(field.attrs.any_name);
        let own = (field.name.as_str(), field.name_span);
        let aliases = field
            .aliases
            .iter()
            .map(|alias| (alias.value.as_str(), alias.span));
        for (name, span) in std::iter::once(own).chain(aliases) {
            if name.is_empty() {
                errors.span(span, "the name of a parameter is empty");
            } else if !any && !plain_name(name) {
                errors.span(
                    span,
                    format!("`{name}` is not a name that every provider takes (letters, digits, `_` and `-`, at most 64): rename it, or allow it with `any_name`"),
                );
            }
            if tag == Some(name) {
                errors.span(span, format!("`{name}` is the tag of this enum already"));
            }
            if seen.insert(name, ()).is_some() {
                errors.span(span, format!("two parameters are named `{name}`"));
            }
        }
    }
}

fn plain_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn newtype(field: &Field, place: &str, errors: &mut Errors) {
    let attrs = &field.attrs;
    let named = attrs
        .rename
        .as_ref()
        .map(|rename| rename.span)
        .or(field.aliases.first().map(|alias| alias.span))
        .or(attrs.required.map(|required| required.span))
        .or(field.default.as_ref().map(DefaultValue::span))
        .or(field.flatten)
        .or(attrs.skip.map(|skip| skip.span))
        .or(attrs.keep_empty.map(|keep| keep.span));
    if let Some(span) = named {
        errors.span(
            span,
            format!(
                "{place} is the value itself, it has no key: this belongs on the field that uses it"
            ),
        );
    }
}

fn names(variants: &[Variant], errors: &mut Errors) {
    let mut seen: HashMap<&str, ()> = HashMap::new();
    for variant in variants {
        let own = (variant.name.as_str(), variant.name_span);
        let aliases = variant
            .aliases
            .iter()
            .map(|alias| (alias.value.as_str(), alias.span));
        for (name, span) in std::iter::once(own).chain(aliases) {
            if seen.insert(name, ()).is_some() {
                errors.span(span, format!("two variants are named `{name}`"));
            }
        }
    }
}

fn variant(variant: &Variant, tagging: &Tagging, errors: &mut Errors) {
    match (&variant.body, tagging) {
        (Body::Unit, Tagging::None) => errors.at(
            &variant.ident,
            "a unit variant of an untagged enum has no form: give it content, or tag the enum",
        ),
        (Body::Tuple(_), Tagging::Internal(_)) => errors.at(
            &variant.ident,
            "a variant of several unnamed fields has no place for the tag: name the fields",
        ),
        _ => {}
    }
    match &variant.body {
        Body::Unit => {}
        Body::Newtype(field) => newtype(field, "the content of a variant", errors),
        Body::Tuple(fields) => {
            for field in fields {
                newtype(field, "an unnamed field", errors);
                if has_rules(field) {
                    errors.at(
                        &field.ty,
                        "rules of unnamed fields have no place in a list: name the fields",
                    );
                }
            }
        }
        Body::Struct(fields) => {
            let tag = match tagging {
                Tagging::Internal(tag) => Some(tag.value.as_str()),
                _ => None,
            };
            object(fields, tag, errors);
        }
    }
}

fn has_rules(field: &Field) -> bool {
    let attrs = &field.attrs;
    attrs.min.is_some()
        || attrs.max.is_some()
        || attrs.exclusive_min.is_some()
        || attrs.exclusive_max.is_some()
        || attrs.multiple_of.is_some()
        || attrs.min_length.is_some()
        || attrs.max_length.is_some()
        || attrs.pattern.is_some()
        || attrs.min_items.is_some()
        || attrs.max_items.is_some()
        || attrs.one_of.is_some()
        || attrs.example.is_some()
        || attrs.with.is_some()
}
