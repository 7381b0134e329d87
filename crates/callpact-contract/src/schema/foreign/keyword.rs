//! The keywords of JSON Schema: the form of their values, and the types that they apply to.

use serde_json::{Map, Value};

/// The form of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeywordForm {
    /// One schema; `items` can hold a list of them in older drafts.
    Schema,
    /// Schemas by name; in `dependencies` of older drafts also lists of names.
    Named,
    /// A list of schemas.
    List,
    /// Anything else, whose content is never checked.
    Data,
}

/// Marks an integer of draft 4, where `1.0` is none.
pub(in crate::schema) const WHOLE_DIGITS: &str = "x-whole-digits";

macro_rules! keywords {
    ($($name:literal: $form:ident [$($type:literal),*];)*) => {
        /// The keywords of all drafts, and those of `OpenAPI`.
        pub(super) const KNOWN: &[&str] = &[$($name),*];

        #[allow(clippy::match_same_arms)] // an arm for each row of the table
        pub(super) fn holds(keyword: &str) -> KeywordForm {
            match keyword {
                $($name => KeywordForm::$form,)*
                _ => KeywordForm::Data,
            }
        }

        /// The types that a keyword applies to; empty if it applies to all.
        #[allow(clippy::match_same_arms)] // as above
        pub(super) fn about(keyword: &str) -> &'static [&'static str] {
            match keyword {
                $($name => &[$($type),*],)*
                _ => &[],
            }
        }
    };
}

// Each with the form of its value, and the types that it applies to.
keywords! {
    "$anchor": Data [];
    "$comment": Data [];
    "$defs": Named [];
    "$dynamicAnchor": Data [];
    "$dynamicRef": Data [];
    "$id": Data [];
    "$recursiveAnchor": Data [];
    "$recursiveRef": Data [];
    "$ref": Data [];
    "$schema": Data [];
    "$vocabulary": Data [];
    "additionalItems": Schema ["array"];
    "additionalProperties": Schema ["object"];
    "allOf": List [];
    "anyOf": List [];
    "const": Data [];
    "contains": Schema ["array"];
    "contentEncoding": Data ["string"];
    "contentMediaType": Data ["string"];
    "contentSchema": Data [];
    "default": Data [];
    "definitions": Named [];
    "dependencies": Named ["object"];
    "dependentRequired": Data ["object"];
    "dependentSchemas": Named ["object"];
    "deprecated": Data [];
    "description": Data [];
    "discriminator": Data [];
    "else": Schema [];
    "enum": Data [];
    "example": Data [];
    "examples": Data [];
    "exclusiveMaximum": Data ["integer", "number"];
    "exclusiveMinimum": Data ["integer", "number"];
    "externalDocs": Data [];
    "format": Data ["string", "integer", "number"];
    "id": Data [];
    "if": Schema [];
    "items": Schema ["array"];
    "maxContains": Data ["array"];
    "maxItems": Data ["array"];
    "maxLength": Data ["string"];
    "maxProperties": Data ["object"];
    "maximum": Data ["integer", "number"];
    "minContains": Data ["array"];
    "minItems": Data ["array"];
    "minLength": Data ["string"];
    "minProperties": Data ["object"];
    "minimum": Data ["integer", "number"];
    "multipleOf": Data ["integer", "number"];
    "not": Schema [];
    "nullable": Data [];
    "oneOf": List [];
    "pattern": Data ["string"];
    "patternProperties": Named ["object"];
    "prefixItems": List ["array"];
    "properties": Named ["object"];
    "propertyNames": Schema ["object"];
    "readOnly": Data [];
    "required": Data ["object"];
    "then": Schema [];
    "title": Data [];
    "type": Data [];
    "unevaluatedItems": Schema ["array"];
    "unevaluatedProperties": Schema ["object"];
    "uniqueItems": Data ["array"];
    "writeOnly": Data [];
    "xml": Data [];
    "$async": Data [];
}

/// The type of a value, in the words of a schema.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 => "integer",
            _ => "number",
        },
        // A number beyond every float, which only exists with `arbitrary_precision` of
        // `serde_json`.
        Value::Number(number) if number.as_f64().is_none() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a value has a type.
pub(crate) fn is_of(value: &Value, name: &str) -> bool {
    let own = type_of(value);
    own == name || (own == "integer" && name == "number")
}

/// The types that a schema names; empty if it names none.
pub(crate) fn types(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A pointer one step further down.
pub(crate) fn step(path: &str, key: &str) -> String {
    let key = key.replace('~', "~0").replace('/', "~1");
    format!("{path}/{key}")
}

/// The JSON pointer of a reference into the same document.
pub(crate) fn pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    let mut out = Vec::with_capacity(fragment.len());
    let mut bytes = fragment.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut digit = || bytes.next().and_then(|b| char::from(b).to_digit(16));
        let (high, low) = (digit()?, digit()?);
        out.push(u8::try_from(high * 16 + low).ok()?);
    }
    let text = String::from_utf8(out).ok()?;
    (text.is_empty() || text.starts_with('/')).then_some(text)
}

/// Whether arrays and objects are nested deeper than this; does not look any deeper itself.
pub(crate) fn deeper_than(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => {
            levels == 0 || items.iter().any(|item| deeper_than(item, levels - 1))
        }
        Value::Object(map) => {
            levels == 0 || map.values().any(|value| deeper_than(value, levels - 1))
        }
        _ => false,
    }
}
