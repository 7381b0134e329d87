//! Schemas as servers and generators write them, with parts that providers refuse.

use serde_json::{Value, json};

/// One parameter each, of forty kinds, required and not.
pub fn foreign_schemas() -> Vec<Value> {
    nodes()
        .into_iter()
        .flat_map(|node| [true, false].map(|required| around(&node, required)))
        .collect()
}

fn around(node: &Value, required: bool) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"a": node},
    });
    if required {
        schema["required"] = json!(["a"]);
    }
    if node.get("$ref").is_some() {
        schema["$defs"] = json!({"x": {"type": "string", "maxLength": 5}});
    }
    schema
}

fn nodes() -> Vec<Value> {
    vec![
        json!({"type": "string", "format": "uri"}),
        json!({"type": "string", "format": "date-time", "title": "When"}),
        json!({"type": "string", "minLength": 1, "maxLength": 10_000}),
        json!({"type": "string", "pattern": r"\S"}),
        json!({"type": "string", "pattern": r"^\bfoo\b$", "minLength": 2}),
        json!({"type": "string", "enum": ["a", "b"], "default": "a"}),
        json!({"type": "string", "const": "a"}),
        json!({"const": 5}),
        json!({"enum": ["a", 1, null]}),
        json!({"type": "integer", "enum": [1, 2, 3]}),
        json!({"type": "integer", "minimum": 0, "maximum": 10, "default": 3}),
        json!({"type": "integer", "exclusiveMinimum": 0, "multipleOf": 5}),
        json!({"type": "number", "exclusiveMaximum": 1.5}),
        json!({"type": "number", "multipleOf": 0.1, "examples": [0.3]}),
        json!({"type": "boolean", "default": false}),
        json!({"type": ["string", "null"]}),
        json!({"type": ["string", "integer"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        json!({"allOf": [{"type": "string"}, {"minLength": 2}]}),
        json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true}),
        json!({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 9_000}),
        json!({"type": "array", "items": {}}),
        json!({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {}}),
        json!({"type": "object", "properties": {}, "additionalProperties": false}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "additionalProperties": true}),
        json!({"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}),
        json!({"type": "object", "properties": {"b": {"type": "integer"}}, "minProperties": 1}),
        json!({"type": "object", "properties": {"b": {"type": "object", "properties": {"c": {"type": "string"}}}}}),
        json!({"$ref": "#/$defs/x"}),
        json!({"$ref": "#/$defs/x", "description": "One of those"}),
        json!({"not": {"type": "string"}}),
        json!({"type": "string", "not": {"enum": ["x"]}}),
        json!({}),
        json!({"description": "Anything"}),
        json!(true),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
    ]
}
