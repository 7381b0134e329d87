//! A parameter that stands in another place than its own: around the arguments, in an unknown key, beside or inside of
//! another object. The call does not run without it, and the reply says where it belongs. Derived types and their schema as
//! JSON are read alike.

use std::collections::BTreeMap;

use callpact::{
    Dialect, FixKind, Policy, Report, ToolInput,
    input::{read_foreign, read_foreign_value},
    read_str, read_value,
    schema::ForeignSchema,
};
use serde_json::Value;

use super::near_misses::{Beside, Limits, all, read};

/// An object that would be dropped may contain a parameter of the call.
#[test]
fn every_parameter_in_an_unknown_object_is_named() {
    /// Parameters of its own and of an object.
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Lines {
        path: String,
        first_line: Option<u8>,
        last_line: Option<u8>,
        opts: Option<Opts>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Opts {
        dry_run: Option<bool>,
        force: Option<bool>,
    }

    all::<Lines>(&[
        (
            r#"{"path":"a","range":{"first_line":2,"last_line":3}}"#,
            Err(&["range: not a parameter; take `first_line` and `last_line` out of it"]),
        ),
        (
            r#"{"path":"a","config":{"dry_run":true,"first_line":1,"force":true}}"#,
            Err(&[
                "config: not a parameter; `dry_run` and `force` in it belong in `opts`: move them there, \
                 or leave them out; take `first_line` out of it",
            ]),
        ),
        // One of them was given.
        (
            r#"{"first_line":1,"path":"a","range":{"first_line":2,"last_line":3}}"#,
            Err(&["range: not a parameter; take `last_line` out of it"]),
        ),
    ]);
}

#[test]
fn rejects_dotted_key_of_inner_parameter() {
    #[derive(ToolInput)]
    #[allow(dead_code)] // read and not looked at
    struct Crop {
        width: Option<u8>,
        height: Option<u8>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Picture {
        name: String,
        crop: Option<Crop>,
    }

    all::<Picture>(&[
        (
            r#"{"name":"a","crop.width":1}"#,
            Err(&[
                r#"["crop.width"]: not a parameter; `width` belongs in `crop`: move it there, or leave it out"#,
            ]),
        ),
        (
            r#"{"name":"a","Crop.Height":1,"crop":{"width":1}}"#,
            Err(&[
                r#"["Crop.Height"]: not a parameter; `height` belongs in `crop`: move it there, or leave it out"#,
            ]),
        ),
        // No key of an inner object, and one that was given.
        (
            r#"{"name":"a","crop.depth":1,"crop":{"width":2}}"#,
            Ok(&[r#"["crop.depth"]: not a parameter, ignored"#]),
        ),
        (
            r#"{"name":"a","crop.width":1,"crop":{"width":2}}"#,
            Ok(&[r#"["crop.width"]: not a parameter, ignored"#]),
        ),
    ]);
}

#[test]
fn rejects_unknown_object_around_parameter() {
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
                "arguments: not a parameter; send what is in `arguments`, and nothing around it",
            ]),
        ),
    ]);
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
fn rejects_parameter_beside_variant_content() {
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
fn rejects_parameter_at_wrong_place() {
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
fn accepts_key_collected_by_open_object() {
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

/// A key that the model chose may be long or secret.
#[test]
fn hint_on_misplaced_parameter_quotes_no_model_key() {
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
        // Faults inside of it are reported in the same reply.
        (
            r#"{"arguments":{"path":"a","force":"of course"}}"#,
            vec![
                send("arguments", "arguments"),
                "force: expected true or false, found \"of course\"".to_owned(),
            ],
        ),
        (
            r#"{"name":"wipe","args":{"path":"a"}}"#,
            vec![send("args", "args")],
        ),
        (
            r#"{"params":{"arguments":{"path":"a"}}}"#,
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
        "Invalid arguments, 1 problem:\n\
         - arguments: not a parameter; send what is in `arguments`, and nothing around it"
    );
}

/// A parameter beside the content of a variant without a tag, or inside of a text, is as misplaced as in any other object.
#[test]
fn rejects_parameter_misplaced_in_untagged_variant_or_text() {
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
