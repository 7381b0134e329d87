//! A key is told by a `match` that the derive writes, or by the schema's table where it has escapes
//! in it or a field is flattened. Both must give it the same field.

use toolwright::{FixKind, Policy, ToolInput, read_str};

#[derive(Debug, PartialEq, ToolInput)]
struct Plain {
    a: u8,
    #[tool_param(rename = "type", alias = "kind")]
    form: String,
    a_long_name_of_a_field: Option<u8>,
    #[tool_param(any_name)]
    é: Option<bool>,
    #[tool_param(skip)]
    skipped: u8,
    last: Vec<u8>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Flat {
    before: u8,
    #[tool_param(flatten)]
    inside: Plain,
    after: u8,
}

/// The text with every character of every key as an escape.
fn escaped(entries: &[(&str, &str)]) -> String {
    let entry = |(key, value): &(&str, &str)| {
        let units: Vec<String> = key
            .encode_utf16()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect();
        let key = units.concat();
        format!("\"{key}\":{value}")
    };
    let entries: Vec<String> = entries.iter().map(entry).collect();
    format!("{{{}}}", entries.join(","))
}

fn plain(entries: &[(&str, &str)]) -> String {
    let entry = |(key, value): &(&str, &str)| format!("\"{key}\":{value}");
    let entries: Vec<String> = entries.iter().map(entry).collect();
    format!("{{{}}}", entries.join(","))
}

const FIELDS: [(&str, &str); 5] = [
    ("last", "[1,2]"),
    ("a", "7"),
    ("é", "true"),
    ("type", "\"x\""),
    ("a_long_name_of_a_field", "9"),
];

fn wanted() -> Plain {
    Plain {
        a: 7,
        form: "x".to_owned(),
        a_long_name_of_a_field: Some(9),
        é: Some(true),
        skipped: 0,
        last: vec![1, 2],
    }
}

#[test]
fn by_match_and_by_table() {
    for text in [plain(&FIELDS), escaped(&FIELDS)] {
        let read = read_str::<Plain>(&text, &Policy::exact()).expect("good");
        assert_eq!((read.value, read.fixes), (wanted(), vec![]), "{text}");
    }
    let all = [&[("after", "2")][..], &FIELDS, &[("before", "1")]].concat();
    for text in [plain(&all), escaped(&all)] {
        let read = read_str::<Flat>(&text, &Policy::exact()).expect("good");
        let flat = Flat {
            before: 1,
            inside: wanted(),
            after: 2,
        };
        assert_eq!((read.value, read.fixes), (flat, vec![]), "{text}");
    }
}

#[test]
fn aliases_strangers_and_repeats() {
    let entries = [
        ("kind", "\"x\""),
        ("a", "7"),
        ("last", "[]"),
        ("skipped", "3"),
        ("forms", "1"),
    ];
    for text in [plain(&entries), escaped(&entries)] {
        let read = read_str::<Plain>(&text, &Policy::lax()).expect("good");
        let kinds: Vec<FixKind> = read.fixes.iter().map(|fix| fix.kind).collect();
        let dropped = FixKind::UnknownDropped;
        assert_eq!(kinds, [FixKind::Alias, dropped, dropped], "{text}");
        assert_eq!(read.value.skipped, 0);
    }
    let entries = [
        ("a", "1"),
        ("type", "\"x\""),
        ("last", "[]"),
        ("a", "2"),
        ("kind", "\"y\""),
    ];
    for text in [plain(&entries), escaped(&entries)] {
        let report = read_str::<Plain>(&text, &Policy::lax()).expect_err("twice");
        let lines: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "a: expected once, found more than once",
                "type: expected once, found more than once"
            ],
            "{text}"
        );
    }
}
