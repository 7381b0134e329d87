//! The repair policy on values in memory, which are read in another way than text.

use std::collections::{BTreeMap, BTreeSet};

use callpact::{Fix, Policy, Read, Report, ToolInput, read_str, read_value};
use expect_test::{Expect, expect};
use serde_json::{Value, from_str, json};

use super::shapes::Lists;

/// Like [`read_value`], and compared with the reading of the text.
#[track_caller]
fn both<T: ToolInput + PartialEq + std::fmt::Debug>(
    text: &str,
    policy: &Policy,
) -> Result<Read<T>, Report> {
    let parsed: Value = from_str(text).expect("JSON");
    let (value, of_text) = (
        read_value::<T>(&parsed, policy),
        read_str::<T>(text, policy),
    );
    match (&value, &of_text) {
        (Ok(value), Ok(of_text)) => {
            assert_eq!(value.value, of_text.value, "{text}");
            assert_eq!(kinds(&value.fixes), kinds(&of_text.fixes), "{text}");
        }
        (Err(value), Err(of_text)) => assert_eq!(value.to_string(), of_text.to_string(), "{text}"),
        _ => panic!("value and text differ: {value:?}, {of_text:?}"),
    }
    value
}

fn kinds(fixes: &[Fix]) -> Vec<&'static str> {
    fixes.iter().map(|fix| fix.kind.name()).collect()
}

#[track_caller]
fn refused<T: ToolInput + PartialEq + std::fmt::Debug>(text: &str, policy: &Policy, says: &Expect) {
    let report = both::<T>(text, policy).expect_err("refused");
    says.assert_eq(&report.to_string());
}

#[test]
fn one_value_stands_for_a_list_of_it() {
    let text = r#"{"tags": "new", "counts": 5, "modes": "append", "items": {"name": "a"}}"#;
    let read = both::<Lists>(text, &Policy::repair()).expect("four lists of one");
    assert_eq!(kinds(&read.fixes), ["list_from_single"; 4]);
    assert_eq!(read.value.tags, ["new"]);
    assert_eq!(read.value.counts, Some(vec![5]));
    assert_eq!(read.value.items.map(|items| items.len()), Some(1));
    // A policy that converts without repairing does not do it.
    let report = read_str::<Lists>(text, &Policy::lax()).expect_err("no lists");
    assert_eq!(report.issues.len(), 4);
    let parsed: Value = from_str(text).expect("JSON");
    let report = read_value::<Lists>(&parsed, &Policy::lax()).expect_err("no lists");
    assert_eq!(report.issues.len(), 4);
}

/// Some of these mean several values, some mean none, and the others may mean either.
#[test]
fn rejects_string_with_several_or_no_items() {
    for text in [
        "a, b",
        "a; b",
        "a\nb",
        "a|b",
        "a\tb",
        "a、b",
        "a and b",
        "a OR b",
        "a & b",
        "a + b",
        "1. a 2. b",
        "",
        " ",
        "null",
        "None",
        "nil",
        "undefined",
        "N/A",
        "-",
        "sand castle",
    ] {
        let text = json!({"tags": text}).to_string();
        let report = both::<Lists>(&text, &Policy::repair()).expect_err(&text);
        assert_eq!(report.issues.len(), 1, "{report}");
    }
    for one in ["a", "R&D", "C++", "a/b", "1.5"] {
        let read = both::<Lists>(&json!({"tags": one}).to_string(), &Policy::repair());
        assert_eq!(read.expect("one item").value.tags, [one]);
    }
}

#[test]
fn one_value_keeps_the_rules_of_the_list() {
    #[derive(ToolInput, Debug, PartialEq)]
    struct Two {
        #[tool_param(min_items = 2)]
        names: Vec<String>,
    }
    refused::<Two>(
        r#"{"names": "a"}"#,
        &Policy::repair(),
        &expect![[r"
        Invalid arguments, 1 problem:
        - names: expected an array of at least 2 items, found 1 item"]],
    );
    refused::<Lists>(
        r#"{"tags": {"a": 1}}"#,
        &Policy::repair(),
        &expect![[r"
        Invalid arguments, 1 problem:
        - tags: expected an array, found an object"]],
    );
}

#[test]
fn an_item_twice_is_reported() {
    #[derive(ToolInput, Debug, PartialEq)]
    struct Names {
        names: BTreeSet<String>,
    }
    refused::<Names>(
        r#"{"names": ["a", "b", "a"]}"#,
        &Policy::lax(),
        &expect![[r"
            Invalid arguments, 1 problem:
            - names[2]: expected every item once, found the same item again"]],
    );
}

#[test]
fn pairs_that_are_no_pairs_are_reported() {
    #[derive(ToolInput, Debug, PartialEq)]
    struct Labels {
        labels: BTreeMap<String, u8>,
    }
    let read = both::<Labels>(r#"{"labels": [["a", 1], ["b", 2]]}"#, &Policy::repair());
    assert_eq!(read.expect("pairs").value.labels.len(), 2);
    refused::<Labels>(
        r#"{"labels": [["a", 1, 2]]}"#,
        &Policy::repair(),
        &expect![[r"
            Invalid arguments, 1 problem:
            - labels: expected an object, found an array"]],
    );
    refused::<Labels>(
        r#"{"labels": [["a"]]}"#,
        &Policy::repair(),
        &expect![[r"
            Invalid arguments, 1 problem:
            - labels: expected an object, found an array"]],
    );
}

#[derive(ToolInput, Debug, PartialEq)]
enum Limit {
    Nothing,
    Most(Option<u8>),
    Least(u8),
}

/// A strict receiver makes the model name every variant of a union at the root.
#[test]
fn null_under_the_name_of_a_variant() {
    let read = |text| both::<Limit>(text, &Policy::lax()).expect(text);
    for text in [
        r#"{"Most": null}"#,
        r#"{"Least": null, "Most": null}"#,
        r#"{"Most": null, "Least": null}"#,
    ] {
        assert_eq!(read(text).value, Limit::Most(None), "{text}");
    }
    assert_eq!(read(r#"{"Most": null, "Least": 3}"#).value, Limit::Least(3));
    assert_eq!(
        read(r#"{"Least": null, "Most": 3}"#).value,
        Limit::Most(Some(3))
    );
    assert!(both::<Limit>(r#"{"Most": null, "Least": 3}"#, &Policy::exact()).is_err());
}

#[test]
fn what_no_variant_takes_is_refused() {
    refused::<Limit>(
        r#"{"Least": null}"#,
        &Policy::lax(),
        &expect![[r"
        Invalid arguments, 1 problem:
        - Least: expected an integer from 0 to 255, found null"]],
    );
    refused::<Limit>(
        r#"{"Nothing": 1}"#,
        &Policy::lax(),
        &expect![[r#"
        Invalid arguments, 1 problem:
        - arguments: expected "Nothing", found an object"#]],
    );
    refused::<Limit>(
        r#"{"Most": 1, "Least": 3}"#,
        &Policy::lax(),
        &expect![[r#"
        Invalid arguments, 1 problem:
        - arguments: expected one of "Nothing", "Most", "Least", those with content as an object's single key, found an object of 2 keys"#]],
    );
    refused::<Limit>(
        r#"{"Moist": 1}"#,
        &Policy::lax(),
        &expect![[r"
        Invalid arguments, 1 problem:
        - Moist: not a parameter; did you mean `Most`?"]],
    );
}
