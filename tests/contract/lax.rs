//! The conversions of the lax policy, row by row, and values that it never converts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    num::NonZeroU8,
    time::Duration,
};

use callpact::{
    Dialect, FixKind, Policy, ToolInput,
    input::{Fixes, read_foreign},
    read_str, read_value,
    schema::ForeignSchema,
};
use callpact_tests::shapes::{attributes::*, flat::*, lists::*, structs::*, text::*, unions::*};
use serde_json::Value;

/// The value of a text, and the fixes as `path kind from -> to`.
fn read<T: ToolInput>(text: &str) -> (T, Vec<String>) {
    match read_str::<T>(text, &Policy::lax()) {
        Ok(read) => {
            let fixes = read
                .fixes
                .iter()
                .map(|fix| {
                    format!(
                        "{} {} {} -> {}",
                        fix.path,
                        fix.kind.name(),
                        fix.from,
                        fix.to
                    )
                })
                .collect();
            (read.value, fixes)
        }
        Err(report) => panic!("{text}\n{report}"),
    }
}

/// One row of the table: lax reads the text as the value with one fix. Exact refuses it, unless
/// JSON Schema accepts it.
fn row<T: ToolInput + PartialEq + Debug>(text: &str, value: &T, fix: &str) {
    let (read, fixes) = read::<T>(text);
    assert_eq!(
        (&read, fixes.as_slice()),
        (value, [format!("arguments {fix}")].as_slice()),
        "{text}"
    );
    let exact = read_str::<T>(text, &Policy::exact());
    assert_eq!(
        exact.is_ok(),
        fix.starts_with("integer_from_number"),
        "{text}"
    );
    // The rule holds at every depth.
    let nested = format!(r#"{{"items":[{text}],"first":{text},"size":1}}"#);
    let (page, fixes) = self::read::<Page<T>>(&nested);
    assert_eq!(page.items.first(), Some(value), "{nested}");
    assert_eq!(
        fixes,
        [format!("items[0] {fix}"), format!("first {fix}")],
        "{nested}"
    );
    let nested = format!(r#"{{"a":[[{text}]]}}"#);
    let (map, fixes) = self::read::<BTreeMap<String, Vec<(T,)>>>(&nested);
    assert_eq!(
        map.get("a")
            .and_then(|list| list.first())
            .map(|item| &item.0),
        Some(value)
    );
    assert_eq!(fixes, [format!("a[0][0] {fix}")]);
}

fn refused<T: ToolInput>(texts: &[&str]) {
    for text in texts {
        for policy in [Policy::lax(), Policy::exact()] {
            assert!(read_str::<T>(text, &policy).is_err(), "{text}");
        }
        let nested = format!(r#"{{"items":[{text}],"size":1}}"#);
        assert!(
            read_str::<Page<T>>(&nested, &Policy::lax()).is_err(),
            "{nested}"
        );
    }
}

#[test]
fn integers() {
    row("\"5\"", &5u8, "number_from_text \"5\" -> 5");
    row("\"-5\"", &-5i64, "number_from_text \"-5\" -> -5");
    row("\"5.0\"", &5u8, "number_from_text \"5.0\" -> 5");
    row("\"0\"", &0i8, "number_from_text \"0\" -> 0");
    row(
        "\"9007199254740993\"",
        &9_007_199_254_740_993_i64,
        "number_from_text \"9007199254740993\" -> 9007199254740993",
    );
    row(
        "\"18446744073709551615\"",
        &u64::MAX,
        "number_from_text \"18446744073709551615\" -> 18446744073709551615",
    );
    row(
        "\"7\"",
        &NonZeroU8::MIN.saturating_add(6),
        "number_from_text \"7\" -> 7",
    );
    refused::<u8>(&[
        "3.7",
        "\"3.7\"",
        "\"\"",
        "\"null\"",
        "null",
        "256",
        "\"256\"",
        "-1",
        "\" 5\"",
        "\"5 \"",
        "\"+5\"",
        "\"0x10\"",
        "\"1e3\"",
        "\"05\"",
        "\"5.\"",
        "\".5\"",
        "\"5,0\"",
        "\"1_000\"",
        "\"٣\"",
        "\"NaN\"",
        "\"Infinity\"",
        "true",
        "\"five\"",
        "[5]",
        "{}",
        "\"--5\"",
        "\"5e0\"",
    ]);
    refused::<i8>(&["200", "\"200\"", "-129", "1e2222"]);
    refused::<NonZeroU8>(&["0", "\"0\"", "0.0"]);
}

#[test]
fn whole_numbers() {
    // `5.0` is an integer in JSON Schema: every policy reads it, and lax records it.
    row("5.0", &5u8, "integer_from_number 5.0 -> 5");
    row("-3e2", &-300i32, "integer_from_number -300.0 -> -300");
    refused::<u8>(&["5.5", "256.0", "1e30"]);
    refused::<i64>(&["9007199254740994.0", "\"9223372036854775808\""]);
}

#[test]
fn numbers() {
    row("\"1.5\"", &1.5f64, "number_from_text \"1.5\" -> 1.5");
    row("\"-2e3\"", &-2000f64, "number_from_text \"-2e3\" -> -2000");
    row("\"7\"", &7f32, "number_from_text \"7\" -> 7");
    refused::<f64>(&[
        "\"\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"-Infinity\"",
        "\"inf\"",
        "\" 1.5\"",
        "\"+1.5\"",
        "\"1.\"",
        "\".5\"",
        "\"0x1p3\"",
        "\"1,5\"",
        "true",
        "null",
        "\"1e999\"",
        "NaN",
        "Infinity",
        "\"01.5\"",
    ]);
}

#[test]
fn booleans() {
    row("\"true\"", &true, "boolean_from_text \"true\" -> true");
    row("\"false\"", &false, "boolean_from_text \"false\" -> false");
    row("\"True\"", &true, "boolean_from_text \"True\" -> true");
    row("\"FALSE\"", &false, "boolean_from_text \"FALSE\" -> false");
    // Escapes do not change what a string says.
    row(
        r#""\u0074rue""#,
        &true,
        "boolean_from_text \"true\" -> true",
    );
    refused::<bool>(&[
        "\"yes\"",
        "\"no\"",
        "\"on\"",
        "\"1\"",
        "0",
        "1",
        "\"\"",
        "\" true\"",
        "\"tRue\"",
        "null",
        "[]",
    ]);
}

#[test]
fn texts_and_enums() {
    // No other type becomes a string.
    refused::<String>(&["5", "1.5", "true", "null", "[]", "{}"]);
    refused::<char>(&["\"\"", "\"ab\"", "5"]);
    refused::<Duration>(&["90", "\"90\"", "\"\""]);
    row("\"azul\"", &Color::Blue, "alias \"azul\" -> \"Blue\"");
    row("\"azure\"", &Color::Blue, "alias \"azure\" -> \"Blue\"");
    // A number, another case or a near miss for an enum would be a guess.
    refused::<Color>(&[
        "1",
        "0",
        "\"red\"",
        "\"Rad\"",
        "\"Green\"",
        "\"\"",
        "null",
        "\" Red\"",
        "true",
        "{\"Red\":null}",
    ]);
    refused::<Level>(&["\"Hidden\"", "\"HIDDEN\"", "\"JustThis\""]);
    // Lax does not wrap an item into a list, and does not read JSON in a string.
    refused::<Vec<u8>>(&["5", "\"[5]\"", "\"\"", "{}", "null"]);
    refused::<Point>(&["\"{}\"", "[]", "5", "{\"x\":null}"]);
    refused::<(u8, u8)>(&["[1]", "[1,2,3]", "{\"0\":1,\"1\":2}"]);
}

#[test]
fn choices_that_the_field_leaves_out() {
    let text = r#"{"color":"Red","level":"WHOLE","null":null,"list":[],"narrowed":"azul"}"#;
    let (enums, fixes) = read::<Enums>(text);
    assert_eq!(enums.narrowed, Some(Color::Blue));
    assert_eq!(fixes, ["narrowed alias \"azul\" -> \"Blue\""]);
    let text = text.replace("azul", "dark-green");
    assert!(read_str::<Enums>(&text, &Policy::lax()).is_err());
}

/// A policy without a fix leaves a value that the schema takes unchanged, in a text and in a value, and refuses
/// the rest.
#[test]
fn a_refused_fix_leaves_what_the_schema_takes() {
    #[derive(Debug, PartialEq, ToolInput)]
    struct Edit {
        #[tool_param(default = "TODO")]
        new: String,
        note: Option<String>,
        count: Option<u8>,
        either: Option<Either>,
    }
    #[derive(Debug, PartialEq, ToolInput)]
    #[tool_input(untagged)]
    enum Either {
        Number(u8),
        Text(String),
    }
    let without = [
        Policy::lax()
            .refusing(FixKind::EmptyAsAbsent)
            .refusing(FixKind::IntegerFromNumber),
        Policy::repair().only(&[FixKind::NumberFromText]),
    ];
    for policy in without {
        let text = r#"{"new":"","note":"","count":5.0,"either":""}"#;
        let expected = Edit {
            new: String::new(),
            note: Some(String::new()),
            count: Some(5),
            either: Some(Either::Text(String::new())),
        };
        let read = read_str::<Edit>(text, &policy).expect("it fits");
        assert_eq!((&read.value, read.fixes.len()), (&expected, 0));
        let value = serde_json::from_str(text).expect("JSON");
        let read = read_value::<Edit>(&value, &policy).expect("it fits");
        assert_eq!((&read.value, read.fixes.len()), (&expected, 0));
        let report = read_str::<Edit>(r#"{"count":""}"#, &policy).expect_err("no number");
        let line = report.issues[0].to_string();
        assert!(line.starts_with("count: expected"), "{line}");
    }
}

#[test]
fn absent() {
    let text =
        r#"{"point":{"x":1,"y":null},"list":[{"x":1,"y":""},{"x":2}],"maybe":null,"described":""}"#;
    let (nested, fixes) = read::<Nested>(text);
    assert_eq!(nested.point, Point { x: 1, y: None });
    assert_eq!((nested.maybe, nested.described), (None, None));
    assert_eq!(
        fixes,
        [
            "point.y null_as_absent null -> absent",
            "list[0].y empty_as_absent \"\" -> absent",
            "maybe null_as_absent null -> absent",
            "described empty_as_absent \"\" -> absent",
        ]
    );
    assert!(read_str::<Nested>(text, &Policy::exact()).is_err());
    // An absent value becomes the default if there is one.
    let (defaults, fixes) = read::<Defaults>(
        r#"{"flag":null,"number":"","text":"","color":null,"option":null,"own":""}"#,
    );
    assert_eq!(defaults.number, 30_000);
    assert_eq!(
        (
            defaults.flag,
            defaults.text.as_str(),
            defaults.color,
            defaults.option
        ),
        (true, "plain \"text\"", Color::Green, Some(5))
    );
    assert_eq!(fixes.len(), 6);
    // In a list or a tuple, null follows the type.
    let (lists, fixes) = read::<Lists>(r#"{"vec":[],"deque":[""],"options":[null,3]}"#);
    assert_eq!((lists.options, fixes.len()), (Some(vec![None, Some(3)]), 0));
    refused::<Lists>(&[
        r#"{"vec":[null],"deque":[]}"#,
        r#"{"vec":[],"deque":[],"options":[""]}"#,
    ]);
    // Optional enums and unions.
    let (externals, fixes) =
        read::<Externals>(r#"{"one":"Nothing","maybe":"","closed":null,"null":null,"list":null}"#);
    assert_eq!(
        (externals.maybe, externals.closed, fixes.len()),
        (None, None, 3)
    );
    let (untagged, fixes) = read::<Untaggeds>(r#"{"one":true,"maybe":"","null":null}"#);
    assert_eq!(
        (untagged.maybe, untagged.null, fixes.len()),
        (None, None, 1)
    );
}

/// Null is a value of such a field. The empty string is not.
#[test]
fn an_empty_string_where_null_is_a_value() {
    #[derive(Debug, PartialEq, ToolInput)]
    #[allow(clippy::option_option)]
    struct Patch {
        age: Option<Option<u8>>,
        name: Option<Option<String>>,
        #[tool_param(keep_empty)]
        note: Option<Option<String>>,
        inner: Option<Option<Inner>>,
    }

    #[derive(Debug, PartialEq, ToolInput)]
    struct Inner {
        #[tool_param(required = true)]
        level: Option<u8>,
    }

    let text = r#"{"age":"","name":"","note":"","inner":""}"#;
    let absent = Patch {
        age: None,
        name: None,
        note: Some(Some(String::new())),
        inner: None,
    };
    let (patch, fixes) = read::<Patch>(text);
    assert_eq!(patch, absent);
    assert_eq!(
        fixes,
        [
            "age empty_as_absent \"\" -> absent",
            "name empty_as_absent \"\" -> absent",
            "inner empty_as_absent \"\" -> absent",
        ]
    );
    let value: Value = serde_json::from_str(text).expect("JSON");
    let read_back = callpact::read_value::<Patch>(&value, &Policy::lax()).expect("the same");
    assert_eq!(read_back.value, absent);
    let (patch, fixes) = read::<Patch>(r#"{"age":null,"name":"x","note":null,"inner":null}"#);
    assert_eq!(
        (patch.age, patch.note, patch.inner),
        (Some(None), Some(None), Some(None))
    );
    assert_eq!((patch.name, fixes.len()), (Some(Some("x".to_owned())), 0));
    // Inside the value nothing changes: a required value stays required.
    refused::<Patch>(&[r#"{"inner":{"level":""}}"#]);
    assert!(read_str::<Patch>(text, &Policy::exact()).is_err());
}

/// Only repair unwraps arguments, but every policy says where they are.
#[test]
fn arguments_in_an_object_around_them_are_found() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Move {
        from: String,
        to: String,
        force: Option<bool>,
    }
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Outer {
        inner: Move,
    }

    let said = |text: &str| -> Vec<String> {
        let report = read_str::<Move>(text, &Policy::lax()).expect_err(text);
        let value: Value = serde_json::from_str(text).expect("JSON");
        let other = callpact::read_value::<Move>(&value, &Policy::lax()).expect_err(text);
        assert_eq!(report.to_string(), other.to_string());
        report.issues.iter().map(ToString::to_string).collect()
    };
    for wrapper in ["arguments", "input", "parameters"] {
        assert_eq!(
            said(&format!(
                r#"{{"{wrapper}":{{"from":"a","to":5}},"name":"move"}}"#
            )),
            [
                format!(
                    "{wrapper}: not a parameter; send what is in `{wrapper}`, and nothing around it"
                ),
                "to: expected a string, found 5; put it in quotes".to_owned(),
            ]
        );
    }
    // As a text, as calls are written in a response.
    let text = r#"{"function":{"name":"move","arguments": "{\"from\":\"a\",\"to\":\"b\"}"},"type":"function"}"#;
    assert_eq!(
        said(text),
        ["function: not a parameter; send what is in `function.arguments`, and nothing around it"]
    );
    for text in [
        r#"{"arguments":"{\"from\":\"a\",\"to\":"}"#,
        r#"{"arguments":"from"}"#,
    ] {
        assert_eq!(said(text)[0], "from: missing; expected a string", "{text}");
    }
    // The report mentions only keys that the wrapper has.
    assert_eq!(
        said(r#"{"input":{"from":"a"}}"#)[1],
        "to: missing; expected a string"
    );
    for text in [r#"{"input":"from"}"#, r#"{"input":["from","to"]}"#] {
        assert_eq!(said(text)[0], "from: missing; expected a string", "{text}");
    }
    // Whatever the names around them.
    for (text, key, way) in [
        (r#"{"input":{"deep":{"from":"a"}}}"#, "input", "input.deep"),
        (r#"{"other":{"from":"a","to":"b"}}"#, "other", "other"),
        (r#"{"calls":[{"from":"a","to":"b"}]}"#, "calls", "calls[0]"),
        (
            r#"{"arguments":"{\"deep\":{\"from\":\"a\"}}"}"#,
            "arguments",
            "arguments.deep",
        ),
    ] {
        let line =
            format!("{key}: not a parameter; send what is in `{way}`, and nothing around it");
        assert_eq!(said(text)[0], line, "{text}");
    }
    // A fault inside the wrapper stays a fault.
    assert!(read_str::<Move>(r#"{"input":{"from":"a""#, &Policy::lax()).is_err());

    // Only around the arguments as a whole, and only if a key is missing.
    let lines = |report: callpact::Report| -> Vec<String> {
        report.issues.iter().map(ToString::to_string).collect()
    };
    let text = r#"{"inner":{"arguments":{"from":"a","to":"b"}}}"#;
    let report = read_str::<Outer>(text, &Policy::lax()).expect_err(text);
    assert_eq!(
        lines(report),
        ["from", "to"].map(|name| format!(
            "inner.{name}: missing; expected a string; found inside `arguments`: send it without that"
        ))
    );
    let text = r#"{"arguments":{"from":"a","to":"b"}}"#;
    let report = read_str::<Move>(text, &Policy::exact()).expect_err(text);
    assert_eq!(
        lines(report),
        ["arguments: not a parameter; send what is in `arguments`, and nothing around it"]
    );
}

/// An empty text in the author's default is a value. An empty text from a model means absent.
#[test]
fn an_empty_default() {
    #[derive(Debug, ToolInput)]
    struct Greeting {
        #[tool_param(default = "")]
        name: String,
    }
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let read = read_str::<Greeting>("{}", &policy).expect("accepted");
        assert_eq!((&*read.value.name, read.fixes), ("", Fixes::default()));
    }
}

/// The report names the key that was given first, and no key of another field.
#[test]
fn reports_repeated_field_aliases_among_unrelated_aliases() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Both {
        #[tool_param(alias = "x")]
        a: u8,
        #[tool_param(alias = "y")]
        b: Option<u8>,
        inner: Option<Inner>,
    }
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Inner {
        #[tool_param(alias = "z")]
        a: u8,
    }
    for text in [r#"{"x":1,"y":2,"a":3}"#, r#"{"x":1,"inner":{"z":2},"a":3}"#] {
        let report = read_str::<Both>(text, &Policy::lax()).unwrap_err();
        assert_eq!(
            report.issues[0].to_string(),
            "a: expected once, found `x` and `a`"
        );
    }
}

/// A number that lost digits is out of range if there is a bound. Without a bound, the model could
/// have written its digits.
#[test]
fn a_number_beyond_what_a_float_holds() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Ends {
        #[tool_param(min = 0)]
        least: Option<i128>,
        #[tool_param(max = 0)]
        most: Option<i128>,
        #[tool_param(one_of = [-1, 0, 1])]
        near: Option<i64>,
        #[tool_param(one_of = [0, 9_007_199_254_740_993])]
        far: Option<i64>,
    }
    for (text, hint) in [
        (r#"{"least":1e18}"#, true),
        (r#"{"least":-1e18}"#, false),
        (r#"{"most":1e18}"#, false),
        (r#"{"most":-1e18}"#, true),
        // In digits it would be as long.
        (r#"{"least":18446744073709551617}"#, false),
        (r#"{"least":1e20}"#, false),
        // No choice is as long.
        (r#"{"near":9007199254740992.0}"#, false),
        (r#"{"far":9007199254740992.0}"#, true),
        (r#"{"far":-9007199254740992.0}"#, false),
    ] {
        let report = read_str::<Ends>(text, &Policy::lax()).unwrap_err();
        let said = report.issues[0].to_string();
        assert_eq!(said.contains("write it in digits alone"), hint, "{said}");
    }
}

#[test]
fn required_values_stay() {
    let (kept, fixes) = read::<Kept>(r#"{"kept":"","dropped":"","with_default":"","required":""}"#);
    assert_eq!(
        kept,
        Kept {
            kept: Some(String::new()),
            dropped: None,
            with_default: String::new(),
            required: String::new()
        }
    );
    assert_eq!(fixes, ["dropped empty_as_absent \"\" -> absent"]);
    let (kept, fixes) = read::<Kept>(r#"{"kept":null,"with_default":null,"required":""}"#);
    assert_eq!((kept.kept, kept.with_default.as_str()), (None, "x"));
    assert_eq!(
        fixes,
        [
            "kept null_as_absent null -> absent",
            "with_default null_as_absent null -> absent"
        ]
    );
    refused::<Kept>(&[r#"{"required":null}"#]);
    // The key must be present and may be null. An empty string is not a number.
    let (options, fixes) = read::<Options>(r#"{"required":null,"point":null,"ruled":null}"#);
    assert_eq!((options.required, fixes.len()), (None, 0));
    refused::<Options>(&[
        r#"{"required":"","point":null,"ruled":null}"#,
        r#"{"point":null,"ruled":null}"#,
    ]);
    // A second null beyond the field's own.
    let text = r#"{"required":null,"point":null,"ruled":null,"double":null,"triple":null}"#;
    let (options, fixes) = read::<Options>(text);
    assert_eq!((options.double, options.triple), (Some(None), Some(None)));
    assert!(fixes.is_empty(), "{fixes:?}");
}

#[test]
fn unknown_keys() {
    let (_, fixes) =
        read::<Reporting>(r#"{"a":1,"z":{"deep":[1]},"b":{"a":2,"q":1,"open":{"x":1,"w":1}}}"#);
    assert_eq!(
        fixes,
        [
            "b.open.w unknown_dropped \"w\" -> absent",
            "z unknown_dropped \"z\" -> absent"
        ]
    );
    let report = read_str::<Closed>(
        r#"{"a":1,"inners":"x","inner":{"c":true,"zzz":1}}"#,
        &Policy::lax(),
    )
    .unwrap_err();
    assert_eq!(
        report.to_string(),
        "Invalid arguments, 2 problems:\n\
        - inner.zzz: not a parameter; known are `c`\n\
        - inners: not a parameter; known are `a`, `b`, `inner`"
    );
    let report = read_str::<ClosedEmpty>(r#"{"a":1}"#, &Policy::lax()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "a: not a parameter; there are no parameters here"
    );
    let (_, fixes) = read::<Ignoring>(r#"{"a":1,"z":1}"#);
    assert!(fixes.is_empty());
}

#[test]
fn near_misses_explain_what_is_missing() {
    let report = read_str::<FlatOne>(r#"{"Quary":"x","pages":1}"#, &Policy::lax()).unwrap_err();
    assert_eq!(
        report.to_string(),
        "Invalid arguments, 2 problems:\n\
        - query: missing; expected a string; `Quary` was given: rename it to `query`\n\
        - page: missing; expected an integer from 1 to 4294967295; `pages` was given: rename it to `page`"
    );
    let report = read_str::<FlatOne>(r#"{"banana":"x","page":1}"#, &Policy::lax()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "query: missing; expected a string"
    );
}

#[test]
fn aliases() {
    let text = r#"{"text":"t","number":1,"colour":"azul"}"#;
    let (words, fixes) = read::<Words>(text);
    assert_eq!(words.color, Some(Color::Blue));
    assert_eq!(
        fixes,
        [
            "color alias \"colour\" -> \"color\"",
            "color alias \"azul\" -> \"Blue\""
        ]
    );
    // Exact knows no aliases and drops them like any unknown key.
    let exact =
        read_str::<Words>(&text.replace("azul", "Blue"), &Policy::exact()).expect("accepted");
    assert_eq!(
        (exact.value.color, exact.fixes[0].kind),
        (None, FixKind::UnknownDropped)
    );
    // The report names the key that was given.
    for (twice, found) in [
        (r#""colour":"Red","color":"Red""#, "`colour` and `color`"),
        (r#""color":"Red","tint":"Red""#, "`color` and `tint`"),
        (r#""colour":"azul","tint":"Red""#, "`colour` and `tint`"),
        (r#""tint":"Red","tint":"Red""#, "more than once"),
        (r#""color":"Red","color":"Red""#, "more than once"),
    ] {
        let text = format!(r#"{{"text":"t","number":1,{twice}}}"#);
        let report = read_str::<Words>(&text, &Policy::lax()).unwrap_err();
        assert_eq!(
            report.issues[0].to_string(),
            format!("color: expected once, found {found}")
        );
    }
    let (value, fixes) = read::<External>("\"thing\"");
    assert_eq!(
        (value, fixes),
        (
            External::Other,
            vec!["arguments alias \"thing\" -> \"other-thing\"".to_owned()]
        )
    );
    let (value, fixes) = read::<Internal>(r#"{"width":"3","type":"rectangle","height":4.0}"#);
    assert_eq!(
        value,
        Internal::Rect {
            width: 3,
            height: 4
        }
    );
    assert_eq!(
        fixes,
        [
            "type alias \"rectangle\" -> \"rect\"",
            "width number_from_text \"3\" -> 3",
            "height integer_from_number 4.0 -> 4",
        ]
    );
}

#[test]
fn maps_from_pairs() {
    let text = r#"[{"key":"a","value":"1"},{"value":2,"key":"b"}]"#;
    let (map, fixes) = read::<BTreeMap<String, u8>>(text);
    assert_eq!(
        map,
        BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2)])
    );
    assert_eq!(
        fixes,
        [
            "[0].value number_from_text \"1\" -> 1",
            "arguments map_from_pairs an array -> an object"
        ]
    );
    assert!(read_str::<BTreeMap<String, u8>>(text, &Policy::exact()).is_err());
    let (map, fixes) = read::<BTreeMap<Color, u8>>(r#"[{"key":"Red","value":1}]"#);
    assert_eq!((map.get(&Color::Red), fixes.len()), (Some(&1), 1));
    refused::<BTreeMap<String, u8>>(&[
        r#"[{"key":"a","value":1},{"key":"a","value":2}]"#,
        r#"[{"key":"a"}]"#,
        r#"[{"key":"a","value":1,"more":1}]"#,
        r#"[["a",1]]"#,
        r#"[{"key":1,"value":1}]"#,
        r#"[{"key":"a","key":"b","value":1}]"#,
    ]);
    refused::<BTreeMap<Color, u8>>(&[
        r#"[{"key":"Pink","value":1}]"#,
        r#"{"Pink":1}"#,
        r#"{"azul":1}"#,
    ]);
    let (list, fixes) = read::<Vec<Value>>(text);
    assert_eq!((list.len(), fixes.len()), (2, 0));
}

#[test]
fn variant_choice_after_conversion_is_ambiguous() {
    #[derive(ToolInput, Debug, PartialEq)]
    #[tool_input(untagged)]
    enum Either {
        Number(u8),
        Flag(bool),
        Other(f64),
        List(Vec<u8>),
    }
    let (value, fixes) = read::<Either>("\"true\"");
    assert_eq!((value, fixes.len()), (Either::Flag(true), 1));
    let (value, fixes) = read::<Either>("[\"5\"]");
    assert_eq!((value, fixes.len()), (Either::List(vec![5]), 1));
    let (value, fixes) = read::<Either>("\"5.5\"");
    assert_eq!((value, fixes.len()), (Either::Other(5.5), 1));
    // The number 5 fits one variant; "5" could be two.
    assert_eq!(read::<Either>("5").0, Either::Number(5));
    let report = read_str::<Either>("\"5\"", &Policy::lax()).unwrap_err();
    assert!(
        report.to_string().contains("fits more than one"),
        "{report}"
    );
}

/// Of an object or a list the faults are told that it has without conversions, so that a model sees what to mend.
#[test]
fn object_matching_several_variants_reports_faults_before_conversion() {
    #[derive(ToolInput, Debug, PartialEq)]
    struct Small {
        size: u8,
        name: String,
    }
    #[derive(ToolInput, Debug, PartialEq)]
    struct Large {
        size: f64,
        name: String,
    }
    #[derive(ToolInput, Debug, PartialEq)]
    #[tool_input(untagged)]
    enum Either {
        Small(Small),
        Large(Large),
        Sizes(Vec<u8>),
        Shares(Vec<f64>),
    }
    #[derive(ToolInput, Debug, PartialEq)]
    struct Call {
        either: Either,
    }
    #[derive(ToolInput, Debug, PartialEq)]
    enum Tint {
        Red,
    }
    #[derive(ToolInput, Debug, PartialEq)]
    #[tool_input(rename_all = "UPPERCASE")]
    enum Ink {
        Red,
    }
    #[derive(ToolInput, Debug, PartialEq)]
    #[tool_input(untagged)]
    enum Colour {
        Tint { colour: Tint },
        Ink { colour: Ink },
    }
    #[derive(ToolInput, Debug, PartialEq)]
    struct Paint {
        with: Colour,
    }
    let told = |text: &str| {
        let typed = read_str::<Call>(text, &Policy::lax()).unwrap_err();
        typed.to_string()
    };
    let both_tell = |text: &str| {
        let typed = read_str::<Paint>(text, &Policy::lax()).unwrap_err();
        let schema = Paint::SCHEMA.to_json(Dialect::Mcp20260728);
        let foreign = ForeignSchema::parse(&schema).unwrap();
        let dynamic = read_foreign(text, &foreign, &Policy::lax()).unwrap_err();
        (typed.to_string(), dynamic.to_string())
    };
    assert_eq!(
        told(r#"{"either": {"size": "5", "name": "a"}}"#),
        "Invalid arguments, 1 problem:\n\
         - either.size: expected an integer from 0 to 255, found \"5\"; send it without the quotes around it"
    );
    assert_eq!(
        told(r#"{"either": ["5", 6]}"#),
        "Invalid arguments, 1 problem:\n\
         - either[0]: expected an integer from 0 to 255, found \"5\"; send it without the quotes around it"
    );
    let (typed, foreign) = both_tell(r#"{"with": {"colour": "red"}}"#);
    assert_eq!(
        typed,
        "Invalid arguments, 1 problem:\n\
         - with.colour: expected \"Red\", found \"red\"; did you mean \"Red\"?"
    );
    // In a schema that was parsed the key tells the forms apart.
    assert_eq!(
        foreign,
        "Invalid arguments, 1 problem:\n\
         - with.colour: expected one of \"Red\", \"RED\", found \"red\"; did you mean \"Red\"?"
    );
    // One that fits without conversions is taken, and so is one that fits alone with them.
    let small = r#"{"either": {"size": 5, "name": "a"}}"#;
    let large = r#"{"either": {"size": "5.5", "name": "a"}}"#;
    assert!(matches!(read::<Call>(small).0.either, Either::Small(_)));
    assert!(matches!(read::<Call>(large).0.either, Either::Large(_)));
}

#[test]
fn sets_hold_what_is_equal_after_conversion_once() {
    let (set, fixes) = read::<BTreeSet<u8>>("[5,\"5\"]");
    assert_eq!((set.len(), fixes.len()), (1, 1));
    refused::<BTreeSet<u8>>(&["[5,5]", "[5,5.0]"]);
    refused::<BTreeSet<String>>(&["[\"a\",\"a\"]"]);
    let (set, _) = read::<BTreeSet<Point>>(r#"[{"x":1},{"x":1,"z":1}]"#);
    assert_eq!(set.len(), 1);
}

#[test]
fn seventy_fields() {
    let (wide, fixes) = read::<Wide>(r#"{"last":"1","g8":"2","a0":"3","g0":4}"#);
    assert_eq!(
        (wide.last, wide.g8, wide.a0, wide.g0, wide.g1),
        (1, Some(2), Some(3), Some(4), None)
    );
    assert_eq!(fixes.len(), 3);
    let report = read_str::<Wide>(r#"{"g8":1,"g8":2}"#, &Policy::lax()).unwrap_err();
    assert_eq!(
        report.to_string(),
        "Invalid arguments, 2 problems:\n\
        - g8: expected once, found more than once\n\
        - last: missing; expected an integer from 0 to 255"
    );
}

/// A list without a pair in place of a map is one fault, of the map.
#[test]
fn what_is_no_pair_is_told_so() {
    for text in [r#"[["a", 1]]"#, "[1]", r#"["a"]"#, "[null]"] {
        let report = read_str::<BTreeMap<String, u8>>(text, &Policy::lax()).unwrap_err();
        assert!(
            report
                .to_string()
                .contains("\n- arguments: expected an object, found an array"),
            "{report}"
        );
    }
}

/// The float nearest to 2^53 + 1 is 2^53, so reading it would run with another number.
#[test]
fn rejects_number_with_lost_last_digit() {
    for text in [
        "9007199254740993.0",
        "9007199254740992.0",
        "9007199254740991.5",
    ] {
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let report = read_str::<i64>(text, &policy).unwrap_err();
            assert_eq!(
                report.issues[0].to_string(),
                "arguments: expected an integer, found 9007199254740992.0; write it in digits alone, in at most 64 bits"
            );
        }
    }
    let value = 9_007_199_254_740_991_i64;
    for text in ["9007199254740991.0", "9007199254740991"] {
        assert_eq!(
            read_str::<i64>(text, &Policy::exact()).unwrap().value,
            value
        );
    }
    assert_eq!(read::<i64>(r#""9007199254740993.0""#).0, value + 2);
}

/// The fix shows the number that was read, not the digits that were sent.
#[test]
fn single_precision_fix_shows_number_read() {
    for (sent, told) in [("16777217", "16777216"), ("0.1", "0.1"), ("1e-50", "0")] {
        let read = read_str::<f32>(&format!("\"{sent}\""), &Policy::lax()).expect(sent);
        assert_eq!(
            read.fixes[0].to_string(),
            format!("arguments: \"{sent}\" read as {told}")
        );
        assert_eq!(read.value.to_string(), told);
    }
}
