//! Texts that are never accepted, and the model's report.

use callpact::{IssueKind, Policy, ToolInput, read_str, read_value};

use super::shapes::{Closed, File, Lists, Mode, Optional};

#[track_caller]
fn refused<T: ToolInput>(text: &str) -> String {
    let report = read_str::<T>(text, &Policy::repair())
        .map(|_| ())
        .expect_err(text);
    report
        .issues
        .iter()
        .map(|issue| format!("{}: {issue}", issue.kind.name()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Texts that no policy takes. Returns the words of the policy that repairs the most.
#[track_caller]
fn refused_by_all<T: ToolInput>(text: &str) -> String {
    for policy in [Policy::exact(), Policy::lax()] {
        assert!(read_str::<T>(text, &policy).is_err(), "{text}");
    }
    refused::<T>(text)
}

#[test]
fn a_cut_text_says_so() {
    assert_eq!(
        refused_by_all::<File>(r#"{"path": "a", "content": "hel"#),
        "cut_off: content: expected complete JSON, found a text cut off after \"h\\\": \\\"a\\\", \\\"content\\\": \\\"hel\"; send the whole call again"
    );
    for text in [
        "{'path': 'a', 'content': 'b'",
        "```json\n{\"path\": \"a\"",
        "Sure: {\"path\": \"a\", \"content\": \"b\"",
        "{\"path\": \"a\", \"content\": \"b\"}{\"path\": \"a\"",
        "{path: \"a\", /* the",
        "{\"path\": \"a\", \"content\": \"b\", \"n\": 1",
        "\"{\\\"path\\\": \\\"a\\\"",
    ] {
        let said = refused_by_all::<File>(text);
        assert!(said.contains("cut_off"), "{text}: {said}");
    }
}

#[test]
fn different_objects_are_two_calls() {
    let said =
        refused_by_all::<File>(r#"{"path": "a", "content": "b"}{"path": "c", "content": "d"}"#);
    assert_eq!(
        said,
        "several_objects: arguments: expected one JSON object, found several; make one call for each"
    );
    assert_eq!(refused_by_all::<Optional>("{},{}"), said);
    refused_by_all::<Optional>("[{\"limit\": 1}]");
}

#[test]
fn words_around_it_may_hold_nothing_of_it() {
    for text in [
        "{\"path\": \"a\", \"content\": \"b\"}, \"more\": 1",
        "{\"path\": \"a\", \"content\": \"b\"} \"more\": 1",
        "{\"path\": \"a\", \"content\": \"b\"}foo",
        "{\"path\": \"a\", \"content\": \"b\"}0",
        "{\"path\": \"a\", \"content\": \"b\"}true",
        "{\"path\": \"a\", \"content\": \"b\"}.b",
        "{\"path\": \"a\", \"content\": \"b\"} Done!",
        "don't call {\"path\": \"a\", \"content\": \"b\"}",
        "Do not send this:\n{\"path\": \"a\", \"content\": \"b\"}",
        "Not {\"path\": \"a\", \"content\": \"b\"} but something else",
        "Two lines.\nOf words:\n{\"path\": \"a\", \"content\": \"b\"}",
        "{\"path\": \"a\", \"content\": \"b\"}\nNever mind, don't.",
        "{\"path\": \"a\", \"content\": \"b\"}\nIgnore that.",
        "Here:\n{\"path\": \"a\", \"content\": \"b\"}\nI changed my mind.",
        "{\"path\": \"a\", \"content\": \"b\"}\nWait for approval first.",
        "Cancelled:\n{\"path\": \"a\", \"content\": \"b\"}",
        "Please confirm before I run:\n{\"path\": \"a\", \"content\": \"b\"}",
        "remove({\"path\": \"a\", \"content\": \"b\"})",
        "[1] {\"path\": \"a\", \"content\": \"b\"}",
        "{\"path\": \"a\", \"content\": \"b\"} or {b}",
        "{\"path\": \"a\"}</parameter>\n<parameter name=\"content\">b",
    ] {
        refused::<File>(text);
    }
    // The same object again, with more than spaces between, is another call.
    refused::<Optional>("{} // one\n{} // two\n{}");
    refused::<Optional>("```\n{}\n```\nand\n```\n{}\n```");
    // `{}` in a sentence is not a call without arguments.
    refused::<Optional>("call it with {}");
}

/// Words that introduce or close a call are dropped. Any other keeps it from being one, whatever its sense.
#[test]
fn rejects_call_with_negating_words() {
    const CALL: &str = "{\"path\": \"a\", \"content\": \"b\"}";
    let before = [
        "The user forbids:",
        "Danger, avoid:",
        "Forbidden:",
        "Rejected:",
        "Rather than:",
        "Hypothetical:",
        "Old call:",
        "Bad:",
        "Nicht ausführen:",
        "Is this the call:",
        "If it is okay, call:",
        "Here is the second of 3 calls:",
        "To undo the call, use:",
        "Your call:",
        "❌:",
        "~~Call~~:",
    ];
    let after = [
        "was refused by the user.",
        "Actually, keep the files.",
        "On second thought, keep it.",
        "That was a mistake.",
        "is denied",
        "is prohibited",
        "has been revoked",
        "is a bad idea",
        "Awaiting permission.",
        "Actually use 6.",
        "Okay?",
        "Is this okay",
        "Here is the final call:",
        "Now the following tool.",
        "and wait.",
        "❌",
    ];
    for words in before {
        refused::<File>(&format!("{words}\n{CALL}"));
        refused::<File>(&format!("{words} {CALL}"));
        refused::<File>(&format!("{words}\n```json\n{CALL}\n```"));
        refused::<File>(&format!("```json\n{words}\n{CALL}\n```"));
        refused::<File>(&format!("// {words}\n{CALL}"));
        refused::<File>(&format!("# {words}\n{CALL}"));
        refused::<File>(&format!("callback(/* {words} */ {CALL})"));
    }
    for words in after {
        refused::<File>(&format!("{CALL}\n{words}"));
        refused::<File>(&format!("```json\n{CALL}\n```\n{words}"));
        refused::<File>(&format!("```json\n{CALL}\n{words}\n```"));
        refused::<File>(&format!("{CALL} // {words}"));
        refused::<File>(&format!("{CALL}\n# {words}\n"));
        refused::<File>(&format!("{CALL}, /* {words} */"));
    }
    // Nor may the word be the language of a fence or a part of a name.
    refused::<File>(&format!("```forbidden\n{CALL}\n```"));
    refused::<File>(&format!("Here:\n```forbidden\n{CALL}\n```"));
    refused::<File>(&format!("callback_forbidden({CALL})"));
}

/// If two readings are possible, neither is taken.
#[test]
fn what_may_be_something_else_is_not_mended() {
    for text in [
        // An index, a concatenation, a call, arithmetic.
        "[[1][0]]",
        "[\"a\" \"b\"]",
        "[(\"a\" \"b\")]",
        "[(\"a\"\n\"b\")]",
        "[f(1)]",
        "[(1 + 2)]",
        "(1, 2)",
        "[(1]",
        "[1)",
        // A missing colon along with another fault.
        "{a 1}",
        "{a\" 1}",
        "{\"a\": 1\n\"b\" 2}",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\": 1\nb: 2}",
        "{\"a\" b}",
        "{\"a\" \"b\": 1}",
        // A typographic quote that may belong to the text, or that another quote closes.
        "{\"a\": “x\", \"b\": \"y”}",
        "{\"a\": ‘don't’}",
        "{\"a\": ‘don’t’}",
        "{\"a\": “a “b” c”}",
        "{\"a\": “a\\n”}",
        // Escaped quotes along with other escapes.
        "{\\\"a\\\": \\\"x \\\\\"y\\\\\" \\n\\\"}",
    ] {
        refused::<serde_json::Value>(text);
    }
    for text in [
        "[]", "[1, 2]", "[\"1\"]", "[[1]]", "[true]", "[1.5]", "[null]",
    ] {
        refused::<u8>(text);
    }
    refused::<f64>("[1, 2]");
    refused::<bool>("[true]");
    assert!(read_str::<u8>("[1]", &Policy::lax()).is_err());
}

#[test]
fn numbers_that_json_lacks_are_named() {
    #[derive(ToolInput)]
    struct Ratio {
        #[allow(dead_code)]
        ratio: f64,
    }
    for word in ["NaN", "Infinity", "-Infinity", "nan", "inf"] {
        let said = refused::<Ratio>(&format!("{{'ratio': {word}}}"));
        assert!(said.contains("ratio: expected a finite number"), "{said}");
        refused::<Ratio>(&format!("{{\"ratio\": \"{word}\"}}"));
    }
    for number in [
        "1,5", "0x10", "05", "1.", ".5", "+1", "1e", "1_000", "1e999",
    ] {
        refused::<Ratio>(&format!("{{\"ratio\": {number}}}"));
        refused::<Ratio>(&format!("{{\"ratio\": \"{number}\"}}"));
    }
}

#[test]
fn nothing_is_rounded_or_taken_for_true() {
    refused_by_all::<Optional>(r#"{"limit": 1.5}"#);
    refused_by_all::<Optional>(r#"{"limit": "1.5"}"#);
    refused_by_all::<Optional>(r#"{"limit": true}"#);
    for value in ["1", "0", "\"yes\"", "\"on\"", "\"1\"", "[]"] {
        refused_by_all::<bool>(value);
    }
    refused_by_all::<File>(r#"{"path": 5, "content": "b"}"#);
    refused_by_all::<File>(r#"{"path": ["a"], "content": "b"}"#);
    refused_by_all::<File>(r#"{"path": {"a": 1}, "content": "b"}"#);
    refused_by_all::<File>(r#"{"path": a, "content": "b"}"#);
    refused_by_all::<File>(r#"{"path": "a\d", "content": "b"}"#);
}

#[test]
fn ambiguity_is_an_error() {
    // `AB` is `a_b` and `ab`.
    refused_by_all::<Closed>(r#"{"AB": 1}"#);
    let said = refused::<Optional>(r#"{"file_path": "a", "filePath": "b"}"#);
    assert_eq!(
        said,
        "duplicate_key: file_path: expected once, found `file_path` and `filePath`"
    );
    refused::<Optional>(r#"{"filePath": "b", "file_path": "a"}"#);
    let said = refused_by_all::<Optional>(r#"{"limit": 1, "limit": 2}"#);
    assert_eq!(
        said,
        "duplicate_key: limit: expected once, found more than once, with different values"
    );
}

#[test]
fn rejects_single_value_with_several_or_no_items() {
    for value in [
        "\"\"",
        "null",
        "\"null\"",
        "\"a, b\"",
        "\"a\\nb\"",
        "\"[a\"",
        "5",
        "{}",
        "\"{\\\"a\\\": 1}\"",
    ] {
        refused::<Lists>(&format!("{{\"tags\": {value}}}"));
    }
    refused::<Mode>("\"readwrit\"");
    refused::<Mode>("\"\"");
}

#[test]
fn leaked_markup_is_refused_with_what_it_swallowed() {
    let text =
        "{\"path\": \"a.txt</parameter>\\n<parameter name=\\\"content\\\">hello</parameter>\"}";
    assert_eq!(
        refused::<File>(text),
        "leaked_markup: path: expected no markup of the call in it, found `</parameter>`; send the whole call again without it\n\
         leaked_markup: path: expected no markup of the call in it, found `<parameter name=\"content\">`; send `content` as a parameter of its own\n\
         missing: content: missing; expected a string"
    );
    // Even if the swallowed parameter could be left out, and if `<` is escaped.
    for text in [
        "{\"file_path\": \"a\\n<parameter name=\\\"limit\\\">5\"}",
        "{\"file_path\": \"a\\n\\u003cparameter name=\\\"limit\\\">5\"}",
        "{\"file_path\": \"a</parameter>\"}",
        "{\"file_path\": \"a</invoke>\"}",
        "{\"file_path\": \"a</x:parameter>\"}",
    ] {
        assert!(
            refused::<Optional>(text).contains("leaked_markup"),
            "{text}"
        );
        let value = serde_json::from_str(text).unwrap();
        assert!(read_value::<Optional>(&value, &Policy::repair()).is_err());
    }
    // Balanced markup is a text like any other, and so is the name of a parameter that was given.
    for text in [
        "{\"file_path\": \"<parameter>a</parameter>\"}",
        "{\"file_path\": \"<parameter name=\\\"limit\\\">5\", \"limit\": 5}",
        "{\"file_path\": \"<parameter name=\\\"other\\\">5\"}",
        "{\"file_path\": \"</parameter> in the middle\"}",
    ] {
        assert!(
            read_str::<Optional>(text, &Policy::repair())
                .unwrap()
                .fixes
                .is_empty(),
            "{text}"
        );
    }
}

#[test]
fn deep_texts_are_refused() {
    let deep = |open: &str, levels: usize| open.repeat(levels);
    for text in [
        deep("[", 1_000_000),
        deep("{a:", 100_000),
        deep("{\"a\":[", 100_000),
    ] {
        assert!(read_str::<serde_json::Value>(&text, &Policy::repair()).is_err());
    }
    let text = format!("{}1,{}", "[".repeat(126), "]".repeat(126));
    assert!(read_str::<serde_json::Value>(&text, &Policy::repair()).is_ok());
    let text = format!("{}1,{}", "[".repeat(128), "]".repeat(128));
    let report = read_str::<serde_json::Value>(&text, &Policy::repair()).unwrap_err();
    assert_eq!(report.issues[0].kind, IssueKind::TooDeep);
}

#[test]
fn keeps_first_report_if_repair_adds_nothing() {
    let text = r#"{"path": "a" "content": "b"}"#;
    let lax = read_str::<File>(text, &Policy::lax()).unwrap_err();
    assert_eq!(read_str::<File>(text, &Policy::repair()).unwrap_err(), lax);
}
