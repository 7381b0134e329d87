//! A misspelt parameter is read if it can mean only one thing; otherwise the call does not run. Derived types
//! and their schema as JSON are read alike, under the lax and the repair policy.

use std::collections::BTreeMap;

use serde_json::Value;
use toolwright::{
    Dialect, Fix, FixKind, Policy, Report, ToolInput,
    input::{Fixes, read_foreign, read_foreign_value},
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
struct Limits {
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
enum Beside {
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
type Told = Result<Vec<String>, Vec<String>>;

fn told(fixes: Result<Fixes, Report>) -> Told {
    match fixes {
        Ok(fixes) => Ok(fixes.iter().map(ToString::to_string).collect()),
        Err(report) => Err(report.issues.iter().map(ToString::to_string).collect()),
    }
}

/// Reads with the type, from text and value, and with its schema as JSON.
fn read<T: ToolInput>(text: &str, policy: &Policy) -> Told {
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
type Case<'a> = (&'a str, Result<&'a [&'a str], &'a [&'a str]>);

fn all<T: ToolInput>(cases: &[Case<'_>]) {
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
fn a_name_that_merely_resembles_a_parameter_does_not_run() {
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
        (
            r#"{"verbos":1}"#,
            Err(&["verbos: not a parameter; it resembles `verbose`: rename it, or leave it out"]),
        ),
        (r#"{"verbose":true,"verbos":1}"#, Ok(&[])),
        (r#"{"other":1}"#, Ok(&[])),
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
fn a_typing_error_in_a_word_that_turns_the_meaning_does_not_run() {
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

/// An object that would be dropped may contain a parameter of the call.
#[test]
fn an_object_is_not_dropped_with_a_parameter_in_it() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)] // read and not looked at
    struct Takes {
        #[tool_param(alias = "file")]
        path: Option<String>,
        n: Option<u8>,
    }
    for (text, key) in [
        (r#"{"arguments":{"path":"p"},"reason":"x"}"#, "arguments"),
        (r#"{"arguments":{"path":"p"},"n":5}"#, "arguments"),
        (r#"{"Arguments":{"path":"p"}}"#, "Arguments"),
        (r#"{"n":5,"request":{"id":1,"Path":"p"}}"#, "request"),
        (r#"{"kwargs":{"file":"p"}}"#, "kwargs"),
        // Deeper, and in a list.
        (r#"{"request":{"arguments":{"path":"p"}}}"#, "request"),
        (r#"{"args":[{"path":"p"}]}"#, "args"),
        (r#"{"n":5,"a":[1,{"b":{"path":"p"}}]}"#, "a"),
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            let report = read_str::<Takes>(text, &policy).expect_err(text);
            let words = format!("{key}: not a parameter; take `path` out of it");
            assert_eq!(report.issues[0].to_string(), words);
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(
                read_value::<Takes>(&value, &policy).expect_err(text),
                report
            );
        }
    }
    // Nor is it sent on to a server, whose schema has no other names.
    let json = <Takes as ToolInput>::SCHEMA.to_json(Dialect::Mcp20260728);
    let schema = ForeignSchema::parse(&json).expect("a schema");
    for (text, key) in [
        (r#"{"n":5,"request":{"id":1,"Path":"p"}}"#, "request"),
        (r#"{"Arguments":{"path":"p"}}"#, "Arguments"),
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            let report = read_foreign(text, &schema, &policy).expect_err(text);
            let words = format!("{key}: not a parameter; take `path` out of it");
            assert_eq!(report.issues[0].to_string(), words);
            let value: Value = serde_json::from_str(text).unwrap();
            let of_value = read_foreign_value(&value, &schema, &policy);
            assert_eq!(of_value.expect_err(text), report);
        }
    }
    // The report names all surrounding objects at once.
    let twice = r#"{"params":{"arguments":{"path":"p"}}}"#;
    let words =
        "params: not a parameter; send what is in `params.arguments`, and nothing around it";
    for report in [
        read_str::<Takes>(twice, &Policy::lax()).expect_err("two objects around it"),
        read_value::<Takes>(&serde_json::from_str(twice).unwrap(), &Policy::lax())
            .expect_err("two objects around it"),
    ] {
        assert_eq!(report.issues[0].to_string(), words);
    }
    // A parameter that is already given, or a key that is no parameter, may be dropped.
    for text in [
        r#"{"path":"a","request":{"path":"p"}}"#,
        r#"{"file":"a","request":{"path":"p"}}"#,
        r#"{"meta":{"id":1},"note":"x"}"#,
        r#"{"meta":[{"id":1},["path"]],"note":{"a":{"b":{"c":{"path":"p"}}}}}"#,
        r#"{"meta":{"path":null}}"#,
    ] {
        let read = read_str::<Takes>(text, &Policy::lax()).expect(text);
        assert!(!read.fixes.is_empty(), "{text}");
    }
}

/// A parameter that is misplaced is a fault like any other one, so the reply tells all of them.
#[test]
fn a_misplaced_parameter_is_named_beside_other_faults() {
    let belongs = |key: &str, name: &str, place: &str| {
        format!("{key}: not a parameter; `{name}` belongs {place}: move it there, or leave it out")
    };
    all::<Sweep>(&[
        (
            r#"{"path":5,"opts":{"dry_run":true}}"#,
            Err(&[
                "path: expected a string, found 5; put it in quotes",
                &belongs("opts.dry_run", "dry_run", "beside `opts`"),
            ]),
        ),
        (
            r#"{"follow_links":true,"more":[{"dry_run":true}]}"#,
            Err(&[
                &belongs("follow_links", "follow_links", "in `opts`"),
                "more: not a parameter; take `dry_run` out of it",
                "path: missing; expected a string",
            ]),
        ),
        // An object around the arguments is told once.
        (
            r#"{"arguments":{"path":"p","dry_run":true},"id":1}"#,
            Err(&[
                "path: missing; expected a string; found inside `arguments`: send it without that",
            ]),
        ),
    ]);
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

/// The enums of serde's default form, and those with a tag beside their content.
#[derive(ToolInput)]
#[allow(dead_code)]
enum Act {
    Delete { path: String, dry_run: Option<bool> },
    Keep(Limits),
    Nothing,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Acts {
    act: Act,
    quiet: Option<bool>,
    beside: Option<Beside>,
    jobs: Option<Vec<Job>>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Job {
    act: Act,
    name: Option<String>,
}

/// The content of a variant stands in an object of its own.
#[test]
fn a_parameter_beside_the_content_of_a_variant_does_not_run() {
    let belongs = |key: &str, name: &str, place: &str| {
        format!("{key}: not a parameter; `{name}` belongs {place}: move it there, or leave it out")
    };
    for (text, key, name, place) in [
        (
            r#"{"act":{"Delete":{"path":"/srv"}},"dry_run":true}"#,
            "dry_run",
            "dry_run",
            "in `act.Delete`",
        ),
        (
            r#"{"act":{"Keep":{}},"timeout":3}"#,
            "timeout",
            "timeout",
            "in `act.Keep`",
        ),
        (
            r#"{"act":{"Delete":{"path":"/srv","quiet":true}}}"#,
            "act.Delete.quiet",
            "quiet",
            "beside `act`",
        ),
        (
            r#"{"act":"Nothing","jobs":[{"act":{"Delete":{"path":"/"}},"dryRun":true}]}"#,
            "jobs[0].dryRun",
            "dry_run",
            "in `act.Delete`",
        ),
        (
            r#"{"act":"Nothing","jobs":[{"act":{"Delete":{"path":"/","name":"a"}}}]}"#,
            "jobs[0].act.Delete.name",
            "name",
            "beside `act`",
        ),
        (
            r#"{"act":"Nothing","beside":{"type":"Point","data":{"x":1},"label":"a"}}"#,
            "beside.label",
            "label",
            "in `data`",
        ),
        (
            r#"{"act":"Nothing","beside":{"type":"Point","data":{"x":1}},"label":"a"}"#,
            "label",
            "label",
            "in `beside.data`",
        ),
        (
            r#"{"act":"Nothing","beside":{"type":"Point","data":{"x":1,"quiet":true}}}"#,
            "beside.data.quiet",
            "quiet",
            "beside `beside`",
        ),
    ] {
        let line = belongs(key, name, place);
        all::<Acts>(&[(text, Err(&[&line]))]);
    }
    // What another variant has is not meant.
    for text in [
        r#"{"act":{"Keep":{}},"dry_run":true}"#,
        r#"{"act":{"Delete":{"path":"/","dry_run":true}},"dry_run":true}"#,
        r#"{"act":"Nothing","beside":{"type":"Nothing"},"label":"a"}"#,
    ] {
        assert!(read::<Acts>(text, &Policy::lax()).is_ok(), "{text}");
    }
}

/// The report looks for the key among those of the nearest variant.
#[test]
fn a_misspelt_key_of_an_untagged_variant_is_named() {
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
fn a_value_of_no_closed_list_is_told_of_all_lists() {
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

#[derive(ToolInput)]
#[allow(dead_code)]
struct Sweep {
    path: String,
    dry_run: Option<bool>,
    opts: Option<Opts>,
    files: Option<Vec<File>>,
    op: Option<Op>,
    by_name: Option<BTreeMap<String, File>>,
    any: Option<serde_json::Map<String, Value>>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct Opts {
    follow_links: Option<bool>,
    limits: Option<Deeper>,
}

#[derive(Debug, ToolInput)]
#[allow(dead_code)]
struct Deeper {
    depth: Option<u8>,
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct File {
    name: String,
    force: Option<bool>,
}

#[derive(ToolInput)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Op {
    Copy { overwrite: Option<bool> },
    Drop { recursive: Option<bool> },
}

#[test]
fn a_parameter_at_the_place_of_another_does_not_run() {
    let belongs = |key: &str, name: &str, place: &str| {
        format!("{key}: not a parameter; `{name}` belongs {place}: move it there, or leave it out")
    };
    for (rest, key, name, place) in [
        // It is too far outside,
        (
            r#""follow_links":true"#,
            "follow_links",
            "follow_links",
            "in `opts`",
        ),
        (
            r#""followLinks":true,"opts":{"limits":{}}"#,
            "followLinks",
            "follow_links",
            "in `opts`",
        ),
        (
            r#""depth":3,"opts":{"follow_links":true}"#,
            "depth",
            "depth",
            "in `opts.limits`",
        ),
        (
            r#""opts":{"depth":3}"#,
            "opts.depth",
            "depth",
            "in `limits`",
        ),
        (
            r#""force":true,"files":[{"name":"a"}]"#,
            "force",
            "force",
            "in each item of `files`",
        ),
        (
            r#""force":true"#,
            "force",
            "force",
            "in each item of `files`",
        ),
        (
            r#""overwrite":true,"op":{"kind":"Copy"}"#,
            "overwrite",
            "overwrite",
            "in `op`",
        ),
        // or too far in.
        (
            r#""opts":{"dry_run":true}"#,
            "opts.dry_run",
            "dry_run",
            "beside `opts`",
        ),
        (
            r#""opts":{"limits":{"Dry-Run":true}}"#,
            "opts.limits.Dry-Run",
            "dry_run",
            "beside `opts`",
        ),
        (
            r#""opts":{"limits":{"follow_links":true}}"#,
            "opts.limits.follow_links",
            "follow_links",
            "beside `limits`",
        ),
        (
            r#""files":[{"name":"a","dry_run":true}]"#,
            "files[0].dry_run",
            "dry_run",
            "beside `files`",
        ),
        (
            r#""op":{"kind":"Drop","dry_run":true}"#,
            "op.dry_run",
            "dry_run",
            "beside `op`",
        ),
        (
            r#""by_name":{"a":{"name":"a","dry_run":true}}"#,
            "by_name.a.dry_run",
            "dry_run",
            "beside `by_name`",
        ),
    ] {
        let line = belongs(key, name, place);
        all::<Sweep>(&[(&format!(r#"{{"path":"p",{rest}}}"#), Err(&[&line]))]);
    }
    // It may be in an object with another name.
    for (rest, line) in [
        (
            r#""options":{"follow_links":true}"#,
            "options: not a parameter; `follow_links` in it belongs in `opts`: move it there, or leave it out",
        ),
        (
            r#""opts":{"max":{"depth":1}}"#,
            "opts.max: not a parameter; `depth` in it belongs in `limits`: move it there, or leave it out",
        ),
        (
            r#""opts":{"extra":{"followLinks":true}}"#,
            "opts.extra: not a parameter; take `follow_links` out of it",
        ),
    ] {
        all::<Sweep>(&[(&format!(r#"{{"path":"p",{rest}}}"#), Err(&[line]))]);
    }
    // All of them are reported at once.
    all::<Sweep>(&[(
        r#"{"path":"p","depth":1,"files":[{"name":"a","dry_run":true},{"name":"b","dry_run":true}]}"#,
        Err(&[
            &belongs("files[0].dry_run", "dry_run", "beside `files`"),
            &belongs("files[1].dry_run", "dry_run", "beside `files`"),
            &belongs("depth", "depth", "in `opts.limits`"),
        ]),
    )]);
    // A key is dropped if its parameter is given in its place, or if it is empty, belongs to another variant
    // or names no parameter.
    for (rest, key) in [
        (
            r#""follow_links":true,"opts":{"followLinks":false}"#,
            "follow_links",
        ),
        (r#""dry_run":false,"opts":{"dry_run":true}"#, "opts.dry_run"),
        (
            r#""force":true,"files":[{"name":"a","force":false}]"#,
            "force",
        ),
        (r#""follow_links":null"#, "follow_links"),
        (r#""opts":{"dry_run":null}"#, "opts.dry_run"),
        (r#""recursive":true,"op":{"kind":"Copy"}"#, "recursive"),
        (r#""reason":"asked","opts":{}"#, "reason"),
    ] {
        let text = format!(r#"{{"path":"p",{rest}}}"#);
        let read = read_str::<Sweep>(&text, &Policy::lax())
            .unwrap_or_else(|report| panic!("{text}: {report}"));
        let dropped = read
            .fixes
            .iter()
            .filter(|fix| fix.kind == FixKind::UnknownDropped);
        assert_eq!(
            dropped.map(|fix| fix.path.to_string()).collect::<Vec<_>>(),
            [key],
            "{text}"
        );
    }
    // An object without declared keys takes any key.
    let text = r#"{"path":"p","any":{"dry_run":true,"follow_links":1}}"#;
    assert_eq!(read::<Sweep>(text, &Policy::lax()), Ok(Vec::new()));
}

/// Keys that the schema of a server takes by another keyword are meant as they are.
#[test]
fn a_key_that_an_open_object_collects_is_at_its_place() {
    for open in [
        r#"{"type":"object"}"#,
        r#"{"type":"object","properties":{"a":{}},"additionalProperties":true}"#,
        r#"{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"boolean"}}"#,
        r#"{"type":"object","properties":{"a":{}},"patternProperties":{"^d":{}}}"#,
        r#"{"type":"object","properties":{"a":{}},"unevaluatedProperties":true}"#,
    ] {
        let schema = format!(
            r#"{{"type":"object","properties":{{"dry_run":{{"type":"boolean"}},"labels":{open}}}}}"#
        );
        let schema = ForeignSchema::parse(&schema).expect("a schema");
        let text = r#"{"labels":{"dry_run":true}}"#;
        let read = read_foreign(text, &schema, &Policy::lax());
        assert!(read.is_ok(), "{open}: {read:?}");
    }
}

#[test]
fn a_tag_or_its_content_in_two_cases_does_not_run() {
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
fn a_key_of_another_variant_in_another_case_is_read_and_a_misspelt_one_does_not_run() {
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
fn a_key_that_a_pattern_declares_is_not_read_as_the_parameter() {
    let schema = ForeignSchema::parse(
        r#"{"type":"object","properties":{"query":{"type":"string"},"inside":{
            "type":"object","properties":{"mode":{"type":"string"}},"patternProperties":{"^M":{},"^x-":{}}
        }},"patternProperties":{"^Q":{"type":"string"}}}"#,
    )
    .expect("a schema");
    for policy in [Policy::lax(), Policy::repair()] {
        let read = |text: &str| told(read_foreign(text, &schema, &policy).map(|read| read.fixes));
        let refused = |line: &str| Err(vec![line.to_owned()]);
        assert_eq!(
            read(r#"{"Query":"x"}"#),
            refused("Query: not a parameter; did you mean `query`?")
        );
        assert_eq!(
            read(r#"{"inside":{"Mode":"x"}}"#),
            refused("inside.Mode: not a parameter; did you mean `mode`?")
        );
        // No pattern declares these.
        assert_eq!(
            read(r#"{"QUERY_":"x","qUery":"y"}"#).map_err(|lines| lines.len()),
            Err(1)
        );
        assert_eq!(
            read(r#"{"qUery":"x","Quite":"y","inside":{"mODE":"z"}}"#),
            Ok(vec![
                r#"query: "qUery" read as "query""#.to_owned(),
                r#"inside.mode: "mODE" read as "mode""#.to_owned(),
            ])
        );
    }
}

/// A key that the model chose may be long or secret.
#[test]
fn the_words_on_a_parameter_at_another_place_quote_no_key_of_the_model() {
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Keeps {
        dry_run: Option<bool>,
        #[tool_param(secret)]
        vault: Option<BTreeMap<String, Vault>>,
    }
    #[derive(Debug, ToolInput)]
    #[allow(dead_code)]
    struct Vault {
        token: Option<String>,
        inner: Option<Deeper>,
    }
    let key = format!("hunter2{}", "x".repeat(5_000));
    for entry in [
        format!(r#"{{"dry_run":true,"inner":{{"{key}":{{"token":"t"}}}}}}"#),
        format!(r#"{{"{key}":{{"token":"t"}}}}"#),
        format!(r#"{{"{key}":{{"depth":1}}}}"#),
        r#"{"depth":1}"#.to_owned(),
    ] {
        let text = format!(r#"{{"vault":{{"{key}":{entry}}}}}"#);
        let report = read_str::<Keeps>(&text, &Policy::lax()).expect_err(&text);
        let words = report.to_string();
        assert!(!words.contains("hunter2") && words.len() < 400, "{words}");
    }
}

/// Also where unknown keys are denied, the reply tells of an object around the arguments: once, by the parameter that is
/// missing, or by the key if none is.
#[test]
fn a_denied_object_around_the_arguments_is_named() {
    #[derive(ToolInput)]
    #[tool_input(unknown = "deny")]
    #[allow(dead_code)] // read and not looked at
    struct Wipe {
        path: Option<String>,
        force: Option<bool>,
    }
    #[derive(ToolInput)]
    #[tool_input(unknown = "deny")]
    #[allow(dead_code)] // read and not looked at
    struct Remove {
        path: String,
    }
    let known = "not a parameter; known are `path`, `force`";
    let send = |key: &str, way: &str| {
        format!("{key}: not a parameter; send what is in `{way}`, and nothing around it")
    };
    let take = |key: &str, name: &str| format!("{key}: not a parameter; take `{name}` out of it");
    let json = Wipe::SCHEMA.to_json(Dialect::Mcp20260728);
    let schema = ForeignSchema::parse(&json).expect("a schema");
    for (text, expected) in [
        (
            r#"{"arguments":{"path":"a","force":true}}"#,
            vec![send("arguments", "arguments")],
        ),
        (
            r#"{"function":{"name":"wipe","arguments":"{\"path\":\"a\"}"}}"#,
            vec![send("function", "function.arguments")],
        ),
        // What is wrong inside of it is told once it is sent alone.
        (
            r#"{"arguments":{"path":"a","force":"of course"}}"#,
            vec![send("arguments", "arguments")],
        ),
        (
            r#"{"name":"wipe","args":{"path":"a"}}"#,
            vec![format!("name: {known}"), send("args", "args")],
        ),
        (
            r#"{"params":{"arguments":{"Path":"a"}}}"#,
            vec![send("params", "params.arguments")],
        ),
        // What stands beside it would be lost, so the parameter is to be taken out.
        (
            r#"{"force":true,"arguments":{"path":"a"}}"#,
            vec![take("arguments", "path")],
        ),
        (
            r#"{"path":"a","function":{"arguments":"{\"force\":true}"}}"#,
            vec![take("function", "force")],
        ),
        (
            r#"{"path":"a","options":{"force":true},"more":1}"#,
            vec![take("options", "force"), format!("more: {known}")],
        ),
        (r#"{"options":{"path":"a"}}"#, vec![take("options", "path")]),
        // It holds nothing that is not given.
        (
            r#"{"path":"a","arguments":{"path":"b","size":1}}"#,
            vec![format!("arguments: {known}")],
        ),
        (
            r#"{"arguments":"path"}"#,
            vec![format!("arguments: {known}")],
        ),
    ] {
        for policy in [Policy::exact(), Policy::lax()] {
            let lines = |report: Report| -> Vec<String> {
                report.issues.iter().map(ToString::to_string).collect()
            };
            let typed = read_str::<Wipe>(text, &policy).map(|_| ());
            assert_eq!(lines(typed.expect_err(text)), expected, "{text}");
            let foreign = read_foreign(text, &schema, &policy).map(|_| ());
            assert_eq!(lines(foreign.expect_err(text)), expected, "{text}");
        }
    }
    let report = read_str::<Remove>(r#"{"arguments":{"path":"a"}}"#, &Policy::lax()).map(|_| ());
    assert_eq!(
        report.expect_err("wrapped").to_string(),
        "Invalid arguments, 2 problems:\n\
         - path: missing; expected a string; found inside `arguments`: send it without that\n\
         - arguments: not a parameter; known are `path`"
    );
}

/// A parameter beside the content of a variant without a tag, or inside of a text, is as misplaced as in any other object.
#[test]
fn a_parameter_in_an_untagged_variant_or_in_a_text_is_not_dropped() {
    #[derive(ToolInput)]
    #[tool_input(untagged)]
    #[allow(dead_code)] // read and not looked at
    enum Target {
        File { file: String },
        Dir { dir: String, deep: Option<bool> },
    }
    #[derive(ToolInput)]
    #[allow(dead_code)] // read and not looked at
    struct Delete {
        target: Option<Target>,
        all: Option<Vec<Target>>,
        dry_run: Option<bool>,
    }
    let json = Delete::SCHEMA.to_json(Dialect::Mcp20260728);
    let schema = ForeignSchema::parse(&json).expect("a schema");
    let beside = |place: &str, key: &str| {
        format!(
            "{place}.dry_run: not a parameter; `dry_run` belongs beside `{key}`: move it there, or leave it out"
        )
    };
    let take = |key: &str| format!("{key}: not a parameter; take `dry_run` out of it");
    for (text, expected) in [
        (
            r#"{"target":{"file":"a","dry_run":true}}"#,
            beside("target", "target"),
        ),
        (
            r#"{"all":[{"dir":"a"},{"dir":"b","dry_run":true}]}"#,
            beside("all[1]", "all"),
        ),
        (
            r#"{"target":{"file":"a"},"arguments":"{\"dry_run\":true}"}"#,
            take("arguments"),
        ),
        (
            r#"{"target":{"file":"a"},"function":{"name":"b","arguments":" {\"dry_run\": true}"}}"#,
            take("function"),
        ),
        (
            r#"{"target":{"file":"a"},"options":[{"more":"{\"dry_run\":true}"}]}"#,
            take("options"),
        ),
    ] {
        let value: Value = serde_json::from_str(text).expect("JSON");
        for policy in [Policy::lax(), Policy::repair()] {
            for report in [
                read_str::<Delete>(text, &policy).map(|_| ()),
                read_value::<Delete>(&value, &policy).map(|_| ()),
                read_foreign(text, &schema, &policy).map(|_| ()),
                read_foreign_value(&value, &schema, &policy).map(|_| ()),
            ] {
                let report = report.expect_err(text);
                assert_eq!(report.issues.len(), 1, "{text}: {report}");
                assert_eq!(report.issues[0].to_string(), expected, "{text}");
            }
        }
    }
    // What is no parameter or is given already is dropped as elsewhere.
    for text in [
        r#"{"target":{"file":"a","size":1}}"#,
        r#"{"target":{"file":"a","dry_run":true},"dry_run":false}"#,
        r#"{"target":{"file":"a"},"note":"{\"size\": 1}"}"#,
        r#"{"target":{"file":"a"},"note":"{dry_run"}"#,
    ] {
        for policy in [Policy::lax(), Policy::repair()] {
            let read = read_str::<Delete>(text, &policy).map(|read| read.fixes.len());
            assert_eq!(read.map_err(|report| report.to_string()), Ok(1), "{text}");
        }
    }
}
