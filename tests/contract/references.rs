//! Schemas that contain themselves: every definition is written once, and every reference leads to it.

use callpact::{Dialect, Schema, ToolInput, schema::ForeignSchema, schema_json};
use callpact_tests::{recursive::recursive, shapes};
use serde_json::{Map, Value, json};

use crate::server_tools::{schema_of, server_tools};

/// The dialects that write references.
const REFERRING: [Dialect; 9] = [
    Dialect::OpenAi,
    Dialect::OpenAiStrict,
    Dialect::OpenAiResponses,
    Dialect::Anthropic,
    Dialect::Mcp20251125,
    Dialect::Mcp20260728,
    Dialect::Vllm,
    Dialect::Llguidance,
    Dialect::LlamaCpp,
];

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Comment {
    text: String,
    #[tool_param(recursive)]
    replies: Vec<Comment>,
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Thread {
    /// The newest comment
    newest: Comment,
    others: Vec<Comment>,
    pinned: Option<Comment>,
}

#[test]
fn writes_definition_once_and_refers_to_it() {
    const COMMENT: &str = r##""$defs":{"Comment":{"type":"object","properties":{"text":{"type":"string"},"replies":{"type":"array","items":{"$ref":"#/$defs/Comment"}}},"required":["text","replies"]}}"##;
    let expected = format!(
        concat!(
            r##"{{"type":"object","properties":{{"##,
            r##""newest":{{"description":"The newest comment","anyOf":[{{"$ref":"#/$defs/Comment"}}]}},"##,
            r##""others":{{"type":"array","items":{{"$ref":"#/$defs/Comment"}}}},"##,
            r##""pinned":{{"$ref":"#/$defs/Comment"}}}},"##,
            r##""required":["newest","others"],{}}}"##,
        ),
        COMMENT
    );
    assert_eq!(schema_json!(Thread, Dialect::OpenAi), expected);
    assert_eq!(schema_json!(Thread, Dialect::Anthropic), expected);
    assert_eq!(schema_json!(Thread, Dialect::Mcp20260728), expected);
    let read = ForeignSchema::parse(&expected).expect("it is a schema");
    assert_eq!(read.to_json(Dialect::Anthropic), expected);
}

#[test]
fn root_refers_to_itself_as_whole() {
    const ROOT: &str = r##"{"type":"object","properties":{"text":{"type":"string"},"replies":{"type":"array","items":{"$ref":"#"}}},"required":["text","replies"]}"##;
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::Mcp20260728] {
        assert_eq!(Comment::SCHEMA.to_json(dialect), ROOT);
        let read = ForeignSchema::parse(ROOT).expect("it is a schema");
        assert_eq!(read.to_json(dialect), ROOT);
    }
    // Its converter knows no `#`.
    let llama = Comment::SCHEMA.to_json(Dialect::LlamaCpp);
    assert!(llama.contains(r##"{"$ref":"#/$defs/Comment"}"##), "{llama}");
}

mod other {
    use callpact::ToolInput;

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    pub(super) struct Comment {
        likes: u8,
        #[tool_param(recursive)]
        before: Option<Box<Comment>>,
    }
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Pair {
    one: Comment,
    other: other::Comment,
    same: other::Comment,
}

#[test]
fn types_of_one_name_have_two_definitions() {
    let schema: Value = serde_json::from_str(schema_json!(Pair, Dialect::OpenAi)).expect("JSON");
    assert_eq!(
        schema["properties"],
        json!({
            "one": {"$ref": "#/$defs/Comment"},
            "other": {"$ref": "#/$defs/Comment-2"},
            "same": {"$ref": "#/$defs/Comment-2"},
        })
    );
    let second = &schema["$defs"]["Comment-2"]["properties"];
    assert_eq!(second["before"], json!({"$ref": "#/$defs/Comment-2"}));
    assert_eq!(second["likes"]["maximum"], 255);
    assert_eq!(schema["$defs"].as_object().map(Map::len), Some(2));
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Nested(#[tool_param(recursive)] Vec<Nested>);

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Narrowed {
    #[tool_param(min_items = 1)]
    first: Nested,
    second: Nested,
}

#[test]
fn rule_of_field_is_not_of_type() {
    let schema: Value =
        serde_json::from_str(schema_json!(Narrowed, Dialect::OpenAi)).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    assert!(
        validator.is_valid(&json!({"first": [[]], "second": []})),
        "{schema}"
    );
    assert!(
        !validator.is_valid(&json!({"first": [], "second": []})),
        "{schema}"
    );
}

#[test]
fn null_of_definition_stays_with_it() {
    // One definition takes null wherever it is used, the other one only in one place.
    let schema = json!({
        "type": "object",
        "properties": {
            "own": {"$ref": "#/$defs/Own"},
            "here": {"anyOf": [{"$ref": "#/$defs/Plain"}, {"type": "null"}]},
            "plain": {"$ref": "#/$defs/Plain"},
        },
        "additionalProperties": false,
        "$defs": {
            "Own": {
                "type": ["object", "null"], "properties": {"next": {"$ref": "#/$defs/Own"}},
                "additionalProperties": false,
            },
            "Plain": {
                "type": "object", "properties": {"next": {"$ref": "#/$defs/Plain"}},
                "additionalProperties": false,
            },
        },
    });
    let theirs = jsonschema::validator_for(&schema).expect("it is a schema");
    let read = ForeignSchema::from_value(schema).expect("it is a schema");
    for dialect in [Dialect::OpenAi, Dialect::Anthropic, Dialect::LlamaCpp] {
        let json: Value = serde_json::from_str(&read.to_json(dialect)).expect("JSON");
        let ours = jsonschema::validator_for(&json).expect("it is a schema");
        for name in ["own", "here", "plain"] {
            for value in [
                json!(null),
                json!({}),
                json!({"next": null}),
                json!({"next": {"next": null}}),
                json!({"next": {"next": {}}}),
            ] {
                let value = json!({name: value});
                assert_eq!(
                    ours.is_valid(&value),
                    theirs.is_valid(&value),
                    "{value} {json}"
                );
            }
        }
    }
}

#[test]
fn recursive_root_with_null_has_its_definition() {
    let schema = json!({"type": ["object", "null"], "properties": {"next": {"$ref": "#"}}});
    let read = ForeignSchema::from_value(schema).expect("it is a schema");
    for dialect in REFERRING {
        check_references(&read.to_json(dialect));
    }
}

/// Every reference leads to a part of the text, and every definition is referred to.
fn check_references(text: &str) {
    let root: Value = serde_json::from_str(text).expect("JSON");
    let mut found = Vec::new();
    collect_references(&root, &mut found);
    for reference in &found {
        let target = root.pointer(reference.trim_start_matches('#'));
        assert!(target.is_some_and(Value::is_object), "{reference}: {text}");
    }
    for name in root["$defs"].as_object().into_iter().flat_map(Map::keys) {
        assert!(found.contains(&format!("#/$defs/{name}")), "{name}: {text}");
    }
}

fn collect_references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get("$ref") {
                found.push(reference.clone());
            }
            map.values()
                .for_each(|part| collect_references(part, found));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|part| collect_references(part, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_to_its_definition() {
    let declared: Vec<&'static Schema> = recursive()
        .iter()
        .map(|one| one.declared)
        .chain(shapes::all().iter().map(|shape| shape.schema))
        .collect();
    let mut referring = 0;
    for dialect in REFERRING {
        let foreign = recursive()
            .into_iter()
            .map(|one| one.schema.to_json(dialect));
        let servers = server_tools()
            .into_iter()
            .map(|tool| schema_of(&tool).to_json(dialect));
        let own = declared.iter().map(|schema| schema.to_json(dialect));
        for text in own.chain(foreign).chain(servers) {
            referring += usize::from(text.contains("\"$ref\":\"#"));
            check_references(&text);
            assert!(
                dialect != Dialect::LlamaCpp || !text.contains("\"$ref\":\"#\""),
                "{text}"
            );
        }
    }
    assert!(referring > 500, "{referring}");
}
