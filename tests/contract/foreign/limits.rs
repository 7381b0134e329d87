//! The cost of a hostile schema or value is bounded.

use serde_json::{Map, Value, json};

use super::{exact, lines, read_foreign, schema};
use callpact::{Policy, schema::ForeignSchema};

#[test]
fn schemas_that_contain_themselves_are_followed() {
    let tree = json!({
        "type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}, "name": {"type": "string"}},
        "required": ["name"],
    });
    let given = json!({"name": "a", "kids": [{"name": "b", "kids": [{"kids": []}]}]});
    assert_eq!(
        lines(exact(tree, &given)),
        ["kids[0].kids[0].name: missing; expected a string"]
    );
}

#[test]
fn a_reference_in_a_circle_ends() {
    let of = json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}});
    assert_eq!(
        lines(exact(of, &json!({}))),
        ["arguments: checking this takes too long; send something simpler"]
    );
}

#[test]
fn forms_within_forms_end() {
    let mut defs = Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        defs.insert(format!("L{level}"), json!({"anyOf": [next, next]}));
    }
    defs.insert("L40".to_owned(), json!({"type": "string"}));
    let of = json!({"$ref": "#/$defs/L0", "$defs": Value::Object(defs)});
    assert!(!lines(exact(of, &json!(5))).is_empty());
}

/// The budget of a check grows with the value.
#[test]
fn a_large_value_is_looked_at_whole() {
    let many = 40_000;
    let of = json!({
        "items": {"allOf": [{}, {"maxProperties": 0}]},
        "additionalProperties": {"allOf": [{}, {"maxItems": 0}]},
    });
    let items: Value = (0..many).map(|_| json!([])).collect();
    let entries: Map<String, Value> = (0..many).map(|n| (n.to_string(), json!({}))).collect();
    for value in [items, Value::Object(entries)] {
        assert_eq!(exact(of.clone(), &value).expect("it fits").value, value);
    }
}

#[test]
fn deep_values_are_refused() {
    let of = json!({"type": "array", "items": {"$ref": "#"}});
    let mut value = json!([]);
    for _ in 0..200 {
        value = json!([value]);
    }
    assert_eq!(
        lines(exact(of.clone(), &value)),
        ["arguments: expected at most 127 levels of nesting"]
    );
    let deep = format!("{}{}", "[".repeat(120), "]".repeat(120));
    assert!(read_foreign(&deep, &schema(of.clone()), &Policy::lax()).is_ok());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(read_foreign(&deep, &schema(of), &Policy::lax()).is_err());
}

#[test]
fn refuses_a_schema_whose_pattern_cannot_be_checked() {
    for of in [
        json!({"properties": {"a": {"type": "string", "pattern": "(a"}}}),
        json!({"properties": {"a": {"not": {"pattern": "(a"}}}}),
        json!({"patternProperties": {"(a": {"type": "string"}}}),
    ] {
        let refused = ForeignSchema::from_value(of.clone()).expect_err("no expression");
        let keyword = &refused.faults[0].keyword;
        assert!(keyword.starts_with("pattern"), "{of}: {refused}");
    }
}

#[test]
fn issues_are_counted_beyond_the_limit() {
    let of = schema(json!({"type": "array", "items": {"type": "string"}}));
    let text = format!("[{}1]", "1,".repeat(99));
    let Err(report) = read_foreign(&text, &of, &Policy::exact()) else {
        panic!("accepted")
    };
    assert_eq!((report.issues.len(), report.count()), (32, 100));
}

const MANY: usize = 60_000;

/// The budget depends on the size of the whole value, wherever its parts are.
#[test]
fn large_values_are_looked_at_to_the_end() {
    let each = |of: Value| json!({"items": of, "additionalProperties": of});
    let keys = |count: usize, value: &Value| -> Map<String, Value> {
        let key = |number: usize| (number.to_string(), value.clone());
        (0..count).map(key).collect()
    };
    let (list, object) = (json!({"type": "array"}), json!({"type": "object"}));
    for (of, value) in [
        (json!({"type": "integer"}), json!(vec![1; MANY])),
        (list.clone(), json!(vec![json!([]); MANY])),
        (object.clone(), json!(vec![json!({}); MANY])),
        (json!({"type": "integer"}), keys(MANY, &json!(1)).into()),
        (object, keys(MANY, &json!({})).into()),
        (list, keys(MANY, &json!([])).into()),
    ] {
        let read = exact(each(of.clone()), &value);
        assert!(read.is_ok(), "{of}: {}", read.unwrap_err());
    }
}

/// The deepest level that a reader takes is checked like any level above it.
#[test]
fn the_last_level_is_read() {
    let of = schema(json!({"type": ["array", "integer"], "items": {"$ref": "#"}}));
    let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    assert!(read_foreign(&nested(127), &of, &Policy::exact()).is_ok());
    assert_eq!(
        lines(read_foreign(&nested(128), &of, &Policy::exact())),
        ["arguments: expected at most 127 levels of nesting"]
    );
}
