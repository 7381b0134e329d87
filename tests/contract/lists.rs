//! Lists, sets and maps: what the reader takes from a text and from a value, and where it reports a
//! fault.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
};

use callpact::{
    IssueKind, Policy, ToolInput, read_str, read_value,
    schema::{Integer, Kind, List, Map, Schema},
};
use serde_json::{Value, from_str};

const POLICIES: [Policy; 3] = [Policy::exact(), Policy::lax(), Policy::repair()];

/// The value of a text, or the lines of its report. A value must give the same result.
#[track_caller]
fn read<T: ToolInput + PartialEq + Debug>(text: &str, policy: &Policy) -> Result<T, Vec<String>> {
    let lines = |report: callpact::Report| {
        assert_eq!(report.omitted, 0);
        report.issues.iter().map(ToString::to_string).collect()
    };
    let value: Value = from_str(text).expect("JSON");
    let of_value = read_value::<T>(&value, policy).map_err(lines);
    let of_text = read_str::<T>(text, policy).map_err(lines);
    let of_value = of_value.map(|read| (read.value, read.fixes));
    let of_text = of_text.map(|read| (read.value, read.fixes));
    assert_eq!(of_text, of_value, "{text}");
    of_text.map(|(value, _)| value)
}

#[derive(ToolInput, Debug, PartialEq)]
struct Item {
    a: Option<u8>,
}

#[derive(ToolInput, Debug, PartialEq, Default)]
struct Forms {
    texts: Option<Vec<String>>,
    numbers: Option<Vec<f64>>,
    small: Option<Vec<u8>>,
    flags: Option<Vec<bool>>,
    items: Option<Vec<Item>>,
    #[tool_param(unique_items)]
    once: Option<Vec<f64>>,
    set: Option<BTreeSet<String>>,
}

/// Only the repair policy makes a list of a single value, and only if the value has the form of an
/// item.
#[test]
fn what_is_no_list() {
    const NOT: &str = "expected an array, found";
    const LIST: &str = "; send it as the only item of a list";
    const UNQUOTE: &str = "; send it without the quotes around it";
    let number = || Forms {
        numbers: Some(vec![1.5]),
        ..Forms::default()
    };
    for (text, found, mend, alone) in [
        (r#"{"numbers": 1.5}"#, "1.5", LIST, Some(number())),
        (r#"{"numbers": "1.5"}"#, "\"1.5\"", LIST, Some(number())),
        (r#"{"numbers": true}"#, "true", "", None),
        (
            r#"{"numbers": {}}"#,
            "an object",
            "; send one, or leave it out",
            None,
        ),
        (r#"{"numbers": {"a": [1]}}"#, "an object", "", None),
        (r#"{"flags": 1.5}"#, "1.5", "", None),
        (r#"{"flags": 1}"#, "1", "", None),
        (
            r#"{"flags": false}"#,
            "false",
            LIST,
            Some(Forms {
                flags: Some(vec![false]),
                ..Forms::default()
            }),
        ),
        (r#"{"texts": 5}"#, "5", "", None),
        (r#"{"texts": {"a": 1}}"#, "an object", "", None),
        (r#"{"items": 5}"#, "5", "", None),
        (r#"{"items": 2.5}"#, "2.5", "", None),
        (r#"{"items": "a"}"#, "\"a\"", "", None),
        (
            r#"{"items": {"a": 1}}"#,
            "an object",
            LIST,
            Some(Forms {
                items: Some(vec![Item { a: Some(1) }]),
                ..Forms::default()
            }),
        ),
        (
            r#"{"texts": "[\"a\", \"b\"]"}"#,
            "\"[\\\"a\\\", \\\"b\\\"]\"",
            UNQUOTE,
            Some(Forms {
                texts: Some(vec!["a".to_owned(), "b".to_owned()]),
                ..Forms::default()
            }),
        ),
        (
            r#"{"numbers": " [1.5]"}"#,
            "\" [1.5]\"",
            UNQUOTE,
            Some(number()),
        ),
    ] {
        let field = text.split('"').nth(1).expect("a field");
        let line = format!("{field}: {NOT} {found}");
        // The hint says what was tried and would work.
        let line = format!("{line}{mend}");
        // Only the lax policy takes a number in quotes, even as an item.
        let unproved = text.contains("\"1.5\"");
        let refused = |policy: &Policy| {
            let line = if unproved && *policy == Policy::exact() {
                line.trim_end_matches(LIST).to_owned()
            } else {
                line.clone()
            };
            assert_eq!(read::<Forms>(text, policy), Err(vec![line]), "{text}");
        };
        refused(&Policy::exact());
        refused(&Policy::lax());
        match alone {
            Some(forms) => assert_eq!(read::<Forms>(text, &Policy::repair()), Ok(forms), "{text}"),
            None => refused(&Policy::repair()),
        }
    }
    // The rules of the list and of its items still apply.
    for (text, line) in [
        (r#"{"once": 2.5}"#, None),
        (r#"{"set": "a"}"#, None),
        (
            r#"{"small": 2.5}"#,
            Some("small[0]: expected an integer from 0 to 255, found 2.5"),
        ),
        (
            r#"{"items": {"a": "x"}}"#,
            Some("items[0].a: expected an integer from 0 to 255, found \"x\""),
        ),
    ] {
        let read = read::<Forms>(text, &Policy::repair());
        assert_eq!(read.err(), line.map(|line| vec![line.to_owned()]), "{text}");
    }
}

type Maps = Vec<BTreeMap<String, Vec<u8>>>;

#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(validate = never)]
struct Whole {
    plain: Option<Vec<u8>>,
    #[tool_param(min_items = 2)]
    ruled: Option<Vec<u8>>,
    #[tool_param(unique_items)]
    once: Option<Vec<u8>>,
    set: Option<BTreeSet<u8>>,
    #[tool_param(max_items = 2)]
    few: Option<BTreeSet<u8>>,
    map: Option<BTreeMap<String, u8>>,
    any: Option<Value>,
    pair: Option<(u8, u8)>,
    array: Option<[u8; 2]>,
    deep: Option<Vec<Maps>>,
}

fn never(_: &Whole) -> Result<(), String> {
    Err("the author's rule was asked".to_owned())
}

/// One fault is reported. The author's rule does not see the rest of a faulty list.
#[test]
fn what_is_not_whole_is_no_value() {
    const NUMBER: &str = "expected an integer from 0 to 255, found \"x\"";
    for (text, line) in [
        (r#"{"plain": ["x"]}"#, "plain[0]: #"),
        (r#"{"plain": [1, "x"]}"#, "plain[1]: #"),
        (r#"{"plain": [1, "x", 3]}"#, "plain[1]: #"),
        (r#"{"ruled": [1, 2, "x", 4]}"#, "ruled[2]: #"),
        (
            r#"{"ruled": [1]}"#,
            "ruled: expected an array of at least 2 items, found 1 item",
        ),
        (r#"{"once": ["x"]}"#, "once[0]: #"),
        (r#"{"once": [1, "x", 3]}"#, "once[1]: #"),
        (
            r#"{"once": [1, 2, 1, 3]}"#,
            "once[2]: expected every item once, found the same item again",
        ),
        (r#"{"set": [3, "x", 1]}"#, "set[1]: #"),
        (
            r#"{"set": [3, 3, 1]}"#,
            "set[1]: expected every item once, found the same item again",
        ),
        (
            r#"{"few": [1, 2, 3]}"#,
            "few: expected an array of at most 2 items without duplicates, found 3 items",
        ),
        (r#"{"map": {"a": 1, "b": "x", "c": 3}}"#, "map.b: #"),
        (r#"{"map": {"a": "x"}}"#, "map.a: #"),
        (r#"{"pair": ["x", 1]}"#, "pair[0]: #"),
        (r#"{"array": [1, "x"]}"#, "array[1]: #"),
        (
            r#"{"deep": [[], [{}, {"a": []}, {"a": [1, 2], "b c": [3, "x"]}]]}"#,
            "deep[1][2][\"b c\"][1]: #",
        ),
    ] {
        let line = line.replace('#', NUMBER);
        for policy in POLICIES {
            assert_eq!(
                read::<Whole>(text, &policy),
                Err(vec![line.clone()]),
                "{text}"
            );
        }
    }
    // A `Value` cannot hold a key twice.
    for (text, line) in [
        (
            r#"{"map": {"a": 1, "b": 2, "a": 3}}"#,
            "map.a: expected once, found more than once",
        ),
        (
            r#"{"any": [1, {"a": 1}, {"a": 1, "b": 2, "a": 3, "c": 4}]}"#,
            "any[2].a: expected once, found more than once",
        ),
    ] {
        for policy in [Policy::exact(), Policy::lax()] {
            let report = read_str::<Whole>(text, &policy).expect_err(text);
            assert_eq!(
                report.to_string(),
                format!("Invalid arguments, 1 problem:\n- {line}")
            );
        }
    }
    let asked = Err(vec!["arguments: the author's rule was asked".to_owned()]);
    let text = r#"{"plain": [1], "once": [1], "set": [1], "map": {"a": 1}, "any": [{"a": 1}]}"#;
    assert_eq!(read::<Whole>(text, &Policy::exact()), asked);
}

#[test]
fn map_pairs_are_indexed_from_zero() {
    for (text, line) in [
        (
            r#"{"map": [{"key": "a", "value": 1}, {"key": "b", "value": "x"}]}"#,
            "map[1].value: expected an integer from 0 to 255, found \"x\"",
        ),
        (
            r#"{"map": [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "c"}]}"#,
            "map[2]: expected an object of one `key` and one `value`, found other keys",
        ),
        (
            r#"{"map": [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "a", "value": 3}]}"#,
            "map[2]: expected once, found more than once",
        ),
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            assert_eq!(
                read::<Whole>(text, &policy),
                Err(vec![line.to_owned()]),
                "{text}"
            );
        }
        let refused = Err(vec!["map: expected an object, found an array".to_owned()]);
        assert_eq!(read::<Whole>(text, &Policy::exact()), refused);
    }
}

/// A text that breaks names the path of the value in which it broke.
#[test]
fn a_text_breaks_at_a_place() {
    for (text, place) in [
        (r#"{"plain": [1, 2, "#, "plain[2]"),
        (r#"{"plain": [1, 2 3]}"#, "plain[2]"),
        (r#"{"once": [1, "#, "once[1]"),
        (r#"{"set": [1, ?]}"#, "set[1]"),
        (r#"{"map": {"a": 1, "b": "#, "map.b"),
        (
            r#"{"deep": [[], [{}, {"a": [1, 2], "b c": [3, ?"#,
            "deep[1][1][\"b c\"][1]",
        ),
        (r#"{"plain": [1], "#, ""),
    ] {
        for policy in [Policy::exact(), Policy::lax()] {
            let report = read_str::<Whole>(text, &policy).expect_err(text);
            let [issue] = &report.issues[..] else {
                panic!("{report}");
            };
            assert!(matches!(issue.kind, IssueKind::CutOff | IssueKind::NotJson));
            let path = if issue.path.is_root() {
                String::new()
            } else {
                issue.path.to_string()
            };
            assert_eq!(path, place, "{text}");
        }
    }
}

const SMALL: &Schema = &Schema::of(Kind::Integer(Integer::between(0, 9)));

/// A reader on top of a list's reader, with a stricter schema for the items.
#[derive(Debug, PartialEq)]
struct Digits(Vec<u8>);

impl ToolInput for Digits {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::of(SMALL))).read_by::<Self>();

    fn from_json(json: &str) -> Result<Self, String> {
        let list = serde_json::from_str(json);
        list.map(Self).map_err(|why| why.to_string())
    }
}

/// A reader on top of a map's reader.
#[derive(Debug, PartialEq)]
struct Ranks(BTreeMap<String, u8>);

impl ToolInput for Ranks {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Map(Map::of(SMALL))).read_by::<Self>();

    fn from_json(json: &str) -> Result<Self, String> {
        let map = serde_json::from_str(json);
        map.map(Self).map_err(|why| why.to_string())
    }
}

#[test]
fn a_schema_written_by_hand_holds_inside() {
    for policy in POLICIES {
        assert_eq!(read::<Digits>("[0, 9]", &policy), Ok(Digits(vec![0, 9])));
        let line = "[1]: expected an integer from 0 to 9, found 10".to_owned();
        assert_eq!(read::<Digits>("[9, 10]", &policy), Err(vec![line]));
        let ranks = BTreeMap::from([("a".to_owned(), 9)]);
        assert_eq!(read::<Ranks>(r#"{"a": 9}"#, &policy), Ok(Ranks(ranks)));
        let line = "a: expected an integer from 0 to 9, found 10".to_owned();
        assert_eq!(read::<Ranks>(r#"{"a": 10}"#, &policy), Err(vec![line]));
    }
    let pair = r#"[{"key": "a", "value": 10}]"#;
    let line = "[0].value: expected an integer from 0 to 9, found 10".to_owned();
    assert_eq!(read::<Ranks>(pair, &Policy::lax()), Err(vec![line]));
}

/// With `arbitrary_precision`, `serde_json` marks numbers by a private key, and an object with that
/// key is a number. Without the feature it is an ordinary key.
#[test]
fn no_object_is_a_number() {
    if serde_json::from_str::<serde_json::Number>("1e999").is_ok() {
        let text = r#"[{"$serde_json::private::Number": "7"}]"#;
        assert_eq!(read::<Vec<u8>>(text, &Policy::exact()), Ok(vec![7]));
        return;
    }
    let key = "$serde_json::private::Number";
    let inside = |value: Value| serde_json::json!({ key: value });
    for (field, wanted) in [
        ("plain", "an array"),
        ("pair", "an array of exactly 2 items"),
    ] {
        let text = serde_json::json!({ field: inside("7".into()) }).to_string();
        let line = format!("{field}: expected {wanted}, found an object");
        for policy in POLICIES {
            assert_eq!(read::<Whole>(&text, &policy), Err(vec![line.clone()]));
        }
    }
    for policy in POLICIES {
        let line = "[0]: expected an integer from 0 to 255, found an object";
        let text = format!("[{}]", inside("7".into()));
        assert_eq!(read::<Vec<u8>>(&text, &policy), Err(vec![line.to_owned()]));
        let text = inside(7.into()).to_string();
        let map = BTreeMap::from([(key.to_owned(), 7)]);
        assert_eq!(read::<BTreeMap<String, u8>>(&text, &policy), Ok(map));
        for value in ["7", "[7]", "no number"] {
            let object = inside(value.into());
            assert_eq!(read::<Value>(&object.to_string(), &policy), Ok(object));
        }
    }
}
