//! What a hostile schema or value can cost.

use serde_json::{Map, Value, json};

use super::{exact, lines, read_foreign, schema};
use crate::Policy;

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
fn a_pattern_that_does_not_compile_is_skipped() {
    let of = json!({"type": "string", "pattern": "(?=a)b"});
    assert!(exact(of, &json!("x")).is_ok());
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
