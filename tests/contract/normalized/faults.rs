use serde_json::{Map, Value, json};

use super::{faults, reads};
use callpact::schema::ForeignSchema;

#[test]
fn a_schema_in_itself_is_checked_at_each_level() {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "again": {"$ref": "#"}},
        "required": ["name"],
    });
    let again = |again| json!({"name": "a", "again": {"name": "b", "again": again}});
    assert!(reads(&schema, &again(json!({"name": "c"}))));
    assert!(!reads(&schema, &again(json!({"name": 1}))));
    let schema = json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}});
    assert!(faults(ForeignSchema::normalized(schema)).contains("no value is accepted"));
}

fn written(schema: Value) -> usize {
    let schema = ForeignSchema::normalized(schema).expect("a schema");
    schema.as_str().len()
}

#[test]
fn a_bomb_of_references_stays_small() {
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
    assert!(written(schema) < 1 << 20);
}

#[test]
fn a_wide_bomb_stays_small() {
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
    assert!(written(schema) < 2 << 20);
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
fn a_text_that_is_no_schema_is_refused() {
    assert!(faults(ForeignSchema::parse("{")).contains("not JSON"));
    assert!(faults(ForeignSchema::parse("[]")).contains("a schema of arguments is a JSON object"));
    assert!(faults(ForeignSchema::normalized(json!(false))).contains("JSON object"));
    assert!(
        faults(ForeignSchema::normalized(json!({"anyOf": [false]})))
            .contains("no value is accepted")
    );
}
