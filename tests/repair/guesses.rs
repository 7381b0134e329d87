//! What repair must not guess: one text in place of a list, markup of a call, a number that loses a digit.

use callpact::{
    Dialect, IssueKind, Policy, Report, ToolInput,
    input::{read_foreign, read_str_quickly, read_str_thoroughly},
    read_str,
    schema::ForeignSchema,
};

#[derive(Debug, ToolInput)]
struct Run {
    command: Vec<String>,
}

#[derive(Debug, ToolInput)]
#[allow(dead_code)] // read for its faults
struct Place {
    city: String,
    state: Option<String>,
}

/// The kinds of the issues of a text, by the typed reader and by the one for run-time schemas, which must agree.
fn kinds<T: ToolInput>(text: &str, policy: &Policy) -> Vec<IssueKind> {
    let kinds = |report: Report| report.issues.iter().map(|issue| issue.kind).collect();
    let typed: Vec<IssueKind> = read_str::<T>(text, policy).map_or_else(kinds, |_| Vec::new());
    let schema = ForeignSchema::parse(&T::SCHEMA.to_json(Dialect::Portable)).expect("a schema");
    let foreign = read_foreign(text, &schema, policy).map_or_else(kinds, |_| Vec::new());
    assert_eq!(typed, foreign, "{text}");
    typed
}

#[test]
fn rejects_text_with_several_items_as_single_item() {
    for text in [
        "rm -rf /srv/x",
        "*",
        "src/*.rs",
        "a?b",
        "a,b",
        "a;b",
        "a|b",
        "[a]",
        "List.of(\"a\")",
        "listOf(1)",
        "'a'",
        "`a`",
        " a",
        "a\tb",
        "none",
        "N/A",
        "default",
    ] {
        let call = serde_json::json!({ "command": text }).to_string();
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            assert_eq!(
                kinds::<Run>(&call, &policy),
                [IssueKind::WrongType],
                "{text}"
            );
            let report = read_str::<Run>(&call, &policy).expect_err("a refusal");
            assert_eq!(report.issues[0].hint, None, "{report}");
        }
    }
    for text in [
        "ls",
        "/srv/x",
        "a-b_c.d",
        "user@example.com",
        "https://a.b/c",
    ] {
        let call = serde_json::json!({ "command": text }).to_string();
        let read = read_str::<Run>(&call, &Policy::repair()).expect("one item");
        assert_eq!(read.value.command, [text]);
    }
}

#[test]
fn rejects_closing_tag_at_end_of_value() {
    for text in [
        "let a = 2;</parameter>\n</invoke>",
        "/srv</arg_value>",
        "a</function>",
        "a</tool_call>",
        "a</ns:invoke>",
        "a<｜tool▁call▁end｜>",
    ] {
        let call = serde_json::json!({ "city": text }).to_string();
        let escaped = call.replace('<', "\\u003c");
        for call in [call, escaped] {
            for policy in [Policy::lax(), Policy::repair()] {
                assert_eq!(
                    kinds::<Place>(&call, &policy),
                    [IssueKind::LeakedMarkup],
                    "{call}"
                );
            }
            // The schema allows the text.
            assert!(kinds::<Place>(&call, &Policy::exact()).is_empty());
        }
    }
    for text in ["<p>a</p>", "<invoke>a</invoke>", "if a < function"] {
        let call = serde_json::json!({ "city": text }).to_string();
        assert!(kinds::<Place>(&call, &Policy::repair()).is_empty());
        assert!(
            read_str_quickly::<Place>(&call, &Policy::lax()).is_some() || text.contains("<invoke")
        );
    }
}

#[test]
fn rejects_parameter_markup_inside_text_parameter() {
    for text in [
        "Dallas\n<parameter=state>\nTexas",
        "Dallas</arg_value>\n<arg_key>state</arg_key>\n<arg_value>Texas",
        "Dallas\n<parameter name=\"state\">Texas",
    ] {
        let call = serde_json::json!({ "city": text }).to_string();
        for policy in [Policy::lax(), Policy::repair()] {
            assert_eq!(kinds::<Place>(&call, &policy), [IssueKind::LeakedMarkup]);
            let report = read_str::<Place>(&call, &policy).expect_err("a refusal");
            let words = report.to_string();
            assert!(
                words.contains("send `state` as a parameter of its own"),
                "{words}"
            );
        }
        // The parameter is there, so the text is a text.
        let both = serde_json::json!({ "city": text, "state": "Texas" }).to_string();
        assert!(kinds::<Place>(&both, &Policy::repair()).is_empty());
    }
}

#[test]
fn rejects_integer_with_lost_digit() {
    for text in [
        "1.0000000000000000001",
        "9007199254740990.9",
        "1e-1",
        "12.5e0",
    ] {
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let quick = read_str_quickly::<u64>(text, &policy);
            let thorough = read_str_thoroughly::<u64>(text, &policy);
            assert!(quick.is_none() && thorough.is_err(), "{text}");
            assert_eq!(
                kinds::<u64>(text, &policy),
                [IssueKind::WrongType],
                "{text}"
            );
        }
    }
    for (text, value) in [("1.000", 1), ("1.25e2", 125), ("120e-1", 12), ("-0.0", 0)] {
        let read = read_str::<u64>(text, &Policy::exact());
        assert_eq!(read.map(|read| read.value), Ok(value), "{text}");
    }
}
