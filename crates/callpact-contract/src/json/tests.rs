use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{JsonForm, JsonScanner, OpenProgress, ScannedNumber};
use crate::{
    repair::{explain, is_json},
    report::Path,
};

/// The value that this scanner reads from a whole text.
fn read(text: &str) -> Option<Value> {
    let mut json = JsonScanner::new(text);
    let value = read_next(&mut json)?;
    (json.is_at_end() && !json.is_broken()).then_some(value)
}

fn read_next(json: &mut JsonScanner<'_>) -> Option<Value> {
    let value = match json.form() {
        JsonForm::Null => json.take_rest(*b"ull").map(|()| Value::Null)?,
        JsonForm::Boolean(value) => {
            let rest = if value {
                json.take_rest(*b"rue")
            } else {
                json.take_rest(*b"alse")
            };
            rest.map(|()| Value::Bool(value))?
        }
        JsonForm::Number => match json.next_number()? {
            ScannedNumber::Positive(value) => value.into(),
            ScannedNumber::Negative(value) => value.into(),
            ScannedNumber::Float(value) => value.into(),
        },
        JsonForm::Text => json.take_text()?.into(),
        JsonForm::List => {
            let mut all = Vec::new();
            let mut items = json.open_list();
            while json.next_item(&mut items) {
                all.push(read_next(json)?);
            }
            Value::Array(all)
        }
        JsonForm::Object => {
            let mut all = Map::new();
            let mut entries = json.open_object();
            while let Some(key) = next_key(json, &mut entries) {
                all.insert(key.into_owned(), read_next(json)?);
            }
            Value::Object(all)
        }
        JsonForm::Broken => return None,
    };
    (!json.is_broken()).then_some(value)
}

/// Moves to the value of the next key.
fn next_key<'t>(json: &mut JsonScanner<'t>, entries: &mut OpenProgress) -> Option<Cow<'t, str>> {
    if !json.has_more(entries, b'}') {
        return None;
    }
    let key = json.next_text()?;
    json.take(b':').map(|()| key)
}

/// Whether the scanner can skip a text.
fn passes(text: &str) -> bool {
    let mut json = JsonScanner::new(text);
    let _ = json.pass_value();
    !json.is_broken() && json.is_at_end()
}

/// The value that `serde_json` reads, with only numbers of 64 bits and floats. With `arbitrary_precision` it has
/// other numbers. Here a number that does not fit a float makes the text invalid, and the others are rounded; a reader
/// of any value keeps their digits, see `input::value`.
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
    assert_eq!(read(text), theirs, "{text:?}");
    let explained = explain(text, Path::default(), false);
    assert_eq!(explained.is_some(), theirs.is_none(), "{text:?}");
    let skipped = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(passes(text), skipped, "passing {text:?}");
}

#[test]
fn accepts_and_rejects_same_texts_as_serde_json() {
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
fn rounds_short_fractions_like_serde_json() {
    // Digits and points at every place, around the limits of a float.
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
        // Short, long, and at every place in a word and a block.
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
fn reads_every_byte_at_every_position() {
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
fn reads_every_byte_near_end_of_text() {
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
fn borrows_plain_strings_and_keys_of_any_length() {
    for length in 0..80 {
        let inside = "x".repeat(length);
        let text = format!("\"{inside}\"");
        let mut json = JsonScanner::new(&text);
        assert!(matches!(json.take_text(), Some(Cow::Borrowed(text)) if text == inside));
        let object = format!("{{{text}:1}}");
        let mut json = JsonScanner::new(&object);
        let mut entries = json.open_object();
        let key = next_key(&mut json, &mut entries);
        assert!(matches!(key, Some(Cow::Borrowed(key)) if key == inside));
        assert_eq!(json.next_number(), Some(ScannedNumber::Positive(1)));
        assert!(next_key(&mut json, &mut entries).is_none() && !json.is_broken());
    }
    let escaped = JsonScanner::new(r#""a\n""#).take_text();
    assert!(matches!(escaped, Some(Cow::Owned(text)) if text == "a\n"));
}

#[test]
fn matches_only_plainly_written_keys() {
    let is_next = |text: &str, name: &str| {
        let mut json = JsonScanner::new(text);
        let mut entries = json.open_object();
        let is_it = json.next_is(&mut entries, name);
        // After either answer, the rest of the object can be read.
        let key = if is_it {
            None
        } else {
            next_key(&mut json, &mut entries)
        };
        assert!(is_it || key.as_deref() == Some("ab"), "{text}");
        assert_eq!(json.form(), JsonForm::Number);
        assert_eq!(
            json.next_number(),
            Some(ScannedNumber::Positive(1)),
            "{text}"
        );
        assert!(json.next_is(&mut entries, "b") || next_key(&mut json, &mut entries).is_some());
        assert_eq!(json.form(), JsonForm::Number);
        assert_eq!(
            json.next_number(),
            Some(ScannedNumber::Positive(2)),
            "{text}"
        );
        is_it
    };
    assert!(is_next(r#"{"ab":1,"b":2}"#, "ab"));
    assert!(is_next(r#"{"ab": 1, "b": 2}"#, "ab"));
    assert!(is_next(r#"{ "ab":1,"b":2}"#, "ab"));
    assert!(is_next("{\n  \"ab\": 1,\n  \"b\": 2\n}", "ab"));
    assert!(is_next("{\t\"ab\":1,\"b\":2}", "ab"));
    for other in ["a", "abc", "", "b"] {
        assert!(!is_next(r#"{"ab": 1, "b": 2}"#, other), "{other}");
    }
    for written in [r#"{"\u0061b":1,"b":2}"#, r#"{"ab" :1,"b":2}"#] {
        assert!(!is_next(written, "ab"), "{written}");
    }
    let mut json = JsonScanner::new(r#"{"a":1"b":2}"#);
    let mut entries = json.open_object();
    assert!(json.next_is(&mut entries, "a"));
    let _ = json.pass_value();
    assert!(!json.next_is(&mut entries, "b"));
    assert!(next_key(&mut json, &mut entries).is_none() && json.is_broken());
}

#[test]
fn long_numbers_are_long_wherever_they_stand() {
    let digits = "123456789012345678901234567890";
    for length in 1..=digits.len() {
        for before in 0..40 {
            same(&format!("{}{}", " ".repeat(before), &digits[..length]));
        }
    }
}

#[test]
fn scanner_copy_looks_ahead_and_returns_written_text() {
    let text = r#" {"a": [1]} , 2"#;
    let mut json = JsonScanner::new(text);
    let mut ahead = json;
    assert_eq!(ahead.take_written(), Some(r#"{"a": [1]}"#));
    assert!(!ahead.is_at_end());
    assert_eq!(json.form(), JsonForm::Object);
    assert_eq!(json.take_written(), Some(r#"{"a": [1]}"#));
    assert_eq!(json.rest(), 4);
}

#[test]
fn broken_text_stays_broken_and_ends_loops() {
    for text in ["[1,", "[1 2]", "{\"a\":1,", "{\"a\"", "[tru", "\"a", "nul"] {
        let mut json = JsonScanner::new(text);
        assert_eq!(read_next(&mut json), None, "{text}");
        assert!(json.is_broken(), "{text}");
        assert_eq!(json.form(), JsonForm::Broken);
        assert!(json.next_number().is_none() && json.take_text().is_none());
        let mut items = json.open_list();
        assert!(!json.next_item(&mut items) && next_key(&mut json, &mut items).is_none());
        assert!(json.is_at_end() && json.is_broken(), "{text}");
    }
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
fn parses_floats_like_standard_library() {
    let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: u64| {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        bits % below
    };
    for _ in 0..100_000 {
        let length = 1 + usize::try_from(draw(20)).unwrap_or_default();
        let mut digits = (1 + draw(9)).to_string();
        (0..length).for_each(|_| digits.push_str(&draw(10).to_string()));
        let point = 1 + usize::try_from(draw(length as u64)).unwrap_or_default();
        let (whole, fraction) = digits.split_at(point);
        let whole = if draw(4) == 0 { "0" } else { whole };
        let size = if draw(2) == 0 { 40 } else { 350 };
        let exponent = draw(2 * size).cast_signed() - size.cast_signed();
        let text = format!("{whole}.{fraction}e{exponent}");
        let theirs = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let ours = JsonScanner::new(&text).next_number();
        assert_eq!(ours, theirs.map(ScannedNumber::Float), "{text}");
    }
    // Halfway between two floats, and with one more digit.
    for (digits, exponent) in [
        ("9007199254740993", 0),
        ("9007199254740993", 3),
        ("45035996273704965", -1),
        ("2251799813685248125", -3),
        ("1125899906842624125", -3),
    ] {
        for digits in [
            digits.to_owned(),
            format!("{digits}1"),
            format!("{digits}0"),
        ] {
            let text = format!("{digits}e{exponent}");
            let theirs = text.parse().ok().map(ScannedNumber::Float);
            assert_eq!(JsonScanner::new(&text).next_number(), theirs, "{text}");
        }
    }
}

/// This holds even with `arbitrary_precision` of `serde_json`, which has other numbers than
/// floats.
fn readable(text: &str) -> bool {
    let finite = |value: &Value| match value {
        Value::Number(number) => number.as_f64().is_some(),
        _ => true,
    };
    serde_json::from_str::<Value>(text).is_ok_and(|value| finite(&value))
}

/// The result agrees with reading the value, unless it is too deep.
#[test]
fn what_is_sound_can_be_read() {
    for text in [
        "1e999",
        "-1e999",
        "[1e308, -0, 5e-324]",
        r#""\ud83d\ude42""#,
        r#""\ud83d""#,
        r#""\ud83dx""#,
        r#""\ud83d\ud83d""#,
        r#""\ude42""#,
        r#""\u00e9\\\"\u0000""#,
        r#"{"a\ud83d": 1}"#,
        r#"{"1e999": "1e999"}"#,
        r#""\u12""#,
        "[1,]",
        "01",
        "tru",
        "",
        " null ",
    ] {
        assert_eq!(is_json(text), readable(text), "{text}");
    }
    // Many values side by side are not deep.
    for empty in ["[]", "{}"] {
        let text = format!("[{}{empty}]", format!("{empty},").repeat(200));
        assert!(is_json(&text), "{empty}");
    }
    for levels in [1, 126, 127, 128, 200] {
        let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(
            is_json(&text),
            serde_json::from_str::<Value>(&text).is_ok(),
            "{levels}"
        );
    }
}
