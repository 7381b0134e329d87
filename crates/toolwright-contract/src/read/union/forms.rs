//! Which variants a value may be, as far as its form and its keys tell.

use serde_json::Value;

use super::super::input::form_of;
use crate::{
    json::Form,
    schema::{Field, Kind, Schema, Tagging, Union as Rules, Unknown, Variant, is_safe_name},
    text::is_equal,
};

/// The keys that this variant would drop and another one declares: who sent them meant that one.
///
/// Null says nothing: where every key is required, it stands for all keys of the other variants.
pub(super) fn strangers<'a>(
    value: &'a Value,
    variant: &'a Variant,
    rules: &'a Rules,
) -> impl Iterator<Item = &'a str> {
    let given = value.as_object().into_iter().flatten();
    let given = given.filter(|(_, value)| !value.is_null());
    given
        .map(|(key, _)| key.as_str())
        .filter(move |key| is_stranger(key, variant, rules))
}

/// Whether this variant would drop a key that another one declares.
fn is_stranger(key: &str, variant: &Variant, rules: &Rules) -> bool {
    is_declared(key, variant) == Some(false)
        && rules
            .variants
            .iter()
            .any(|other| is_declared(key, other) == Some(true))
}

pub(super) fn is_declared(key: &str, variant: &Variant) -> Option<bool> {
    match &variant.content {
        Some(content) => declares(content.part(), key),
        None => Some(false),
    }
}

/// How many of the given keys another variant declares and this one does not, though it may take them.
pub(super) fn undeclared(value: &Value, variant: &Variant, rules: &Rules) -> usize {
    let declared = |variant: &Variant, key: &str| {
        let content = variant.content.as_deref();
        content.is_some_and(|content| names_key(content, key))
    };
    let given = value.as_object().into_iter().flatten();
    let given = given.filter(|(_, value)| !value.is_null());
    given
        .filter(|(key, _)| {
            !declared(variant, key) && rules.variants.iter().any(|other| declared(other, key))
        })
        .count()
}

/// Whether a schema, or a form of it, declares a key.
fn names_key(schema: &Schema, key: &str) -> bool {
    match &schema.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            inner.contents().any(|content| names_key(content, key))
        }
        _ => declares(schema, key) == Some(true),
    }
}

/// Whether an object has a place for a key; nothing is known of what takes any.
pub(super) fn declares(schema: &Schema, key: &str) -> Option<bool> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
    let declared = |field: &Field| {
        is_equal(field.name.part().as_bytes(), key.as_bytes())
            || field.aliases.contains(&key)
            || rules.is_safe_name_of(field, key)
    };
    if rules.walk().any(declared) {
        Some(true)
    } else if rules.extra.is_some() || rules.unknown == Unknown::Keep {
        None
    } else {
        Some(false)
    }
}

/// Whether a value can be read without a conversion, as far as its form and that of its fields tell; a look
/// without a reader, so that most variants are left out at once.
pub(super) fn may_fit(value: &Value, schema: &Schema) -> bool {
    if !has_form(form_of(value), schema) {
        return false;
    }
    let (Value::Object(map), Kind::Object(_)) = (value, &schema.kind) else {
        return true;
    };
    let mut fields = schema.fields();
    fields.all(|field| match map.get(field.name.part()) {
        Some(value) => value.is_null() || has_form(form_of(value), field.schema.part()),
        // It may stand there under another name.
        None => !field.required || !is_safe_name(&field.name),
    })
}

/// Whether values of a form are read under every policy.
pub(super) fn has_form(form: Form, schema: &Schema) -> bool {
    if schema.is_loose() || form == Form::Null {
        return true;
    }
    match &schema.kind {
        Kind::Any | Kind::Union(_) => true,
        Kind::Boolean => matches!(form, Form::Boolean(_)),
        Kind::Integer(_) | Kind::Number(_) => form == Form::Number,
        Kind::Text(_) => form == Form::Text,
        Kind::List(_) | Kind::Tuple(_) => form == Form::List,
        // A list of pairs is another form of a map.
        Kind::Map(_) => matches!(form, Form::Object | Form::List),
        Kind::Object(_) => form == Form::Object,
    }
}

pub(super) fn same_form(value: &Value, variant: &Variant) -> bool {
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
