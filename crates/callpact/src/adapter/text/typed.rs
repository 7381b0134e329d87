//! Values that markup writes as text become JSON of the types of the schema.

use serde_json::value::RawValue;

use super::{
    cursor::{TextCursor, quote},
    python,
};
use crate::schema::{Kind, Schema, Tagging};

/// The schema of a member of an object.
pub(super) fn member<'a>(schema: Option<&'a Schema>, name: &str) -> Option<&'a Schema> {
    let schema = schema?;
    if let Some(field) = schema.fields().find(|field| *field.name == *name) {
        return Some(&field.schema);
    }
    match &schema.kind {
        Kind::Object(object) => object.extra.as_deref(),
        Kind::Map(map) => Some(&map.values),
        _ => None,
    }
}

/// The schema of the items of a list.
pub(super) fn items(schema: Option<&Schema>) -> Option<&Schema> {
    match &schema?.kind {
        Kind::List(list) => Some(&list.items),
        _ => None,
    }
}

/// A value as JSON of the type that its schema has. A text that fits no type becomes a string, which the reader reports.
pub(super) fn to_json(text: &str, schema: Option<&Schema>) -> String {
    let Some(schema) = schema else {
        return quote(text);
    };
    let trimmed = text.trim();
    let is_null = trimmed.eq_ignore_ascii_case("null") || trimmed.eq_ignore_ascii_case("none");
    if is_null && (schema.nullable || !matches!(schema.kind, Kind::Text(_) | Kind::Any)) {
        return "null".to_owned();
    }
    of_kind(text, schema).unwrap_or_else(|| quote(text))
}

fn of_kind(text: &str, schema: &Schema) -> Option<String> {
    let trimmed = text.trim();
    match &schema.kind {
        Kind::Text(rules) => {
            // The words of a closed list have no white space around them.
            let choice = rules.choices.iter().find(|choice| *choice.name == *trimmed);
            Some(quote(choice.map_or(text, |_| trimmed)))
        }
        Kind::Boolean => match trimmed.to_ascii_lowercase().as_str() {
            "true" | "1" => Some("true".to_owned()),
            "false" | "0" => Some("false".to_owned()),
            _ => None,
        },
        Kind::Integer(_) => to_integer(trimmed),
        Kind::Number(_) => to_integer(trimmed).or_else(|| to_number(trimmed)),
        Kind::List(_) | Kind::Tuple(_) => to_structure(trimmed, '['),
        Kind::Map(_) | Kind::Object(_) => to_structure(trimmed, '{'),
        Kind::Union(union) => {
            if union.tagging != Tagging::None {
                let is_name = union
                    .variants
                    .iter()
                    .any(|variant| *variant.name == *trimmed);
                return if is_name {
                    Some(quote(trimmed))
                } else {
                    to_structure(trimmed, '{')
                };
            }
            let contents = || {
                union
                    .variants
                    .iter()
                    .filter_map(|variant| variant.content.as_deref())
            };
            let is_text = |schema: &&Schema| matches!(schema.kind, Kind::Text(_));
            let mut others = contents().filter(|schema| !is_text(schema));
            let mut texts = contents().filter(is_text);
            others
                .find_map(|schema| of_kind(text, schema))
                .or_else(|| texts.next().and_then(|schema| of_kind(text, schema)))
        }
        _ => None,
    }
}

fn to_integer(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let whole = match digits.split_once('.') {
        Some((whole, fraction)) => {
            if fraction.is_empty() || fraction.bytes().any(|it| it != b'0') {
                return None;
            }
            whole
        }
        None => digits,
    };
    let is_number = whole.starts_with(|it: char| it.is_ascii_digit())
        && whole.ends_with(|it: char| it.is_ascii_digit())
        && whole.bytes().all(|it| it.is_ascii_digit() || it == b'_');
    if !is_number {
        return None;
    }
    let digits = whole.replace('_', "");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    Some(format!("{sign}{digits}"))
}

fn to_number(text: &str) -> Option<String> {
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    if serde_json::from_str::<serde_json::Number>(text).is_ok() {
        return Some(text.to_owned());
    }
    serde_json::Number::from_f64(value).map(|number| number.to_string())
}

fn to_structure(text: &str, open: char) -> Option<String> {
    if text.is_empty() {
        return Some(if open == '[' { "[]" } else { "{}" }.to_owned());
    }
    if !text.starts_with(open) {
        return None;
    }
    if serde_json::from_str::<&RawValue>(text).is_ok() {
        return Some(text.to_owned());
    }
    let mut cursor = TextCursor {
        text,
        at: 0,
        is_whole: true,
    };
    let value = python::read_value(&mut cursor, 0).ok()?;
    (cursor.is_at_end() && value.starts_with(open)).then_some(value)
}

/// Whether a text is JSON.
pub(super) fn is_value(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}
