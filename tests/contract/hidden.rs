//! No report shows a secret value, or a key that the model chose inside one.

use std::collections::BTreeMap;

use callpact::{
    Policy, ToolInput,
    input::stream::{Event, StreamReader},
    read_str, read_value,
};
use serde_json::{Map, Value};

/// The secrets that must not appear, as text and as a number.
const NEEDLES: [&str; 2] = ["hunter", "8675309"];

/// A secret in every place for a value or a key.
const VALUES: &[&str] = &[
    r#""hunter2""#,
    r#""\"hunter2\"""#,
    r#""hunter2, hunter3""#,
    r#""[\"hunter2\", 8675309]""#,
    r#""{\"hunter2\": 8675309}""#,
    r#""{\"Card\": \"hunter2\", \"Card\": \"hunter2\"}""#,
    r#""{hunter2: 8675309,}""#,
    r#""<parameter name=\"other\">hunter2</parameter>""#,
    "8675309",
    "8675309.5",
    "8675309e300",
    "true",
    "null",
    "[]",
    r#"["hunter2", 8675309, null]"#,
    r#"[["hunter2", 8675309], ["hunter2", 8675309]]"#,
    r#"[{"key": "hunter2", "value": 8675309}, {"key": "hunter2", "value": "hunter2"}]"#,
    r#"[{"key": "hunter2", "value": 1}, {"key": "hunter2", "value": 1}]"#,
    r#"{"hunter2": 1}"#,
    r#"{"hunter2": 8675309, "8675309": "hunter2"}"#,
    r#"{"hunter2": 1, "hunter2": 2}"#,
    r#"{"hunter2": {"hunter2": {"hunter2": 1, "hunter2": "hunter2"}}}"#,
    r#"{"name": "hunter2", "hunter2": "hunter2"}"#,
    r#"{"pin": 8675309, "hunter2": null}"#,
    r#"{"pin": "hunter2", "PIN": "hunter3", "pni": 8675309}"#,
    r#"{"inner": {"pin": "hunter2", "hunter2": 8675309}}"#,
    r#"{"Card": "hunter2"}"#,
    r#"{"Card": {"pin": 8675309, "hunter2": 1}}"#,
    r#"{"Card": 8675309, "hunter2": 1}"#,
    r#"{"Card": null, "Named": null}"#,
    r#"{"kind": "hunter2"}"#,
    r#"{"kind": 8675309, "pin": "hunter2"}"#,
    r#"{"kind": "Card", "pin": "hunter2", "hunter2": {"hunter2": 1, "hunter2": 8675309}}"#,
    r#"{"hunter2": {"hunter2": 1, "hunter2": 8675309}, "pin": 8675309, "kind": "Card"}"#,
    r#"{"hunter2": 8675309e300, "kind": "Card", "kind": "hunter2"}"#,
    r#"{"kind": "Nothing", "hunter2": "hunter2"}"#,
    r#"{"kind": "Card", "content": {"pin": 8675309, "hunter2": 1}}"#,
    r#"{"content": {"hunter2": 8675309}, "kind": "Card", "hunter2": 1}"#,
    r#"{"kind": "Nothing", "content": "hunter2", "hunter2": "hunter2"}"#,
];

/// Broken texts, including some for the repair policy. `%` marks the place of the secret.
const BROKEN: &[&str] = &[
    r#"{"it": "hunter2"#,
    r#"{"it": "hunter2""#,
    r#"{"it": "hunter2", "other": "#,
    r#"{"it": {"hunter2": "#,
    r#"{"it": {"hunter2": 1e999}}"#,
    r#"{"it": [8675309e999]}"#,
    r#"{"it": 8675309e999}"#,
    r#"{"it": {"hunter2": NaN}}"#,
    r#"{"it": hunter2}"#,
    r#"{"it": hunter2 hunter3}"#,
    r#"{"it": "hunter2\x"}"#,
    r#"{"it": "\ud800hunter2"}"#,
    r#"{"it": 'hunter2'}"#,
    r#"{"it": "hunter2" "hunter3"}"#,
    r#"{"it": {"hunter2": 1, "hunter2": 2,}}"#,
    r#"{"IT": {"hunter2": 1, "hunter2": 2,}}"#,
    r#"{"arguments": {"it": {"hunter2": 1, "hunter2": 2,}}}"#,
    r#"{"it": 1} "hunter2""#,
    r#"{"it": "hunter2"} {"it": "hunter3"}"#,
    r#"{"it": ["hunter2",, 8675309]}"#,
    r#"{"it": "hunter2"]"#,
    r#"{"it": 08675309}"#,
    r#""{\"it\": \"hunter2\""#,
    "hunter2",
];

#[derive(ToolInput)]
#[allow(dead_code)]
struct Inner {
    pin: u8,
    inner: Option<Closed>,
}

#[derive(ToolInput)]
#[tool_input(unknown = "deny")]
#[allow(dead_code)]
struct Closed {
    pin: u8,
    #[tool_param(alias = "name")]
    title: Option<u8>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Collects {
    pin: Option<u8>,
    #[tool_param(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
enum Plain {
    Card,
    Hunted,
}

#[derive(ToolInput, PartialEq, Eq, PartialOrd, Ord)]
#[allow(dead_code)]
enum Key {
    Card,
    Hunted,
}

#[derive(ToolInput)]
#[allow(dead_code)]
enum External {
    Card(Inner),
    Named { name: u8 },
    Hunted,
}

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
#[allow(dead_code)]
enum Internal {
    Card { pin: u8 },
    Hunted { inner: Option<Value> },
    Nothing,
}

#[derive(ToolInput)]
#[tool_input(tag = "kind", unknown = "deny")]
#[allow(dead_code)]
enum ClosedInternal {
    Card { pin: u8 },
    Nothing,
}

#[derive(ToolInput)]
#[tool_input(tag = "kind", content = "content")]
#[allow(dead_code)]
enum Adjacent {
    Card { pin: u8 },
    Hunted(u8),
    Nothing,
}

#[derive(ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(u8),
    Card(Closed),
    Inner(Inner),
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Secret<T> {
    #[tool_param(secret)]
    it: T,
}

/// A secret in an optional part, beside a part that may be shown.
#[derive(ToolInput)]
#[allow(dead_code)]
struct Optional<T> {
    other: Option<u8>,
    #[tool_param(secret)]
    it: Option<T>,
}

/// Only the field of a variant is secret.
#[derive(ToolInput)]
#[tool_input(tag = "form")]
#[allow(dead_code)]
enum Within<T> {
    Form {
        #[tool_param(secret)]
        it: T,
    },
    Other,
}

fn tells(what: &str, text: &str, said: &str) {
    for needle in NEEDLES {
        assert!(!said.contains(needle), "{what} of {text}: {said}");
    }
}

/// The number of texts that were refused.
fn check<T: ToolInput>(open: &str, close: &str) -> usize {
    let mut refused = 0;
    for value in VALUES {
        let text = format!("{open}{value}{close}");
        let parsed: Value =
            serde_json::from_str(&text).unwrap_or_else(|_| Value::Object(Map::new()));
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            for read in [
                read_str::<T>(&text, &policy).map(|read| read.fixes),
                read_value::<T>(&parsed, &policy).map(|read| read.fixes),
            ] {
                match read {
                    Ok(fixes) => tells("fixes", &text, &format!("{fixes:?}")),
                    Err(report) => {
                        refused += 1;
                        tells("report", &text, &format!("{report} {report:?}"));
                        tells("JSON", &text, &report.to_json().to_string());
                    }
                }
            }
        }
    }
    refused
}

/// Broken JSON, also while it is streamed.
fn check_broken<T: ToolInput>() -> usize {
    let mut refused = 0;
    for text in BROKEN {
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            match read_str::<T>(text, &policy) {
                Ok(read) => tells("fixes", text, &format!("{:?}", read.fixes)),
                Err(report) => {
                    refused += 1;
                    tells("report", text, &format!("{report} {report:?}"));
                }
            }
            let mut stream = StreamReader::<T>::new(&policy);
            for event in stream.push(text.as_bytes()) {
                if let Event::Issue(issue) = event {
                    tells("issue", text, &format!("{issue} {issue:?}"));
                }
            }
            tells("cut", text, &stream.cut_off().to_string());
        }
    }
    refused
}

fn check_all<T: ToolInput>() {
    assert!(check_broken::<Secret<T>>() > BROKEN.len());
    assert!(check_broken::<Optional<T>>() > BROKEN.len());
    // Any value fits here, but a repeated key does not.
    let least = 6;
    assert!(check::<Secret<T>>(r#"{"it": "#, "}") > least);
    assert!(check::<Optional<T>>(r#"{"it": "#, "}") > least);
    assert!(check::<Optional<Vec<T>>>(r#"{"it": ["#, "]}") > least);
    assert!(check::<Within<T>>(r#"{"form": "Form", "it": "#, "}") > least);
    assert!(check::<Within<T>>(r#"{"it": "#, r#", "form": "Form"}"#) > least);
}

#[test]
fn scalars() {
    check_all::<u8>();
    check_all::<f64>();
    check_all::<bool>();
    check_all::<char>();
    check_all::<Plain>();
}

#[test]
fn lists_and_maps() {
    check_all::<Vec<u8>>();
    check_all::<Vec<Inner>>();
    check_all::<(u8, bool)>();
    check_all::<std::collections::BTreeSet<u8>>();
    check_all::<BTreeMap<String, u8>>();
    check_all::<BTreeMap<String, Closed>>();
    check_all::<BTreeMap<Key, u8>>();
}

#[test]
fn objects() {
    check_all::<Inner>();
    check_all::<Closed>();
    check_all::<Collects>();
}

#[test]
fn unions() {
    check_all::<External>();
    check_all::<Internal>();
    check_all::<ClosedInternal>();
    check_all::<Adjacent>();
    check_all::<Untagged>();
}

#[test]
fn any_json() {
    check_all::<Value>();
    check_all::<Map<String, Value>>();
}

fn refused<T: ToolInput>(text: &str, policy: &Policy) -> String {
    let report = read_str::<T>(text, policy).map(|read| read.fixes);
    report.expect_err(text).to_string()
}

/// The report hides the key but shows the fault.
#[test]
fn what_is_said_all_the_same() {
    let lax = Policy::lax();
    assert_eq!(
        refused::<Secret<BTreeMap<String, u8>>>(r#"{"it": {"hunter2": "x"}}"#, &lax),
        "Invalid arguments, 1 problem:
- it[\"(not shown)\"]: expected an integer from 0 to 255, found a string (not shown)"
    );
    assert_eq!(
        refused::<Secret<Closed>>(r#"{"it": {"pni": 1, "hunter2": 2, "name": "x"}}"#, &lax),
        "Invalid arguments, 4 problems:
- it.title: expected an integer from 0 to 255, found a string (not shown)
- it.pin: missing; expected an integer from 0 to 255
- it[\"(not shown)\"]: not a parameter; known are `pin`, `title`
- it[\"(not shown)\"]: not a parameter"
    );
    assert_eq!(
        refused::<Secret<Vec<External>>>(r#"{"it": [{"Named": {"name": "x"}}]}"#, &lax),
        "Invalid arguments, 1 problem:
- it[0].Named.name: expected an integer from 0 to 255, found a string (not shown)"
    );
    // Values next to the secret are shown.
    assert_eq!(
        refused::<Optional<Collects>>(r#"{"other": "x", "it": {"x": "y"}, "x": 1}"#, &lax),
        "Invalid arguments, 2 problems:
- other: expected an integer from 0 to 255, found \"x\"
- it[\"(not shown)\"]: expected an integer from 0 to 255, found a string (not shown)"
    );
}

/// A text is hidden only if it may contain a secret.
#[test]
fn a_broken_text() {
    for policy in [Policy::exact(), Policy::repair()] {
        let cut = r#"{"it": 12345, "#;
        assert_eq!(
            refused::<Secret<u32>>(cut, &policy),
            "Invalid arguments, 1 problem:
- arguments: expected complete JSON, found a text cut off (its end is not shown); send the whole call again"
        );
        let shown = refused::<BTreeMap<String, u32>>(cut, &policy);
        assert!(
            shown.contains("cut off after \"{\\\"it\\\": 12345,"),
            "{shown}"
        );
    }
    assert_eq!(
        refused::<Secret<u32>>(r#"{"it": 12a345}"#, &Policy::exact()),
        "Invalid arguments, 1 problem:
- arguments: expected JSON, found something at line 1, column 8 (not shown); write a number in decimal digits, as in 10, -2 or 0.5"
    );
}

/// The word that the repair policy quotes is the secret itself.
#[test]
fn a_mended_word() {
    let read = read_str::<Secret<bool>>("{it: True}", &Policy::repair());
    let fixes: Vec<String> = read
        .map(|read| read.fixes)
        .unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        fixes,
        [
            "it: it read as \"it\"",
            "it: (not shown) read as (not shown)"
        ]
    );
}
