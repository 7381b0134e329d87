//! A misspelt parameter is read if it can mean only one thing; otherwise the call does not run. Derived types
//! and their schema as JSON are read alike, under the lax and the repair policy.

use std::collections::BTreeMap;

use callpact::{
    Dialect, Fix, FixKind, Policy, Report, ToolInput,
    input::{Fixes, read_foreign},
    read_str, read_value,
    schema::ForeignSchema,
};

#[derive(ToolInput)]
#[allow(dead_code)] // read and not looked at
struct Wipe {
    path: String,
    dry_run: Option<bool>,
    #[tool_param(alias = "write_mode")]
    mode: Option<String>,
    inside: Option<Inside>,
    how: Option<How>,
    #[tool_param(flatten)]
    limits: Limits,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Inside {
    id: u8,
    max_rows: Option<u8>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
pub(super) struct Limits {
    timeout: Option<u8>,
}

#[derive(ToolInput)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum How {
    Fast { threads: Option<u8> },
    Slow,
}

#[derive(ToolInput)]
#[serde(tag = "type", content = "data")]
#[allow(dead_code)]
pub(super) enum Beside {
    Point { x: u8, label: Option<String> },
    Nothing,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Open {
    verbose: Option<bool>,
    #[tool_param(flatten)]
    labels: BTreeMap<String, u8>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Texts {
    cursor: Option<u32>,
    #[tool_param(flatten)]
    more: BTreeMap<String, String>,
}

/// Unions inside, since a union at the root is written in a form of its own.
#[derive(ToolInput)]
#[allow(dead_code)]
struct Unions {
    beside: Option<Beside>,
    either: Option<Either>,
}

/// Names with a word that turns their meaning.
#[derive(ToolInput)]
#[allow(dead_code)]
struct Turning {
    start_line: Option<u8>,
    end_line: Option<u8>,
    max_results: Option<u8>,
    from_date: Option<String>,
    include_hidden: Option<bool>,
    disable_cache: Option<bool>,
    enabled: Option<bool>,
    description: Option<String>,
    before: Option<String>,
}

#[derive(ToolInput)]
#[tool_input(unknown = "ignore")]
#[allow(dead_code)]
struct Silent {
    path: String,
    dry_run: Option<bool>,
}

#[derive(Debug, ToolInput)]
#[tool_input(unknown = "deny")]
#[allow(dead_code)]
struct Closed {
    path: String,
    dry_run: Option<bool>,
}

#[derive(ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Either {
    Named { name: String, colour: Option<u8> },
    Count(u8),
}

/// Variants without a tag, each of which would drop what another one has.
#[derive(ToolInput, Debug, PartialEq)]
#[serde(untagged)]
enum Pick {
    Full {
        query: String,
        limit: u8,
    },
    Short {
        query: String,
    },
    Everything {
        #[serde(default)]
        everything: bool,
    },
}

#[derive(ToolInput)]
struct Picks {
    pick: Pick,
}

/// The fixes of a call that runs, or the problems of one that does not.
pub(super) type Told = Result<Vec<String>, Vec<String>>;

fn told(fixes: Result<Fixes, Report>) -> Told {
    match fixes {
        Ok(fixes) => Ok(fixes.iter().map(ToString::to_string).collect()),
        Err(report) => Err(report.issues.iter().map(ToString::to_string).collect()),
    }
}

/// Reads with the type, from text and value, and with its schema as JSON.
pub(super) fn read<T: ToolInput>(text: &str, policy: &Policy) -> Told {
    let by_type = told(read_str::<T>(text, policy).map(|read| read.fixes));
    let value = serde_json::from_str(text).expect("JSON");
    let of_value = told(read_value::<T>(&value, policy).map(|read| read.fixes));
    let sorted = |told: &Told| {
        let (Ok(lines) | Err(lines)) = told;
        let mut lines = lines.clone();
        lines.sort();
        (told.is_ok(), lines)
    };
    assert_eq!(sorted(&of_value), sorted(&by_type), "{text}");
    let json = T::SCHEMA.to_json(Dialect::Mcp20260728);
    let schema = ForeignSchema::parse(&json).unwrap_or_else(|faults| panic!("{faults}"));
    let foreign = told(read_foreign(text, &schema, policy).map(|read| read.fixes));
    // The server of an open schema gets what it does not declare.
    let kept = |told: Told| {
        told.map(|fixes| {
            let fixes = fixes.into_iter();
            fixes
                .filter(|fix| !fix.ends_with("not a parameter, ignored"))
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(kept(foreign), kept(by_type.clone()), "{text}");
    by_type
}

/// The expected result for a text.
pub(super) type Case<'a> = (&'a str, Result<&'a [&'a str], &'a [&'a str]>);

pub(super) fn all<T: ToolInput>(cases: &[Case<'_>]) {
    let owned = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    for (text, wanted) in cases {
        let wanted = wanted.map(owned).map_err(owned);
        for policy in [Policy::lax(), Policy::repair()] {
            assert_eq!(read::<T>(text, &policy), wanted, "{text} {policy:?}");
        }
        // The exact policy accepts what the schema accepts, and reports the keys that it dropped.
        if let Ok(read) = read_str::<T>(text, &Policy::exact()) {
            let dropped = |fix: &Fix| fix.kind == FixKind::UnknownDropped;
            assert!(read.fixes.iter().all(dropped), "{text}");
        }
    }
}

#[test]
fn another_case_is_read_as_the_parameter() {
    all::<Wipe>(&[
        (
            r#"{"path":"/srv","dryRun":true}"#,
            Ok(&[r#"dry_run: "dryRun" read as "dry_run""#]),
        ),
        (
            r#"{"Path":"/srv","DRY-RUN":true,"dry run":true}"#,
            Err(&["dry_run: expected once, found `DRY-RUN` and `dry run`"]),
        ),
        (
            r#"{"path":"/srv","inside":{"ID":1,"maxRows":2}}"#,
            Ok(&[
                r#"inside.id: "ID" read as "id""#,
                r#"inside.max_rows: "maxRows" read as "max_rows""#,
            ]),
        ),
        (
            r#"{"path":"/srv","Timeout":3}"#,
            Ok(&[r#"timeout: "Timeout" read as "timeout""#]),
        ),
        (
            r#"{"path":"/srv","how":{"Kind":"Fast","Threads":3}}"#,
            Ok(&[
                r#"how.kind: "Kind" read as "kind""#,
                r#"how.threads: "Threads" read as "threads""#,
            ]),
        ),
    ]);
    all::<Unions>(&[
        (
            r#"{"beside":{"Type":"Point","Data":{"x":1}}}"#,
            Ok(&[
                r#"beside.type: "Type" read as "type""#,
                r#"beside.data: "Data" read as "data""#,
            ]),
        ),
        (
            r#"{"either":{"name":"a","Colour":1}}"#,
            Ok(&[r#"either.colour: "Colour" read as "colour""#]),
        ),
    ]);
    all::<Closed>(&[(
        r#"{"path":"/srv","dryRun":true}"#,
        Ok(&[r#"dry_run: "dryRun" read as "dry_run""#]),
    )]);
}

#[test]
fn rejects_name_resembling_parameter() {
    all::<Wipe>(&[
        (
            r#"{"path":"/srv","dry_rum":true}"#,
            Err(&["dry_rum: not a parameter; it resembles `dry_run`: rename it, or leave it out"]),
        ),
        (
            r#"{"path":"/srv","dry":"yes"}"#,
            Err(&["dry: not a parameter; it resembles `dry_run`: rename it, or leave it out"]),
        ),
        (
            r#"{"path":"/srv","writing_mode":"append","run_dry":true}"#,
            Err(&[
                "writing_mode: not a parameter; did you mean `mode`?",
                "run_dry: not a parameter; did you mean `dry_run`?",
            ]),
        ),
        (
            r#"{"path":"/srv","inside":{"id":1,"max_row":2}}"#,
            Err(&["inside.max_row: not a parameter; did you mean `max_rows`?"]),
        ),
        (
            r#"{"path":"/srv","timeout_ms":3}"#,
            Err(&["timeout_ms: not a parameter; did you mean `timeout`?"]),
        ),
        (
            r#"{"path":"/srv","how":{"kind":"Fast","thread":3}}"#,
            Err(&["how.thread: not a parameter; did you mean `threads`?"]),
        ),
        // A call that is refused for another fault reports them too.
        (
            r#"{"path":5,"dry_rum":true}"#,
            Err(&[
                "path: expected a string, found 5; put it in quotes",
                "dry_rum: not a parameter; it resembles `dry_run`: rename it, or leave it out",
            ]),
        ),
    ]);
    all::<Unions>(&[(
        r#"{"beside":{"type":"Point","data":{"x":1,"labels":"a"}}}"#,
        Err(&["beside.data.labels: not a parameter; did you mean `label`?"]),
    )]);
    all::<Open>(&[
        // The map takes any key, unless its value fits only the parameter.
        (r#"{"verbos":1}"#, Ok(&[])),
        (
            r#"{"verbos":true}"#,
            Err(&["verbos: not a parameter; did you mean `verbose`?"]),
        ),
        (r#"{"verbose":true,"verbos":1}"#, Ok(&[])),
        (r#"{"other":1}"#, Ok(&[])),
    ]);
    // What the map would make of its value is not said.
    all::<Texts>(&[
        (
            r#"{"CURSOR":5,"more":6}"#,
            Err(&[
                "more: expected a string, found 6; put it in quotes",
                "CURSOR: not a parameter; did you mean `cursor`?",
            ]),
        ),
        (
            r#"{"cursor":1,"CURSOR":5}"#,
            Err(&["CURSOR: expected a string, found 5; put it in quotes"]),
        ),
    ]);
    // Behind more unknown keys than are reported.
    let many: Vec<String> = (0..40).map(|n| format!(r#""zz{n}":0,"#)).collect();
    let text = format!(r#"{{"path":"/srv",{}"dry_rum":true}}"#, many.concat());
    for policy in [Policy::lax(), Policy::repair()] {
        assert_eq!(
            read::<Wipe>(&text, &policy),
            Err(vec![
                "dry_rum: not a parameter; it resembles `dry_run`: rename it, or leave it out"
                    .to_owned()
            ])
        );
    }
}

#[test]
fn proposes_no_rename_between_two_missing_parameters() {
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Copy {
        source_path: String,
        target_path: String,
    }
    all::<Copy>(&[
        (
            r#"{"path":"x"}"#,
            Err(&[
                "source_path: missing; expected a string",
                "target_path: missing; expected a string",
            ]),
        ),
        // One of them is there.
        (
            r#"{"source_path":"y","path":"x"}"#,
            Err(&[
                "target_path: missing; expected a string; `path` was given: rename it to `target_path`",
            ]),
        ),
        (
            r#"{"sorce_path":"x"}"#,
            Err(&[
                "source_path: missing; expected a string; `sorce_path` was given: rename it to `source_path`",
                "target_path: missing; expected a string",
            ]),
        ),
    ]);
}

#[test]
fn rejects_typo_in_meaning_changing_word() {
    for (given, meant) in [
        ("satrt_line", "start_line"),
        ("strat_line", "start_line"),
        ("star_line", "start_line"),
        ("edn_line", "end_line"),
        ("mx_results", "max_results"),
        ("maxresult", "max_results"),
        ("form_date", "from_date"),
        ("incldue_hidden", "include_hidden"),
        ("disbale_cache", "disable_cache"),
        ("enable", "enabled"),
        ("discription", "description"),
        ("befor", "before"),
        ("beofre", "before"),
    ] {
        let text = format!(r#"{{"{given}":null}}"#);
        for policy in [Policy::lax(), Policy::repair()] {
            let told = read::<Turning>(&text, &policy).expect_err(given);
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(
                told[0].starts_with(&format!("{given}: not a parameter; "))
                    && told[0].contains(meant),
                "{told:?}"
            );
        }
    }
    // Words that mean the opposite are no typing errors.
    all::<Turning>(&[(
        r#"{"min_results":1,"to_date":"a","exclude_hidden":true,"enable_cache":true,"after":"a"}"#,
        Ok(&[
            "min_results: not a parameter, ignored",
            "to_date: not a parameter, ignored",
            "exclude_hidden: not a parameter, ignored",
            "enable_cache: not a parameter, ignored",
            "after: not a parameter, ignored",
        ]),
    )]);
}

#[test]
fn any_other_name_is_dropped_and_told() {
    all::<Wipe>(&[
        (
            r#"{"path":"/srv","reason":"asked","speed":1}"#,
            Ok(&[
                "reason: not a parameter, ignored",
                "speed: not a parameter, ignored",
            ]),
        ),
        // The parameter that it resembles was given.
        (
            r#"{"path":"/srv","dry_run":true,"dry_rum":true}"#,
            Ok(&["dry_rum: not a parameter, ignored"]),
        ),
        // Another word turns the meaning around.
        (
            r#"{"path":"/srv","no_timeout":true,"min_rows":1}"#,
            Ok(&[
                "no_timeout: not a parameter, ignored",
                "min_rows: not a parameter, ignored",
            ]),
        ),
    ]);
    let silent = r#"{"path":"/srv","dryRun":true,"dry_rum":true,"reason":1}"#;
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let read = read_str::<Silent>(silent, &policy).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!((read.value.dry_run, read.fixes), (None, Fixes::default()));
    }
}

/// A key that a variant without a tag denies is a fault already.
#[test]
fn a_denied_key_is_named_once() {
    #[derive(Debug, ToolInput)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum Deep {
        Inner { inner: Closed },
        Other { other: u8 },
    }
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Outer {
        deep: Deep,
        quiet: Option<bool>,
    }
    let text = r#"{"deep":{"inner":{"path":"p","quiet":true}}}"#;
    for policy in [Policy::lax(), Policy::repair()] {
        let report = read_str::<Outer>(text, &policy).unwrap_err();
        let paths: Vec<_> = report.issues.iter().map(|i| i.path.to_string()).collect();
        assert_eq!(paths, ["deep.inner.quiet"], "{report}");
    }
}

/// The report looks for the key among those of the nearest variant.
#[test]
fn names_misspelt_key_of_untagged_variant() {
    for (text, given, name) in [
        (r#"{"pick":{"qurey":"x","limit":1}}"#, "qurey", "query"),
        (r#"{"pick":{"qurey":"x"}}"#, "qurey", "query"),
        (
            r#"{"pick":{"user_query":"x","limit":1}}"#,
            "user_query",
            "query",
        ),
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            let lines = read::<Picks>(text, &policy).expect_err(text);
            let words = format!(
                "pick.{name}: missing; expected a string; `{given}` was given: rename it to `{name}`"
            );
            assert!(lines.contains(&words), "{text}: {lines:?}");
        }
        // Following the report is enough.
        let mended = text.replace(given, name);
        assert!(
            read_str::<Picks>(&mended, &Policy::lax()).is_ok(),
            "{mended}"
        );
    }
}

#[test]
fn reports_all_choices_for_value_outside_list() {
    for (list, sent, words) in [
        (
            r#"[true, "yes"]"#,
            r#""no""#,
            r#"mode: expected "yes" or true, found "no""#,
        ),
        (
            r#"[true, "yes"]"#,
            "false",
            r#"mode: expected one of true, "yes", found false"#,
        ),
        (
            r#"[1, 2, "all"]"#,
            "3",
            r#"mode: expected "all" or one of 1, 2, found 3"#,
        ),
        (
            r#"[1, 2, "all"]"#,
            r#""alll""#,
            r#"mode: expected "all" or one of 1, 2, found "alll"; did you mean "all"?"#,
        ),
    ] {
        let schema = format!(
            r#"{{"type":"object","properties":{{"mode":{{"enum":{list}}}}},"required":["mode"]}}"#
        );
        let schema = ForeignSchema::parse(&schema).expect("a schema");
        let text = format!(r#"{{"mode":{sent}}}"#);
        let report = read_foreign(&text, &schema, &Policy::lax()).expect_err(&text);
        assert_eq!(report.issues[0].to_string(), words);
    }
}

#[test]
fn rejects_tag_or_content_in_two_cases() {
    all::<Unions>(&[
        (
            r#"{"beside":{"type":"Point","Data":{"x":1},"data":{"x":1}}}"#,
            Err(&["beside.data: expected once, found `Data` and `data`"]),
        ),
        (
            r#"{"beside":{"type":"Point","DATA":{"x":1},"Data":{"x":2}}}"#,
            Err(&["beside.data: expected once, found `DATA` and `Data`"]),
        ),
        (
            r#"{"beside":{"type":"Point","Type":"Nothing","data":{"x":1}}}"#,
            Err(&["beside.type: expected once, found `type` and `Type`"]),
        ),
        (
            r#"{"beside":{"TYPE":"Point","Type":"Nothing","data":{"x":1}}}"#,
            Err(&["beside.type: expected once, found `TYPE` and `Type`"]),
        ),
        // A variant without content has no place for one.
        (
            r#"{"beside":{"type":"Nothing","Data":1}}"#,
            Ok(&["beside.Data: not a parameter, ignored"]),
        ),
    ]);
    all::<Wipe>(&[
        (
            r#"{"path":"/srv","how":{"kind":"Fast","Kind":"Slow"}}"#,
            Err(&["how.kind: expected once, found `kind` and `Kind`"]),
        ),
        (
            r#"{"path":"/srv","how":{"kind":"Slow","Kind":"Fast"}}"#,
            Err(&["how.kind: expected once, found `kind` and `Kind`"]),
        ),
        (
            r#"{"path":"/srv","how":{"KIND":"Slow","Kind":"Fast"}}"#,
            Err(&["how.kind: expected once, found `KIND` and `Kind`"]),
        ),
    ]);
}

#[test]
fn reads_variant_key_case_and_rejects_misspelt_key() {
    all::<Picks>(&[
        (
            r#"{"pick":{"query":"a","Limit":5}}"#,
            Ok(&[r#"pick.limit: "Limit" read as "limit""#]),
        ),
        (
            r#"{"pick":{"Query":"a"}}"#,
            Ok(&[r#"pick.query: "Query" read as "query""#]),
        ),
        (
            r#"{"pick":{"Query":"a","query":"b"}}"#,
            Err(&["pick.query: expected once, found `Query` and `query`"]),
        ),
        (r#"{"pick":{"query":"a","limit":5}}"#, Ok(&[])),
        (r#"{"pick":{"query":"a"}}"#, Ok(&[])),
        (
            r#"{"pick":{"query":"a","reason":1}}"#,
            Ok(&["pick.reason: not a parameter, ignored"]),
        ),
    ]);
    for misspelt in [
        r#"{"pick":{"query":"a","limt":5}}"#,
        r#"{"pick":{"qeury":"a"}}"#,
        r#"{"pick":{"everythin":true}}"#,
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            read::<Picks>(misspelt, &policy).expect_err(misspelt);
        }
    }
    let pick = |text: &str| read_str::<Picks>(text, &Policy::lax()).map(|read| read.value.pick);
    assert_eq!(
        pick(r#"{"pick":{"query":"a","Limit":5}}"#),
        Ok(Pick::Full {
            query: "a".to_owned(),
            limit: 5
        })
    );
    assert_eq!(
        pick(r#"{"pick":{"Query":"a"}}"#),
        Ok(Pick::Short {
            query: "a".to_owned()
        })
    );
}

#[test]
fn key_beside_patterns_is_not_the_parameter() {
    let schema = ForeignSchema::parse(
        r#"{"type":"object","properties":{"query":{"type":"string"},"inside":{
            "type":"object","properties":{"mode":{"type":"string"}},"patternProperties":{"^M":{},"^x-":{}},
            "additionalProperties":false
        }},"patternProperties":{"^Q":{"type":"string"}}}"#,
    )
    .expect("a schema");
    for policy in [Policy::lax(), Policy::repair()] {
        let read = |text: &str| told(read_foreign(text, &schema, &policy).map(|read| read.fixes));
        for allowed in [
            r#"{"Query":"x"}"#,
            r#"{"QUERY_":"x","qUery":"y"}"#,
            r#"{"inside":{"Mode":"x"}}"#,
        ] {
            assert_eq!(read(allowed), Ok(vec![]), "{allowed}");
        }
        let refused = |line: &str| Err(vec![line.to_owned()]);
        assert_eq!(
            read(r#"{"inside":{"mODE":"z"}}"#),
            refused(
                "inside.mODE: not a parameter; known are `mode`, and names that match `^M`, `^x-`"
            )
        );
        assert_eq!(
            read(r#"{"Query":5}"#),
            refused("Query: expected a string, found 5; put it in quotes")
        );
    }
}
