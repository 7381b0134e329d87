use serde_json::{Map, Value, json};

use super::faults;
use callpact::schema::ForeignSchema;

#[test]
fn a_reference_to_the_root_is_a_cycle() {
    let schema = json!({"type": "object", "properties": {"again": {"$ref": "#"}}});
    let text = faults(ForeignSchema::normalized(schema));
    assert!(
        text.contains("/properties/again: `$ref`: the schema contains itself: # -> #;"),
        "{text}"
    );
}

#[test]
fn a_reference_to_itself_is_a_cycle() {
    let schema = json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}});
    let text = faults(ForeignSchema::normalized(schema));
    assert!(text.contains("#/$defs/A -> #/$defs/A"), "{text}");
}

#[test]
fn a_bomb_of_references_is_refused() {
    let mut defs = Map::new();
    for level in 0..60 {
        let next = format!("#/$defs/L{}", level + 1);
        defs.insert(
            format!("L{level}"),
            json!({"type": "object", "properties": {"a": {"$ref": next}, "b": {"$ref": next}}}),
        );
    }
    defs.insert("L60".to_owned(), json!({"type": "string"}));
    let schema = json!({"$ref": "#/$defs/L0", "$defs": Value::Object(defs)});
    let text = faults(ForeignSchema::normalized(schema));
    assert!(text.contains("nested deeper than 64 levels"), "{text}");
}

#[test]
fn a_wide_bomb_is_refused() {
    let mut defs = Map::new();
    for level in 0..16 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        let properties: Map<_, _> = (0..8).map(|i| (format!("p{i}"), next.clone())).collect();
        defs.insert(
            format!("L{level}"),
            json!({"type": "object", "properties": properties}),
        );
    }
    defs.insert("L16".to_owned(), json!({"type": "string"}));
    let schema = json!({"$ref": "#/$defs/L0", "$defs": Value::Object(defs)});
    let text = faults(ForeignSchema::normalized(schema));
    assert!(
        text.contains("longer than 1048576 bytes when its references are written out"),
        "{text}"
    );
}

#[test]
fn a_deep_document_is_refused_and_not_followed() {
    let mut schema = json!({"type": "string"});
    for _ in 0..300 {
        schema = json!({"type": "array", "items": schema});
    }
    let text = faults(ForeignSchema::from_value(schema.clone()));
    assert!(text.contains("nested deeper than 127 levels"), "{text}");
    assert!(faults(ForeignSchema::normalized(schema)).contains("nested deeper"));
}

#[test]
fn every_fault_is_reported_at_once() {
    let text = r#"{
        "properties": {"a": {"type": "str"}, "b": {"enum": []}, "c": {"minLength": -1}, "d": 5,
            "e": {"$ref": "https://example.com/x.json"}, "f": {"anyOf": []}},
        "required": [1], "type": "object"
    }"#;
    assert_eq!(
        faults(ForeignSchema::parse(text)),
        "the schema has 7 faults:\n\
        - /properties/a: `type`: `str` is not a type; write string, integer, number, boolean, array, object or null\n\
        - /properties/b: `enum`: expected an array of at least one value\n\
        - /properties/c: `minLength`: expected a whole number of at least 0\n\
        - /properties/d: expected a schema: an object, true or false\n\
        - /properties/e: `$ref`: `https://example.com/x.json` does not point into this schema; write the form out, or refer to `#/$defs/…`\n\
        - /properties/f: `anyOf`: expected an array of at least one schema\n\
        - the root: `required`: expected an array of names"
    );
}

#[test]
fn dangling_reference_hides_no_further_fault() {
    let text = r##"{
        "type": "object",
        "properties": {"a": {"$ref": "#/nope"}, "b": {"type": "string", "format": "date"},
            "c": {"type": ["string", "null"]}, "d": {"type": "str"}}
    }"##;
    assert_eq!(
        faults(ForeignSchema::parse_portable(text)),
        "the schema has 5 faults:\n\
        - /properties/a: `$ref`: there is nothing at `#/nope`\n\
        - /properties/d: `type`: `str` is not a type; write string, integer, number, boolean, array, object or null\n\
        - /properties/a: `type`: missing; write string, integer, number, boolean, array or object, or `anyOf`\n\
        - /properties/b: `format`: not portable; say the form in the description\n\
        - /properties/c: `type`: one type; leave an optional property out of `required`, and write other unions as `anyOf`"
    );
    for broken in ["{", "[]", "3"] {
        assert_eq!(
            faults(ForeignSchema::parse_portable(broken)),
            faults(ForeignSchema::parse(broken))
        );
    }
    let good = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    assert_eq!(
        ForeignSchema::parse_portable(good),
        ForeignSchema::parse(good)
    );
    let narrow = r#"{"type":"object","properties":{"a":{"type":"string","format":"date"}}}"#;
    assert_eq!(
        faults(ForeignSchema::parse_portable(narrow)),
        ForeignSchema::parse(narrow)
            .unwrap()
            .check_portable()
            .unwrap_err()
            .to_string()
    );
}

#[test]
fn a_text_that_is_no_schema_is_refused() {
    assert!(faults(ForeignSchema::parse("{")).contains("not JSON"));
    assert!(faults(ForeignSchema::parse("[]")).contains("a schema of arguments is a JSON object"));
    assert!(faults(ForeignSchema::normalized(json!(false))).contains("JSON object"));
    assert!(faults(ForeignSchema::normalized(json!({"anyOf": [false]}))).contains("nothing fits"));
}
