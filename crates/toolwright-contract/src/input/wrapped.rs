//! Arguments inside one more object: `{"arguments": {…}}`.

use std::borrow::Cow;

use serde_json::Value;

use super::value::parse;
use crate::{
    repair::is_json,
    schema::{Kind, Schema, WRAPPERS, field_by_case},
    text::Cursor,
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
    for entry in Entries::of(text)? {
        let (key, value) = entry?;
        let key: String = serde_json::from_str(key).ok()?;
        if wraps(&key, &["name"], schema) && value.starts_with('"') && !named {
            named = true;
        } else if wraps(&key, &WRAPPERS, schema) && inner.is_none() {
            inner = WRAPPERS.iter().find(|name| **name == key).zip(Some(value));
        } else {
            return None;
        }
    }
    let (key, value) = inner?;
    let value = value.trim_end();
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

/// The entries of an object, as the texts of key and value.
struct Entries<'a> {
    scan: Cursor<'a>,
}

impl<'a> Entries<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mut scan = Cursor::new(text);
        scan.skip(|b| b.is_ascii_whitespace());
        scan.take("{").then_some(Self { scan })
    }

    fn entry(&mut self) -> Option<(&'a str, &'a str)> {
        let key = string(&mut self.scan)?;
        self.scan.skip(|b| b.is_ascii_whitespace());
        if !self.scan.take(":") {
            return None;
        }
        self.scan.skip(|b| b.is_ascii_whitespace());
        let start = self.scan.pos;
        let mut depth = 0usize;
        loop {
            self.scan
                .skip(|b| !matches!(b, b'"' | b'{' | b'}' | b'[' | b']' | b','));
            match self.scan.peek()? {
                b'"' => {
                    string(&mut self.scan)?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b',' if depth > 0 => {}
                b'}' | b']' if depth > 0 => depth -= 1,
                _ => return Some((key, self.scan.since(start))),
            }
            self.scan.pos += 1;
        }
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Option<(&'a str, &'a str)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.scan.skip(|b| b.is_ascii_whitespace());
        if matches!(self.scan.peek(), Some(b'}') | None) {
            return None;
        }
        if self.scan.take(",") {
            self.scan.skip(|b| b.is_ascii_whitespace());
        }
        Some(self.entry())
    }
}

fn string<'a>(scan: &mut Cursor<'a>) -> Option<&'a str> {
    let start = scan.pos;
    if !scan.take("\"") {
        return None;
    }
    loop {
        scan.skip(|b| b != b'"' && b != b'\\');
        match scan.peek()? {
            b'"' => {
                scan.pos += 1;
                return Some(scan.since(start));
            }
            _ => scan.pos += 2,
        }
    }
}
