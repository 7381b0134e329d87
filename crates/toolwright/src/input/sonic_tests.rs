//! Both parsers on the same texts: what `sonic-rs` calls good is good, and the same value.

use std::{collections::BTreeMap, fmt::Debug};

use serde_json::Value;

use super::*;

/// The numbers, strings and forms that parsers disagree about, and some that they do not.
const VALUES: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "0.0",
    "-0e5",
    "0e-400",
    "1",
    "-1",
    "5.0",
    "1e3",
    "1E+2",
    "01",
    "+1",
    "1.",
    ".5",
    "1e",
    "255",
    "256",
    "9007199254740993",
    "9007199254740993.0",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "0.1",
    "0.30000000000000004",
    "5e-324",
    "2.2250738585072011e-308",
    "1.7976931348623157e308",
    "1e400",
    "-1e400",
    "1e-400",
    "7.2057594037927933e16",
    "9.5367431640625e-7",
    "NaN",
    "Infinity",
    "true",
    "false",
    "null",
    "True",
    "nul",
    "truex",
    r#""""#,
    r#""a""#,
    r#""é😀""#,
    r#""\u00e9""#,
    r#""\ud83d\ude00""#,
    r#""\ud800""#,
    r#""\udc00""#,
    r#""\ud800\u0041""#,
    r#""\u12""#,
    r#""\x""#,
    r#""\n\t\"\\\/\b\f\r""#,
    "\"\n\"",
    "\"\t\"",
    "\"\u{7f}\"",
    "\"\u{0}\"",
    "\"\u{1f}\"",
    r#""a"#,
    "'a'",
    r#""5""#,
    r#""true""#,
    r#""\u0000""#,
    "[]",
    "[1]",
    "[1,2]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1",
    "[[]]",
    "[null]",
    r#"["a","b"]"#,
    "{}",
    r#"{"a":1}"#,
    r#"{"a":1,}"#,
    r#"{"a":1,"a":2}"#,
    r#"{"a" 1}"#,
    "{a:1}",
    r#"{"a":}"#,
    r#"{"a":1"#,
    r#"{"\u0061":1}"#,
    r#"{"a":{"b":[1,{"c":null}]}}"#,
    r#"{"$serde_json::private::Number":"1"}"#,
    "",
    " ",
    "\u{feff}1",
    "1 2",
    "1 ",
    " 1\n",
    "1,",
    "1]",
    "[1]]",
    "{}{}",
    "// c\n1",
    "1 // c",
    "\u{b}1",
    "\u{a0}1",
];

fn compare<T: ToolInput + PartialEq + Debug>(text: &str) {
    for policy in [Policy::exact(), Policy::lax()] {
        let Some(fast) = read_good::<T>(text, &policy) else {
            continue; // `serde_json` reads it
        };
        let slow = read_str::<T>(text, &policy);
        let slow = slow.unwrap_or_else(|report| panic!("{text:?} is read as {fast:?}: {report}"));
        // Debug, since two zeros are equal and differ in their sign.
        assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{text:?}");
    }
}

fn compare_all(text: &str) {
    compare::<Value>(text);
    compare::<f64>(text);
    compare::<f32>(text);
    compare::<i64>(text);
    compare::<u8>(text);
    compare::<i128>(text);
    compare::<bool>(text);
    compare::<String>(text);
    compare::<Vec<f64>>(text);
    compare::<Vec<String>>(text);
    compare::<Option<i32>>(text);
    compare::<BTreeMap<String, Value>>(text);
    compare::<BTreeMap<String, i64>>(text);
    compare::<Known>(text);
}

/// Everything but one key is passed over.
#[derive(Debug, PartialEq, crate::ToolInput)]
#[tool_input(crate = crate)]
struct Known {
    known: Option<f64>,
}

#[test]
fn the_same_texts_and_values() {
    for value in VALUES {
        for text in [
            (*value).to_owned(),
            format!("[{value}]"),
            format!("[{value},{value}]"),
            format!(" {{ \"known\" : {value} }} "),
            format!("{{\"other\":{value}}}"),
            format!("{{\"other\":{value},\"known\":1}}"),
            format!("{{\"other\":[{{\"x\":{value}}}],\"known\":1}}"),
        ] {
            compare_all(&text);
        }
    }
}

#[test]
fn texts_cut_off_anywhere() {
    let text =
        r#"{"known": -12.5e1, "other": [true, null, "a\u00e9\ud83d\ude00", {"b": []}], "x": 1e5}"#;
    for end in 0..=text.len() {
        compare_all(&text[..end]);
    }
}

#[test]
fn one_byte_away() {
    let text = r#"{"known": -12.5e1, "other": [true, null, "a\u00e9", {"b": []}]}"#;
    for at in 0..text.len() {
        for byte in [
            b'"', b'\\', b'{', b'}', b'[', b']', b',', b':', b'0', b'e', b' ', 1, b'x',
        ] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            compare_all(std::str::from_utf8(&bytes).expect("ASCII"));
        }
    }
}

#[test]
fn depth() {
    for levels in [1, 120, 125, 126, 127, 128, 129, 200, 254, 255, 256, 200_000] {
        let nested = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        compare::<Value>(&nested);
        compare::<Known>(&format!("{{\"known\":1,\"other\":{nested}}}"));
        compare::<BTreeMap<String, Value>>(&format!("{{\"other\":{nested}}}"));
    }
}

/// Good arguments do take this way.
#[test]
fn is_used() {
    let policy = Policy::lax();
    assert!(read_good::<Known>(r#"{"known": 1}"#, &policy).is_some());
    assert!(read_good::<Known>(r#"{"known": "1", "date": "2026-01-02"}"#, &policy).is_some());
    assert!(read_good::<Vec<Vec<i64>>>("[[1, 2], []]", &policy).is_some());
    assert!(read_good::<Known>(r#"{"known": -0}"#, &policy).is_none());
    assert!(read_good::<Known>(r#"{"known": "x"}"#, &policy).is_none());
}

/// Says which source it was read from.
struct Source(&'static str);

impl ToolInput for Source {
    const SCHEMA: &'static crate::schema::Schema = Value::SCHEMA;

    fn read<'de, D: Deserializer<'de>>(source: D, _: At<'_>) -> Result<Option<Self>, D::Error> {
        serde::Deserialize::deserialize(source)
            .map(|serde::de::IgnoredAny| Some(Self(std::any::type_name::<D>())))
    }
}

/// Texts within the limit take this way, unless they may have to be mended.
#[test]
fn what_takes_this_way() {
    let by_sonic = |policy: &Policy| {
        let read = read_str_sonic::<Source>("[1]", policy);
        read.map(|read| read.value.0.contains("sonic_rs")).ok()
    };
    assert_eq!(by_sonic(&Policy::exact()), Some(true));
    assert_eq!(by_sonic(&Policy::lax().with_max_bytes(3)), Some(true));
    assert_eq!(by_sonic(&Policy::repair()), Some(false));
    assert_eq!(by_sonic(&Policy::lax().with_max_bytes(2)), None);
}
