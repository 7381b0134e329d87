//! Every argument: required, default, names and bounds.

use std::fmt::Debug;

use callpact::{Policy, ToolInput, read_str};
use clap::{Arg, ArgAction, Parser};
use serde_json::{Value, json};

use super::{
    command_lines::{Build, Convert, Fetch, NoteCommand, Notes, Seek},
    command_of, schema_of,
};

/// Reads both, and returns the value that both read; `None` if both refuse.
fn both<T: Parser + ToolInput + Debug + PartialEq>(arguments: &Value, line: &[&str]) -> Option<T> {
    let line = ["program"].iter().chain(line);
    let of_line = T::try_parse_from(line.clone());
    let of_tool = read_str::<T>(&arguments.to_string(), &Policy::exact());
    match (of_line, of_tool) {
        (Ok(line), Ok(tool)) => {
            assert_eq!(line, tool.value, "{arguments}");
            Some(line)
        }
        (Err(_), Err(_)) => None,
        (of_line, of_tool) => panic!("{arguments}: {of_line:?}, {of_tool:?}"),
    }
}

fn takes<T: Parser + ToolInput + Debug + PartialEq>(arguments: &Value, line: &[&str]) -> T {
    both(arguments, line).unwrap_or_else(|| panic!("refused: {arguments}"))
}

fn refuses<T: Parser + ToolInput + Debug + PartialEq>(arguments: &Value, line: &[&str]) {
    assert_eq!(both::<T>(arguments, line), None, "{arguments}");
}

/// The parameter of an argument: the long name if one is written, else the field.
fn parameter<'a>(schema: &'a Value, arg: &Arg) -> Option<(String, &'a Value)> {
    let id = arg.get_id().as_str().to_owned();
    let long = arg.get_long().map(|long| long.replace('-', "_"));
    [long, Some(id)].into_iter().flatten().find_map(|name| {
        let property = schema["properties"].get(&name)?;
        Some((name, property))
    })
}

/// Compares what clap knows about every argument with the schema. Returns how many there are.
fn compare<T: Parser + ToolInput>() -> usize {
    let (schema, command) = (schema_of::<T>(), command_of::<T>());
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut count = 0;
    for arg in command.get_arguments() {
        if ["help", "version"].contains(&arg.get_id().as_str()) {
            continue;
        }
        let (name, property) =
            parameter(&schema, arg).unwrap_or_else(|| panic!("{arg:?} in {schema}"));
        count += 1;
        assert_eq!(
            required.contains(&&*name),
            arg.is_required_set(),
            "{name} is required in one of both"
        );
        let texts = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let of_line: Vec<String> = arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy().into_owned())
            .collect();
        let is_flag = !matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
        if !of_line.is_empty() && !is_flag && property.get("default").is_some() {
            let of_tool = match &property["default"] {
                Value::Array(items) => items.iter().map(texts).collect(),
                one => vec![texts(one)],
            };
            assert_eq!(of_tool, of_line, "{name}");
        }
        let names: Vec<String> = arg
            .get_possible_values()
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect();
        if !names.is_empty() && !is_flag {
            assert_eq!(property["enum"], json!(names), "{name}: {property}");
        }
        if let Some(help) = arg.get_help() {
            let description = property["description"].as_str().unwrap_or_default();
            assert!(
                description.starts_with(&help.to_string()),
                "{name}: {description}"
            );
        }
    }
    count
}

#[test]
fn arguments_agree_with_parameters() {
    assert_eq!(compare::<Seek>(), 10);
    assert_eq!(compare::<Build>(), 7);
    assert_eq!(compare::<Fetch>(), 7);
    assert_eq!(compare::<Convert>(), 6);
    assert_eq!(
        schema_of::<Notes>()["properties"]["file"]["default"],
        "notes.db"
    );
}

#[test]
fn a_search_reads_the_same() {
    let seek: Seek = takes(&json!({"pattern": "a"}), &["a"]);
    assert_eq!(
        (seek.threads, seek.use_ignore_files, seek.verbose),
        (4, true, 0)
    );
    takes::<Seek>(
        &json!({"pattern": "a", "paths": ["b", "c"], "ignore_case": true, "context": 100, "max_count": 1,
            "color": "never", "glob": ["*.rs"], "verbose": 2, "no_ignore": false, "threads": 64}),
        &[
            "a",
            "b",
            "c",
            "-i",
            "-C100",
            "--max-count=1",
            "--color=never",
            "-g",
            "*.rs",
            "-vv",
            "--no-ignore",
            "--threads=64",
        ],
    );
    refuses::<Seek>(&json!({}), &[]);
    refuses::<Seek>(&json!({"pattern": "a", "context": 101}), &["a", "-C101"]);
    refuses::<Seek>(
        &json!({"pattern": "a", "max_count": 0}),
        &["a", "--max-count=0"],
    );
    refuses::<Seek>(
        &json!({"pattern": "a", "threads": 0}),
        &["a", "--threads=0"],
    );
    refuses::<Seek>(
        &json!({"pattern": "a", "threads": 65}),
        &["a", "--threads=65"],
    );
    refuses::<Seek>(
        &json!({"pattern": "a", "color": "sometimes"}),
        &["a", "--color=sometimes"],
    );
}

#[test]
fn a_build_reads_the_same() {
    let build: Build = takes(&json!({"target": ["x"]}), &["--target", "x"]);
    assert_eq!(build.ports, [8000, 8001]);
    assert!(build.fresh && build.features == ["std", "derive"]);
    takes::<Build>(
        &json!({"package": "p", "target": ["x", "y"], "release": true, "jobs": -8, "message_format": "json",
            "features": ["a", "b"], "ports": [1]}),
        &[
            "-p",
            "p",
            "--target",
            "x",
            "--target",
            "y",
            "-r",
            "--jobs=-8",
            "--message-format",
            "json",
            "-F",
            "a,b",
            "--ports",
            "1",
        ],
    );
    refuses::<Build>(&json!({}), &[]);
    refuses::<Build>(
        &json!({"target": ["x"], "jobs": 65}),
        &["--target", "x", "--jobs=65"],
    );
    refuses::<Build>(
        &json!({"target": ["x"], "jobs": -9}),
        &["--target", "x", "--jobs=-9"],
    );
    refuses::<Build>(
        &json!({"target": ["x"], "message_format": "long"}),
        &["--target", "x", "--message-format", "long"],
    );
    // The command line cannot write an empty list.
    assert!(read_str::<Build>(r#"{"target": []}"#, &Policy::exact()).is_err());
}

#[test]
fn a_request_reads_the_same() {
    let fetch: Fetch = takes(&json!({"url": "u"}), &["u"]);
    assert_eq!(
        (fetch.retry, fetch.max_time, &*fetch.request),
        (3, 30.5, "GET")
    );
    takes::<Fetch>(
        &json!({"url": "u", "request": "PUT", "data": "d", "max_time": 1.25, "retry": 0, "header": ["a: b"]}),
        &[
            "u",
            "-X",
            "PUT",
            "-d",
            "d",
            "--max-time",
            "1.25",
            "--retry",
            "0",
            "--field",
            "a: b",
        ],
    );
    refuses::<Fetch>(&json!({"url": ""}), &[""]);
    refuses::<Fetch>(&json!({"url": "u", "request": "get"}), &["u", "-X", "get"]);
    refuses::<Fetch>(&json!({"url": "u", "retry": 10}), &["u", "--retry", "10"]);
    refuses::<Fetch>(
        &json!({"url": "u", "data": "d", "upload": "f"}),
        &["u", "-d", "d", "-T", "f"],
    );
    // Another name of the command line is another name of the parameter.
    let lax = read_str::<Fetch>(r#"{"url": "u", "field": ["a"]}"#, &Policy::lax());
    assert_eq!(lax.expect("an alias").value.headers, ["a"]);
}

#[test]
fn a_conversion_reads_the_same() {
    let line = ["-i", "a.mp4", "--crf", "51", "b.mp4"];
    let convert: Convert = takes(
        &json!({"input": "a.mp4", "crf": 51, "output": "b.mp4"}),
        &line,
    );
    assert_eq!(convert.codec, super::command_lines::Codec::H264);
    for (codec, is_known) in [
        ("AV1", true),
        ("vp9", true),
        ("H264", true),
        ("VP9", false),
        ("RAW", false),
    ] {
        let arguments = json!({"input": "a", "crf": 0, "output": "b", "codec": codec});
        let line = ["-i", "a", "--crf", "0", "b", "--codec", codec];
        assert_eq!(
            both::<Convert>(&arguments, &line).is_some(),
            is_known,
            "{codec}"
        );
    }
    refuses::<Convert>(
        &json!({"input": "a", "crf": 52, "output": "b"}),
        &["-i", "a", "--crf", "52", "b"],
    );
    refuses::<Convert>(
        &json!({"input": "a", "crf": -1, "output": "b"}),
        &["-i", "a", "--crf=-1", "b"],
    );
    for missing in ["input", "crf", "output"] {
        let mut arguments = json!({"input": "a", "crf": 0, "output": "b"});
        arguments
            .as_object_mut()
            .expect("an object")
            .remove(missing);
        let of_tool = read_str::<Convert>(&arguments.to_string(), &Policy::exact());
        let report = of_tool.expect_err("a missing parameter").to_string();
        assert!(report.contains(&format!("{missing}: missing")), "{report}");
    }
    refuses::<Convert>(&json!({"crf": 0, "output": "b"}), &["--crf", "0", "b"]);
    let schema = schema_of::<Convert>();
    assert_eq!(
        schema["properties"]["crf"]["description"],
        "The quality, 0 is the best"
    );
}

#[test]
fn commands_read_the_same() {
    let notes: Notes = takes(
        &json!({"command": {"add-note": {"text": "t"}}}),
        &["add-note", "t"],
    );
    let NoteCommand::AddNote { weight, tag, .. } = notes.command else {
        panic!("{notes:?}");
    };
    assert_eq!((weight, tag.len()), (3, 0));
    takes::<Notes>(
        &json!({"file": "f", "command": {"add-note": {"text": "t", "tag": ["a", "b"], "weight": 5}}}),
        &[
            "--file", "f", "add-note", "t", "--tag", "a", "--tag", "b", "--weight", "5",
        ],
    );
    takes::<Notes>(
        &json!({"command": {"rm": {"ids": [1, 2], "force": true}}}),
        &["rm", "1", "2", "--force"],
    );
    takes::<Notes>(&json!({"command": "list"}), &["list"]);
    refuses::<Notes>(
        &json!({"command": {"add-note": {"text": "t", "weight": 6}}}),
        &["add-note", "t", "--weight", "6"],
    );
    refuses::<Notes>(&json!({"command": {"rm": {}}}), &["rm"]);
    refuses::<Notes>(&json!({}), &[]);
}
