//! Arguments inside one more object: `{"arguments": {…}}`.

use std::borrow::Cow;

use serde_json::Value;

use super::any::parse;
use crate::{
    json::{Form, Json, Source},
    repair::is_json,
    schema::{FUNCTION, Kind, Schema, Unknown, WRAPPERS, field_by_case},
};

/// Whether a key wraps: it is one of the known ones, and no parameter's name.
fn wraps(key: &str, known: &[&str], schema: &Schema) -> bool {
    let Kind::Object(rules) = &schema.kind else {
        return false;
    };
    // Where nothing is declared, every key is meant.
    let is_free = rules.fields.is_empty() && rules.unknown == Unknown::Keep;
    known.contains(&key)
        && rules.extra.is_none()
        && !is_free
        && field_by_case(rules, key).is_none()
        && !schema.fields().any(|field| field.aliases.contains(&key))
}

/// The other keys beside the arguments in a call that was sent whole.
const NAMES: [&str; 3] = ["name", "type", "id"];

/// The way to the arguments in a call that was sent whole, and the arguments themselves.
type Wrapped<T> = Option<(String, T)>;

/// The arguments inside a wrapping object, and the way to them: `arguments`, or `function.arguments` as a call
/// stands in a response. The text is clean JSON.
pub(super) fn text<'a>(text: &'a str, schema: &Schema) -> Wrapped<Cow<'a, str>> {
    let mut inner: Wrapped<Cow<'a, str>> = None;
    let mut json = Json::new(text);
    if json.form() != Form::Object {
        return None;
    }
    let mut entries = json.open_object();
    while let Some(key) = json.next_key(&mut entries) {
        let value = json.take_written()?;
        if wraps(&key, &NAMES, schema) && value.starts_with('"') {
            continue;
        }
        if inner.is_none() && wraps(&key, &WRAPPERS, schema) {
            inner = Some((key.into_owned(), Cow::Borrowed(value)));
        } else if inner.is_none() && wraps(&key, &[FUNCTION], schema) {
            let (way, value) = self::text(value, schema)?;
            inner = Some((format!("{key}.{way}"), value));
        } else {
            return None;
        }
    }
    let (way, value) = inner?;
    if value.starts_with('{') {
        return Some((way, value));
    }
    let value: String = serde_json::from_str(&value).ok()?;
    (value.trim_start().starts_with('{') && is_json(&value)).then_some((way, Cow::Owned(value)))
}

/// Like `wrapped`, for a value in memory.
pub(super) fn value<'a>(value: &'a Value, schema: &Schema) -> Wrapped<Cow<'a, Value>> {
    let mut inner = None;
    for (key, value) in value.as_object()? {
        if wraps(key, &NAMES, schema) && value.is_string() {
            continue;
        }
        if inner.is_some() {
            return None;
        }
        if wraps(key, &[FUNCTION], schema) {
            let (way, value) = self::value(value, schema)?;
            inner = Some((format!("{key}.{way}"), value));
        } else if wraps(key, &WRAPPERS, schema) {
            inner = Some((key.clone(), Cow::Borrowed(value)));
        } else {
            return None;
        }
    }
    let (way, value) = inner?;
    let read = match &*value {
        Value::Object(_) => return Some((way, value)),
        Value::String(text) => parse(text).ok()?,
        _ => return None,
    };
    read.is_object().then_some((way, Cow::Owned(read)))
}
