//! The stream reader: chunks split anywhere, fields as they finish, issues as soon as they are certain.

use std::collections::BTreeMap;

use callpact::{
    IssueKind, Policy, ToolInput,
    input::stream::{Event, StreamReader},
    read_str,
};
use callpact_tests::rng::Rng;
use serde_json::json;

use super::shapes::{Closed, Everything, File, Lists, Optional};

fn names(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .map(|event| match event {
            Event::Field { name, value } => format!("{name}={value}"),
            Event::Issue(issue) => issue.to_string(),
            other => format!("{other:?}"),
        })
        .collect()
}

const TEXT: &str = r#" {"file_path": "ä\"}\u00e9", "tags": ["a]", "b"], "counts": [1, -2], "items": [{"name": "}"}],
  "mode": "append", "labels": {"k\"": "v"}, "shape": {"kind": "circle", "radius": 1.5}, "dry_run": true, "limit":7 } "#;

#[test]
fn a_split_anywhere_changes_nothing() {
    let whole = read_str::<Everything>(TEXT, &Policy::lax()).unwrap().value;
    let mut one = StreamReader::<Everything>::new(&Policy::lax());
    let fields = names(&one.push(TEXT));
    assert_eq!(fields.len(), 9, "{fields:?}");
    let bytes = TEXT.as_bytes();
    for size in 1..40 {
        let mut reader = StreamReader::<Everything>::new(&Policy::lax());
        let mut seen = Vec::new();
        for chunk in bytes.chunks(size) {
            seen.extend(names(&reader.push(chunk)));
        }
        assert_eq!(seen, fields, "chunks of {size}");
        assert_eq!(reader.finish().unwrap().value, whole);
    }
}

#[test]
fn a_cut_stream_is_never_a_value() {
    let end = TEXT.rfind('}').unwrap();
    for cut in 2..end {
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let mut reader = StreamReader::<Everything>::new(&policy);
            reader.push(&TEXT.as_bytes()[..cut]);
            let report = reader.finish().map(|_| ()).unwrap_err();
            assert!(
                report
                    .issues
                    .iter()
                    .any(|issue| issue.kind == IssueKind::CutOff),
                "{cut}: {report}"
            );
        }
    }
    let mut reader = StreamReader::<Optional>::new(&Policy::repair());
    reader.push("{}");
    assert_eq!(reader.cut_off().issues[0].kind, IssueKind::CutOff);
}

#[test]
fn fields_come_as_they_finish() {
    let mut reader = StreamReader::<File>::new(&Policy::lax());
    assert_eq!(names(&reader.push("{\"path\"")), [""; 0]);
    assert_eq!(names(&reader.push(": \"a\"")), ["path=\"a\""]);
    assert_eq!(names(&reader.push(",\"content\":\"b")), [""; 0]);
    assert_eq!(names(&reader.push("\"")), ["content=\"b\""]);
    assert_eq!(names(&reader.push("}")), [""; 0]);
    assert!(reader.finish().is_ok());
}

#[test]
fn issues_come_as_soon_as_they_are_certain() {
    let mut reader = StreamReader::<Closed>::new(&Policy::lax());
    assert_eq!(
        names(&reader.push(r#"{"a_c":"#)),
        ["a_c: not a parameter; known are `a_b`, `ab`"]
    );
    let mut reader = StreamReader::<File>::new(&Policy::lax());
    assert_eq!(
        names(&reader.push(r#"{"path": ["#)),
        ["path: expected a string, found an array"]
    );
    assert_eq!(names(&reader.push("1]")), ["path=[1]"]);
    let mut reader = StreamReader::<Optional>::new(&Policy::lax());
    assert_eq!(
        names(&reader.push(r#"{"limit": -5,"#)),
        [
            "limit: expected an integer from 0 to 4294967295, found -5",
            "limit=-5"
        ]
    );
    let mut reader = StreamReader::<Optional>::new(&Policy::lax());
    assert_eq!(
        names(&reader.push("[")),
        ["arguments: expected an object, found another start"]
    );
    let mut reader = StreamReader::<Optional>::new(&Policy::lax());
    assert_eq!(
        names(&reader.push("{} x")),
        ["arguments: expected one JSON value, found more text behind it"]
    );
    let mut reader = StreamReader::<Optional>::new(&Policy::lax());
    assert_eq!(
        names(&reader.push("{limit: 1}")),
        ["arguments: expected JSON, found a fault at byte 1"]
    );
}

#[test]
fn what_may_be_mended_is_no_issue_yet() {
    for text in [
        "{'limit': 1}",
        "Sure: {\"limit\": 1}",
        "{\"LIMIT\": 1}",
        "{\"arguments\": {\"limit\": 1}}",
        "{\"limit\": 1}{\"limit\": 1}",
        "\"{\\\"limit\\\": 1}\"",
    ] {
        let mut reader = StreamReader::<Optional>::new(&Policy::repair());
        for event in reader.push(text) {
            assert!(matches!(event, Event::Field { .. }), "{text}: {event:?}");
        }
        assert_eq!(reader.finish().unwrap().value.limit, Some(1), "{text}");
    }
}

/// The events of a text that comes as one chunk.
fn events<T: ToolInput>(text: &str, policy: &Policy) -> Vec<String> {
    names(&StreamReader::<T>::new(policy).push(text))
}

/// Takes no other keys; `name` is also what a call is wrapped with.
#[derive(ToolInput)]
#[tool_input(unknown = "deny")]
#[allow(dead_code)] // a declaration
struct Strict {
    name: Option<String>,
    limit: Option<u32>,
}

/// A key is reported when it comes, once, and only if it can mean nothing else.
#[test]
fn what_is_said_of_a_key() {
    let (lax, repair) = (Policy::lax(), Policy::repair());
    for (key, by_lax, by_repair) in [
        ("limit", false, false),
        ("LIMIT", false, false),
        ("arguments", true, false),
        ("other", true, true),
    ] {
        for (policy, says) in [(lax, by_lax), (repair, by_repair)] {
            let mut reader = StreamReader::<Strict>::new(&policy);
            let said = names(&reader.push(format!("{{\"{key}\":")));
            assert_eq!(said.len(), usize::from(says), "{key} {policy:?}: {said:?}");
            assert!(said.iter().all(|line| line.contains("not a parameter")));
            assert_eq!(
                names(&reader.push("7}")),
                [format!("{key}=7")],
                "{key} {policy:?}"
            );
        }
    }
    assert_eq!(events::<Optional>(r#"{"other": 7}"#, &lax), ["other=7"]);
    // A field of that name is a field.
    for policy in [lax, repair] {
        assert_eq!(
            events::<Strict>(r#"{"name": 5}"#, &policy),
            [
                "name: expected a string, found 5; put it in quotes",
                "name=5"
            ]
        );
    }
}

#[test]
fn stream_reports_text_fault_at_fault_position() {
    for (text, said) in [
        (
            r#"{"limit" 7}"#,
            &["arguments: expected JSON, found a fault at byte 9"][..],
        ),
        (
            r#"{"limit": 7 "file_path": "a"}"#,
            &[
                "limit=7",
                "arguments: expected JSON, found a fault at byte 12",
            ],
        ),
        (
            r#"{"limit": 7 x"#,
            &[
                "limit=7",
                "arguments: expected JSON, found a fault at byte 12",
            ],
        ),
        (
            r#"{"limit": 7} x"#,
            &[
                "limit=7",
                "arguments: expected one JSON value, found more text behind it",
            ],
        ),
        // No arguments give no events.
        ("null", &[]),
    ] {
        assert_eq!(events::<Optional>(text, &Policy::lax()), said, "{text}");
    }
    assert_eq!(events::<Vec<i64>>("[1]", &Policy::lax()), [""; 0]);
}

#[test]
fn no_more_issues_than_the_policy_keeps() {
    let text = r#"{"a": 1, "b": 2, "c": 3}"#;
    for most in [0, 2] {
        let events = StreamReader::<Strict>::new(&Policy::lax().with_max_issues(most)).push(text);
        let issues = events
            .iter()
            .filter(|event| matches!(event, Event::Issue(_)));
        assert_eq!((issues.count(), events.len()), (most, most + 3));
    }
}

/// The bytes of an incomplete character count too.
#[test]
fn a_stream_is_as_long_as_its_bytes() {
    let text = "{\"name\":\"\u{e4}\"}".as_bytes();
    let push = |most: usize| {
        let mut reader = StreamReader::<Strict>::new(&Policy::lax().with_max_bytes(most));
        assert!(reader.push(&text[..10]).is_empty());
        assert_eq!(reader.text(), "{\"name\":\"");
        let said = names(&reader.push(&text[10..]));
        let more = reader.push("}");
        assert!(most == 13 || more.is_empty(), "{more:?}");
        (
            said,
            reader
                .finish()
                .err()
                .map(|report| report.issues[0].to_string()),
        )
    };
    let line = "arguments: expected at most 12 bytes, found 13 bytes".to_owned();
    assert_eq!(push(12), (vec![line.clone()], Some(line)));
    let (said, _) = push(13);
    assert_eq!(said, ["name=\"\u{e4}\""]);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let mut reader = StreamReader::<Optional>::new(&Policy::repair());
    let events = reader.push(b"{\"file_path\": \"\xff\"}");
    assert!(matches!(&events[..], [Event::Issue(_)]), "{events:?}");
    assert!(reader.finish().is_err());
    let mut reader = StreamReader::<Optional>::new(&Policy::repair());
    reader.push(b"{\"file_path\": \"a\"}\xc3");
    assert!(reader.finish().is_err());
    let mut reader = StreamReader::<Optional>::new(&Policy::repair().with_max_bytes(10));
    reader.push("{\"file_path\"");
    assert_eq!(
        reader.finish().unwrap_err().issues[0].kind,
        IssueKind::TooLarge
    );
}

#[test]
fn a_long_stream_takes_time_in_its_length() {
    let time = |items: usize| {
        let text = json!({"path": "a", "content": "x\"".repeat(items)}).to_string();
        let start = std::time::Instant::now();
        let mut reader = StreamReader::<File>::new(&Policy::lax());
        for chunk in text.as_bytes().chunks(7) {
            reader.push(chunk);
        }
        assert!(reader.finish().is_ok());
        start.elapsed()
    };
    time(10_000);
    let (short, long) = (time(50_000), time(500_000));
    assert!(long < short * 60, "{short:?} {long:?}");
}

/// Choosing one of two values would be a guess, so the issue does not wait for the end of the text.
#[test]
fn stream_reports_repeated_parameter_at_key() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Read {
        #[tool_param(alias = "file")]
        path: String,
        line: Option<u32>,
    }

    let issues = |policy: &Policy, texts: &[&str]| {
        let mut reader = StreamReader::<Read>::new(policy);
        let mut issues = Vec::new();
        for text in texts {
            for event in reader.push(text) {
                if let Event::Issue(issue) = event {
                    issues.push(issue.to_string());
                }
            }
        }
        issues
    };
    let twice = ["path: expected once, found more than once"];
    let exact = Policy::exact();
    assert_eq!(issues(&exact, &[r#"{"path": "a", "path":"#]), twice);
    assert_eq!(
        issues(&exact, &[r#"{"path": "a", "line": 1, "path": "a"}"#]),
        twice
    );
    assert_eq!(
        issues(&Policy::lax(), &[r#"{"path": "a", "file""#, ":"]),
        twice
    );
    // The exact policy knows no aliases, and a repaired text may have an equal key twice.
    assert!(issues(&exact, &[r#"{"path": "a", "file": "a"}"#]).is_empty());
    assert!(issues(&Policy::repair(), &[r#"{"path": "a", "path": "a"}"#]).is_empty());
}

#[derive(ToolInput, Debug)]
#[allow(dead_code)] // a declaration
struct Search {
    query: String,
    #[tool_param(alias = "max")]
    limit: Option<u32>,
    exact: Option<bool>,
    folder: Option<String>,
    max_depth: Option<u8>,
}

/// Any other key is one of the labels.
#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Labelled {
    query: String,
    max_depth: Option<u8>,
    #[tool_param(flatten)]
    labels: BTreeMap<String, String>,
}

fn issues<T: ToolInput>(text: &str, policy: &Policy) -> Vec<String> {
    let mut reader = StreamReader::<T>::new(policy);
    let events = reader.push(text);
    let issues = events.iter().filter_map(|event| match event {
        Event::Issue(issue) => Some(issue.to_string()),
        _ => None,
    });
    issues.collect()
}

#[test]
fn stream_reports_no_issue_repairable_by_rest() {
    let near = r#"{"query":"a","limit":5,"exact":true,"folder":"f","folde":"f"}"#;
    for policy in [Policy::lax(), Policy::repair()] {
        assert_eq!(issues::<Search>(near, &policy), [""; 0]);
        assert!(read_str::<Search>(near, &policy).is_ok());
    }
    let listed = r#"{"query":"a","max_depth":[5]}"#;
    assert_eq!(issues::<Search>(listed, &Policy::repair()), [""; 0]);
    assert!(read_str::<Search>(listed, &Policy::repair()).is_ok());
    // A fault that nothing repairs is reported under both policies.
    let several = r#"{"query":"a","max_depth":[5,6]"#;
    for policy in [Policy::lax(), Policy::repair()] {
        let said = issues::<Search>(several, &policy);
        assert_eq!(
            said,
            ["max_depth: expected an integer from 0 to 255, found an array"]
        );
    }
}

/// Values of every form, good and bad ones for any of the fields.
const VALUES: &[&str] = &[
    r#""a""#,
    "5",
    r#""5""#,
    "[5]",
    r#"["5"]"#,
    "[5,6]",
    "[[5]]",
    "5.0",
    "-1",
    "1e999",
    "null",
    "true",
    r#""True""#,
    r#""""#,
    "[]",
    "{}",
    r#"["a"]"#,
    r#""[1]""#,
    r#""{\"k\":\"v\"}""#,
    r#"{"k":"v"}"#,
    r#"[["k","v"]]"#,
    r#"[{"key":"k","value":"v"}]"#,
    r#""append""#,
    r#""APPEND""#,
    r#"{"kind":"circle","radius":1}"#,
    r#"{"Kind":"Circle","radius":"1"}"#,
    r#"[{"name":"x"}]"#,
    r#"[{"name":"x","weight":1,"wieght":2}]"#,
    r#"[{"nmae":"x"}]"#,
    r#"{"query":"a"}"#,
    r#"{"path":"a","content":"b"}"#,
];

/// The key, or one that a model writes for it.
fn key_for(key: &str, rng: &mut Rng) -> String {
    match rng.below(12) {
        0 => key.to_uppercase(),
        1 => key.replace('_', ""),
        2 => key.chars().skip(1).collect(),
        3 => key.chars().take(key.len() - 1).collect(),
        4 => format!("{key}s"),
        5 => (*rng.pick(&[
            "arguments",
            "input",
            "name",
            "function",
            "id",
            "type",
            "max",
            "other",
        ]))
        .to_owned(),
        _ => key.to_owned(),
    }
}

fn damaged(object: &str, rng: &mut Rng) -> String {
    match rng.below(20) {
        0 => format!("{object} done"),
        1 => format!("```json\n{object}\n```"),
        2 => object.replace('"', "'"),
        3 => serde_json::Value::from(object).to_string(),
        4 => format!("{object}{object}"),
        5 => format!("{{\"arguments\":{object}}}"),
        6 => format!("{{\"name\":\"search\",\"arguments\":{object}}}"),
        7 => format!("[{object}]"),
        8 => object.replace('}', ",}"),
        9 => object.replace(':', ""),
        10 => format!("{object}}}"),
        _ => object.to_owned(),
    }
}

/// The texts that give both an issue and a value.
fn contradictions<T: ToolInput>(keys: &[&str]) -> Vec<String> {
    let mut rng = Rng::new(7);
    let (mut said, mut read) = (0, 0);
    let mut found = Vec::new();
    for _ in 0..1_500 {
        let mut fields = Vec::new();
        for key in keys {
            for _ in 0..=usize::from(rng.one_in(10)) {
                if !rng.one_in(5) {
                    let key = key_for(key, &mut rng);
                    fields.push(format!("\"{key}\":{}", rng.pick(VALUES)));
                }
            }
        }
        let text = damaged(&format!("{{{}}}", fields.join(",")), &mut rng);
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            for policy in [policy, policy.lowered()] {
                let issues = issues::<T>(&text, &policy);
                let is_read = read_str::<T>(&text, &policy).is_ok();
                said += usize::from(!issues.is_empty());
                read += usize::from(is_read);
                if is_read && !issues.is_empty() {
                    found.push(format!("{policy:?} {text}: {issues:?}"));
                }
            }
        }
    }
    assert!(said > 500 && read > 10, "{said} {read}");
    found
}

/// A host may stop the model at an issue, so none may come where the whole is a value.
#[test]
fn no_issue_comes_before_a_value() {
    let found = [
        contradictions::<Search>(&["query", "limit", "exact", "folder", "max_depth"]),
        contradictions::<Labelled>(&["query", "max_depth", "k"]),
        contradictions::<Optional>(&["file_path", "limit"]),
        contradictions::<Strict>(&["name", "limit"]),
        contradictions::<Closed>(&["a_b", "ab"]),
        contradictions::<File>(&["path", "content"]),
        contradictions::<Lists>(&["tags", "counts", "modes", "items"]),
        contradictions::<BTreeMap<String, u32>>(&["a", "b"]),
    ];
    let found = found.concat();
    assert!(found.is_empty(), "{}:\n{}", found.len(), found.join("\n"));
}
