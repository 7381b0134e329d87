//! What the form of a dialect makes a model send, turned back into the schema's own form.

use serde_json::{Map, Value};

use crate::schema::{Field, Kind, Object, Schema, Tagging, Union};

/// Turns pairs back into maps; where `nulls` says so, the null of a parameter that may be left out is
/// left out.
///
/// Strict dialects have no maps and require every parameter.
pub(super) fn turn_back(schema: &Schema, value: Value, nulls: bool) -> Value {
    match (&schema.kind, value) {
        (Kind::Object(rules), Value::Object(entries)) => {
            Value::Object(object(rules, entries, nulls))
        }
        (Kind::Map(rules), Value::Object(entries)) => entries
            .into_iter()
            .map(|(key, value)| (key, turn_back(&rules.values, value, nulls)))
            .collect(),
        (Kind::Map(rules), Value::Array(items)) => match pairs(&items) {
            Some(entries) => entries
                .into_iter()
                .map(|(key, value)| (key, turn_back(&rules.values, value, nulls)))
                .collect(),
            None => Value::Array(items),
        },
        (Kind::List(rules), Value::Array(items)) => items
            .into_iter()
            .map(|item| turn_back(&rules.items, item, nulls))
            .collect(),
        (Kind::Tuple(schemas), Value::Array(items)) if schemas.len() == items.len() => schemas
            .iter()
            .zip(items)
            .map(|(schema, item)| turn_back(schema, item, nulls))
            .collect(),
        (Kind::Union(rules), value) => union(rules, value, nulls),
        (_, value) => value,
    }
}

fn object(rules: &Object, entries: Map<String, Value>, nulls: bool) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, value) in entries {
        let field = rules.all_fields().find(|field| *field.name == *key);
        let schema = field.map(|field| &field.schema).or(rules.extra.as_ref());
        if nulls && value.is_null() && field.is_some_and(may_be_absent) {
            continue;
        }
        let value = match schema {
            Some(schema) => turn_back(schema, value, nulls),
            None => value,
        };
        out.insert(key, value);
    }
    out
}

/// Whether null can only stand for a parameter that was left out.
fn may_be_absent(field: &Field) -> bool {
    !field.required && !field.schema.nullable && !matches!(field.schema.kind, Kind::Any)
}

fn union(rules: &Union, value: Value, nulls: bool) -> Value {
    let content = rules
        .variants
        .iter()
        .find(|variant| match &rules.tagging {
            Tagging::Internal { tag } => {
                let name = value.get(tag.part()).and_then(Value::as_str);
                name == Some(variant.name.part())
            }
            _ => variant
                .content
                .as_ref()
                .is_some_and(|content| looks_like(content, &value)),
        })
        .map(|variant| variant.content.as_deref());
    match (content, value) {
        (Some(content), Value::Object(mut entries)) => {
            if nulls {
                drop_other_forms(rules, content, &mut entries);
            }
            match content {
                Some(content) => turn_back(content, Value::Object(entries), nulls),
                None => Value::Object(entries),
            }
        }
        (Some(Some(content)), value) => turn_back(content, value, nulls),
        (_, value) => value,
    }
}

/// Drops the nulls of parameters that only other forms declare: a flat object lists those of all.
fn drop_other_forms(rules: &Union, own: Option<&Schema>, entries: &mut Map<String, Value>) {
    let declares = |form: &Schema, key: &str| form.fields().any(|field| *field.name == *key);
    entries.retain(|key, value| {
        !value.is_null()
            || own.is_some_and(|own| declares(own, key))
            || !rules
                .variants
                .iter()
                .filter_map(|variant| variant.content.as_deref())
                .any(|form| declares(form, key))
    });
}

/// Whether a value can be of a form, by its type and by the keys that must be given.
fn looks_like(schema: &Schema, value: &Value) -> bool {
    match (&schema.kind, value) {
        (Kind::Object(_), Value::Object(entries)) => schema
            .fields()
            .all(|field| !field.required || entries.contains_key(field.name.part())),
        (Kind::Map(_), Value::Object(_))
        | (Kind::List(_) | Kind::Tuple(_), Value::Array(_))
        | (Kind::Text(_), Value::String(_))
        | (Kind::Integer(_) | Kind::Number(_), Value::Number(_))
        | (Kind::Boolean, Value::Bool(_)) => true,
        (Kind::Map(_), Value::Array(items)) => pairs(items).is_some(),
        _ => false,
    }
}

/// The entries that a list of objects with `key` and `value` stands for, where no key comes twice.
fn pairs(items: &[Value]) -> Option<Map<String, Value>> {
    let mut out = Map::new();
    for item in items {
        let pair = item.as_object().filter(|pair| pair.len() == 2)?;
        let (key, value) = (pair.get("key")?.as_str()?, pair.get("value")?);
        if out.insert(key.to_owned(), value.clone()).is_some() {
            return None;
        }
    }
    Some(out)
}
