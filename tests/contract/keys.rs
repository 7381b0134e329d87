//! A key is found by a `match` from the derive, or by the schema's table if it has escapes or a
//! field is flattened. Both must find the same field.

use std::collections::BTreeMap;

use callpact::{FixKind, Policy, ToolInput, input::Fixes, read_str, read_value};

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

/// The text with every character of every key escaped.
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
        assert_eq!(
            (read.value, read.fixes),
            (wanted(), Fixes::default()),
            "{text}"
        );
    }
    let all = [&[("after", "2")][..], &FIELDS, &[("before", "1")]].concat();
    for text in [plain(&all), escaped(&all)] {
        let read = read_str::<Flat>(&text, &Policy::exact()).expect("good");
        let flat = Flat {
            before: 1,
            inside: wanted(),
            after: 2,
        };
        assert_eq!((read.value, read.fixes), (flat, Fixes::default()), "{text}");
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
                "type: expected once, found `type` and `kind`"
            ],
            "{text}"
        );
    }
}

/// Each field keeps its own number in any order of map fields, collecting maps, and plain or
/// flattened structs.
#[derive(Debug, PartialEq, ToolInput)]
struct Mixed {
    first: BTreeMap<String, u8>,
    #[tool_param(alias = "second_too")]
    second: Option<u8>,
    nested: Option<Inner>,
    #[tool_param(flatten)]
    inner: Inner,
    #[tool_param(flatten)]
    others: BTreeMap<String, String>,
    #[tool_param(alias = "last_too")]
    last: u8,
    map: Option<BTreeMap<String, u8>>,
    #[tool_param(alias = "end_too")]
    end: Option<bool>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Inner {
    labels: BTreeMap<String, u8>,
    #[tool_param(alias = "count_too")]
    count: u8,
}

/// Without a flattened field, the number of a field is its position.
#[derive(Debug, PartialEq, ToolInput)]
struct Unmixed {
    first: BTreeMap<String, u8>,
    #[tool_param(alias = "second_too")]
    second: Option<u8>,
    nested: Option<Inner>,
    #[tool_param(alias = "last_too")]
    last: u8,
}

#[test]
fn maps_among_the_fields() {
    let map = |key: &str, value: u8| BTreeMap::from([(key.to_owned(), value)]);
    let inner = |label, count| Inner {
        labels: map(label, 1),
        count,
    };
    let mixed = Mixed {
        first: map("a", 1),
        second: Some(2),
        nested: Some(inner("b", 3)),
        inner: inner("c", 4),
        others: BTreeMap::from([("x".to_owned(), "y".to_owned())]),
        last: 5,
        map: Some(map("d", 6)),
        end: Some(true),
    };
    let text = r#"{"first":{"a":1},"second":2,"nested":{"labels":{"b":1},"count":3},"labels":{"c":1},
        "count":4,"x":"y","last":5,"map":{"d":6},"end":true}"#;
    let unmixed = Unmixed {
        first: map("a", 1),
        second: Some(2),
        nested: Some(inner("b", 3)),
        last: 5,
    };
    let part = r#"{"first":{"a":1},"second":2,"nested":{"labels":{"b":1},"count":3},"last":5}"#;
    let again = |text: &str, from: &str, to: &str| {
        let changed = text.replace(&format!("\"{from}\":"), &format!("\"{to}\":"));
        assert_ne!(changed, text);
        changed
    };
    // By name, by alias, and in another case.
    let other_names = |text: &str, names: &[&str]| {
        let another = |text: String, name: &&str| again(&text, name, &format!("{name}_too"));
        names.iter().fold(text.to_owned(), another)
    };
    let aliases = ["second", "count", "last"];
    let of_mixed = other_names(&other_names(text, &aliases), &["end"]);
    let of_unmixed = other_names(part, &aliases);
    for policy in [Policy::lax(), Policy::repair()] {
        let changes = [
            (text.to_owned(), part.to_owned()),
            (of_mixed.clone(), of_unmixed.clone()),
        ];
        for (text, part) in changes {
            let read = read_str::<Mixed>(&text, &policy).expect("good");
            assert_eq!(read.value, mixed);
            let value = serde_json::from_str(&text).expect("JSON");
            let of_value = read_value::<Mixed>(&value, &policy).expect("good");
            assert_eq!(of_value.value, mixed);
            let read = read_str::<Unmixed>(&part, &policy).expect("good");
            assert_eq!(read.value, unmixed);
        }
    }
    let mut cased = part.to_owned();
    for name in ["second", "nested", "last", "labels", "count"] {
        cased = again(&cased, name, &name.to_uppercase());
    }
    let read = read_str::<Unmixed>(&cased, &Policy::repair()).expect("good");
    assert_eq!(read.value, unmixed);
    assert!(read.fixes.iter().all(|fix| fix.kind == FixKind::KeyCase));

    // Reports name each faulty or missing field by its own name.
    let names = [
        "first", "second", "nested", "labels", "count", "x", "last", "map", "end",
    ];
    let wrong: Vec<String> = names.iter().map(|name| format!("\"{name}\":[7]")).collect();
    let report = read_str::<Mixed>(&format!("{{{}}}", wrong.join(",")), &Policy::exact());
    let issues = report.expect_err("nothing but arrays").issues;
    let paths: Vec<String> = issues.iter().map(|issue| issue.path.to_string()).collect();
    assert_eq!(paths, names);

    let report = read_str::<Mixed>("{}", &Policy::lax()).expect_err("nothing");
    let lines: Vec<String> = report
        .issues
        .iter()
        .map(|issue| issue.path.to_string())
        .collect();
    assert_eq!(lines, ["first", "labels", "count", "last"]);
}
