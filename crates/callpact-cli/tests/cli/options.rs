//! Options and arguments in the customs of other programs.

use serde_json::Value;

use crate::{Tested, err, out, program, run, stored::waiting};

#[test]
fn arguments_are_pairs_typed_by_the_schema() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("5"), "one\ntwo\nthree\n")?;
    let read = run(dir.path(), &["call", "file_read", "path=5"])?;
    assert_eq!(out(&read), "one\ntwo\nthree\n\n", "{}", err(&read));
    let written = [
        "call",
        "file_write",
        "--yes",
        "path=a.md",
        "content=x = 1",
        "mode=create_new",
    ];
    let written = run(dir.path(), &written)?;
    assert_eq!(written.status.code(), Some(0), "{}", err(&written));
    assert_eq!(std::fs::read_to_string(dir.path().join("a.md"))?, "x = 1");
    let tools = r#"[{"name": "plan", "description": "Plans", "parameters": {"type": "object", "properties": {
        "days": {"type": "array", "items": {"type": "integer"}}, "note": {"type": "string"},
        "at": {"type": "object", "properties": {"hour": {"type": "integer"}}, "required": ["hour"]}},
        "required": ["days", "note", "at"], "additionalProperties": false}}]"#;
    std::fs::write(dir.path().join("tools.json"), tools)?;
    let check = |words: &[&str]| {
        run(
            dir.path(),
            &[&["check", "plan", "--from", "tools.json"], words].concat(),
        )
    };
    let good = check(&["days=1", "days=2", "note=3", "at.hour=4"])?;
    // Not even a conversion was needed.
    assert_eq!(out(&good), "the arguments fit\n", "{}", err(&good));
    let bad = check(&["days=one", "note=3", "at.hour=x"])?;
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        err(&bad).contains("days[0]: expected an integer"),
        "{}",
        err(&bad)
    );
    assert!(
        err(&bad).contains("at.hour: expected an integer"),
        "{}",
        err(&bad)
    );
    Ok(())
}

#[test]
fn quiet_leaves_only_warnings_and_errors() -> Tested {
    let dir = tempfile::tempdir()?;
    let task = ["agent", "Cost it", "--root", "."];
    let loud = run(dir.path(), &task)?;
    assert!(err(&loud).contains("the script's own reviewer"));
    std::fs::remove_file(dir.path().join("report.md"))?;
    let quiet = run(dir.path(), &[&task[..], &["--quiet"]].concat())?;
    assert_eq!(quiet.status.code(), Some(0));
    let lines = err(&quiet);
    let is_warning = |line: &str| {
        ["   report", "  approve", "           "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    assert!(lines.lines().all(is_warning), "{lines}");
    assert!(out(&quiet).contains("246.75"));
    let failed = run(dir.path(), &["-q", "schema", "nothing"])?;
    assert!(err(&failed).starts_with("error: "));
    Ok(())
}

#[test]
fn colours_are_what_the_option_says() -> Tested {
    let dir = tempfile::tempdir()?;
    for arguments in [
        &["schema", "nothing"][..],
        &["nothing"],
        &["list", "--nothing"],
    ] {
        for (when, coloured) in [("always", true), ("never", false), ("auto", false)] {
            let color = format!("--color={when}");
            let output = run(dir.path(), &[arguments, &[&color]].concat())?;
            assert_eq!(output.status.code(), Some(2));
            assert_eq!(
                err(&output).contains('\x1b'),
                coloured,
                "{arguments:?} {when}"
            );
        }
    }
    let help = run(dir.path(), &["--color", "always", "--help"])?;
    assert!(out(&help).contains('\x1b'));
    Ok(())
}

#[test]
fn finds_store_in_settings_and_environment() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let list = |variable: Option<&str>| {
        let mut command = program(dir);
        command.args(["pending", "--json"]);
        if let Some(file) = variable {
            command.env("CALLPACT_STORE", file);
        }
        command.output()
    };
    assert_eq!(list(None)?.status.code(), Some(2));
    // An empty variable is none.
    assert_eq!(list(Some(""))?.status.code(), Some(2));
    assert!(out(&list(Some("calls.db"))?).contains(&id));
    std::fs::create_dir(dir.join("settings"))?;
    std::fs::write(dir.join("settings/c.toml"), "store = \"../calls.db\"\n")?;
    let settings = ["--config", "settings/c.toml"];
    let found = run(dir, &[&["pending"][..], &settings].concat())?;
    assert!(out(&found).contains(&id), "{}", err(&found));
    // The environment comes before the settings, and the option before both.
    std::fs::write(dir.join("callpact.toml"), "store = \"calls.db\"\n")?;
    assert_eq!(list(Some("none.db"))?.status.code(), Some(1));
    let given = run(dir, &["pending", "--store", "none.db"])?;
    assert_eq!(given.status.code(), Some(1));
    // The agent keeps its calls there too.
    let output = run(
        dir,
        &[
            "agent",
            "Cost it",
            "--offline",
            "--root",
            "work",
            "--defer",
            "--run",
            "two",
        ],
    )?;
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    Ok(())
}

#[test]
fn finds_call_by_id_prefix() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::write(dir.join("callpact.toml"), "store = \"calls.db\"\n")?;
    let id = waiting(dir)?;
    let begin = id.get(..6).ok_or("a long id")?;
    let shown = run(dir, &["show", begin])?;
    assert!(out(&shown).contains(&id), "{}", err(&shown));
    // The empty text begins every id, and names none.
    assert_eq!(run(dir, &["show", ""])?.status.code(), Some(1));
    let other = run(
        dir,
        &[
            "agent",
            "x",
            "--offline",
            "--root",
            "work",
            "--defer",
            "--run",
            "two",
        ],
    )?;
    assert_eq!(other.status.code(), Some(5), "{}", err(&other));
    let listed = out(&run(dir, &["pending", "--json"])?);
    let listed: Value = serde_json::from_str(&listed)?;
    let ids: Vec<&str> = listed["calls"]
        .as_array()
        .ok_or("calls")?
        .iter()
        .filter_map(|call| call["id"].as_str())
        .collect();
    assert_eq!(ids.len(), 2);
    // The shortest beginning that is the id of one call only.
    let common = ids
        .iter()
        .filter_map(|id| id.chars().next())
        .collect::<Vec<_>>();
    if common.first() == common.last() {
        let ambiguous = run(dir, &["show", &common.iter().take(1).collect::<String>()])?;
        assert!(
            err(&ambiguous).contains("2 calls have an id"),
            "{}",
            err(&ambiguous)
        );
    }
    for (command, more) in [("approve", &[][..]), ("forget", &[])] {
        let done = run(dir, &[&[command, begin], more].concat())?;
        assert_eq!(done.status.code(), Some(0), "{command}: {}", err(&done));
    }
    assert_eq!(run(dir, &["show", begin])?.status.code(), Some(1));
    Ok(())
}

#[test]
fn command_line_answer_fills_server_form() -> Tested {
    let dir = tempfile::tempdir()?;
    let call = |answer: &[&str]| {
        let mut words = vec![
            "mcp",
            "--call",
            "file_write",
            "--arguments",
            "path=a",
            "--arguments",
            "content=b",
            "--yes",
        ];
        words.extend(answer);
        words.extend([
            "--",
            env!("CARGO_BIN_EXE_callpact"),
            "serve",
            "--stdio",
            "--ask",
        ]);
        run(dir.path(), &words)
    };
    // Nobody can be asked.
    let refused = call(&[])?;
    assert_ne!(refused.status.code(), Some(0));
    for answer in [r#"{"decision": "perhaps"}"#, r#"{"decision": "refuse"}"#] {
        let refused = call(&["--answer", answer])?;
        assert_ne!(refused.status.code(), Some(0), "{}", err(&refused));
        assert!(!dir.path().join("a").exists());
    }
    let called = call(&["--answer", r#"{"decision": "approve"}"#])?;
    assert_eq!(called.status.code(), Some(0), "{}", err(&called));
    assert!(err(&called).contains("question"), "{}", err(&called));
    assert_eq!(std::fs::read_to_string(dir.path().join("a"))?, "b");
    Ok(())
}
