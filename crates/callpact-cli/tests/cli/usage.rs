//! Unusual arguments, configurations and streams.

use std::{
    io::Write,
    path::Path,
    process::{Output, Stdio},
};

use serde_json::Value;

use crate::{Tested, err, out, program, run};

/// Runs with this on standard input.
fn with_input(
    dir: &Path,
    arguments: &[&str],
    input: &[u8],
) -> Result<Output, Box<dyn std::error::Error>> {
    let mut child = program(dir)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // The program may close its side early.
        let _ = stdin.write_all(input);
    }
    Ok(child.wait_with_output()?)
}

#[test]
fn every_failure_is_json_too() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a-file"), "x")?;
    std::fs::write(dir.path().join("bytes.toml"), b"\xff\xfe")?;
    let sum = r#"{"input": "1 / 0"}"#;
    for (arguments, code) in [
        (&["list", "--config", "none.toml"][..], 1),
        (&["list", "--config", "."], 1),
        (&["list", "--config", "bytes.toml"], 1),
        (&["list", "more"], 2),
        (&["schema", "nothing"], 2),
        (&["schema", "nothing\u{1b}[31m\n"], 2),
        (&["schema", "file_read", "--dialect", "none"], 2),
        (&["lint", "--dialect", ""], 2),
        (&["check", "nothing", "{}"], 2),
        (&["check", "file_read", "{"], 2),
        (&["check", "file_read", "--root", "none"], 1),
        (&["call", "nothing"], 2),
        (&["call", "file_read", "{"], 2),
        (&["call", "file_read", "[]"], 2),
        (&["call", "file_read", "null"], 2),
        (&["call", "file_read", r#"{"path": "none"}"#], 3),
        (&["call", "calculator", sum], 3),
        (&["call", "file_read", "--root", "none"], 1),
        (&["call", "file_read", "--root", "a-file"], 1),
        (
            &["call", "file_write", r#"{"path": "a", "content": "b"}"#],
            4,
        ),
        (&["serve"], 2),
        (&["serve", "--http", "8080"], 2),
        (&["serve", "--http", "localhost"], 2),
        (&["serve", "--http", "192.0.2.1:0"], 2),
        (&["serve", "--http", "192.0.2.1:0", "--allow-remote"], 1),
        (&["serve", "--stdio", "--allow-remote"], 2),
        (&["serve", "--stdio", "--root", "none"], 1),
        (&["mcp"], 2),
        (&["mcp", "http://127.0.0.1:99999/mcp"], 1),
        (&["mcp", "--arguments", "{}", "http://127.0.0.1:9/mcp"], 2),
        (&["mcp", "no-such-program-anywhere"], 1),
        (&["agent"], 2),
        (&["agent", "x", "--root", "none"], 1),
        (&["completions", "none"], 2),
        (&[], 2),
    ] {
        let output = run(dir.path(), &[&["--json"], arguments].concat())?;
        let said = err(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        let shown = out(&output);
        assert_eq!(shown.lines().count(), 1, "{arguments:?}: {shown}");
        let value: Value = serde_json::from_str(&shown)?;
        match value.get("error") {
            Some(error) => {
                assert_eq!(error["exit_code"], code, "{arguments:?}");
                let message = error["message"].as_str().unwrap_or_default();
                assert!(!message.is_empty(), "{arguments:?}");
            }
            None => assert_eq!(value["success"], false, "{arguments:?}: {shown}"),
        }
        for text in [&said, &shown] {
            assert!(!text.contains('\u{1b}'), "{arguments:?}: {text}");
            assert!(!text.contains("panicked"), "{arguments:?}: {text}");
            assert!(
                !text.contains("::"),
                "a name of a type, {arguments:?}: {text}"
            );
        }
        // Without `--json` it says something too.
        let plain = run(dir.path(), arguments)?;
        assert_eq!(plain.status.code(), Some(code), "{arguments:?}");
        assert!(!err(&plain).trim().is_empty(), "{arguments:?}");
    }
    assert!(!dir.path().join("none").exists() && !dir.path().join("a").exists());
    Ok(())
}

#[test]
fn every_success_is_json_too() -> Tested {
    let dir = tempfile::tempdir()?;
    for arguments in [
        &["list"][..],
        &["schema", "file_read"],
        &["schema", "file_read", "--request", "--dialect", "anthropic"],
        &["lint"],
        &["check", "calculator", r#"{"input": "1"}"#],
        &["call", "calculator", r#"{"input": "1"}"#],
        &["completions", "fish"],
        &["agent", "x"],
    ] {
        let output = run(dir.path(), &[arguments, &["--json"]].concat())?;
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            err(&output)
        );
        let value: Value = serde_json::from_slice(&output.stdout)?;
        assert!(value.is_object(), "{arguments:?}");
        if let Some(root) = value["root"].as_str() {
            std::fs::remove_dir_all(root)?;
        }
    }
    Ok(())
}

#[test]
fn reports_unusable_working_directory() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("file"), "x")?;
    for (root, words) in [
        ("none", "it does not exist"),
        ("file", "it is not a directory"),
    ] {
        let output = run(dir.path(), &["agent", "x", "--root", root])?;
        let said = err(&output);
        assert!(said.contains("the directory to work in, "), "{said}");
        assert!(said.contains(words), "{said}");
    }
    Ok(())
}

#[test]
fn the_nearest_name_is_offered() -> Tested {
    let dir = tempfile::tempdir()?;
    for (arguments, words) in [
        (&["call", "calculatr"][..], "Did you mean 'calculator'?"),
        (&["check", "file_wriet", "{}"], "Did you mean 'file_write'?"),
        (&["schema", "date_time"], "did you mean `datetime`?"),
        (&["lst"], "'list'"),
        (&["list", "--jsn"], "'--json'"),
    ] {
        let output = run(dir.path(), arguments)?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            err(&output).contains(words),
            "{arguments:?}: {}",
            err(&output)
        );
    }
    Ok(())
}

#[test]
fn odd_input_on_standard_input_is_an_error() -> Tested {
    let dir = tempfile::tempdir()?;
    let long = vec![b' '; (16 << 20) + 1];
    let read = ["call", "file_read", "-", "--json"];
    for (input, words) in [
        (&b"{\"path\": "[..], "Invalid arguments"),
        (b"", "Invalid arguments"),
        (b"not json at all", "Invalid arguments"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"\xc3", "not UTF-8 text"),
        (&long, "more than 16 MiB"),
    ] {
        let output = with_input(dir.path(), &read, input)?;
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(out(&output).contains(words), "{words}: {}", out(&output));
    }
    Ok(())
}

/// The commands that print something.
const PRINTING: &[&[&str]] = &[
    &["list"],
    &["list", "--json"],
    &["schema", "file_write"],
    &["lint"],
    &["completions", "bash"],
    &["check", "calculator", r#"{"input": "1"}"#],
    &["call", "calculator", r#"{"input": "1"}"#],
    &["agent", "x", "--root", ".", "--yes"],
    &["--help"],
    &["call", "--help"],
    &["--version"],
];

#[test]
fn a_reader_that_goes_away_is_no_failure() -> Tested {
    for arguments in PRINTING {
        let dir = tempfile::tempdir()?;
        let (reader, writer) = std::io::pipe()?;
        drop(reader);
        let output = program(dir.path())
            .args(*arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()?
            .wait_with_output()?;
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            err(&output)
        );
        assert!(!err(&output).contains("panicked"), "{}", err(&output));
        // Neither is a closed standard error.
        let (reader, writer) = std::io::pipe()?;
        drop(reader);
        let dir = tempfile::tempdir()?;
        let status = program(dir.path())
            .arg("-vvv")
            .args(*arguments)
            .stdout(Stdio::null())
            .stderr(writer)
            .status()?;
        assert_eq!(status.code(), Some(0), "{arguments:?}");
    }
    // A server prints the most there.
    let dir = tempfile::tempdir()?;
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    let output = program(dir.path())
        .args(["-vvv", "mcp", "--", env!("CARGO_BIN_EXE_callpact")])
        .args(["serve", "--stdio", "-vvv"])
        .stderr(writer)
        .output()?;
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).contains("file_read"), "{}", out(&output));
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn fails_if_output_cannot_be_written() -> Tested {
    for arguments in PRINTING {
        let dir = tempfile::tempdir()?;
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
        let output = program(dir.path())
            .args(*arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()?
            .wait_with_output()?;
        assert_eq!(
            output.status.code(),
            Some(1),
            "{arguments:?}: {}",
            err(&output)
        );
        assert!(!err(&output).contains("panicked"), "{}", err(&output));
        if !arguments
            .iter()
            .any(|argument| argument.starts_with("--h") || *argument == "--version")
        {
            let said = err(&output);
            assert!(
                said.contains("error: standard output: "),
                "{arguments:?}: {said}"
            );
        }
    }
    Ok(())
}

#[test]
fn escapes_hidden_characters_of_command_line() -> Tested {
    let dir = tempfile::tempdir()?;
    for (arguments, shown) in [
        (&["\u{202e}tsil"][..], r"'\u{202e}tsil'"),
        (&["list", "--\u{1b}[2Jx"], r"'--\u{1b}[2Jx'"),
        (&["list", "a\nb"], r"'a\u{a}b'"),
        (&["schema", "nosuch\u{1b}"], r"`nosuch\u{1b}`"),
        (
            &["approve", "1", "--store", "x", "--as", "a\u{1b}[2Jda"],
            r"'a\u{1b}[2Jda'",
        ),
        (
            &["approve", "1", "--store", "x", "--as", "a\u{200b}da"],
            "expected a name",
        ),
    ] {
        let output = run(dir.path(), arguments)?;
        assert_eq!(output.status.code(), Some(2));
        let said = err(&output);
        assert!(said.contains(shown), "{said}");
        assert!(
            !said
                .chars()
                .any(|c| c != '\n' && callpact::review::is_hidden(c)),
            "{said:?}"
        );
        let output = run(dir.path(), &[&["--json"], arguments].concat())?;
        let data: Value = serde_json::from_slice(&output.stdout)?;
        let message = data["error"]["message"].as_str().unwrap_or_default();
        let message = message.replace('\u{1b}', r"\u{1b}");
        assert!(message.contains(shown), "{message}");
    }
    // The model's words have written it out already.
    let output = run(dir.path(), &["call", "nosuch\u{1b}"])?;
    assert!(err(&output).contains(r"nosuch\u{1b}"), "{}", err(&output));
    assert!(!err(&output).contains(r"\\"), "{}", err(&output));
    Ok(())
}

#[test]
fn every_command_has_its_help() -> Tested {
    let dir = tempfile::tempdir()?;
    let help = out(&run(dir.path(), &["--help"])?);
    let commands = [
        "list",
        "schema",
        "lint",
        "check",
        "call",
        "serve",
        "mcp",
        "agent",
        "completions",
    ];
    for command in commands {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        let output = run(dir.path(), &[command, "--help"])?;
        assert_eq!(output.status.code(), Some(0));
        let text = out(&output);
        assert!(
            text.contains(&format!("Usage: callpact {command}")),
            "{text}"
        );
        assert!(text.contains("\nExample"), "{text}");
        assert_eq!(text, out(&run(dir.path(), &["help", command])?));
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = out(&run(dir.path(), &["completions", shell])?);
        for command in commands {
            assert!(script.contains(command), "{shell} without {command}");
        }
        // Dialects and paths are completed.
        assert!(
            script.contains("dialect") && script.contains("root"),
            "{shell}"
        );
    }
    Ok(())
}

#[test]
fn reports_dropped_parameter_with_result_and_failure() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("there.txt"), "x")?;
    for (file, code) in [("there.txt", 0), ("none.txt", 3)] {
        let arguments = format!(r#"{{"path": "{file}", "verbose": true}}"#);
        let output = run(dir.path(), &["call", "file_read", &arguments])?;
        assert_eq!(output.status.code(), Some(code));
        let said = err(&output);
        assert!(said.contains("verbose: not a parameter, ignored"), "{said}");
        assert!(!out(&output).contains("verbose"), "the result alone");
        let json = run(dir.path(), &["call", "--json", "file_read", &arguments])?;
        let json: Value = serde_json::from_str(&out(&json))?;
        let reply = json["reply"].as_str().unwrap_or_default();
        assert!(
            reply.contains("verbose: not a parameter, ignored"),
            "{json}"
        );
    }
    Ok(())
}

#[test]
fn a_negative_number_is_an_argument() -> Tested {
    let dir = tempfile::tempdir()?;
    let called = run(dir.path(), &["call", "calculator", "-5"])?;
    assert_eq!((out(&called).trim(), called.status.code()), ("-5", Some(0)));
    Ok(())
}

#[test]
fn edits_file_only_if_settings_enable_tool() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), "one two")?;
    let edit = r#"{"path":"a.txt","old_string":"two","new_string":"three"}"#;
    let call = ["call", "file_edit", edit, "--yes"];
    assert_eq!(run(dir.path(), &call)?.status.code(), Some(2));
    std::fs::write(dir.path().join("callpact.toml"), "tools = [\"file_edit\"]")?;
    let called = run(dir.path(), &call)?;
    assert_eq!(called.status.code(), Some(0), "{}", err(&called));
    let text = std::fs::read_to_string(dir.path().join("a.txt"))?;
    assert_eq!(text, "one three");
    Ok(())
}
