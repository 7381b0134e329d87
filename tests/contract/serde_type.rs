use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use callpact::input::Serde;
use callpact::{Policy, ToolInput, read_str, read_value};

/// Where to look
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Search {
    /// What to look for
    query: String,
    limit: Option<u8>,
    mode: Mode,
    #[serde(default)]
    filters: Vec<Filter>,
    ratio: Option<f32>,
    count: Option<u64>,
    title: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// titles only
    Fast,
    /// whole texts
    Deep,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Filter {
    field: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)] // a declaration
struct Tree {
    name: String,
    kids: Vec<Tree>,
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "u8")]
#[allow(dead_code)] // a declaration
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(n: u8) -> Result<Self, String> {
        if n.is_multiple_of(2) {
            Ok(Self(n))
        } else {
            Err("callpact::Even wants even".to_owned())
        }
    }
}

impl JsonSchema for Even {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Even".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        u8::json_schema(generator)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code)] // a declaration
struct Pair {
    even: Even,
}

#[test]
fn the_schema_is_portable() {
    let schema = Serde::<Search>::foreign();
    let schema = schema.unwrap_or_else(|| panic!("no schema"));
    assert_eq!(
        schema.value(),
        &json!({
            "type": "object",
            "description": "Where to look",
            "properties": {
                "query": {"type": "string", "description": "What to look for"},
                "limit": {"type": "integer", "minimum": 0, "maximum": 255},
                "mode": {"type": "string", "enum": ["fast", "deep"], "description": "fast: titles only; deep: whole texts"},
                "filters": {"type": "array", "items": {
                    "type": "object", "properties": {"field": {"type": "string"}}, "required": ["field"],
                }},
                "ratio": {"type": "number"},
                "count": {"type": "integer", "minimum": 0},
                "title": {"type": "string"},
            },
            "required": ["query", "mode"],
        })
    );
    assert_eq!(schema.check_portable(), Ok(()));
}

#[test]
fn one_schema_for_each_type() {
    let threads: Vec<_> = (0..8)
        .map(|_| {
            std::thread::spawn(|| {
                Serde::<Search>::foreign()
                    .map(std::ptr::from_ref)
                    .map(|p| p as usize)
            })
        })
        .collect();
    let mut seen: Vec<_> = threads
        .into_iter()
        .map(|thread| thread.join().ok().flatten())
        .collect();
    seen.dedup();
    assert_eq!(seen.len(), 1);
    assert_ne!(Serde::<Filter>::foreign(), Serde::<Search>::foreign());
}

#[test]
fn values_are_read() {
    let text = r#"{"query": "a", "limit": "7", "mode": "fast", "filters": [{"field": "f"}], "ratio": 1, "count": 5.0, "title": ""}"#;
    let read =
        read_str::<Serde<Search>>(text, &Policy::lax()).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(
        read.value.0,
        Search {
            query: "a".into(),
            limit: Some(7),
            mode: Mode::Fast,
            filters: vec![Filter { field: "f".into() }],
            ratio: Some(1.0),
            count: Some(5),
            title: None,
        }
    );
    assert_eq!(read.fixes.len(), 3);
    // 5.0 is an integer under the exact policy too, although serde alone would refuse it.
    let exact = read_value::<Serde<Search>>(
        &json!({"query": "a", "mode": "deep", "count": 5.0}),
        &Policy::exact(),
    );
    assert_eq!(exact.map(|read| read.value.0.count), Ok(Some(5)));
}

#[test]
fn all_issues_come_at_once() {
    let text = r#"{"filters": [{}, {"field": 1}], "limit": 300, "mode": "fsat"}"#;
    let report = read_str::<Serde<Search>>(text, &Policy::lax())
        .map(|_| ())
        .map_err(|report| report.to_string());
    assert_eq!(
        report.err().unwrap_or_default(),
        "Invalid arguments, 5 problems:\n\
        - filters[0].field: missing; expected a string\n\
        - filters[1].field: expected a string, found 1; put it in quotes\n\
        - limit: expected an integer from 0 to 255, found 300\n\
        - mode: expected one of \"fast\", \"deep\", found \"fsat\"; did you mean \"fast\"?\n\
        - query: missing; expected a string (What to look for)"
    );
}

#[test]
fn error_known_only_to_serde_hides_type_names() {
    let report = read_str::<Serde<Pair>>(r#"{"even": 3}"#, &Policy::lax())
        .map(|_| ())
        .map_err(|report| report.to_string());
    assert_eq!(
        report.err().unwrap_or_default(),
        "Invalid arguments, 1 problem:\n- arguments: the values fit the schema but not the tool; check them against its description"
    );
}

#[test]
fn checks_type_that_contains_itself() {
    let report =
        read_str::<Serde<Tree>>(r#"{"name": "a", "kids": [{"kids": []}]}"#, &Policy::lax())
            .map(|_| ())
            .map_err(|report| report.to_string());
    assert_eq!(
        report.err().unwrap_or_default(),
        "Invalid arguments, 1 problem:\n- kids[0].name: missing; expected a string"
    );
    let read = read_str::<Serde<Tree>>(
        r#"{"name": "a", "kids": [{"name": "b", "kids": []}]}"#,
        &Policy::lax(),
    );
    assert!(read.is_ok());
}

#[derive(ToolInput)]
struct Outer {
    inner: Serde<Filter>,
}

#[test]
fn inside_a_derived_type_paths_go_on() {
    let report = read_str::<Outer>(r#"{"inner": {"field": 5}}"#, &Policy::lax())
        .map(|outer| outer.value.inner.0)
        .map_err(|report| report.to_string());
    assert_eq!(
        report.err().unwrap_or_default(),
        "Invalid arguments, 1 problem:\n- inner.field: expected a string, found 5; put it in quotes"
    );
}

#[test]
fn issues_beyond_the_limit_are_counted() {
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code)] // a declaration
    struct Numbers {
        all: Vec<u8>,
    }
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Two {
        one: Serde<Numbers>,
        other: Serde<Numbers>,
    }
    let wrong = json!({ "all": vec!["x"; 40] });
    let count = |report: callpact::Report| (report.issues.len(), report.omitted);
    let one = read_value::<Serde<Numbers>>(&wrong, &Policy::lax()).expect_err("wrong");
    assert_eq!(count(one), (32, 8));
    let both = json!({ "one": &wrong, "other": &wrong });
    let both = read_value::<Two>(&both, &Policy::lax()).expect_err("wrong");
    assert_eq!(count(both), (32, 48));
}

#[derive(ToolInput)]
#[allow(dead_code)] // a declaration
struct Hidden {
    #[tool_param(secret)]
    it: Serde<Search>,
}

/// A type that only schemars describes may hold a secret.
#[test]
fn nothing_of_a_secret_is_told() {
    for it in [
        json!("hunter2"),
        json!({"query": 8_675_309}),
        json!({"query": "a", "mode": "hunter2"}),
        json!({"query": "a", "mode": "fast", "limit": "8675309"}),
        json!({"query": "a", "mode": "fast", "filters": {"hunter2": "hunter2"}}),
        json!({"query": "a", "mode": "fast", "count": "8675309", "hunter2": 1}),
    ] {
        let given = json!({ "it": it });
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let said = match read_value::<Hidden>(&given, &policy) {
                Ok(read) => format!("{:?}", read.fixes),
                Err(report) => format!("{report} {report:?}"),
            };
            assert!(
                !said.contains("hunter") && !said.contains("8675309"),
                "{given}: {said}"
            );
        }
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Loose {
    Number(u8),
    Words(Vec<String>),
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Amount {
    Exact(u8),
    Range { low: u8, high: u8 },
}

#[derive(Debug, ToolInput)]
struct Order {
    #[tool_param(description = "What is loose")]
    loose: Serde<Loose>,
    amount: Amount,
    again: Amount,
}

#[test]
fn union_behind_serde_type_is_read_as_checked() {
    for loose in ["7", r#"["a", "b"]"#] {
        // A key in another case leaves the text to the checker.
        let text =
            format!(r#"{{"Loose": {loose}, "amount": {{"low": 1, "high": 2}}, "again": 3}}"#);
        let read = read_str::<Order>(&text, &Policy::repair()).unwrap_or_else(|it| panic!("{it}"));
        assert_eq!(read.value.amount, Amount::Range { low: 1, high: 2 });
        assert_eq!(read.value.again, Amount::Exact(3));
        let is_number = matches!(read.value.loose.0, Loose::Number(7));
        assert_eq!(is_number, loose == "7");
    }
}
