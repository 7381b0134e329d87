//! The formats that Rust's number types leave in a schema, and their ranges.

use serde_json::{Map, Value};

/// Replaces a Rust format by its range, unless there is a narrower one.
pub(super) fn mean(schema: &mut Map<String, Value>) {
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
