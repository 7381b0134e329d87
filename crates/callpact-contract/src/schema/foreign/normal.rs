//! Changes at every node of a schema that is normalised.

use serde_json::{Map, Value};

use super::keyword::{KeywordForm, holds, types};

/// Changes every schema of a document.
pub(super) fn change_each(schema: &mut Value, change: fn(&mut Map<String, Value>)) {
    let Value::Object(map) = schema else {
        return;
    };
    change(map);
    for (keyword, value) in map {
        match (holds(keyword), value) {
            (KeywordForm::Schema | KeywordForm::List, Value::Array(items)) => {
                for item in items {
                    change_each(item, change);
                }
            }
            (KeywordForm::Named, Value::Object(schemas)) => {
                for schema in schemas.values_mut() {
                    change_each(schema, change);
                }
            }
            (KeywordForm::Schema, value) => change_each(value, change),
            _ => {}
        }
    }
}

/// Gives an object its properties.
pub(super) fn add_properties(schema: &mut Map<String, Value>) {
    if types(schema) == ["object"] {
        let properties = schema.entry("properties");
        properties.or_insert_with(|| Value::Object(Map::new()));
    }
}

/// Replaces the Rust format of a number by its range, unless there is a narrower one.
pub(super) fn add_range(schema: &mut Map<String, Value>) {
    let is_number = |name: &&str| matches!(*name, "integer" | "number");
    if !types(schema).iter().any(is_number) {
        return;
    }
    let Some(format) = schema.get("format").and_then(Value::as_str) else {
        return;
    };
    let (min, max): (Option<i64>, Option<i64>) = match format {
        "uint8" => (Some(0), Some(0xFF)),
        "uint16" => (Some(0), Some(0xFFFF)),
        "uint32" => (Some(0), Some(0xFFFF_FFFF)),
        "uint" | "uint64" | "uint128" | "usize" => (Some(0), None),
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        // The ends of 64 bits are left out, as in the crate's own schemas.
        "int" | "int64" | "int128" | "isize" | "float" | "double" => (None, None),
        _ => return,
    };
    schema.remove("format");
    bound(schema, "minimum", "exclusiveMinimum", min);
    bound(schema, "maximum", "exclusiveMaximum", max);
}

fn bound(schema: &mut Map<String, Value>, key: &str, exclusive: &str, end: Option<i64>) {
    if let Some(end) = end
        && !schema.contains_key(key)
        && !schema.contains_key(exclusive)
    {
        schema.insert(key.to_owned(), end.into());
    }
}
