//! Arguments inside one more object: `{"arguments": {…}}`.

use std::borrow::Cow;

use serde_json::Value;

use super::any::parse;
use crate::{
    json::{Form, Json, Source},
    repair::is_json,
    schema::{Kind, Schema, WRAPPERS, field_by_case},
};

/// Whether a key wraps: it is one of the known ones, and no parameter's name.
fn wraps(key: &str, known: &[&str], schema: &Schema) -> bool {
    let Kind::Object(rules) = &schema.kind else {
        return false;
    };
    known.contains(&key)
        && rules.extra.is_none()
        && field_by_case(rules, key).is_none()
        && !schema.fields().any(|field| field.aliases.contains(&key))
}

/// The arguments inside a wrapping object, and the key that wraps them. The text is clean JSON.
pub(super) fn text<'a>(text: &'a str, schema: &Schema) -> Option<(&'static str, Cow<'a, str>)> {
    let mut inner = None;
    let mut named = false;
    let mut json = Json::new(text);
    if json.form() != Form::Object {
        return None;
    }
    let mut entries = json.open_object();
    while let Some(key) = json.next_key(&mut entries) {
        let value = json.take_written()?;
        if wraps(&key, &["name"], schema) && value.starts_with('"') && !named {
            named = true;
        } else if wraps(&key, &WRAPPERS, schema) && inner.is_none() {
            inner = WRAPPERS.iter().find(|name| **name == key).zip(Some(value));
        } else {
            return None;
        }
    }
    let (key, value) = inner?;
    if value.starts_with('{') {
        return Some((key, Cow::Borrowed(value)));
    }
    let value: String = serde_json::from_str(value).ok()?;
    (value.trim_start().starts_with('{') && is_json(&value)).then_some((key, Cow::Owned(value)))
}

/// The same in a value.
pub(super) fn value<'a>(
    value: &'a Value,
    schema: &Schema,
) -> Option<(&'static str, Cow<'a, Value>)> {
    let map = value.as_object()?;
    if map.len() > 2 {
        return None;
    }
    let mut inner = None;
    for (key, value) in map {
        if wraps(key, &["name"], schema) && value.is_string() {
            continue;
        }
        if !wraps(key, &WRAPPERS, schema) || inner.is_some() {
            return None;
        }
        inner = WRAPPERS.iter().find(|name| *name == key).zip(Some(value));
    }
    let (key, value) = inner?;
    match value {
        Value::Object(_) => Some((key, Cow::Borrowed(value))),
        Value::String(text) => {
            let value = parse(text).ok()?;
            value.is_object().then_some((key, Cow::Owned(value)))
        }
        _ => None,
    }
}
