//! Failures: their messages, their forms and their exit codes.

use serde_json::Value;

use crate::{Tested, err, out, program, run};

#[test]
fn a_faulty_configuration_is_refused() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("callpact.toml"), "tols = []\n")?;
    let output = run(dir.path(), &["list"])?;
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err(&output).contains("unknown key `tols`; did you mean `tools`?"),
        "{}",
        err(&output)
    );
    std::fs::write(dir.path().join("other.toml"), "tools = [\"calculator\"]\n")?;
    let output = run(dir.path(), &["list", "--config", "other.toml"])?;
    assert_eq!(out(&output).lines().count(), 1);
    Ok(())
}

#[test]
fn a_configuration_is_checked_whole() -> Tested {
    let dir = tempfile::tempdir()?;
    let said = |text: &str| -> Result<String, Box<dyn std::error::Error>> {
        std::fs::write(dir.path().join("callpact.toml"), text)?;
        let output = run(dir.path(), &["list", "--json"])?;
        assert_eq!(output.status.code(), Some(1), "{text}");
        let error: Value = serde_json::from_slice(&output.stdout)?;
        assert_eq!(error["error"]["exit_code"], 1);
        let message = error["error"]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("callpact.toml: "), "{message}");
        Ok(message.to_owned())
    };
    let message = said("tools = [\"shel\"]\n[limits]\nmax_turns = 0\n")?;
    assert!(message.contains("did you mean `shell`?"), "{message}");
    assert!(message.contains("`limits.max_turns` must be at least 1"));
    let message = said("[limits]\nmax_turns = \"many\"\n")?;
    assert!(
        message.contains("line 2") && message.contains("many"),
        "{message}"
    );
    let message = said("[approvals]\nmode = \"maybe\"\n")?;
    assert!(message.contains("ask_destructive"), "{message}");
    let message = said("limits = 3\napprovals = 4\n")?;
    assert!(message.contains("`limits` is a table: write `[limits]`"));
    assert!(message.contains("`approvals` is a table"), "{message}");
    let message = said("tools = [")?;
    assert!(message.contains("line 1"), "{message}");
    let missing = run(dir.path(), &["list", "--config", "none.toml"])?;
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        err(&missing).starts_with("error: none.toml: "),
        "{}",
        err(&missing)
    );
    Ok(())
}

#[test]
fn a_wrong_command_line_is_json_too() -> Tested {
    let dir = tempfile::tempdir()?;
    for (arguments, words) in [
        (&["--json", "lst"][..], "unrecognized subcommand 'lst'"),
        (&["schema", "--json"], "<TOOL>"),
        (
            &["lint", "--json", "--dialect", "opnai"],
            "known are portable, openai",
        ),
        (&["serve", "--json"], "<--stdio|--http <ADDR>>"),
        (
            &["serve", "--json", "--stdio", "--http", "127.0.0.1:0"],
            "cannot be used with",
        ),
        (
            &["serve", "--json", "--http", "here"],
            "such as 127.0.0.1:8080",
        ),
    ] {
        let output = run(dir.path(), arguments)?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error: Value = serde_json::from_slice(&output.stdout)?;
        let message = error["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{arguments:?}: {message}");
        assert!(err(&output).contains(words), "{}", err(&output));
    }
    let version = run(dir.path(), &["--version", "--json"])?;
    assert_eq!(version.status.code(), Some(0));
    assert!(out(&version).starts_with("callpact "));
    Ok(())
}

#[test]
fn reports_disabled_tool_instead_of_unknown() -> Tested {
    let dir = tempfile::tempdir()?;
    for command in [
        &["schema", "shell"][..],
        &["check", "shell"],
        &["call", "shell"],
    ] {
        let output = run(dir.path(), command)?;
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            err(&output),
            "error: the tool `shell` is not switched on; name it in `tools` of callpact.toml\n"
        );
    }
    Ok(())
}

#[test]
fn arguments_are_checked_without_a_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let fits = r#"{"path": "a", "content": "b"}"#;
    let good = run(dir.path(), &["check", "file_write", fits])?;
    assert_eq!(
        (out(&good).as_str(), good.status.code()),
        ("the arguments fit\n", Some(0))
    );
    assert!(!dir.path().join("a").exists());
    let mended = r#"{"path": "a", "content": "b", "extra": 1}"#;
    let mended = run(dir.path(), &["check", "file_write", mended])?;
    assert_eq!(mended.status.code(), Some(0));
    assert!(out(&mended).contains("- extra"), "{}", out(&mended));
    let bad = run(dir.path(), &["check", "file_write", "{}", "--json"])?;
    assert_eq!(bad.status.code(), Some(2));
    let bad: Value = serde_json::from_slice(&bad.stdout)?;
    assert_eq!(bad["outcome"], "invalid_arguments");
    assert_eq!(bad["report"]["issues"].as_array().map(Vec::len), Some(2));
    Ok(())
}

#[test]
fn reports_unreachable_server_in_plain_words() -> Tested {
    let dir = tempfile::tempdir()?;
    for target in [&["http://127.0.0.1:9/mcp"][..], &["--", "false"]] {
        let output = run(dir.path(), &[&["mcp"], target].concat())?;
        assert_eq!(output.status.code(), Some(1));
        let said = err(&output);
        assert_eq!(said.lines().count(), 1, "{said}");
        let name = target.last().copied().unwrap_or_default();
        assert!(said.starts_with(&format!("error: {name}: ")), "{said}");
        assert!(!said.contains("::"), "{said}");
    }
    let ftp = run(dir.path(), &["mcp", "ftp://127.0.0.1/"])?;
    assert_eq!(ftp.status.code(), Some(2), "{}", err(&ftp));
    Ok(())
}

#[test]
fn unreachable_endpoint_error_hides_address() -> Tested {
    let dir = tempfile::tempdir()?;
    let output = program(dir.path())
        .args(["agent", "Do it", "--root", "."])
        // Some users put their key into the address.
        .env("CALLPACT_BASE_URL", "http://127.0.0.1:9/v1/hunter2")
        .env("CALLPACT_MODEL", "m")
        .output()?;
    let said = err(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("error: the endpoint cannot be used: "),
        "{said}"
    );
    assert!(!said.contains("hunter2"), "{said}");
    Ok(())
}

/// A tool that takes text would read `{}` as its input.
#[test]
fn arguments_left_out_are_none_at_all() -> Tested {
    let dir = tempfile::tempdir()?;
    let output = run(dir.path(), &["call", "calculator"])?;
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(err(&output), "error: Expression must not be blank\n");
    let output = run(dir.path(), &["call", "file_read"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("path: missing"), "{}", err(&output));
    Ok(())
}
