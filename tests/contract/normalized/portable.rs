use serde_json::{Value, json};

use callpact::{Dialect, ToolInput, schema::ForeignSchema};

fn portable(schema: Value) -> String {
    let schema = match ForeignSchema::from_value(schema) {
        Ok(schema) => schema,
        Err(faults) => panic!("{faults}"),
    };
    match schema.check_portable() {
        Ok(()) => String::new(),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn the_document_s_own_example_is_portable() {
    assert_eq!(
        portable(json!({
            "type": "object",
            "properties": {"query": {"type": "string", "description": "The SQL query"}},
            "required": ["query"],
        })),
        ""
    );
}

#[test]
fn every_other_keyword_is_named_with_its_place() {
    for keyword in [
        "format",
        "pattern",
        "title",
        "$schema",
        "$id",
        "const",
        "default",
        "examples",
        "nullable",
        "writeOnly",
        "minProperties",
        "x-vendor",
    ] {
        let holds = match keyword {
            "minProperties" => json!(1),
            "examples" => json!([]),
            "nullable" => json!(true),
            _ => json!("x"),
        };
        let text = portable(
            json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", keyword: holds}}}}),
        );
        assert!(
            text.contains(&format!("- /properties/a/items: `{keyword}`: not ")),
            "{text}"
        );
    }
    for keyword in ["oneOf", "allOf", "prefixItems"] {
        let text = portable(
            json!({"type": "object", "properties": {"a": {"type": "string", keyword: [{"type": "string"}]}}}),
        );
        assert!(
            text.contains(&format!("- /properties/a: `{keyword}`: not portable; ")),
            "{text}"
        );
    }
    for keyword in ["not", "if", "then", "else"] {
        let text = portable(
            json!({"type": "object", "properties": {"a": {"type": "string", keyword: {}}}}),
        );
        assert!(
            text.contains(&format!("- /properties/a: `{keyword}`: not portable; ")),
            "{text}"
        );
    }
    let text = portable(
        json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}),
    );
    assert!(
        text.contains("- /properties/a: `$ref`: not portable; write the form out"),
        "{text}"
    );
    assert!(text.contains("- the root: `$defs`: not portable"), "{text}");
}

#[test]
fn forms() {
    let cases = [
        (
            json!({"type": "string"}),
            "the root: `type`: the arguments of a tool are an object",
        ),
        (
            json!({"type": "object", "properties": {}, "anyOf": [{"type": "object"}]}),
            "the root: `anyOf`: not at the root",
        ),
        (json!({"type": "object"}), "the root: `properties`: missing"),
        (
            json!({"type": "object", "properties": {"a": {}}}),
            "/properties/a: `type`: missing",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}),
            "/properties/a: `type`: one type",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "null"}}}),
            "null stands only in `anyOf`",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "array"}}}),
            "/properties/a: `items`: missing",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "array", "items": {}}}}),
            "/properties/a/items: `type`: missing",
        ),
        (
            json!({"type": "object", "properties": {"1a": {"type": "string"}}}),
            "the name \"1a\" does not match",
        ),
        (
            json!({"type": "object", "properties": {}, "required": ["a"]}),
            "`required`: `a` is not in `properties`",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "string", "enum": [1]}}}),
            "1 is not of type string",
        ),
        (
            json!({"type": "object", "properties": {}, "additionalProperties": true}),
            "leave it out",
        ),
    ];
    for (schema, words) in cases {
        let text = portable(schema.clone());
        assert!(text.contains(words), "{schema}: {text}");
    }
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Wide {
    name: String,
    limit: Option<u8>,
    mode: Mode,
    tags: Vec<String>,
    labels: std::collections::BTreeMap<String, serde_json::Value>,
    at: (f64, f64),
    maybe: Vec<Option<i64>>,
    delta: std::num::NonZeroI8,
}

#[derive(ToolInput)]
#[allow(dead_code)]
enum Mode {
    Fast,
    /// slow
    Deep,
}

#[test]
fn what_this_crate_writes_is_portable() {
    let schema = ForeignSchema::parse(&Wide::SCHEMA.to_json(Dialect::Portable));
    let schema = schema.unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(schema.check_portable(), Ok(()));
}
