//! Arguments inside another object: all of them, as in `{"arguments": {…}}`, or some of them.

use std::borrow::Cow;

use serde_json::Value;

use super::values::parse;
use crate::{
    json::{Form, Json},
    repair::is_json,
    schema::{FUNCTION, Field, Kind, Object, Schema, Unknown, WRAPPERS, field_by_case},
    text::initial,
};

/// Whether a key wraps the arguments: it is a known one, and not the name of a parameter.
fn wraps(key: &str, known: &[&str], schema: &Schema) -> bool {
    let Kind::Object(rules) = &schema.kind else {
        return false;
    };
    // If the object declares no keys, it takes every key.
    let is_free = rules.fields.is_empty() && rules.unknown == Unknown::Keep;
    known.contains(&key)
        && rules.extra.is_none()
        && !is_free
        && field_by_case(rules, key).is_none()
        && !schema.fields().any(|field| field.aliases.contains(&key))
}

/// The other keys of a whole call, beside its arguments.
const NAMES: [&str; 3] = ["name", "type", "id"];

/// The path to the arguments in a whole call, and the arguments.
type Wrapped<T> = Option<(String, T)>;

/// The arguments inside a wrapping object, and the path to them: `arguments`, or `function.arguments` as in the call
/// of a response. The text is clean JSON.
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

/// The most objects that are taken off around the arguments.
const AROUND: usize = 4;

/// The path to the arguments through all objects around them.
pub(super) fn way(whole: &str, schema: &Schema) -> Option<String> {
    let (mut way, mut inner) = text(whole, schema)?;
    for _ in 1..AROUND {
        let Some((next, deeper)) = text(&inner, schema) else {
            break;
        };
        way = format!("{way}.{next}");
        inner = Cow::Owned(deeper.into_owned());
    }
    Some(way)
}

/// The most keys of a call to search for one that contains a parameter, and the most levels below it.
const KEYS: usize = 8;
pub(super) const LEVELS: usize = 3;

/// The rules of an object that drops unknown keys or sends them on.
fn dropping(schema: &Schema) -> Option<&Object> {
    match &schema.kind {
        Kind::Object(rules)
            if matches!(rules.unknown, Unknown::Report | Unknown::Keep)
                && rules.extra.is_none() =>
        {
            Some(rules)
        }
        _ => None,
    }
}

/// The names of the parameters that a call may mean.
struct Names<'s> {
    rules: &'s Object,
    /// The bits of their first letters. Most keys begin with another letter.
    initials: u32,
}

impl<'s> Names<'s> {
    /// The names of an object that drops unknown keys or sends them on.
    fn of(schema: &'s Schema) -> Option<Self> {
        let rules = dropping(schema)?;
        let names = |field: &Field| {
            let aliases = field.aliases.iter().map(|name| initial(name));
            aliases.fold(initial(field.name.part()), |all, one| all | one)
        };
        let initials = rules.all_fields().map(names).fold(0, |all, one| all | one);
        Some(Self { rules, initials })
    }

    /// The parameter that a key means.
    fn meant(&self, key: &str) -> Option<&'s str> {
        if self.initials & initial(key) == 0 {
            return None;
        }
        meant(self.rules, key)
    }

    /// Whether one of them is a key inside the next value, at most so many levels down. The value is passed over, at
    /// least as far as the first of them.
    fn are_inside_text(&self, json: &mut Json<'_>, levels: usize) -> bool {
        match (json.form(), levels.checked_sub(1)) {
            (Form::Object, Some(levels)) => {
                let mut entries = json.open_object();
                while let Some(key) = json.next_key(&mut entries) {
                    if self.meant(&key).is_some() || self.are_inside_text(json, levels) {
                        return true;
                    }
                }
            }
            (Form::List, Some(levels)) => {
                let mut items = json.open_list();
                while json.next_item(&mut items) {
                    if self.are_inside_text(json, levels) {
                        return true;
                    }
                }
            }
            (Form::Text, Some(_)) => {
                // Nearly every text begins with another character, and need not be copied.
                let written = json.take_written().unwrap_or_default();
                let start = written.trim_start_matches('"').trim_start();
                if start.starts_with(['{', '\\']) {
                    let text = Json::new(written).take_text();
                    let object = text.as_deref().and_then(object_in);
                    return object.is_some_and(|object| self.are_inside(&object, levels));
                }
            }
            _ => json.skip(),
        }
        false
    }

    /// Like [`are_inside_text`](Self::are_inside_text), for a value in memory.
    fn are_inside(&self, value: &Value, levels: usize) -> bool {
        let whole = levels;
        let Some(levels) = levels.checked_sub(1) else {
            return false;
        };
        let is_or_holds = |(key, inner): (&String, &Value)| {
            self.meant(key).is_some() || self.are_inside(inner, levels)
        };
        match value {
            Value::Object(map) => map.iter().any(is_or_holds),
            Value::Array(items) => items.iter().any(|item| self.are_inside(item, levels)),
            Value::String(text) => {
                object_in(text).is_some_and(|object| self.are_inside(&object, whole))
            }
            _ => false,
        }
    }
}

/// The object that a text holds.
pub(super) fn object_in(text: &str) -> Option<Value> {
    let is_object = text.trim_start().starts_with('{');
    is_object
        .then(|| parse(text).ok())?
        .filter(Value::is_object)
}

/// The parameter that a key means.
pub(super) fn meant<'s>(rules: &'s Object, key: &str) -> Option<&'s str> {
    let mut fields = rules.all_fields();
    let named = fields.find(|field| *field.name == *key || field.aliases.contains(&key));
    named
        .map(|field| field.name.part())
        .or_else(|| field_by_case(rules, key))
}

/// Whether a key that would be dropped holds what may be meant as a parameter. The text is clean JSON. Most keys contain
/// no parameter, and are not looked up themselves.
pub(super) fn may_lose(text: &str, schema: &Schema) -> bool {
    let mut json = Json::new(text);
    let Some(known) = Names::of(schema).filter(|_| json.form() == Form::Object) else {
        return false;
    };
    let mut entries = json.open_object();
    for _ in 0..KEYS {
        let Some(key) = json.next_key(&mut entries) else {
            return false;
        };
        if known.meant(&key).is_some() {
            json.skip();
        } else if known.are_inside_text(&mut json, LEVELS) {
            return true;
        }
    }
    false
}
