//! A schema means what its draft says.

use callpact::{
    Dialect, Policy,
    input::read_foreign,
    schema::{ForeignSchema, SchemaFaults},
};
use serde_json::{Value, json};

fn takes(schema: &Value, value: &Value) -> bool {
    let schema = ForeignSchema::from_value(schema.clone()).expect("a schema");
    read_foreign(&value.to_string(), &schema, &Policy::exact()).is_ok()
}

fn refusal(schema: Value) -> SchemaFaults {
    ForeignSchema::from_value(schema).expect_err("no schema")
}

const SEVEN: &str = "http://json-schema.org/draft-07/schema#";

#[test]
fn ignores_rules_beside_references_until_draft_7() {
    let schema = |draft: &str| {
        json!({
            "$schema": draft, "type": "object", "required": ["v"],
            "properties": {"v": {"$ref": "#/definitions/A", "type": "string", "description": "Words"}},
            "definitions": {"A": {"type": "array", "items": {"type": "string"}}},
        })
    };
    for draft in [
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-06/schema#",
        SEVEN,
    ] {
        assert!(takes(&schema(draft), &json!({"v": ["x"]})), "{draft}");
        assert!(!takes(&schema(draft), &json!({"v": "x"})), "{draft}");
    }
    for draft in [
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        assert!(!takes(&schema(draft), &json!({"v": ["x"]})), "{draft}");
    }
    // The words stay.
    let read = ForeignSchema::from_value(schema(SEVEN)).expect("a schema");
    assert!(read.to_json(Dialect::OpenAi).contains("Words"));
}

#[test]
fn finds_definitions_of_the_nearest_address() {
    let schema = json!({
        "$defs": {"T": {"type": "string"}},
        "properties": {"v": {
            "$id": "https://e.x/n", "$defs": {"T": {"type": "integer"}}, "$ref": "#/$defs/T",
        }},
    });
    assert!(takes(&schema, &json!({"v": 0})));
    assert!(!takes(&schema, &json!({"v": "abc"})));
}

#[test]
fn finds_names_and_addresses_inside_a_document() {
    let schema = json!({
        "$id": "https://e.x/root",
        "properties": {
            "a": {"$ref": "#day"},
            "b": {"$ref": "other.json#count"},
            "c": {"$dynamicRef": "#node"},
        },
        "$defs": {
            "day": {"$anchor": "day", "type": "string", "maxLength": 3},
            "other": {"$id": "other.json", "$defs": {"n": {"$anchor": "count", "type": "integer"}}},
            "node": {"$dynamicAnchor": "node", "type": "boolean"},
        },
    });
    for (value, is_taken) in [
        (json!({"a": "Mon", "b": 1, "c": true}), true),
        (json!({"a": "Monday"}), false),
        (json!({"b": "1"}), false),
        (json!({"c": 1}), false),
    ] {
        assert_eq!(takes(&schema, &value), is_taken, "{value}");
    }
}

#[test]
fn reads_the_words_of_each_draft() {
    let four = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "http://e.x/root",
        "properties": {
            "n": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
            "m": {"type": "number", "maximum": 5, "exclusiveMaximum": false},
            // Draft 4 has no such keyword.
            "c": {"const": 1},
            "r": {"$ref": "http://e.x/part"},
        },
        "definitions": {"p": {"id": "part", "type": "null"}},
    });
    for (value, is_taken) in [
        (json!({"n": 0.5, "m": 5, "c": 2, "r": null}), true),
        (json!({"n": 0}), false),
        (json!({"m": 5.5}), false),
        (json!({"r": 1}), false),
    ] {
        assert_eq!(takes(&four, &value), is_taken, "{value}");
    }
    let tuple = json!({
        "$schema": SEVEN,
        "properties": {"t": {"items": [{"type": "integer"}], "additionalItems": {"type": "string"}}},
        "dependencies": {"a": ["t"]},
    });
    for (value, is_taken) in [
        (json!({"t": [1, "a", "b"], "a": 1}), true),
        (json!({"t": [1, 2]}), false),
        (json!({"a": 1}), false),
    ] {
        assert_eq!(takes(&tuple, &value), is_taken, "{value}");
    }
}

#[test]
fn names_what_it_cannot_read() {
    for (schema, place) in [
        (
            json!({"$schema": "http://json-schema.org/draft-03/schema#"}),
            "the root: `$schema`",
        ),
        (
            json!({"$schema": "https://example.com/own"}),
            "the root: `$schema`",
        ),
        (
            json!({"properties": {"a": {"$ref": "b.json"}}}),
            "/properties/a: `$ref`",
        ),
        (
            json!({"properties": {"a": {"$ref": "#b"}}}),
            "/properties/a: `$ref`",
        ),
        (
            json!({"$id": "http://e.x/a", "$defs": {"b": {"$id": "http://e.x/a"}}}),
            "/$defs/b: `$id`",
        ),
        (
            json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "properties": {"a": {"items": [{"type": "string"}]}},
            }),
            "/properties/a: `items`",
        ),
        (
            json!({
                "$id": "http://e.x/a",
                "$dynamicAnchor": "n",
                "properties": {"a": {"$dynamicRef": "#n"}},
                "$defs": {"b": {"$id": "b", "$dynamicAnchor": "n"}},
            }),
            "/properties/a: `$dynamicRef`",
        ),
    ] {
        let said = refusal(schema).to_string();
        assert!(said.contains(&format!("\n- {place}: ")), "{said}");
    }
}
