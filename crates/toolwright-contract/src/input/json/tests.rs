use serde::{
    Deserialize,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, json, value::RawValue};

use super::{Broken, Json, Number, why};

/// What this source makes of a text, read to its end.
fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Option<T> {
    let mut json = Json::new(text);
    let value = T::deserialize(&mut json).ok()?;
    json.is_at_end().then_some(value)
}

/// What `serde_json` makes of it, with numbers of 64 bits and floats alone. With its
/// `arbitrary_precision` it has others, of which those that are beyond every float are none here, and the
/// rest are rounded: digits are kept for who reads any value, see `input::value`.
fn theirs(text: &str) -> Option<Value> {
    fn lowered(value: Value) -> Option<Value> {
        Some(match value {
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(whole), ..) => whole.into(),
                (None, Some(whole), _) if whole != 0 => whole.into(),
                (_, _, float) => serde_json::Number::from_f64(float?)?.into(),
            },
            Value::Array(items) => {
                Value::Array(items.into_iter().map(lowered).collect::<Option<_>>()?)
            }
            Value::Object(map) => {
                let entries = map
                    .into_iter()
                    .map(|(key, value)| Some((key, lowered(value)?)));
                Value::Object(entries.collect::<Option<_>>()?)
            }
            other => other,
        })
    }
    lowered(serde_json::from_str::<Value>(text).ok()?)
}

/// The verdict and the value are those of `serde_json`.
fn same(text: &str) {
    let theirs = theirs(text);
    assert_eq!(read::<Value>(text), theirs, "{text:?}");
    assert_eq!(why(text).is_some(), theirs.is_none(), "{text:?}");
    let skipped = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(
        read::<IgnoredAny>(text).is_some(),
        skipped,
        "passing {text:?}"
    );
}

#[test]
fn good_and_broken_texts_are_those_of_serde_json() {
    for text in [
        "",
        " ",
        "null",
        " null ",
        "nul",
        "nulll",
        "true",
        "tru",
        "false",
        "fals ",
        "falsee",
        "NaN",
        "nan",
        "{}",
        "{ }",
        "[]",
        "[ ]",
        "[1]",
        "[1 ]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1,,2]",
        "[",
        "]",
        "[}",
        "{]",
        "{",
        "}",
        "[[]",
        "[]]",
        r#"{"a":1}"#,
        r#"{"a" : 1 , "b":[ {} ]}"#,
        r#"{"a":1,}"#,
        r#"{,"a":1}"#,
        r#"{"a"}"#,
        r#"{"a":}"#,
        r#"{"a" 1}"#,
        "{a:1}",
        "{1:1}",
        r#"{"a":1 "b":2}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":1}}"#,
        r#"{"a":{"b":[1,{"c":null}]}}"#,
        r#"{"a":{"b":[1,{"c":null]}}"#,
        "\u{feff}{}",
        "{}\u{a0}",
        "1 2",
        "'a'",
        "/* */ 1",
        "\u{b}1",
        "\u{c}",
        "[1\u{0}]",
    ] {
        same(text);
    }
}

#[test]
fn numbers_are_those_of_serde_json() {
    for text in [
        "0",
        "-0",
        "00",
        "01",
        "-01",
        "-",
        "+1",
        "1",
        "-1",
        "12",
        "9",
        "1.",
        ".5",
        "1.5",
        "-1.5",
        "1.0",
        "1e",
        "1e+",
        "1e5",
        "1E5",
        "1e+5",
        "1e-5",
        "1.e5",
        "1.5e5",
        "0.0",
        "-0.0",
        "0e0",
        "0e",
        "0x1",
        "1_000",
        "1a",
        "1-",
        "--1",
        "123456789012345678",
        "1234567890123456789",
        "999999999999999999",
        "1000000000000000000",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "100000000000000000000000000000",
        "1e308",
        "1e309",
        "-1e309",
        "1e-400",
        "2.2250738585072011e-308",
        "4.9e-324",
        "0.1",
        "0.30000000000000004",
        "123456789012345678.5",
        "179769313486231580793728971405301e276",
        "[0]",
        "[-0]",
        "[00]",
        "0 ",
        "[0,1]",
        "{\"a\":0}",
    ] {
        same(text);
    }
}

#[test]
fn short_fractions_are_rounded_as_those_of_serde_json() {
    // Digits and points at every place, around what a float holds without loss.
    let digits = [
        "1",
        "7",
        "25",
        "999999999999999",
        "9007199254740992",
        "9007199254740993",
        "12345678901234567",
    ];
    for digits in digits {
        for point in 0..=digits.len() {
            let (whole, fraction) = digits.split_at(point);
            let whole = if whole.is_empty() { "0" } else { whole };
            for zeros in [0, 1, 5, 20, 22, 23, 24] {
                let text = format!("{whole}.{}{fraction}", "0".repeat(zeros));
                same(&text);
                same(&format!("[{text}0,{text}e3]"));
            }
        }
    }
}

#[test]
fn strings_are_those_of_serde_json() {
    for inside in [
        "",
        "a",
        "é",
        "日本語",
        "🦀",
        r"\n",
        r"\b\f\n\r\t\/\\",
        r"\/",
        r"\x22",
        r#"\""#,
        r"\x",
        r"\",
        r"\u0041",
        r"\u00e9",
        r"\u12",
        r"\u12g4",
        r"\u+123",
        r"\ud83e\udd80",
        r"\ud83e",
        r"\ud83ex",
        r"\ud83e\n",
        r"\ud83e\u0041",
        r"\udd80",
        r"\udd80\ud83e",
        r"\ud83e\ud83e",
        r"\uD83E\uDD80",
        "tab\there",
        "line\nhere",
        "\u{7f}",
        "\u{1f}",
        "\u{0}",
        r"a\nb\nc",
        r"\u0000",
    ] {
        // Short, long, and on every place in a word and a block.
        for before in (0..40).chain([63, 64, 65, 200]) {
            let text = format!(
                "\"{}{inside}{}\"",
                "x".repeat(before),
                "y".repeat(before % 9)
            );
            same(&text);
            same(&format!("{{{text}:[{text}]}}"));
        }
        same(&format!("\"{inside}"));
    }
}

#[test]
fn every_byte_is_plain_or_special_at_every_place() {
    for byte in 0..=127u8 {
        for at in 0..72 {
            let mut inside = vec![b'a'; 72];
            inside[at] = byte;
            let text = format!("\"{}\"", String::from_utf8(inside).unwrap());
            same(&text);
        }
    }
}

#[test]
fn every_byte_is_plain_or_special_in_the_last_bytes_of_a_text() {
    for byte in 0..=127u8 {
        for length in 1..=9 {
            for at in 0..length {
                let mut inside = vec![b'a'; length];
                inside[at] = byte;
                same(&format!("\"{}\"", String::from_utf8(inside).unwrap()));
            }
        }
    }
}

#[test]
fn plain_strings_and_keys_of_any_length_are_borrowed() {
    for length in 0..80 {
        let inside = "x".repeat(length);
        let text = format!("\"{inside}\"");
        assert_eq!(read::<&str>(&text), Some(inside.as_str()));
        let entry = format!("{text}:1");
        let mut json = Json::new(&entry);
        assert_eq!(json.plain_key(), Some(inside.as_bytes()));
        assert!(json.is_at(b':') && !json.is_at(b'1'));
    }
    assert_eq!(Json::new(r#""a\n""#).plain_key(), None);
}

#[test]
fn only_a_string_is_a_string() {
    assert_eq!(read::<&str>(r#" "a" "#), Some("a"));
    assert_eq!(read::<&str>(r#"1a""#), None);
    assert_eq!(read::<&str>("1"), None);
}

#[test]
fn long_numbers_are_long_wherever_they_stand() {
    let digits = "123456789012345678901234567890";
    for length in 1..=digits.len() {
        for before in 0..40 {
            same(&format!("{}{}", " ".repeat(before), &digits[..length]));
        }
    }
    // What is short is read at once, and what is not is left where it is.
    for (text, short) in [
        ("0", true),
        ("9", true),
        ("123456789012345678", true),
        ("1234567890123456789", false),
        ("1.5", true),
        ("9007199254740993.0", false),
        ("1e5", false),
        ("-1", false),
    ] {
        let mut json = Json::new(text);
        let number = json.short_number();
        assert_eq!(
            (number.is_some(), json.is_at_end()),
            (short, short),
            "{text}"
        );
        if let Some(Number::Positive(value)) = number {
            assert_eq!(value.to_string(), text);
        }
    }
}

#[test]
fn a_value_ahead_is_not_taken_and_a_part_is_as_deep() {
    let mut json = Json::new(r#" {"a": [1]} , 2"#);
    assert_eq!(json.ahead().unwrap().trim(), r#"{"a": [1]}"#);
    assert!(json.is_at(b'{'));
    assert_eq!(json.raw().unwrap(), r#"{"a": [1]}"#);
    assert!(json.is_at(b','));

    let deep = "[".repeat(126);
    let mut json = Json::new(&deep);
    for _ in 0..126 {
        json.open().unwrap();
    }
    assert!(Value::deserialize(&mut json.part("[]")).is_ok());
    assert!(Value::deserialize(&mut json.part("[[]]")).is_err());
}

#[test]
fn depth_ends_where_that_of_serde_json_does() {
    for depth in [1, 126, 127, 128, 129, 5_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let middle = if open == "[" { "" } else { "1" };
            same(&format!(
                "{}{middle}{}",
                open.repeat(depth),
                close.repeat(depth)
            ));
            same(&open.repeat(depth));
        }
    }
}

#[test]
fn a_hand_written_reader_may_ask_for_any_type_of_serde() {
    #[derive(Debug, PartialEq, Deserialize)]
    enum Shape {
        Unit,
        New(u8),
        Pair(u8, u8),
        Struct { a: u8 },
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct New(u8);
    #[derive(Debug, Deserialize)]
    struct All<'a> {
        text: &'a str,
        shapes: Vec<Shape>,
        new: New,
        pair: (u8, char),
        least: i128,
        most: u128,
        none: Option<u8>,
        some: Option<u8>,
        unit: (),
        single: f32,
        #[serde(borrow)]
        raw: &'a RawValue,
    }
    let text = r#"{"text": "a b", "shapes": ["Unit", {"New": 1}, {"Pair": [1, 2]}, {"Struct": {"a": 3}}],
        "new": 4, "pair": [5, "c"], "least": -170141183460469231731687303715884105728,
        "most": 340282366920938463463374607431768211455, "none": null, "some": 6, "unit": null,
        "single": 1.5, "raw": {"x": [1, 2]} }"#;
    let all: All<'_> = read(text).expect("all of it");
    assert_eq!(all.text, "a b");
    let shapes = [
        Shape::Unit,
        Shape::New(1),
        Shape::Pair(1, 2),
        Shape::Struct { a: 3 },
    ];
    assert_eq!(all.shapes, shapes);
    assert_eq!((all.new, all.pair), (New(4), (5, 'c')));
    assert_eq!((all.least, all.most), (i128::MIN, u128::MAX));
    assert_eq!((all.none, all.some, all.unit), (None, Some(6), ()));
    assert_eq!((all.single, all.raw.get()), (1.5, r#"{"x": [1, 2]}"#));
}

#[test]
fn what_a_hand_written_reader_says_is_kept() {
    let mut json = Json::new("[1, true]");
    let why = Vec::<u8>::deserialize(&mut json).unwrap_err();
    let words = why.words().expect("words").to_string();
    assert!(words.contains("expected u8"), "{words}");
    assert_eq!(Broken::TEXT.to_string(), "not JSON");
    assert!(Broken::TEXT.words().is_none());
    let said = <Broken as serde::de::Error>::custom("too hot").to_string();
    assert!(said.contains("too hot"), "{said}");
}

#[test]
fn a_visitor_that_leaves_early_does_not_go_unnoticed() {
    assert_eq!(read::<(u8, u8)>("[1,2]"), Some((1, 2)));
    assert_eq!(read::<(u8, u8)>("[1,2,3]"), None);
    assert_eq!(read::<(u8, u8)>("[1,2,"), None);
    assert_eq!(read::<Vec<(u8,)>>("[[1],[2]]"), Some(vec![(1,), (2,)]));
    assert_eq!(read::<Value>("[[1],[2]]"), Some(json!([[1], [2]])));
}

#[test]
fn a_visitor_that_hides_a_fault_does_not_go_unnoticed() {
    /// Takes whatever its first item is, a wrong one too, and leaves.
    #[derive(Debug, PartialEq)]
    struct Hides;
    impl<'de> Visitor<'de> for Hides {
        type Value = Self;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
            drop(items.next_element::<Vec<u8>>());
            Ok(self)
        }
    }
    impl<'de> Deserialize<'de> for Hides {
        fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
            source.deserialize_any(Self)
        }
    }
    assert_eq!(read::<Hides>("[[1]]"), Some(Hides));
    // The inner array is still open where the outer one is left.
    assert_eq!(read::<Hides>("[[true]"), None);
    assert_eq!(read::<Hides>("[[true]]"), None);
}

#[test]
fn a_visitor_may_ask_beyond_the_end() {
    struct Twice;
    impl<'de> Visitor<'de> for Twice {
        type Value = usize;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array or an object")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while items.next_element::<IgnoredAny>()?.is_some() {
                count += 1;
            }
            assert!(items.next_element::<IgnoredAny>()?.is_none());
            Ok(count)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<usize, A::Error> {
            let mut count = 0;
            while map.next_entry::<String, IgnoredAny>()?.is_some() {
                count += 1;
            }
            assert!(map.next_key::<String>()?.is_none());
            Ok(count)
        }
    }
    impl<'de> Deserialize<'de> for Twice {
        fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
            let count = source.deserialize_any(Self)?;
            assert_eq!(count, 2);
            Ok(Self)
        }
    }
    let text = r#"[[1, 2], {"a": 1, "b": 2}, [[], []]]"#;
    assert_eq!(read::<Vec<Twice>>(text).map(|all| all.len()), Some(3));
}
