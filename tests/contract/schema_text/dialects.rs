//! The schema text of every shape in every dialect.

use callpact::{Dialect, Schema, ToolInput, schema_json};
use callpact_tests::shapes::{all, lists::*, maps::*, structs::*, unions::*};
use serde_json::Value;

use crate::schema_and_reader::compile;

#[test]
fn portable_keeps_to_its_subset() {
    fn walk(schema: &Value, name: &str) {
        const WORDS: [&str; 18] = [
            "type",
            "description",
            "properties",
            "required",
            "items",
            "enum",
            "anyOf",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "minItems",
            "maxItems",
            "uniqueItems",
        ];
        for (key, value) in schema.as_object().expect("an object") {
            match key.as_str() {
                "properties" => value
                    .as_object()
                    .expect("an object")
                    .values()
                    .for_each(|value| walk(value, name)),
                "items" => walk(value, name),
                "anyOf" => value
                    .as_array()
                    .expect("an array")
                    .iter()
                    .for_each(|value| walk(value, name)),
                "additionalProperties" => {
                    assert!(value.is_boolean() || value.is_object(), "{name}");
                }
                "type" => assert!(value.is_string(), "{name}"),
                key => assert!(WORDS.contains(&key), "{key} in {name}"),
            }
        }
    }
    for shape in all() {
        let schema: Value = serde_json::from_str(shape.portable).expect("JSON");
        walk(&schema, shape.name);
        assert_eq!(
            shape.portable,
            shape.schema.to_json(Dialect::Portable),
            "{}",
            shape.name
        );
        assert_eq!(
            shape.whole,
            shape.schema.to_json(Dialect::Mcp20260728),
            "{}",
            shape.name
        );
    }
}

#[test]
fn every_dialect_is_json() {
    for shape in all() {
        for dialect in Dialect::ALL {
            let text = shape.schema.to_json(dialect);
            let schema: Value = serde_json::from_str(&text)
                .unwrap_or_else(|why| panic!("{} {dialect}: {why}\n{text}", shape.name));
            assert!(schema.is_object());
            assert_eq!(duplicate(&text), None, "{} {dialect}", shape.name);
            // Type names in capitals are not JSON Schema.
            if dialect != Dialect::GeminiOpenApi {
                jsonschema::draft202012::meta::validate(&schema)
                    .unwrap_or_else(|why| panic!("{} {dialect}: {why}\n{text}", shape.name));
                compile(&text);
            }
        }
    }
}

/// Finds a repeated key in an object.
fn duplicate(text: &str) -> Option<String> {
    callpact::read_str::<Value>(text, &callpact::Policy::exact())
        .err()
        .map(|why| why.to_string())
}

/// A schema written at run time has the same text.
#[test]
fn to_json_is_the_constant() {
    fn of(schema: &Schema, dialect: Dialect) -> String {
        schema.to_json(dialect)
    }
    assert_eq!(
        schema_json!(Page<u8>, Dialect::OpenAiStrict),
        of(Page::<u8>::SCHEMA, Dialect::OpenAiStrict)
    );
    assert_eq!(
        schema_json!(Lists, Dialect::Gemini),
        of(Lists::SCHEMA, Dialect::Gemini)
    );
    assert_eq!(
        schema_json!(Maps, Dialect::BedrockStrict),
        of(Maps::SCHEMA, Dialect::BedrockStrict)
    );
    assert_eq!(
        schema_json!(Untaggeds, Dialect::GeminiOpenApi),
        of(Untaggeds::SCHEMA, Dialect::GeminiOpenApi)
    );
}
