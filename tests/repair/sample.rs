//! The shared sample of malformed arguments: nothing in it may come out wrong.
//!
//! `CALLPACT_BLESS=1` writes the table of `docs/leniency.md` anew.

use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

use callpact::{Policy, Report, ToolInput, read_str};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    id: String,
    text: String,
    expected: Value,
    class: String,
    must: String,
    schema: Option<Value>,
}

/// Classes that must never run, whatever comes out of them.
const NEVER: [&str; 7] = [
    "truncated",
    "unclosed_bracket",
    "ellipsis",
    "undefined_or_missing_value",
    "multiple_values",
    "unescaped_inner_quote",
    "unrepairable",
];

macro_rules! typed {
    ($($type:ident { $($(#[$attr:meta])* $field:ident: $of:ty),* })*) => {$(
        #[derive(ToolInput)]
        struct $type { $($(#[$attr])* $field: $of),* }

        impl $type {
            fn check(text: &str, policy: &Policy) -> Result<Value, Report> {
                let read = read_str::<Self>(text, policy)?.value;
                let _ = &read;
                #[allow(unused_mut)] // some have no fields
                let mut all = serde_json::Map::new();
                $(
                    let value = json!(read.$field);
                    if !value.is_null() {
                        all.insert(stringify!($field).to_owned(), value);
                    }
                )*
                Ok(Value::Object(all))
            }
        }
    )*};
}

typed! {
    Kinds { kinds: Vec<String> }
    Code { code: String }
    Query { query: String }
    Nothing {}
    Limit { limit: Option<i64> }
    Command { command: String }
    Millis { ms: i64 }
    Pull { pr: f64 }
    Offset { offset: i64 }
    Count { count: i64 }
    Account { account: String }
    Write_ { path: String, content: String }
    City { city: String }
    File { path: String }
}

/// A tool that knows `old` and `new` must not guess at `old_string`; it says so by denying it.
#[derive(ToolInput)]
#[tool_input(unknown = "deny")]
struct Replace {
    old: String,
    new: String,
}

type Check = fn(&str, &Policy) -> Result<Value, Report>;

fn reader(case: &Case) -> Check {
    let Some(schema) = &case.schema else {
        return |text, policy| read_str::<Value>(text, policy).map(|read| read.value);
    };
    let properties = schema["properties"].as_object().unwrap();
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    names.sort_unstable();
    match names[..] {
        ["kinds"] => Kinds::check,
        ["code"] => Code::check,
        ["query"] => Query::check,
        [] => Nothing::check,
        ["limit"] => Limit::check,
        ["command"] => Command::check,
        ["ms"] => Millis::check,
        ["pr"] => Pull::check,
        ["offset"] => Offset::check,
        ["count"] => Count::check,
        ["account"] => Account::check,
        ["content", "path"] => Write_::check,
        ["city"] => City::check,
        ["path"] => File::check,
        ["new", "old"] => |text, policy| {
            let read = read_str::<Replace>(text, policy)?.value;
            Ok(json!({"old": read.old, "new": read.new}))
        },
        _ => panic!("{}: no type for {names:?}", case.id),
    }
}

fn data(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(path)).unwrap_or_default()
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|b| same(v, b)))
        }
        _ => a == b,
    }
}

#[derive(Default)]
struct Row {
    cases: usize,
    serde_json: usize,
    lax: usize,
    repair: usize,
}

#[test]
fn nothing_in_the_sample_comes_out_wrong() {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut faults = String::new();
    for line in data("data/malformed-sample.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let check = reader(&case);
        let read = check(&case.text, &Policy::repair());
        let row = rows.entry(case.class.clone()).or_default();
        row.cases += 1;
        row.serde_json += usize::from(serde_json::from_str::<Value>(&case.text).is_ok());
        row.lax += usize::from(check(&case.text, &Policy::lax()).is_ok());
        row.repair += usize::from(read.is_ok());
        let wrong = match (&*case.must, &read) {
            ("error", Ok(_)) => Some("must be refused"),
            ("value", Err(_)) => Some("must be accepted"),
            (_, Ok(_)) if NEVER.contains(&&*case.class) => Some("must never run"),
            (_, Ok(value)) if !same(value, &case.expected) => Some("another value"),
            _ => None,
        };
        if let Some(wrong) = wrong {
            writeln!(faults, "{}: {wrong}: {:?} -> {read:?}", case.id, case.text).unwrap();
        }
    }
    assert!(faults.is_empty(), "{faults}");
    let table = table(&rows);
    // The last section of the page, before the links.
    let page = data("../docs/leniency.md");
    let start = page.find(HEADING).expect("the page has its section");
    let (before, rest) = page.split_at(start);
    let (written, links) = rest.split_at(rest.find("\n[").unwrap_or(rest.len()));
    if std::env::var_os("CALLPACT_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/leniency.md");
        fs::write(path, format!("{before}{table}{links}")).unwrap();
    }
    assert_eq!(written, table, "run again with CALLPACT_BLESS=1");
}

/// The heading of the table in `docs/leniency.md`.
const HEADING: &str = "## What is accepted of a malformed sample\n";

fn table(rows: &BTreeMap<String, Row>) -> String {
    let mut out = String::from(HEADING);
    out.push_str(
        "\nWritten by `tests/repair/sample.rs` from `tests/data/malformed-sample.jsonl`; run it with\n\
         `CALLPACT_BLESS=1` to write it anew. A case without a schema is read as any JSON value. No\n\
         accepted case has a value other than the expected one, and none of a class marked with * may\n\
         ever be accepted. `serde_json` only parses: it checks no schema.\n\n\
         | class | cases | `serde_json` parses | `Policy::lax()` | `Policy::repair()` |\n\
         |---|---:|---:|---:|---:|\n",
    );
    let mut all = Row::default();
    for (class, row) in rows {
        let mark = if NEVER.contains(&&**class) { " *" } else { "" };
        let Row {
            cases,
            serde_json,
            lax,
            repair,
        } = row;
        writeln!(
            out,
            "| {class}{mark} | {cases} | {serde_json} | {lax} | {repair} |"
        )
        .unwrap();
        all.cases += cases;
        all.serde_json += serde_json;
        all.lax += lax;
        all.repair += repair;
    }
    let Row {
        cases,
        serde_json,
        lax,
        repair,
    } = all;
    writeln!(
        out,
        "| **all** | {cases} | {serde_json} | {lax} | {repair} |"
    )
    .unwrap();
    out
}
