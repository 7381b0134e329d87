//! Tests each row of the table in `docs/leniency.md`, under the policy of the row and under the exact one.

use std::collections::BTreeMap;

use callpact::{FixKind, Policy, ToolInput, read_str};

const PAGE: &str = include_str!("../../docs/leniency.md");

#[derive(ToolInput)]
#[allow(dead_code)] // only what was read of it counts
struct Row {
    integer: Option<i8>,
    number: Option<f64>,
    boolean: Option<bool>,
    text: Option<String>,
    #[tool_param(alias = "other_name")]
    long_name: Option<u8>,
    tagged: Option<Tagged>,
    map: Option<BTreeMap<String, u8>>,
}

#[derive(ToolInput)]
#[serde(tag = "kind", content = "of")]
#[allow(dead_code)]
enum Tagged {
    #[tool_param(alias = "second")]
    First { size: u8 },
}

#[derive(ToolInput)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Root {
    First { size: u8 },
    Second { name: String },
}

/// The kinds of fixes of a reading; none if it is refused.
fn fixes<T: ToolInput>(text: &str, policy: &Policy) -> Option<Vec<FixKind>> {
    let read = read_str::<T>(text, policy).ok()?;
    Some(read.fixes.iter().map(|fix| fix.kind).collect())
}

/// The subject of a row: the texts that are sent, by declaration.
fn texts(declared: &str, sent: &str) -> Vec<String> {
    let quoted: Vec<&str> = sent.split('`').skip(1).step_by(2).collect();
    let field = |name: &str| {
        quoted
            .iter()
            .map(|value| format!(r#"{{"{name}":{value}}}"#))
            .collect::<Vec<_>>()
    };
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    match declared {
        "an integer" => field("integer"),
        "a number" => field("number"),
        "a boolean" => field("boolean"),
        "a field that may be left out" => {
            // `keep_empty` is the name of an attribute.
            let value = quoted.first().expect("a value");
            vec![
                format!(r#"{{"text":{value}}}"#),
                format!(r#"{{"integer":{value}}}"#),
            ]
        }
        "a field, a tag, the content of a tag" => owned(&[
            r#"{"longName":1}"#,
            r#"{"LONG-NAME":1}"#,
            r#"{"tagged":{"Kind":"First","of":{"size":1}}}"#,
            r#"{"tagged":{"kind":"First","OF":{"size":1}}}"#,
        ]),
        "a field or variant with an alias" => owned(&[
            r#"{"other_name":1}"#,
            r#"{"tagged":{"kind":"second","of":{"size":1}}}"#,
        ]),
        "a map" => owned(&[r#"{"map":[{"key":"a","value":1}]}"#]),
        // Tested in `types/rust_decimal.rs`, which has the feature.
        "a decimal (feature `rust_decimal`)" => Vec::new(),
        other => panic!("no test for a row of the page: {other}"),
    }
}

#[test]
fn lax_policy_matches_every_row_of_leniency_table() {
    let (_, table) = PAGE
        .split_once("## What the lax policy converts\n")
        .expect("the section");
    let rows = table
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1);
    let mut tried = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [declared, sent, _, kind] = cells[..] else {
            panic!("{row}")
        };
        let kind = kind.trim_matches('`');
        if declared.starts_with("a union as the arguments") {
            let text = r#"{"kind":"First","size":1,"name":null}"#;
            for policy in [Policy::lax(), Policy::repair()] {
                let read = fixes::<Root>(text, &policy).expect("it is read");
                assert_eq!(format!("{read:?}"), format!("[{kind}]"), "{row}");
            }
            tried += 1;
            continue;
        }
        for text in texts(declared, sent) {
            for policy in [Policy::lax(), Policy::repair()] {
                let read = fixes::<Row>(&text, &policy);
                let read = read.unwrap_or_else(|| panic!("{row}\n{text}"));
                assert_eq!(format!("{read:?}"), format!("[{kind}]"), "{row}\n{text}");
                // Without this kind of fix, the value stays unchanged if the schema takes it, and is a fault
                // otherwise.
                let kept = fixes::<Row>(&text, &policy.refusing(read[0]));
                let is_taken = match kind {
                    "IntegerFromNumber" => true,
                    "EmptyAsAbsent" => text.contains("text"),
                    _ => false,
                };
                assert_eq!(kept, is_taken.then(Vec::new), "{row}\n{text}");
            }
            // The exact policy takes what the schema takes, and notes no conversion.
            match (kind, fixes::<Row>(&text, &Policy::exact())) {
                ("IntegerFromNumber", Some(read)) => assert!(read.is_empty(), "{row}"),
                ("KeyCase" | "Alias", Some(read)) => {
                    assert_eq!(read, [FixKind::UnknownDropped], "{row}\n{text}");
                }
                ("EmptyAsAbsent", Some(read)) => {
                    assert!(read.is_empty() && text.contains("text"), "{row}\n{text}");
                }
                (_, read) => assert!(read.is_none(), "{row}\n{text}"),
            }
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}
