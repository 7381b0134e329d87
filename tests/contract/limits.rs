//! The limits of reading: the last value that passes and the first that does not.

use callpact::{
    FixKind, IssueKind, Policy, Report, ToolInput, input::MAX_DEPTH, read_str, read_value,
};
use callpact_tests::shapes::structs::{Closed, Ignoring, Point};
use serde_json::{Value, json};

fn report<T: ToolInput>(text: &str, policy: &Policy) -> Report {
    match read_str::<T>(text, policy) {
        Ok(_) => panic!("accepted: {text}"),
        Err(report) => report,
    }
}

#[test]
fn reads_text_of_exactly_maximum_bytes() {
    let text = r#"{"x": 1}"#;
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        assert!(read_str::<Point>(text, &policy.with_max_bytes(text.len())).is_ok());
        let report = report::<Point>(text, &policy.with_max_bytes(text.len() - 1));
        assert_eq!(
            report.to_string(),
            "Invalid arguments, 1 problem:\n- arguments: expected at most 7 bytes, found 8 bytes"
        );
        // Blanks around a value count too.
        let most = 16 << 20;
        let long = format!("{text}{}", " ".repeat(most - text.len()));
        assert!(read_str::<Point>(&long, &policy).is_ok());
        let report = self::report::<Point>(&(long + " "), &policy);
        assert_eq!(report.issues[0].expected, "at most 16777216 bytes");
    }
}

#[test]
fn as_many_fixes_are_kept_as_issues() {
    for (kept, sent) in [(0, 1), (2, 1), (2, 2), (2, 3), (2, 40)] {
        let policy = Policy::lax().with_max_issues(kept);
        let text = format!("[{}]", vec!["\"7\""; sent].join(","));
        let read = read_str::<Vec<u8>>(&text, &policy).expect("numbers in strings");
        assert_eq!(read.value, vec![7; sent]);
        assert_eq!(
            read.fixes.len(),
            kept.min(sent),
            "{sent} where {kept} are kept"
        );
        let report = report::<Vec<bool>>(&text, &policy);
        assert_eq!(report.count(), sent);
        assert_eq!(report.issues.len(), kept.min(sent));
    }
}

/// An object with this many unknown keys.
fn with_strangers(most: usize) -> String {
    let keys: Vec<String> = (0..most).map(|n| format!(",\"s{n:02}\":{n}")).collect();
    format!("{{\"a\":1{}}}", keys.concat())
}

/// At most 16 unknown keys are named. If they are faults, more are counted.
#[test]
fn unknown_keys_are_named_and_then_counted() {
    #[derive(ToolInput)]
    struct Open {
        a: u8,
    }
    for sent in [1, 15, 16, 17, 18, 40] {
        let text = with_strangers(sent);
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let denied = report::<Closed>(&text, &policy);
            assert_eq!(denied.count(), sent, "{denied}");
            assert_eq!(denied.issues.len(), sent.min(16));
            for (n, issue) in denied.issues.iter().enumerate() {
                let line = format!("s{n:02}: not a parameter; known are `a`, `b`, `inner`");
                assert_eq!(issue.to_string(), line);
            }
            let read = read_str::<Open>(&text, &policy).expect("open");
            assert_eq!(read.value.a, 1);
            let dropped = |fix: &callpact::Fix| fix.kind == FixKind::UnknownDropped;
            assert!(read.fixes.iter().all(dropped));
            assert_eq!(read.fixes.len(), sent.min(16));
            let read = read_str::<Ignoring>(&text, &policy).expect("ignoring");
            assert_eq!(read.fixes, []);
        }
    }
}

#[test]
fn known_keys_are_named_and_then_counted() {
    macro_rules! fields {
        ($type:ident: $($name:ident)*) => {
            #[derive(ToolInput)]
            #[tool_input(unknown = "deny")]
            #[allow(dead_code)] // a declaration
            struct $type { $($name: Option<u8>),* }
        };
    }
    fields!(None:);
    fields!(Sixteen: aa ab ac ad ae af ag ah ai aj ak al am an ao ap);
    fields!(Eighteen: aa ab ac ad ae af ag ah ai aj ak al am an ao ap aq ar);
    let hint = |report: Report| {
        assert_eq!(report.issues[0].kind, IssueKind::UnknownKey);
        report.issues[0].hint.clone().expect("a hint")
    };
    let text = r#"{"something": 1}"#;
    let policy = Policy::lax();
    assert_eq!(
        hint(report::<None>(text, &policy)),
        "there are no parameters here"
    );
    let all = hint(report::<Sixteen>(text, &policy));
    assert!(
        all.starts_with("known are `aa`, `ab`, ") && all.ends_with(", `ao`, `ap`"),
        "{all}"
    );
    let some = hint(report::<Eighteen>(text, &policy));
    assert_eq!(some, format!("{all}, 2 more"));
}

#[test]
fn text_and_value_share_maximum_depth() {
    let array = |inside| Value::Array(vec![inside]);
    let object = |inside| json!({ "a": inside });
    for around in [array as fn(Value) -> Value, object] {
        let nested = |levels: usize| {
            // With content, because the reader need not enter an empty array.
            let value = (0..levels).fold(json!(1), |inside, _| around(inside));
            (value.to_string(), value)
        };
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let (text, value) = nested(MAX_DEPTH);
            assert_eq!(
                read_str::<Value>(&text, &policy).expect("a text").value,
                value
            );
            assert_eq!(
                read_value::<Value>(&value, &policy).expect("a value").value,
                value
            );
            for more in [1, 2, 300] {
                let (text, value) = nested(MAX_DEPTH + more);
                for report in [
                    read_str::<Value>(&text, &policy).expect_err("a text"),
                    read_value::<Value>(&value, &policy).expect_err("a value"),
                ] {
                    let [issue] = &report.issues[..] else {
                        panic!("{report}");
                    };
                    assert_eq!(issue.kind, IssueKind::TooDeep);
                    assert_eq!(issue.expected, "at most 127 levels of nesting");
                }
            }
        }
    }
}
