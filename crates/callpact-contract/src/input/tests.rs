//! Keys that `serde_json` reserves for itself, sent by a model; and its features, which any crate in a
//! program can turn on.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::stream::StreamReader;
use crate::{
    IssueKind, Policy, ToolInput, check::values::parse, input::read_foreign, read_str, read_value,
    schema::ForeignSchema,
};

/// With this key, `serde_json` looks for JSON in a string when it reads any value.
const RAW: &str = "$serde_json::private::RawValue";

fn policies() -> [Policy; 3] {
    [Policy::exact(), Policy::lax(), Policy::repair()]
}

/// An object with that key, which `serde_json` does not interpret.
fn object(content: &str) -> Value {
    Value::Object(Map::from_iter([(RAW.to_owned(), Value::from(content))]))
}

#[derive(ToolInput, Debug, PartialEq)]
struct Takes {
    any: Option<Value>,
    map: Option<BTreeMap<String, String>>,
    list: Option<Vec<u8>>,
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(unknown = "deny")]
struct Closed {
    a: Option<u8>,
}

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "kind")]
enum Tagged {
    One { any: Value },
    Two { a: u8 },
}

#[test]
fn it_is_a_key_like_any_other() {
    let takes = |any, map, list| Takes { any, map, list };
    let shown = object("[7]");
    for policy in policies() {
        let text = format!(r#"{{"any": {shown}}}"#);
        let read = read_str::<Takes>(&text, &policy).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value, takes(Some(shown.clone()), None, None));
        assert_eq!(read.fixes, []);
        let map = BTreeMap::from([(RAW.to_owned(), "[7]".to_owned())]);
        let text = format!(r#"{{"map": {shown}}}"#);
        let read = read_str::<Takes>(&text, &policy).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value, takes(None, Some(map), None));

        // It contains no list, and no arguments.
        let text = format!(r#"{{"list": {shown}}}"#);
        assert!(read_str::<Takes>(&text, &policy).is_err());
        let around = object("[7]");
        let read = read_str::<Takes>(&around.to_string(), &policy)
            .unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value, takes(None, None, None));
        assert_eq!(read.fixes[0].path.to_string(), format!("[\"{RAW}\"]"));
        // As at any other key, a parameter in a text would be lost. The exact policy takes what the schema takes.
        let around = object(r#"{"list": [7]}"#).to_string();
        let line = format!("[\"{RAW}\"]: not a parameter; take `list` out of it");
        match read_str::<Takes>(&around, &policy) {
            Ok(_) => assert!(!policy.converts()),
            Err(report) => assert_eq!(report.issues[0].to_string(), line),
        }
        let report = read_str::<Closed>(&object("{}").to_string(), &policy).unwrap_err();
        assert_eq!(report.issues[0].kind, IssueKind::UnknownKey);
        assert!(read_value::<Closed>(&object("{}"), &policy).is_err());
    }
}

#[test]
fn also_in_a_text_in_a_text() {
    let policy = Policy::repair();
    let inside = |value: &Value| Value::from(value.to_string());
    // A list inside it does not count.
    for list in [object("[7]"), inside(&object("[7]"))] {
        let text = format!(r#"{{"list": {list}}}"#);
        assert!(read_str::<Takes>(&text, &policy).is_err(), "{text}");
    }
    let text = format!(r#"{{"map": {}}}"#, inside(&object("[7]")));
    let read = read_str::<Takes>(&text, &policy).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(
        read.value.map,
        Some(BTreeMap::from([(RAW.to_owned(), "[7]".to_owned())]))
    );
    // Arguments in a text, and in one more object.
    for closed in [
        inside(&object(r#"{"a": 1}"#)),
        Value::from_iter([("arguments", inside(&object(r#"{"a": 1}"#)))]),
        Value::from_iter([("arguments", object(r#"{"a": 1}"#))]),
        object(r#"{"a": 1}"#),
    ] {
        let text = closed.to_string();
        for read in [
            read_str::<Closed>(&text, &policy),
            read_value::<Closed>(&closed, &policy),
        ] {
            assert!(read.is_err(), "{text}: {read:?}");
        }
    }
    // The wrapped object is read, and its key is not interpreted.
    let wrapped = Value::from_iter([(
        "arguments",
        Value::from(format!(r#"{{"any": {}}}"#, object("[7]"))),
    )]);
    let read = read_value::<Takes>(&wrapped, &policy).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(read.value.any, Some(object("[7]")));
}

/// A field before its tag, a field of another variant, a text in pieces, a field with a schema of its own.
#[test]
fn wherever_a_value_is_kept() {
    let kept = object("[7]");
    for policy in policies() {
        for text in [
            format!(r#"{{"kind": "One", "any": {kept}}}"#),
            format!(r#"{{"any": {kept}, "kind": "One"}}"#),
        ] {
            let read = read_str::<Tagged>(&text, &policy);
            let read = read.unwrap_or_else(|report| panic!("{report}"));
            assert_eq!(read.value, Tagged::One { any: kept.clone() }, "{text}");
        }
        // After the tag; a text that is not JSON makes no difference.
        let text = format!(r#"{{"kind": "Two", "a": 1, "any": {}}}"#, object("x"));
        let read = read_str::<Tagged>(&text, &policy);
        let read = read.unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(read.value, Tagged::Two { a: 1 });
        // As null it would carry no information.
        let text = format!(r#"{{"kind": "Two", "a": 1, "any": {}}}"#, object("null"));
        let read = read_str::<Tagged>(&text, &policy);
        let read = read.unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(
            read.fixes[0].to_string(),
            "any: not a parameter, ignored",
            "{text}"
        );

        let mut stream = StreamReader::<Takes>::new(&policy);
        let events = stream.push(format!(r#"{{"any": {kept}}}"#));
        let has = super::stream::Event::Field {
            name: "any".to_owned(),
            value: kept.clone(),
        };
        assert!(events.contains(&has), "{events:?}");

        let schema = ForeignSchema::parse(
            r#"{"type": "object", "properties": {"a": {"type": "array"}, "b": {}}, "additionalProperties": false}"#,
        );
        let schema = schema.unwrap_or_else(|faults| panic!("{faults}"));
        for text in [
            format!(r#"{{"a": {kept}}}"#),
            format!(r#"{{"b": 1, "b": 2, "a": {kept}}}"#),
            kept.to_string(),
        ] {
            let report = read_foreign(&text, &schema, &policy).unwrap_err();
            let found = report.to_string();
            assert!(
                found.contains("a: expected an array, found an object")
                    || found.contains("not a parameter")
                    || found.contains("with different values"),
                "{text}: {found}"
            );
        }
        let read = read_foreign(&format!(r#"{{"b": {kept}}}"#), &schema, &policy);
        assert_eq!(read.map(|read| read.value["b"].clone()), Ok(kept.clone()));
    }
    assert_eq!(parse(&kept.to_string()), Some(kept));
}

/// Whether `serde_json` keeps numbers as they are written. It does with its feature `arbitrary_precision`, which any crate
/// of the program can turn on.
fn keeps_digits() -> bool {
    // Too large for any other form of a number.
    serde_json::from_str::<Number>("1e999").is_ok()
}

/// With `arbitrary_precision`, any value keeps its digits, from a text or from a value; without it, it has
/// the nearest float. A number that does not fit a float is an error either way.
#[test]
fn digits_of_any_value() {
    // Only its digits distinguish the second half from the others.
    let numbers = [
        "5",
        "-7",
        "0.5",
        "18446744073709551615",
        "0.10",
        "-0",
        "1.50",
        "18446744073709551616",
        "-123456789012345678901234567890",
        "300000000000000000000000000000000000001",
        "500000000000000000000000000000000000001",
    ];
    let number = |text: &str| serde_json::from_str::<Number>(text).map(Value::Number).ok();
    for policy in policies() {
        for text in numbers {
            let given = format!(r#"{{"any": {text}}}"#);
            let read = read_str::<Takes>(&given, &policy).map(|read| read.value.any);
            assert_eq!(read, Ok(number(text)), "{text}");
            if text == "-0" {
                // A `serde_json` value that keeps its digits returns this one without its sign.
                continue;
            }
            let value: Value = serde_json::from_str(&given).unwrap_or_default();
            let read = read_value::<Takes>(&value, &policy).map(|read| read.value.any);
            assert_eq!(read, Ok(number(text)), "{text}");
            let kept = read.map(|any| any.map(|any| any.to_string()));
            assert_eq!(
                kept == Ok(Some(text.to_owned())),
                keeps_digits() || numbers[..4].contains(&text),
                "{text}"
            );
        }
        let report = read_str::<Takes>(r#"{"any": 1e999}"#, &policy).unwrap_err();
        let said = report.to_string();
        assert!(report.issues[0].kind == IssueKind::NotJson, "{said}");
        let report = read_str::<Takes>(r#"{"list": [1e999]}"#, &policy).unwrap_err();
        assert!(report.issues[0].kind == IssueKind::NotJson, "{report}");
        if !policy.repairs() {
            assert!(said.contains("number out of range"), "{said}");
        }
    }
}

/// Numbers are compared by value, however they are written and stored.
#[test]
fn the_same_number_in_other_digits() {
    let schema =
        |text: &str| ForeignSchema::parse(text).unwrap_or_else(|faults| panic!("{faults}"));
    let unique = schema(r#"{"type": "array", "uniqueItems": true, "items": {"type": "number"}}"#);
    let listed = schema(r#"{"enum": [1, 0.1, 100, 0, 1e38, 1e40]}"#);
    let lax = Policy::lax();
    for text in [
        "1.0",
        "0.10",
        "1e2",
        "-0.0",
        "1.00e2",
        "10e-2",
        "10e39",
        "1e38",
        "100000000000000000000000000000000000000",
        "0e5",
    ] {
        assert!(read_foreign(text, &listed, &lax).is_ok(), "{text}");
    }
    for text in [
        "[0.1, 0.10]",
        "[1, 1.0]",
        "[0, -0.0]",
        "[100, 1e2]",
        "[1e-1, 0.1]",
    ] {
        assert!(read_foreign(text, &unique, &lax).is_err(), "{text}");
    }
    for text in [
        "[0.1, 0.01]",
        "[1, 10, 100]",
        "[1, -1]",
        "[1e2, 1e3]",
        "[0, 1]",
    ] {
        assert!(read_foreign(text, &unique, &lax).is_ok(), "{text}");
    }
    let most = schema(r#"{"type": "integer", "maximum": 18446744073709551615}"#);
    assert!(read_foreign("18446744073709551615", &most, &lax).is_ok());
    assert!(read_foreign("18446744073709551617", &most, &lax).is_err());
}
