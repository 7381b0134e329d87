//! A secret stays hidden if its place is unknown: in a broken text, in a string in place of an
//! object, in an invented key.

use std::collections::BTreeMap;

use callpact::{
    Dialect, Policy, ToolInput,
    input::{
        read_foreign,
        stream::{Event, StreamReader},
    },
    read_str, read_value,
    schema::ForeignSchema,
};

const VALUE: &str = "hunter2";

/// A secret at every depth.
#[derive(Debug, ToolInput)]
#[allow(dead_code)] // a declaration
struct Login {
    #[tool_param(secret)]
    token: Option<String>,
    account: Option<Account>,
    accounts: Option<Vec<Account>>,
    way: Option<Way>,
    #[tool_param(secret)]
    headers: Option<BTreeMap<String, u8>>,
    #[tool_param(secret)]
    whole: Option<Account>,
    tries: Option<u8>,
}

#[derive(Debug, ToolInput)]
#[allow(dead_code)] // a declaration
struct Account {
    name: Option<String>,
    #[tool_param(secret)]
    key: Option<String>,
}

#[derive(Debug, ToolInput)]
#[tool_input(tag = "kind")]
#[allow(dead_code)] // a declaration
enum Way {
    Key {
        #[tool_param(secret)]
        key: String,
    },
}

const TEXTS: [&str; 20] = [
    r#"{"token": "hunter2"#,
    r#"{"token": "hunter2""#,
    r#"{"account": {"key": "hunter2"}"#,
    r#"{"tries": 01, "token": "hunter2"}"#,
    r#"{"token": "hunter2"} {"token": "hunter2"}"#,
    r#"{"token": hunter2}"#,
    r"{'token': 'hunter2', 'tries': x}",
    r#""{\"token\": \"hunter2\"}""#,
    r#"{"account": "{\"key\": \"hunter2\"}"}"#,
    r#"{"accounts": "[{\"key\": \"hunter2\"}]"}"#,
    r#"{"accounts": ["hunter2"]}"#,
    r#"{"way": "{\"kind\": \"Key\", \"key\": \"hunter2\"}"}"#,
    r#"{"headers": {"hunter2": "hunter2"}}"#,
    r#"{"whole": {"hunter2": 1}}"#,
    r#"{"way": {"kind": "Key", "key": "hunter2""#,
    "hunter2",
    r#"{"token": "hunter2", "tries": NaN}"#,
    r#"{"token": "hunter2</parameter>"}"#,
    r#"```json {"token": "hunter2"#,
    r#"{"accounts": [{"key": "hunter2"}, "#,
];

#[test]
fn a_secret_is_not_shown_wherever_it_stands() {
    for text in TEXTS {
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let shown = |read: Result<callpact::Read<Login>, callpact::Report>| match read {
                Ok(read) => format!("{:?}", read.fixes),
                Err(report) => format!("{report}\n{}", report.with_excerpt(Login::SCHEMA)),
            };
            let said = shown(read_str::<Login>(text, &policy));
            assert!(!said.contains(VALUE), "{text}: {said}");
            if let Ok(value) = serde_json::from_str(text) {
                let said = shown(read_value::<Login>(&value, &policy));
                assert!(!said.contains(VALUE), "{text}: {said}");
            }
            let mut stream = StreamReader::<Login>::new(&policy);
            let events = stream.push(text);
            let issues: Vec<_> = events
                .iter()
                .filter(|event| matches!(event, Event::Issue(_)))
                .collect();
            let said = format!("{issues:?} {:?}", stream.cut_off());
            assert!(!said.contains(VALUE), "{text}: {said}");
        }
    }
}

/// The type's schema as a peer gets it marks the secrets, and a tool made of that schema hides them as the type does.
#[test]
fn secret_stays_hidden_behind_a_wire() {
    for dialect in [Dialect::Mcp20260728, Dialect::Portable] {
        let schema = Login::SCHEMA.to_json(dialect);
        if dialect == Dialect::Portable && !schema.contains("writeOnly") {
            continue;
        }
        let schema = ForeignSchema::parse(&schema).expect("a schema");
        let mut refused = 0;
        for text in TEXTS {
            for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
                let said = match read_foreign(text, &schema, &policy) {
                    Ok(read) => format!("{:?}", read.fixes),
                    Err(report) => {
                        refused += 1;
                        let excerpt = report.with_excerpt(schema.tree());
                        format!("{report}\n{excerpt}\n{}", report.to_json())
                    }
                };
                assert!(!said.contains(VALUE), "{text}: {said}");
            }
        }
        assert!(refused > TEXTS.len(), "{refused}");
    }
}

#[test]
fn the_place_is_said_instead() {
    let said = |text: &str| {
        let report = read_str::<Login>(text, &Policy::lax()).unwrap_err();
        assert_eq!(report.issues.len(), 1, "{report}");
        report.issues[0].to_string()
    };
    assert_eq!(
        said(r#"{"tries": 01, "token": "hunter2"}"#),
        "tries: expected JSON, found something at line 1, column 11 (not shown); write a number in decimal digits, as in 10, -2 or 0.5"
    );
    assert_eq!(
        said(r#"{"token": "hunter2"#),
        "token: expected complete JSON, found a text cut off (its end is not shown); send the whole call again"
    );
    assert_eq!(
        said(r#"{"account": "{\"key\": \"hunter2\"}"}"#),
        "account: expected an object, found a string (not shown); send it without the quotes around it"
    );
    assert_eq!(
        said(r#"{"headers": {"hunter2": 300}}"#),
        r#"headers["(not shown)"]: expected an integer from 0 to 255, found a number (not shown)"#
    );
    let read = read_str::<Login>(r#"{"whole": {"hunter2": 1}}"#, &Policy::lax()).unwrap();
    assert_eq!(
        read.fixes[0].to_string(),
        r#"whole["(not shown)"]: not a parameter, ignored"#
    );
}

#[test]
fn without_a_secret_the_text_is_shown() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Open {
        token: String,
    }

    let report = read_str::<Open>(r#"{"token": "hunter2"#, &Policy::lax()).unwrap_err();
    assert!(report.to_string().contains(VALUE), "{report}");
    let report = read_str::<Open>(r#"{"token": hunter2}"#, &Policy::lax()).unwrap_err();
    assert!(report.to_string().contains(VALUE), "{report}");
}
