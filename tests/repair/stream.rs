//! The stream reader: chunks split anywhere, fields as they finish, issues as soon as they are certain.

use serde_json::json;
use toolwright::{
    IssueKind, Policy,
    input::stream::{Event, StreamReader},
    read_str,
};

use super::shapes::{Closed, Everything, File, Optional};

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
        ["a_c: not a parameter; did you mean `a_b`?"]
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
