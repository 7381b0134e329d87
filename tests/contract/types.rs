//! Readers of single values: bounds of numbers, lists of names, and readers without another caller.

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::json;

use callpact::{Policy, ToolInput, read_str, read_value};

/// The lines of the report on a text; empty if the text is accepted.
fn lines<T: ToolInput>(text: &str, policy: &Policy) -> Vec<String> {
    read_str::<T>(text, policy).map_or_else(
        |report| report.issues.iter().map(ToString::to_string).collect(),
        |_| Vec::new(),
    )
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Ends {
    #[tool_param(min = 1)]
    min: Option<f64>,
    #[tool_param(max = 1)]
    max: Option<f64>,
    #[tool_param(exclusive_min = 1)]
    above: Option<f64>,
    #[tool_param(exclusive_max = 1)]
    below: Option<f64>,
    #[tool_param(multiple_of = 2)]
    even: Option<f64>,
    #[tool_param(min = 0, max = 2, multiple_of = 2)]
    all: Option<f64>,
}

/// Each rule of a number alone, with whole numbers written as `1` and as `1.0`.
#[test]
fn where_numbers_end() {
    let rules: [(&str, &[i64]); 6] = [
        ("min", &[1, 2, 3, 4]),
        ("max", &[-1, 0, 1]),
        ("above", &[2, 3, 4]),
        ("below", &[-1, 0]),
        ("even", &[0, 2, 4]),
        ("all", &[0, 2]),
    ];
    for (name, accepted) in rules {
        for value in -1..=4 {
            for text in [
                format!("{{\"{name}\": {value}}}"),
                format!("{{\"{name}\": {value}.0}}"),
            ] {
                let read = read_str::<Ends>(&text, &Policy::exact());
                assert_eq!(read.is_ok(), accepted.contains(&value), "{text}");
            }
        }
    }
}

#[test]
fn integers_end_with_their_bits() {
    for (text, report) in [
        ("9223372036854775807", &[][..]),
        (
            "9223372036854775808",
            &["arguments: expected an integer of 64 bits, found 9223372036854775808"],
        ),
    ] {
        assert_eq!(lines::<i64>(text, &Policy::exact()), report);
    }
    let far = json!(u64::MAX);
    assert!(read_value::<u64>(&far, &Policy::exact()).is_ok());
    let report = read_value::<i64>(&far, &Policy::exact()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "arguments: expected an integer of 64 bits, found 18446744073709551615"
    );
}

#[derive(ToolInput, Debug, PartialEq)]
struct Order {
    #[tool_param(one_of = ["up", "UP", "down"])]
    order: String,
}

/// A string that is not in the list is repaired only if it can mean exactly one of the list.
#[test]
fn a_choice_in_another_case() {
    let read =
        |text: &str| read_str::<Order>(&json!({"order": text}).to_string(), &Policy::repair());
    for (given, order, fixes) in [("up", "up", 0), ("UP", "UP", 0), ("DOWN", "down", 1)] {
        let read = read(given).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!((&*read.value.order, read.fixes.len()), (order, fixes));
    }
    for refused in ["Up", "downs"] {
        assert!(read(refused).is_err(), "{refused}");
    }
}

#[test]
fn keys_that_may_be_borrowed() {
    let read =
        read_str::<BTreeMap<Cow<'static, str>, i64>>(r#"{"a": 1, "b": 2}"#, &Policy::exact());
    let keys = read.map(|read| read.value.into_keys().collect::<Vec<_>>());
    assert_eq!(keys, Ok(vec![Cow::from("a"), Cow::from("b")]));
}

#[test]
fn every_set_type_is_marked_unique() {
    type Hashed = std::collections::HashSet<u8>;
    type Ordered = std::collections::BTreeSet<u8>;
    for schema in [Hashed::SCHEMA, Ordered::SCHEMA] {
        assert!(matches!(&schema.kind, callpact::schema::Kind::List(list) if list.unique));
    }
}
