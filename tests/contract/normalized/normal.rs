use serde_json::json;

use super::{normal, reads};

#[allow(clippy::needless_pass_by_value)] // the calls read better
fn property(schema: serde_json::Value) -> serde_json::Value {
    normal(json!({"type": "object", "properties": {"a": schema}}))["properties"]["a"].clone()
}

#[test]
fn root_references_are_followed() {
    let out = normal(json!({
        "$ref": "#/$defs/Args", "$defs": {"Args": {"type": "object", "description": "d"}},
    }));
    assert_eq!(
        out,
        json!({"type": "object", "description": "d", "properties": {}})
    );
}

#[test]
fn nested_pointers_are_followed() {
    let out = normal(json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/%24defs/X/properties/y~1z"}},
        "$defs": {"X": {"type": "object", "properties": {"y/z": {"type": "boolean"}}}},
    }));
    assert_eq!(out["properties"]["a"], json!({"type": "boolean"}));
}

#[test]
fn keeps_null_if_property_cannot_be_omitted() {
    assert_eq!(
        property(
            json!({"type": "array", "items": {"type": ["string", "null"], "description": "d", "enum": ["a", null]}})
        ),
        json!({"type": "array", "items": {
            "description": "d",
            "anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}],
        }})
    );
}

#[test]
fn nullable_and_any_of_null_make_optional() {
    let out = normal(json!({
        "type": "object", "required": ["a", "b", "c"],
        "properties": {
            "a": {"nullable": true, "type": "string"},
            "b": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}], "description": "own"},
            "c": {"type": "string"},
        },
        "$defs": {"B": {"type": "object", "description": "type's"}},
    }));
    assert_eq!(
        out,
        json!({
            "type": "object", "required": ["c"],
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "object", "description": "own", "properties": {}},
                "c": {"type": "string"},
            },
        })
    );
}

#[test]
fn several_types_become_any_of() {
    assert_eq!(
        property(
            json!({"type": ["string", "integer"], "description": "d", "minLength": 1, "minimum": 2})
        ),
        json!({"description": "d", "anyOf": [
            {"type": "integer", "minimum": 2}, {"type": "string", "minLength": 1},
        ]})
    );
    assert_eq!(
        property(json!({"enum": ["a", 1]})),
        json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "enum": [1]}]})
    );
}

#[test]
fn enums_get_their_type() {
    assert_eq!(
        property(json!({"const": 5})),
        json!({"type": "integer", "enum": [5]})
    );
    assert_eq!(
        property(json!({"enum": [1, 1.5]})),
        json!({"type": "number", "description": "one of 1, 1.5"})
    );
}

#[test]
fn all_of_is_merged_or_kept() {
    assert_eq!(
        property(json!({"description": "own", "allOf": [{"type": "string", "description": "d"}]})),
        json!({"type": "string", "description": "own"})
    );
    assert_eq!(
        property(json!({"allOf": [
            {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
            {"type": "object", "properties": {"y": {"type": "string"}}, "required": ["y"]},
        ]})),
        json!({
            "type": "object", "required": ["x", "y"],
            "properties": {"x": {"type": "string"}, "y": {"type": "string"}},
        })
    );
    // A closed part would refuse the other's properties; that must not be merged away.
    let closed = json!({"allOf": [
        {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": false},
        {"type": "object", "properties": {"y": {"type": "string"}}},
    ]});
    let schema = json!({"type": "object", "properties": {"a": closed}, "required": ["a"]});
    assert!(reads(&schema, &json!({"a": {"x": "1"}})));
    assert!(!reads(&schema, &json!({"a": {"y": "1"}})));
}

#[test]
fn one_of_objects_becomes_any_of() {
    let form = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}});
    assert_eq!(
        property(json!({"oneOf": [form("x"), form("y")]})),
        json!({"description": "exactly one of these forms", "anyOf": [form("x"), form("y")]})
    );
}

#[test]
fn schemas_that_are_true() {
    assert_eq!(
        normal(json!(true)),
        json!({"type": "object", "properties": {}})
    );
    assert_eq!(property(json!(true)), json!({}));
    assert_eq!(
        property(json!({"type": "object", "additionalProperties": true})),
        json!({"type": "object", "properties": {}})
    );
}

#[test]
fn tuples_become_items() {
    assert_eq!(
        property(
            json!({"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [{"type": "string"}, {"type": "integer", "format": "int64"}]})
        ),
        json!({
            "type": "array", "description": "in this order: string, integer", "minItems": 2, "maxItems": 2,
            "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        })
    );
}

#[test]
fn conditions_become_words_and_stay_rules() {
    let schema = json!({
        "type": "object", "properties": {"a": {"type": "integer", "not": {"$ref": "#/$defs/B"}}}, "required": ["a"],
        "$defs": {"B": {"oneOf": [{"const": 1}, {"type": ["string", "null"]}]}},
    });
    let a = normal(schema.clone())["properties"]["a"].clone();
    assert_eq!(a["type"], "integer");
    let words = a["description"].as_str().expect("words");
    assert!(
        words.contains("`not`") || words.contains("not given"),
        "{words}"
    );
    assert!(reads(&schema, &json!({"a": 2})));
    assert!(!reads(&schema, &json!({"a": 1})));
}
