//! A foreign schema in words, the same words that a derived one gets.

use serde_json::{Map, Value};

use super::{ForeignSchema, count, keyword::types};
use crate::{
    schema::words::{join_or, one_of, range},
    text::{cut, quote},
};

/// How many steps of `$ref`, `anyOf` and `allOf` are followed for the words.
const STEPS: usize = 6;
/// Longest pattern that is shown whole.
const SHOWN: usize = 60;

/// What a value of this schema is, in a few words.
pub(crate) fn expected_by(schema: &Value, root: &ForeignSchema) -> String {
    words(schema, root, STEPS)
}

fn words(schema: &Value, root: &ForeignSchema, steps: usize) -> String {
    const ANY: &str = "any value";
    let Some(map) = schema.as_object() else {
        return if schema == &Value::Bool(false) {
            "nothing".to_owned()
        } else {
            ANY.to_owned()
        };
    };
    if let Some(values) = map.get("enum").and_then(Value::as_array) {
        return list_of(values);
    }
    if let Some(value) = map.get("const") {
        return list_of(std::slice::from_ref(value));
    }
    let names = types(map);
    if !names.is_empty() {
        return join_or(names.iter().map(|name| of_type(name, map)));
    }
    let Some(steps) = steps.checked_sub(1) else {
        return ANY.to_owned();
    };
    if let Some(Value::String(reference)) = map.get("$ref") {
        return root
            .resolve(reference)
            .map_or_else(|| ANY.to_owned(), |target| words(target, root, steps));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(members)) = map.get(keyword) {
            let members = members.iter().take(16);
            return join_or(members.map(|member| words(member, root, steps)));
        }
    }
    if let Some(Value::Array(members)) = map.get("allOf") {
        let said = members.iter().map(|member| words(member, root, steps));
        return said
            .into_iter()
            .find(|words| words != ANY)
            .unwrap_or_else(|| ANY.to_owned());
    }
    if map.contains_key("properties") {
        return "an object".to_owned();
    }
    ANY.to_owned()
}

/// `one of "a", "b" and 3 more`.
pub(crate) fn list_of(values: &[Value]) -> String {
    one_of(values.iter(), |value, words| match value {
        Value::String(text) => quote(text, words),
        Value::Array(_) | Value::Object(_) => words.push_str(&cut(&value.to_string(), SHOWN)),
        other => words.push_str(&other.to_string()),
    })
}

fn of_type(name: &str, map: &Map<String, Value>) -> String {
    let number = |key| map.get(key).and_then(count);
    match name {
        "string" => {
            let lengths = range(number("minLength"), number("maxLength"), "character");
            let mut words = format!("a string{lengths}");
            if let Some(Value::String(pattern)) = map.get("pattern") {
                words = format!("{words} matching {}", cut(pattern, SHOWN));
            } else if let Some(Value::String(format)) = map.get("format") {
                words = format!("{words} of the form {}", cut(format, SHOWN));
            }
            words
        }
        "integer" => numeric("an integer", true, map),
        "number" => numeric("a number", false, map),
        "boolean" => "true or false".to_owned(),
        "array" => {
            let mut words = format!(
                "an array{}",
                range(number("minItems"), number("maxItems"), "item")
            );
            if map.get("uniqueItems") == Some(&Value::Bool(true)) {
                words.push_str(", none twice");
            }
            words
        }
        "object" => "an object".to_owned(),
        other => other.to_owned(),
    }
}

fn numeric(name: &str, whole: bool, map: &Map<String, Value>) -> String {
    let mut min = map.get("minimum").cloned();
    let mut max = map.get("maximum").cloned();
    let mut above = map.get("exclusiveMinimum");
    let mut below = map.get("exclusiveMaximum");
    if whole {
        // The nearest integer inside says the same in fewer words.
        if let (None, Some(end)) = (&min, above.and_then(Value::as_i64)) {
            (min, above) = (end.checked_add(1).map(Value::from), None);
        }
        if let (None, Some(end)) = (&max, below.and_then(Value::as_i64)) {
            (max, below) = (end.checked_sub(1).map(Value::from), None);
        }
    }
    let mut words = match (whole, &min, &max) {
        (true, Some(min), Some(max)) => format!("{name} from {min} to {max}"),
        (_, Some(min), Some(max)) => format!("{name} of at least {min} and of at most {max}"),
        (_, Some(min), None) => format!("{name} of at least {min}"),
        (_, None, Some(max)) => format!("{name} of at most {max}"),
        (_, None, None) => name.to_owned(),
    };
    for (word, end) in [("above", above), ("below", below)] {
        if let Some(end) = end {
            let join = if words == name { "" } else { " and" };
            words = format!("{words}{join} {word} {end}");
        }
    }
    if let Some(step) = map.get("multipleOf") {
        words = format!("{words}, a multiple of {step}");
    }
    words
}
