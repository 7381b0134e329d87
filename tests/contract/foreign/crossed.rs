//! Rules that contradict each other: no value fits, no model sees them, and lint reports them.

use serde_json::{Value, json};

use super::{exact, lines};
use callpact::{Dialect, Policy, input::read_foreign_call, schema::ForeignSchema};
use callpact_contract::dialect::{Lint, Severity, lint};

/// Schemas that take no value, each with a value that its type alone would take.
fn crossed() -> Vec<(Value, Value)> {
    vec![
        (
            json!({"type": "string", "minLength": 5, "maxLength": 2}),
            json!("abc"),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "minItems": 4, "maxItems": 2}),
            json!(["a"]),
        ),
        (
            json!({"type": "integer", "minimum": 9, "maximum": 3}),
            json!(4),
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 4}),
            json!(3),
        ),
        (
            json!({"type": "integer", "minimum": 3, "maximum": 4, "multipleOf": 10}),
            json!(3),
        ),
        (
            json!({"type": "number", "minimum": 9.5, "maximum": 3}),
            json!(5),
        ),
        (
            json!({"type": "number", "exclusiveMinimum": 3, "maximum": 3}),
            json!(3),
        ),
        (json!({"type": "string", "enum": [1, 2]}), json!("a")),
        (
            json!({"type": "string", "enum": ["abcdef"], "maxLength": 3}),
            json!("abcdef"),
        ),
        (
            json!({"type": "integer", "enum": [1, 2], "minimum": 5}),
            json!(1),
        ),
        (
            json!({"type": "array", "items": {}, "contains": {"const": 1}, "minContains": 2, "maxContains": 1}),
            json!([1]),
        ),
        (
            json!({"type": "object", "minProperties": 2, "maxProperties": 1}),
            json!({"a": 1}),
        ),
        (
            json!({"allOf": [{"type": "string", "minLength": 5}, {"maxLength": 2}]}),
            json!("abc"),
        ),
        (
            json!({"allOf": [{"type": "string"}, {"type": "integer"}]}),
            json!("abc"),
        ),
        (
            json!({"anyOf": [{"type": "string", "minLength": 5, "maxLength": 2}]}),
            json!("abc"),
        ),
    ]
}

fn tool(property: &Value, required: &[&str]) -> ForeignSchema {
    let schema = json!({"type": "object", "properties": {"a": property, "b": {"type": "string"}}, "required": required});
    ForeignSchema::from_value(schema).expect("a schema")
}

fn errors(found: &[Lint]) -> Vec<&Lint> {
    let is_error = |lint: &&Lint| lint.severity == Severity::Error;
    found.iter().filter(is_error).collect()
}

#[test]
fn rejects_every_value_without_naming_contradictory_range() {
    for (property, value) in crossed() {
        for required in [&[][..], &["a"]] {
            let schema = tool(&property, required);
            let call = json!({"a": value, "b": "x"}).to_string();
            for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
                let report = read_foreign_call(&call, &schema, &policy).expect_err("no value fits");
                let text = report.to_string();
                // Each member of `allOf` states its own rule.
                if property.get("allOf").is_some() {
                    assert!(!text.contains(" to "), "{property}: {text}");
                    continue;
                }
                let only = "Invalid arguments, 1 problem:\n- a: no value is accepted here";
                assert_eq!(text, only, "{property}");
            }
        }
        assert!(read_foreign_call(r#"{"b":"x"}"#, &tool(&property, &[]), &Policy::lax()).is_ok());
    }
}

#[test]
fn omits_contradictory_rules_from_model_schema() {
    for (property, _) in crossed() {
        for dialect in Dialect::ALL {
            if matches!(
                dialect,
                Dialect::Mcp20251125 | Dialect::Mcp20260728 | Dialect::Portable
            ) {
                continue;
            }
            let written = |required: &[&str]| -> Value {
                serde_json::from_str(&tool(&property, required).to_json(dialect)).expect("JSON")
            };
            // An optional parameter is not offered.
            assert!(
                written(&[])["properties"].get("a").is_none(),
                "{dialect} {property}"
            );
            let text = written(&["a"])["properties"]["a"].to_string();
            assert!(
                text.contains("no value is accepted here"),
                "{dialect} {text}"
            );
            for rule in [
                "Length", "Items", "imum", "Of\":[", "enum", "length:", "items:",
            ] {
                // A compiler that needs bounds gets the farthest ones.
                let is_bound = dialect == Dialect::Llguidance && rule == "imum";
                assert!(is_bound || !text.contains(rule), "{dialect} {text}");
            }
        }
    }
}

#[test]
fn lint_has_one_error_for_each() {
    for (property, _) in crossed() {
        let schema = tool(&property, &[]);
        // The schema itself, and its form for a provider.
        let own = lint("t", "Does it", schema.as_str(), Dialect::Mcp20260728);
        let unsaid = schema
            .unsaid(Dialect::OpenAi)
            .expect("something is left out");
        let unsaid: Vec<Lint> = unsaid
            .faults
            .iter()
            .map(|fault| Lint::unsaid("t", fault))
            .collect();
        for found in [own, unsaid] {
            let [error] = errors(&found)[..] else {
                panic!("{property}: {found:?}");
            };
            assert!(error.path.starts_with("/properties/a"), "{error}");
            assert_eq!(error.message, "its rules exclude each other");
        }
    }
}

#[test]
fn what_still_has_a_value_is_taken() {
    for (property, value) in [
        (
            json!({"type": "string", "minLength": 2, "maxLength": 2}),
            json!("ab"),
        ),
        (
            json!({"type": "integer", "minimum": 3, "maximum": 12, "multipleOf": 10}),
            json!(10),
        ),
        (
            json!({"type": "integer", "minimum": -12, "maximum": -8, "multipleOf": 10}),
            json!(-10),
        ),
        (
            json!({"type": "number", "minimum": 3, "maximum": 3}),
            json!(3),
        ),
        (
            json!({"type": ["string", "null"], "minLength": 5, "maxLength": 2}),
            json!(null),
        ),
        (
            json!({"type": ["string", "integer"], "minLength": 5, "maxLength": 2}),
            json!(7),
        ),
        (json!({"minLength": 5, "maxLength": 2}), json!(7)),
        (
            json!({"anyOf": [{"type": "string", "minLength": 5, "maxLength": 2}, {"type": "integer"}]}),
            json!(7),
        ),
    ] {
        let schema = tool(&property, &["a"]);
        let call = json!({"a": value}).to_string();
        let read = read_foreign_call(&call, &schema, &Policy::lax());
        assert_eq!(
            read.map(|read| read.value),
            Ok(json!({"a": value})),
            "{property}"
        );
    }
    // If only null is left, the schema says so.
    let only = json!({"type": ["string", "null"], "minLength": 5, "maxLength": 2});
    let of = json!({"type": "object", "properties": {"a": only}});
    assert_eq!(
        lines(exact(of, &json!({"a": "abc"}))),
        ["a: expected null, found \"abc\""]
    );
}

#[test]
fn refuses_server_tool_whose_values_never_end() {
    let node = |inside: Value| {
        json!({
            "type": "object",
            "properties": {"value": {"type": "string"}, "next": inside},
            "required": ["next"],
        })
    };
    let endless = [
        node(json!({"$ref": "#"})),
        node(json!({"$ref": "#", "description": "The next one"})),
        node(json!({"allOf": [{"$ref": "#"}]})),
        node(json!({"type": "array", "items": {"$ref": "#"}, "minItems": 1})),
        node(
            json!({"anyOf": [{"$ref": "#"}, {"type": "array", "items": {"$ref": "#"}, "minItems": 2}]}),
        ),
        node(
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"$ref": "#"}], "items": false, "minItems": 2}),
        ),
        // Through another definition, and back to the middle one.
        json!({
            "$defs": {
                "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}, "required": ["b"]},
                "b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]},
            },
            "type": "object",
            "properties": {"first": {"$ref": "#/$defs/a"}},
            "required": ["first"],
        }),
    ];
    for schema in endless {
        let refused = ForeignSchema::from_server(schema.clone()).expect_err("no value ends");
        let words = "the schema has 1 fault:\n- the root: no value is accepted";
        assert_eq!(refused.to_string(), words, "{schema}");
    }
}

#[test]
fn offers_server_tool_whose_values_can_end() {
    let node = |inside: Value, required: &[&str]| json!({"type": "object", "properties": {"next": inside}, "required": required});
    let ending = [
        (node(json!({"$ref": "#"}), &[]), "{}"),
        (
            node(
                json!({"anyOf": [{"$ref": "#"}, {"type": "null"}]}),
                &["next"],
            ),
            r#"{"next":null}"#,
        ),
        (
            node(
                json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}),
                &["next"],
            ),
            r#"{"next":{"next":"end"}}"#,
        ),
        (
            node(json!({"type": "array", "items": {"$ref": "#"}}), &["next"]),
            r#"{"next":[{"next":[]}]}"#,
        ),
        (
            node(
                json!({"type": "object", "additionalProperties": {"$ref": "#"}}),
                &["next"],
            ),
            r#"{"next":{"a":{"next":{}}}}"#,
        ),
        // The definition around the reference may be null.
        (
            json!({
                "$defs": {"a": {
                    "type": ["object", "null"],
                    "properties": {"a": {"$ref": "#/$defs/a"}},
                    "required": ["a"],
                }},
                "type": "object",
                "properties": {"first": {"$ref": "#/$defs/a"}},
                "required": ["first"],
            }),
            r#"{"first":{"a":null}}"#,
        ),
    ];
    for (schema, call) in ending {
        let offered = ForeignSchema::from_server(schema).expect(call);
        assert!(
            read_foreign_call(call, &offered, &Policy::exact()).is_ok(),
            "{call}"
        );
    }
}
