//! Merges two schemas that must both hold; if that is impossible, `allOf` stays.

use serde_json::{Map, Value};

use super::{keyword::is_of, node::ForeignNode};

type KeywordMap = Map<String, Value>;

/// Adds a schema that must also hold.
pub(super) fn merge(into: &mut ForeignNode, mut part: ForeignNode) {
    let null = (into.null || part.null) && into.takes_null() && part.takes_null();
    into.null = null;
    into.forced |= part.forced;
    into.optional.append(&mut part.optional);
    if agree(&into.schema, &part.schema) {
        if into.meanings.is_empty() {
            into.meanings = std::mem::take(&mut part.meanings);
        }
        join(&mut into.schema, part.schema);
        return;
    }
    part.settle();
    let all = into
        .schema
        .entry("allOf")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(all) = all {
        let part = Value::Object(part.schema);
        if !all.contains(&part) {
            all.push(part);
        }
    }
}

/// Which of two numbers of a keyword is stricter.
fn stricter(keyword: &str, a: &Value, b: &Value) -> bool {
    let (a, b) = (a.as_f64(), b.as_f64());
    match keyword {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => b > a,
        _ => b < a,
    }
}

fn is_bound(keyword: &str) -> bool {
    matches!(
        keyword,
        "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "minLength"
            | "maxLength"
            | "minItems"
            | "maxItems"
            | "minProperties"
            | "maxProperties"
    )
}

/// Whether two schemas can be merged.
fn agree(a: &KeywordMap, b: &KeywordMap) -> bool {
    if !closed_alike(a, b) || !closed_alike(b, a) || !positions_alike(a, b) || !some_value(a, b) {
        return false;
    }
    for key in [
        "if",
        "then",
        "else",
        "contains",
        "minContains",
        "maxContains",
    ] {
        if a.contains_key(key) && b.contains_key(key) && a.get(key) != b.get(key) {
            return false;
        }
    }
    b.iter().all(|(key, new)| {
        let Some(old) = a.get(key) else { return true };
        if old == new || is_bound(key) {
            return true;
        }
        match (key.as_str(), old, new) {
            ("description" | "default" | "examples" | "required" | "uniqueItems", ..)
            | ("enum", Value::Array(_), Value::Array(_)) => true,
            ("type", ..) => narrower(old, new).is_some(),
            ("properties", Value::Object(old), Value::Object(new)) => {
                new.iter().all(|(name, new)| match (old.get(name), new) {
                    (Some(Value::Object(old)), Value::Object(new)) => agree(old, new),
                    (None, _) => true,
                    _ => false,
                })
            }
            _ => false,
        }
    })
}

/// A closed object knows all the properties of the other.
fn closed_alike(closed: &KeywordMap, other: &KeywordMap) -> bool {
    if !closed.contains_key("additionalProperties") && !closed.contains_key("unevaluatedProperties")
    {
        return true;
    }
    if closed.contains_key("patternProperties") || other.contains_key("patternProperties") {
        return closed == other;
    }
    let Some(Value::Object(names)) = other.get("properties") else {
        return true;
    };
    let known = closed.get("properties").and_then(Value::as_object);
    names
        .keys()
        .all(|name| known.is_some_and(|known| known.contains_key(name)))
}

/// Some value is in both lists, and of both types.
fn some_value(a: &KeywordMap, b: &KeywordMap) -> bool {
    let lists = [a, b].map(|schema| schema.get("enum").and_then(Value::as_array));
    let names = [a, b].map(|schema| schema.get("type").and_then(Value::as_str));
    let Some(values) = lists.iter().flatten().next() else {
        return true;
    };
    values.iter().any(|value| {
        lists.iter().flatten().all(|list| list.contains(value))
            && names.iter().flatten().all(|name| is_of(value, name))
    })
}

/// Schemas by position are only merged together with the rule for the other items.
fn positions_alike(a: &KeywordMap, b: &KeywordMap) -> bool {
    let touches = |schema: &KeywordMap| {
        ["items", "prefixItems", "maxItems"]
            .iter()
            .any(|key| schema.contains_key(*key))
    };
    let (own, other) = (a.contains_key("prefixItems"), b.contains_key("prefixItems"));
    !(own && touches(b) || other && touches(a))
}

fn narrower<'a>(a: &'a Value, b: &'a Value) -> Option<&'a Value> {
    match (a.as_str()?, b.as_str()?) {
        ("integer", "number") => Some(a),
        ("number", "integer") => Some(b),
        _ => None,
    }
}

/// Merges two schemas that agree.
fn join(into: &mut KeywordMap, part: KeywordMap) {
    for (key, new) in part {
        let Some(old) = into.get_mut(&key) else {
            into.insert(key, new);
            continue;
        };
        if is_bound(&key) {
            if stricter(&key, old, &new) {
                *old = new;
            }
            continue;
        }
        match (key.as_str(), old, new) {
            ("type", old, new) => {
                if let Some(narrow) = narrower(old, &new).cloned() {
                    *old = narrow;
                }
            }
            ("enum", Value::Array(old), Value::Array(new)) => {
                old.retain(|value| new.contains(value));
            }
            ("required", Value::Array(old), Value::Array(new)) => {
                for name in new {
                    if !old.contains(&name) {
                        old.push(name);
                    }
                }
            }
            ("uniqueItems", old, new) => {
                *old = Value::Bool(old == &Value::Bool(true) || new == Value::Bool(true));
            }
            ("properties", Value::Object(old), Value::Object(new)) => {
                for (name, new) in new {
                    match (old.get_mut(&name), new) {
                        (Some(Value::Object(old)), Value::Object(new)) => join(old, new),
                        (Some(_), _) => {}
                        (None, new) => {
                            old.insert(name, new);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}
