//! The thirteen tests of the reference system's normaliser, by name, and its known faults.

use serde_json::json;

use super::{faults, normal};
use callpact::{Policy, input::read_foreign_value, schema::ForeignSchema};

#[test]
fn removes_dollar_schema() {
    let out = normal(
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}}),
    );
    assert_eq!(out, json!({"type": "object", "properties": {}}));
}

#[test]
fn removes_title_at_all_levels() {
    let out = normal(json!({
        "title": "Root", "type": "object",
        "properties": {"a": {"title": "A", "type": "array", "items": {"title": "I", "type": "string"}}},
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}})
    );
}

#[test]
fn inlines_ref_from_definitions() {
    let out = normal(json!({
        "type": "object", "properties": {"a": {"$ref": "#/definitions/A"}},
        "definitions": {"A": {"type": "string"}},
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "string"}}})
    );
}

#[test]
fn inlines_ref_from_defs() {
    let out = normal(json!({
        "type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"type": "string"}},
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "string"}}})
    );
}

#[test]
fn inlines_nested_refs() {
    let out = normal(json!({
        "type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {
            "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
            "B": {"type": "integer"},
        },
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}}})
    );
}

#[test]
fn inlines_ref_in_array_items() {
    let out = normal(json!({
        "type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
        "$defs": {"A": {"type": "boolean"}},
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "boolean"}}}})
    );
}

#[test]
fn preserves_non_ref_schema_structure() {
    let schema = json!({
        "type": "object", "description": "d",
        "properties": {"a": {"type": "string", "description": "x", "minLength": 1}, "b": {"type": "integer"}},
        "required": ["a"], "additionalProperties": false,
    });
    assert_eq!(normal(schema.clone()), schema);
}

/// The reference system leaves it unchanged, and the provider refuses the request. Here it is a
/// fault with a place.
#[test]
fn handles_unresolvable_ref_gracefully() {
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Gone"}}});
    assert_eq!(
        faults(ForeignSchema::normalized(schema)),
        "the schema has 1 fault:\n- /properties/a: `$ref`: there is nothing at `#/$defs/Gone`"
    );
}

#[test]
fn adds_properties_to_empty_object_schema() {
    assert_eq!(
        normal(json!({"type": "object"})),
        json!({"type": "object", "properties": {}})
    );
}

#[test]
fn preserves_existing_properties() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    assert_eq!(normal(schema.clone()), schema);
}

#[test]
fn adds_properties_to_nested_object_without_properties() {
    let out = normal(json!({"type": "object", "properties": {"a": {"type": "object"}}}));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "object", "properties": {}}}})
    );
}

#[test]
fn adds_properties_to_object_in_array_items() {
    let out = normal(
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object"}}}}),
    );
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {}}}}})
    );
}

#[test]
fn does_not_add_properties_to_non_object_types() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string"}, "b": {"type": "array", "items": {"type": "integer"}},
    }});
    assert_eq!(normal(schema.clone()), schema);
    assert_eq!(normal(json!({"type": "string"})), json!({"type": "string"}));
}

#[test]
fn fault_a_field_called_title_keeps_its_property() {
    let schema = json!({
        "type": "object",
        "properties": {"title": {"type": "string", "title": "Title"}, "$ref": {"type": "string"}},
        "required": ["title"],
    });
    assert_eq!(
        normal(schema),
        json!({
            "type": "object",
            "properties": {"title": {"type": "string"}, "_ref": {"type": "string"}},
            "required": ["title"],
        })
    );
}

#[test]
fn fault_recursive_type_is_written_once() {
    let schema = json!({
        "type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {
            "Node": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Kid"}}}},
            "Kid": {"$ref": "#/$defs/Node"},
        },
    });
    assert_eq!(
        normal(schema)["properties"]["root"]["properties"]["kids"]["items"],
        json!({"type": "object", "description": "the same form again", "properties": {}})
    );
}

#[test]
fn fault_keys_beside_a_ref_are_kept() {
    let out = normal(json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A", "description": "the field's own", "default": "x"}},
        "$defs": {"A": {"type": "string", "description": "the type's", "minLength": 1}},
    }));
    assert_eq!(
        out["properties"]["a"],
        json!({"type": "string", "description": "the field's own (default: \"x\")", "minLength": 1})
    );
}

#[test]
fn fault_rust_formats_go_and_leave_their_range() {
    let out = normal(json!({"type": "object", "properties": {
        "a": {"type": "integer", "format": "uint8"},
        "b": {"type": "integer", "format": "uint64", "minimum": 1},
        "c": {"type": "integer", "format": "int32"},
        "d": {"type": "number", "format": "double"},
        "e": {"type": "string", "format": "date-time"},
    }}));
    assert_eq!(
        out["properties"],
        json!({
            "a": {"type": "integer", "minimum": 0, "maximum": 255},
            "b": {"type": "integer", "minimum": 1},
            "c": {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX},
            "d": {"type": "number"},
            "e": {"type": "string", "description": "a date and time such as 2026-01-31T09:30:00Z"},
        })
    );
}

#[test]
fn fault_type_arrays_with_null_are_optional() {
    let out = normal(json!({
        "type": "object",
        "properties": {"a": {"type": ["integer", "null"]}, "b": {"type": ["object", "null"]}},
        "required": ["a", "b"],
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "object", "properties": {}}}})
    );
}

#[test]
fn fault_enums_with_doc_comments_are_enums() {
    let out = normal(json!({"type": "object", "properties": {"a": {"oneOf": [
        {"type": "string", "enum": ["x", "y"]},
        {"type": "string", "const": "z", "description": "the last"},
    ]}}}));
    assert_eq!(
        out["properties"]["a"],
        json!({"type": "string", "enum": ["x", "y", "z"], "description": "z: the last"})
    );
}

#[test]
fn fault_values_are_not_searched_for_titles() {
    let data = json!({"title": "kept", "$ref": "#/nowhere", "$schema": 1});
    let schema = json!({"type": "object", "properties": {"a": {
        "type": "object", "default": data, "properties": {}, "enum": [data],
    }}, "required": ["a"]});
    let schema = ForeignSchema::normalized(schema).expect("a schema");
    let reads = |value| read_foreign_value(&json!({"a": value}), &schema, &Policy::exact()).is_ok();
    assert!(reads(data));
    assert!(!reads(json!({"title": "other"})));
}

#[test]
fn fault_both_definitions_and_defs_go() {
    let out = normal(json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/definitions/A"}, "b": {"$ref": "#/$defs/B"}},
        "definitions": {"A": {"type": "string"}}, "$defs": {"B": {"type": "integer"}},
    }));
    assert_eq!(
        out,
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}})
    );
}
