//! The seven tests of `strip_empty_optionals` in the reference system, with the same names.

use serde_json::json;

use super::{fixed, lax, lines, read_foreign, schema};
use callpact::Policy;

fn tool() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "glob": {"type": "string", "minLength": 1},
            "kind": {"type": "string", "pattern": "^[a-z]+$"},
            "offset": {"type": "integer"},
            "deep": {"type": "boolean"},
            "note": {"type": ["string", "null"]},
        },
        "required": ["path"],
    })
}

#[test]
fn empty_string_on_optional_field_is_removed() {
    let (value, fixes) = fixed(lax(tool(), &json!({"path": "a", "glob": "", "offset": ""})));
    assert_eq!(value, json!({"path": "a"}));
    assert_eq!(
        fixes,
        ["glob: \"\" read as absent", "offset: \"\" read as absent"]
    );
}

#[test]
fn empty_string_on_required_field_is_preserved() {
    let (value, fixes) = fixed(lax(tool(), &json!({"path": ""})));
    assert_eq!((value, fixes.len()), (json!({"path": ""}), 0));
}

#[test]
fn non_empty_optional_string_is_preserved() {
    let given = json!({"path": "a", "glob": "*"});
    assert_eq!(fixed(lax(tool(), &given)).0, given);
}

/// Null is preserved if it is a value. Otherwise it has the same meaning as for a derived type.
#[test]
fn null_optional_field_is_preserved() {
    let given = json!({"path": "a", "note": null});
    assert_eq!(fixed(lax(tool(), &given)).0, given);
    let (value, fixes) = fixed(lax(tool(), &json!({"path": "a", "glob": null})));
    assert_eq!(value, json!({"path": "a"}));
    assert_eq!(fixes, ["glob: null read as absent"]);
    assert_eq!(
        lines(super::exact(tool(), &json!({"path": "a", "glob": null}))),
        ["glob: expected a string of at least 1 character, found null; send one, or leave it out"]
    );
}

#[test]
fn non_string_fields_are_untouched() {
    let given = json!({"path": "a", "offset": 0, "deep": false});
    let (value, fixes) = fixed(lax(tool(), &given));
    assert_eq!((value, fixes.len()), (given, 0));
}

#[test]
fn non_object_input_is_noop() {
    assert_eq!(
        lines(lax(tool(), &json!(""))),
        ["arguments: expected an object, found \"\""]
    );
    assert_eq!(
        lines(lax(tool(), &json!([""]))),
        ["arguments: expected an object, found an array"]
    );
}

#[test]
fn multiple_empty_optionals_all_removed() {
    let (value, fixes) = fixed(lax(tool(), &json!({"path": "a", "glob": "", "kind": ""})));
    assert_eq!((value, fixes.len()), (json!({"path": "a"}), 2));
}

#[test]
fn empty_string_that_the_schema_takes_is_preserved() {
    let of = json!({"type": "object", "properties": {"after": {"type": "string"}}});
    let given = json!({"after": ""});
    assert_eq!(fixed(lax(of, &given)), (given, vec![]));
}

#[test]
fn keeps_empty_value_listed_in_enum() {
    let of =
        json!({"type": "object", "properties": {"sort": {"type": "string", "enum": ["", "up"]}}});
    assert_eq!(fixed(lax(of, &json!({"sort": ""}))).0, json!({"sort": ""}));
}

#[test]
fn nested_objects_too() {
    let of = json!({"type": "object", "properties": {"in": {"type": "array", "items": tool()}}});
    let (value, fixes) = fixed(lax(of, &json!({"in": [{"path": "a", "glob": ""}]})));
    assert_eq!(value, json!({"in": [{"path": "a"}]}));
    assert_eq!(fixes, ["in[0].glob: \"\" read as absent"]);
}

#[test]
fn conversions_lose_nothing() {
    let of = json!({"type": "object", "properties": {
        "i": {"type": "integer"}, "n": {"type": "number"}, "b": {"type": "boolean"},
        "m": {"type": "object", "additionalProperties": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
    }, "required": ["i"]});
    let given = json!({"b": "true", "i": "5", "m": {"x": "7", "y": null}, "n": "1.5"});
    let (value, fixes) = fixed(lax(of.clone(), &given));
    assert_eq!(
        value,
        json!({"i": 5, "n": 1.5, "b": true, "m": {"x": 7, "y": null}})
    );
    assert_eq!(
        fixes,
        [
            "b: \"true\" read as true",
            "i: \"5\" read as 5",
            "m.x: \"7\" read as 7",
            "n: \"1.5\" read as 1.5"
        ]
    );
    assert_eq!(
        fixed(lax(of.clone(), &json!({"i": 5.0}))),
        (json!({"i": 5}), vec!["i: 5.0 read as 5".to_owned()])
    );
    assert_eq!(
        fixed(super::exact(of.clone(), &json!({"i": 5.0}))),
        (json!({"i": 5}), vec![])
    );
    for refused in [
        json!("5.5"),
        json!(" 5"),
        json!("0x5"),
        json!("five"),
        json!("99999999999999999999999"),
        json!(5.5),
        json!(1e300),
    ] {
        assert_eq!(
            lines(lax(of.clone(), &json!({"i": refused}))).len(),
            1,
            "{refused}"
        );
    }
}

#[test]
fn no_arguments() {
    let of = schema(json!({"type": "object", "properties": {"a": {"type": "string"}}}));
    for text in ["", "  ", "null", " null ", "{}"] {
        let read = read_foreign(text, &of, &Policy::exact());
        assert_eq!(read.map(|read| read.value), Ok(json!({})), "{text:?}");
    }
}
