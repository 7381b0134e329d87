//! Every class of fix, on its own: what goes in, what comes out, and exactly which fixes are noted.

use callpact::{Fix, FixKind, Policy, ToolInput, read_str, read_value};
use serde_json::{Value, json};

use super::shapes::{Closed, Everything, File, Item, Lists, Mode, Optional, Shape};

fn kinds(fixes: &[Fix]) -> Vec<&'static str> {
    fixes.iter().map(|fix| fix.kind.name()).collect()
}

fn open(text: &str) -> (Value, Vec<Fix>) {
    let read = read_str::<serde_json::Map<String, Value>>(text, &Policy::repair());
    let read = read.unwrap_or_else(|report| panic!("{text}: {report}"));
    (Value::Object(read.value), read.fixes.into())
}

#[track_caller]
fn mended<T: ToolInput>(text: &str, wanted: &[&str]) -> T {
    let read = read_str::<T>(text, &Policy::repair());
    let read = read.unwrap_or_else(|report| panic!("{text}: {report}"));
    assert_eq!(kinds(&read.fixes), wanted, "{text}");
    read.value
}

#[test]
fn repairs_text_with_single_meaning() {
    let a = json!({"a": 1});
    let b = json!({"a": [1, 2], "b": "it's \"x\""});
    for (text, value, wanted) in [
        ("\u{feff}{\"a\": 1}", &a, vec!["byte_order_mark"]),
        ("```json\n{\"a\": 1}\n```", &a, vec!["fence"]),
        ("```\n{\"a\": 1}\n```\n", &a, vec!["fence"]),
        ("````{ \"a\": 1 }```", &a, vec!["fence"]),
        (
            "Here it is:\n{\"a\": 1}\nDone!",
            &a,
            vec!["surrounding_text"],
        ),
        (
            "Sure:\n```json\n{\"a\": 1}\n```\nBye",
            &a,
            vec!["fence", "surrounding_text"],
        ),
        (
            "<tool_call>{\"a\": 1}</tool_call>",
            &a,
            vec!["surrounding_text"],
        ),
        ("{\"a\": 1}{\"a\": 1}", &a, vec!["repeated_object"]),
        (
            "{\"a\": 1}\n{\"a\":1}\n{ \"a\" : 1 }",
            &a,
            vec!["repeated_object", "repeated_object"],
        ),
        ("{\"a\": 1}}", &a, vec!["extra_bracket"]),
        ("{\"a\": 1}\n]}", &a, vec!["extra_bracket"]),
        ("callback({\"a\": 1});", &a, vec!["callback"]),
        // Two values with no comma, a key without a colon, one quote of a key.
        (
            "{\"a\": [1, 2]\n\"b\": \"it's \\\"x\\\"\"}",
            &b,
            vec!["missing_comma"],
        ),
        ("{\"a\" 1}", &a, vec!["missing_colon"]),
        ("{a\": 1}", &a, vec!["unquoted_key"]),
        // Python's tuples, and parentheses around one value.
        ("{\"a\": (1)}", &a, vec!["parentheses"]),
        (
            "{\"a\": (1, 2,), \"b\": \"it's \\\"x\\\"\"}",
            &b,
            vec!["parentheses"],
        ),
        // Typographic quotes.
        ("{“a”: 1}", &a, vec!["quote_style"]),
        (
            "{\"a\": [1\n2], \"b\": \"it's \\\"x\\\"\"}",
            &b,
            vec!["missing_comma"],
        ),
        ("{\"a\": 1,}", &a, vec!["extra_comma"]),
        ("{,\"a\": 1}", &a, vec!["extra_comma"]),
        ("{\"a\": 1},", &a, vec!["extra_comma"]),
        (
            "{\"a\": [1,,2], \"b\": \"it's \\\"x\\\"\"}",
            &b,
            vec!["extra_comma"],
        ),
        (
            "// so\n{\"a\": /* one */ 1 # end\n}",
            &a,
            vec!["comment", "comment", "comment"],
        ),
        ("{'a': 1}", &a, vec!["quote_style"]),
        (
            "{'a': [1, 2], 'b': 'it\\'s \"x\"'}",
            &b,
            vec!["quote_style", "quote_style", "quote_style"],
        ),
        ("{a: 1}", &a, vec!["unquoted_key"]),
        (
            "{\\n  \"a\": 1\\n}",
            &a,
            vec!["escape_outside", "escape_outside"],
        ),
        ("{\"a\":\u{a0}1}", &a, vec!["special_space"]),
        ("{\"a\": 1, \"a\": 1}", &a, vec!["duplicate_merged"]),
        ("\"{\\\"a\\\": 1}\"", &a, vec!["double_encoded"]),
        (
            "\"\\\"{\\\\\\\"a\\\\\\\": 1}\\\"\"",
            &a,
            vec!["double_encoded"],
        ),
        ("{\\\"a\\\": 1}", &a, vec!["double_encoded"]),
    ] {
        let (found, fixes) = open(text);
        assert_eq!(&found, value, "{text}");
        assert_eq!(kinds(&fixes), wanted, "{text}");
    }
}

#[test]
fn strings_keep_their_content() {
    let (value, fixes) = open("{\"a\": \"x\ny\tz\", \"b\": \"it\\'s\", \"c\": \"\\ud83d!\"}");
    assert_eq!(
        value,
        json!({"a": "x\ny\tz", "b": "it's", "c": "\u{fffd}!"})
    );
    assert_eq!(
        kinds(&fixes),
        ["control_character", "invalid_escape", "lone_surrogate"]
    );
    let paths: Vec<String> = fixes.iter().map(|fix| fix.path.to_string()).collect();
    assert_eq!(paths, ["a", "b", "c"]);
    // A pair of surrogates is a character, comment marks and fences are text.
    let (value, fixes) = open("{\"a\": \"\\ud83d\\ude00 // ``` # /* True None */ ,]\",}");
    assert_eq!(value, json!({"a": "\u{1f600} // ``` # /* True None */ ,]"}));
    assert_eq!(kinds(&fixes), ["extra_comma"]);
}

#[test]
fn python_literals_are_tokens() {
    let (value, fixes) = open("{'a': True, 'b': [False, None], 'c': 'None'}");
    assert_eq!(value, json!({"a": true, "b": [false, null], "c": "None"}));
    let words: Vec<String> = fixes
        .iter()
        .filter(|fix| fix.kind == FixKind::PythonLiteral)
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        words,
        [
            "a: True read as true",
            "b[0]: False read as false",
            "b[1]: None read as null"
        ]
    );
}

#[test]
fn fixes_say_where() {
    let (_, fixes) = open("{\"a\": [{\"b\": 1,}, {c: 'x'}], /* hm */}");
    let lines: Vec<String> = fixes.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "a[0]: an extra comma, ignored",
            "a[1].c: c read as \"c\"",
            "a[1].c: single quotes read as double quotes",
            "arguments: a comment, ignored",
            "arguments: an extra comma, ignored",
        ]
    );
}

#[test]
fn keys_in_another_case_are_the_declared_ones() {
    let value: Optional = mended(
        r#"{"filePath": "a", "LIMIT": 3}"#,
        &["key_case", "key_case"],
    );
    assert_eq!(
        value,
        Optional {
            file_path: Some("a".into()),
            limit: Some(3)
        }
    );
    let value: Optional = mended(r#"{"file-path": "a"}"#, &["key_case"]);
    assert_eq!(value.file_path.as_deref(), Some("a"));
    // An unknown key is dropped as under lax.
    mended::<Optional>(r#"{"folder": "a"}"#, &["unknown_dropped"]);
}

#[test]
fn choices_in_another_case_are_the_declared_ones() {
    let text = |mode: &str| {
        format!(
            r#"{{"file_path":"a","tags":[],"counts":[],"items":[],"mode":"{mode}","labels":{{}},"shape":{{"kind":"Circle","radius":1}}}}"#
        )
    };
    for (given, mode) in [
        ("READ_WRITE", Mode::Write),
        ("read-write", Mode::Write),
        ("Append", Mode::Append),
    ] {
        let value: Everything = mended(&text(given), &["choice_case", "choice_case"]);
        assert_eq!(
            (value.mode, value.shape),
            (mode, Shape::Circle { radius: 1.0 })
        );
    }
}

#[test]
fn one_value_stands_for_a_list_of_it() {
    let value: Lists = mended(
        r#"{"tags": "new", "counts": "5", "modes": "APPEND", "items": {"name": "a"}}"#,
        &[
            "list_from_single",
            "number_from_text",
            "list_from_single",
            "choice_case",
            "list_from_single",
            "list_from_single",
        ],
    );
    assert_eq!(value.tags, ["new"]);
    assert_eq!(value.counts, Some(vec![5]));
    assert_eq!(value.modes, Some(vec![Mode::Append]));
    assert_eq!(
        value.items,
        Some(vec![Item {
            name: "a".into(),
            weight: None
        }])
    );
}

#[test]
fn reads_list_of_single_number_as_number() {
    let value: Optional = mended(r#"{"limit": [3]}"#, &["single_from_list"]);
    assert_eq!(value.limit, Some(3));
    assert!(mended::<f64>("[0.5]", &["single_from_list"]) < 0.6);
    assert_eq!(mended::<Vec<u8>>("[1, [2]]", &["single_from_list"]), [1, 2]);
    let number = mended::<serde_json::Number>("[18446744073709551615]", &["single_from_list"]);
    assert_eq!(number.to_string(), "18446744073709551615");
    // Its content follows the same rules.
    let report = read_str::<Optional>(r#"{"limit": [-3]}"#, &Policy::repair()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "limit: expected an integer from 0 to 4294967295, found -3"
    );
    let read = read_value::<Optional>(&json!({"limit": [3]}), &Policy::repair()).unwrap();
    assert_eq!(kinds(&read.fixes), ["single_from_list"]);
}

#[test]
fn pythons_lists_come_out_of_strings() {
    let value: Lists = mended(
        r#"{"tags": "['a', 'b']", "counts": "[1, (2)]"}"#,
        &[
            "quote_style",
            "quote_style",
            "structure_from_text",
            "parentheses",
            "structure_from_text",
        ],
    );
    assert_eq!(value.tags, ["a", "b"]);
    assert_eq!(value.counts, Some(vec![1, 2]));
    let value: bool = mended("\"True\"", &["boolean_from_text"]);
    assert!(value);
}

#[test]
fn arrays_and_objects_come_out_of_strings() {
    let value: Lists = mended(
        r#"{"tags": "[\"a\", \"b\"]", "counts": "[1, 2,]", "items": "[{'name': 'x'}]"}"#,
        &[
            "structure_from_text",
            "extra_comma",
            "structure_from_text",
            "quote_style",
            "quote_style",
            "structure_from_text",
        ],
    );
    assert_eq!((value.tags.len(), value.counts), (2, Some(vec![1, 2])));
    let text = r#"{"file_path":"a","tags":[],"counts":[],"items":["{\"name\": \"x\"}"],"mode":"append",
        "labels":"{\"a\": \"b\"}","shape":"{\"kind\": \"square\", \"side\": 2}"}"#;
    let value: Everything = mended(text, &["structure_from_text"; 3]);
    assert_eq!(value.labels["a"], "b");
}

#[test]
fn pairs_are_a_map() {
    let text = r#"{"file_path":"a","tags":[],"counts":[],"items":[],"mode":"append",
        "labels":[["a", "b"], {"key": "c", "value": "d"}],"shape":{"kind":"square","side":2}}"#;
    let value: Everything = mended(text, &["map_from_lists"]);
    assert_eq!(value.labels.len(), 2);
}

#[test]
fn a_wrapper_comes_off_where_the_inside_fits() {
    for text in [
        r#"{"arguments": {"path": "a", "content": "b"}}"#,
        r#"{"parameters": {"path": "a", "content": "b"}}"#,
        r#"{"input": {"path": "a", "content": "b"}}"#,
        r#"{"name": "file", "arguments": {"path": "a", "content": "b"}}"#,
        r#"{"name": "file", "parameters": "{\"path\": \"a\", \"content\": \"b\"}"}"#,
    ] {
        mended::<File>(text, &["wrapped"]);
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            kinds(&read_value::<File>(&value, &Policy::repair()).unwrap().fixes),
            ["wrapped"]
        );
    }
    // Optional fields do not hide that it was wrapped.
    let value: Optional = mended(r#"{"arguments": {"file_path": "a"}}"#, &["wrapped"]);
    assert_eq!(value.file_path.as_deref(), Some("a"));
    mended::<Optional>(
        "{'arguments': {'limit': '3',}}",
        &[
            "quote_style",
            "quote_style",
            "quote_style",
            "extra_comma",
            "number_from_text",
            "wrapped",
        ],
    );
}

#[test]
fn rejects_value_with_unknown_key_inside_wrapper() {
    // The inside is read before it is known that it has a key too many.
    let text = r#"{"arguments": {"file_path": "a", "other": 1}}"#;
    let value: Value = serde_json::from_str(text).unwrap();
    for report in [
        read_str::<Optional>(text, &Policy::repair()).unwrap_err(),
        read_value::<Optional>(&value, &Policy::repair()).unwrap_err(),
    ] {
        assert_eq!(
            report.issues[0].to_string(),
            "arguments: not a parameter; send what is in `arguments`, and nothing around it"
        );
        assert_eq!(report.issues.len(), 1);
    }
}

#[test]
fn a_field_of_that_name_is_no_wrapper() {
    #[derive(ToolInput, Debug)]
    struct Call {
        arguments: std::collections::BTreeMap<String, i64>,
    }
    let value: Call = mended(r#"{"arguments": {"a": 1}}"#, &[]);
    assert_eq!(value.arguments["a"], 1);
}

#[test]
fn no_arguments_stay_no_arguments() {
    for text in ["", "  ", "null", "{}"] {
        mended::<Optional>(text, &[]);
    }
    mended::<Optional>("None", &["python_literal"]);
}

#[test]
fn a_host_refuses_what_it_does_not_want() {
    let policy = Policy::repair().refusing(FixKind::ExtraComma);
    let report = read_str::<File>(r#"{"path": "a", "content": "b",}"#, &policy).unwrap_err();
    assert_eq!(report.issues[0].kind, callpact::IssueKind::NotJson);
    let policy = Policy::repair().only(&[FixKind::QuoteStyle]);
    assert!(read_str::<File>("{'path': 'a', 'content': 'b'}", &policy).is_ok());
    let report = read_str::<Lists>(r#"{"tags": "new"}"#, &policy).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "tags: expected an array of it, found \"new\""
    );
    let policy = Policy::lax().refusing(FixKind::UnknownDropped);
    let report = read_str::<Optional>(r#"{"x": 1}"#, &policy).unwrap_err();
    assert_eq!(report.issues[0].to_string(), "x: not a parameter");
    let closed = read_str::<Closed>(r#"{"a_b": 1, "ab": 2}"#, &Policy::repair()).unwrap();
    assert_eq!(
        closed.value,
        Closed {
            a_b: 1,
            ab: Some(2)
        }
    );
}

#[test]
fn fix_kind_names_are_stable() {
    assert_eq!(FixKind::ListFromSingle.name(), "list_from_single");
    assert_eq!(serde_json::to_value(FixKind::KeyCase).unwrap(), "key_case");
}
