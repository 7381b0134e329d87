//! Texts that are left unchanged, beyond one case of each: near misses of mended texts, and reports that
//! equal those of the ordinary reader.

use callpact::{IssueKind, Policy, ToolInput, read_str, read_value};
use serde_json::{Value, json};

use super::shapes::{File, Item, Lists, Shape};

/// The report on a text without a certain meaning equals the report without repair.
#[track_caller]
fn left<T: ToolInput>(text: &str) {
    let lax = read_str::<T>(text, &Policy::lax()).map(|_| ());
    let repair = read_str::<T>(text, &Policy::repair()).map(|_| ());
    assert!(lax.is_err(), "{text}");
    assert_eq!(repair, lax, "{text}");
}

#[track_caller]
fn refused<T: ToolInput>(text: &str) -> String {
    let report = read_str::<T>(text, &Policy::repair()).map(|_| ());
    report.expect_err(text).issues[0].to_string()
}

#[test]
fn rejects_words_resembling_part_of_call() {
    const FILE: &str = r#"{"path": "a", "content": "b"}"#;
    assert!(read_str::<File>(&format!("so:\n{FILE}\ndone"), &Policy::repair()).is_ok());
    left::<File>(&format!("so {FILE} so"));
    for part in [
        "see [1]",
        "see ]",
        "see }",
        "and \"more\": 1",
        "and \"more\" : 1",
        "= 1",
        ": 1",
        "'c'",
        "\"c\"",
        "<parameter name=x>c",
        "</x:parameter>",
        "and ```\"more\":1",
        "and ```[1]```",
    ] {
        left::<File>(&format!("{FILE} {part}"));
        left::<File>(&format!("{FILE}\n{part}"));
    }
    for part in [
        "see [1]",
        "see ]",
        "see }",
        "and \"more\": 1,",
        "= ",
        "<parameter name=x>",
        "</x:parameter>",
        "and ```\"more\":1,",
    ] {
        left::<File>(&format!("{part} {FILE}"));
        left::<File>(&format!("{part}:\n{FILE}"));
    }
    // Quotes of prose are not a space, and neither is any other visible character.
    left::<File>("{”'path': 'a', 'content': 'b'}");
    left::<File>("{'path': 'a', …'content': 'b'}");
    left::<File>("{'path': 'a', 'content': 'b'é}");
    // A slash and a star are a comment, a slash alone is nothing.
    left::<File>(r#"{"path": "a", /x*/ "content": "b"}"#);
    left::<File>(r#"{"path": "a", "content": "b", /}"#);
}

#[test]
fn numbers_and_words_of_another_grammar_are_left() {
    for number in [
        "05", "-05", "00", "-", "1.", "1.e5", ".5", "1e", "1e+", "1E-", "+1", "0x10", "1_000",
        "1-2", "1.5.5", "1a", "--1",
    ] {
        // The single quotes behind it can be repaired, and are not part of the report.
        left::<Vec<f64>>(&format!("[{number}, '']"));
    }
    for word in ["a", "a_b", "$a", "nul", "nothing", "True1", "None_"] {
        left::<File>(&format!("{{\"path\": {word}, 'content': 'b'}}"));
        left::<bool>(&format!("/* so */ {word}"));
    }
}

#[test]
fn a_cut_value_is_named_where_it_stands() {
    for (text, path) in [
        ("{'content': 'a', 'path': 'b", "path"),
        ("{'content': [0, {'a': 5", "content[1].a"),
        ("{'content': [0, 1.", "content[1]"),
        ("{'content': [0, -", "content[1]"),
        ("{'content': tru", "content"),
        ("{'content': some_thi", "content"),
        ("{'content': $thi", "content"),
        ("{'content': '\\u00", "content"),
        ("{'content': '\\ud83d\\u", "content"),
        ("{'content': '\\", "content"),
        ("/* so */ 1.", "arguments"),
        ("/* so */ -", "arguments"),
    ] {
        let report = read_str::<File>(text, &Policy::repair()).unwrap_err();
        let [issue] = &report.issues[..] else {
            panic!("{text}: {report}")
        };
        assert_eq!(issue.kind, IssueKind::CutOff, "{text}");
        assert!(issue.to_string().starts_with(path), "{text}: {issue}");
    }
    // A value that is not cut off, but has an incomplete escape.
    for escape in [
        "\\u00",
        "\\u00g0",
        "\\u+123",
        "\\u 12",
        "\\u12é4",
        "\\ud83d\\u+123",
    ] {
        left::<File>(&format!("{{\"path\": \"{escape}\", 'content': 'b'}}"));
    }
}

#[test]
fn reports_excessive_depth_only() {
    let text = format!("{}{}", "[".repeat(200), "]".repeat(200));
    left::<Value>(&text);
    let report = read_str::<Value>(&text, &Policy::repair()).unwrap_err();
    assert_eq!(report.issues.len(), 1);
    assert_eq!(report.issues[0].kind, IssueKind::TooDeep);
}

#[test]
fn rejects_name_matching_two_candidates() {
    #[derive(ToolInput, Debug)]
    #[tool_input(unknown = "deny")]
    #[allow(dead_code)]
    struct Both {
        a_b: Option<i64>,
        ab: Option<i64>,
    }
    #[derive(ToolInput, Debug, PartialEq)]
    enum Sign {
        #[tool_param(rename = "-")]
        Minus,
        #[tool_param(rename = "a_b")]
        One,
        #[tool_param(rename = "a-b")]
        Two,
    }
    assert!(refused::<Both>(r#"{"AB": 1}"#).starts_with("AB: not a parameter"));
    for name in ["", "_", " ", "--", "AB", "a b"] {
        let said = refused::<Sign>(&format!("\"{name}\""));
        assert!(said.starts_with("arguments: expected one of"), "{said}");
    }
}

#[test]
fn rejects_text_without_object_as_tagged_value() {
    #[derive(ToolInput, Debug, PartialEq)]
    enum Limit {
        Nothing,
        Most(u8),
    }
    #[derive(ToolInput, Debug)]
    #[allow(dead_code)]
    struct Both {
        shape: Option<Shape>,
        limit: Option<Limit>,
    }
    for text in [
        "[1]",
        "[{\"kind\": \"circle\", \"radius\": 1}]",
        "\"Nothing\"",
        "1",
    ] {
        for key in ["shape", "limit"] {
            let said = refused::<Both>(&json!({ key: text }).to_string());
            let found = format!("found {}", Value::from(text));
            assert!(said.contains(&found), "{key}: {said}");
        }
    }
}

#[test]
fn rejects_single_untagged_value_as_list() {
    #[derive(ToolInput, Debug)]
    #[tool_input(untagged)]
    #[allow(dead_code)]
    enum Either {
        Item(Item),
        Count(i64),
    }
    #[derive(ToolInput, Debug)]
    #[allow(dead_code)]
    struct Many {
        many: Vec<Either>,
    }
    for value in [json!({"name": "a"}), json!("{\"name\": \"a\"}"), json!("a")] {
        left::<Many>(&json!({ "many": value }).to_string());
    }
}

#[test]
fn markup_in_an_item_is_refused_too() {
    let value = json!({"tags": ["a", "b</parameter>"]});
    for report in [
        read_value::<Lists>(&value, &Policy::repair()).unwrap_err(),
        read_str::<Lists>(&value.to_string(), &Policy::repair()).unwrap_err(),
    ] {
        assert_eq!(report.issues[0].kind, IssueKind::LeakedMarkup);
        assert_eq!(report.issues[0].path.to_string(), "tags[1]");
    }
}
