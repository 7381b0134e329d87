//! The help, the wrong usage and the manual of every command.

use std::fmt::Write as _;

use expect_test::expect_file;

use crate::{Tested, err, out, program, run};

/// The names of the commands.
fn commands() -> Vec<String> {
    let command = callpact_cli::command();
    let names = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned());
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_command_has_short_and_long_help() -> Tested {
    let dir = tempfile::tempdir()?;
    let mut shown = String::new();
    let mut add = |arguments: &[&str]| -> Tested {
        let output = run(dir.path(), arguments)?;
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let text = out(&output);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        writeln!(
            shown,
            "$ callpact {}\n{}\n",
            arguments.join(" "),
            lines.join("\n")
        )?;
        Ok(())
    };
    add(&["-h"])?;
    add(&["--help"])?;
    for command in commands() {
        add(&[&command, "-h"])?;
        add(&[&command, "--help"])?;
    }
    expect_file!["expected/help.txt"].assert_eq(&shown);
    Ok(())
}

#[test]
fn wrong_usage_is_named_with_the_exit_code() -> Tested {
    let dir = tempfile::tempdir()?;
    let mut shown = String::new();
    let mut add = |arguments: &[&str]| -> Tested {
        let output = run(dir.path(), arguments)?;
        let code = output.status.code().ok_or("a code")?;
        assert_eq!(out(&output), "", "{arguments:?}");
        writeln!(
            shown,
            "$ callpact {}\n{}exit code {code}\n",
            arguments.join(" "),
            err(&output)
        )?;
        Ok(())
    };
    for command in commands() {
        add(&[&command, "--no-such-option"])?;
    }
    for arguments in [
        &["lst"][..],
        &["list", "--color", "sometimes"],
        &["list", "-q", "-v"],
        &["call"],
        &["call", "file_read", "path=a", "b"],
        &["call", "file_read", "path=a", "path=b"],
        &["call", "file_read", "max_lines:=many"],
        &["call", "file_read", "--from", "a", "--nats", "b"],
        &["check", "file_raed", "path=a"],
        &["schema", "file_raed"],
        &["lint", "--dialect", "openai-strcit"],
        &["serve"],
        &["serve", "--stdio", "--page", "http://127.0.0.1:1/"],
        &["mcp"],
        &["mcp", "--env", "NAME"],
        &["mcp", "--call", "x", "--answer", "[]"],
        &["worker"],
        &["desk", "--decide-only"],
        &["agent", "x", "--defer"],
        &["agent", "x", "--run", "monday"],
        &["pending"],
        &["pending", "--store", "none.db"],
        &["show", "1"],
        &["approve"],
        &["reject", "1", "--as", ""],
        &["refuse", "1"],
        &["resume"],
        &["forget", "1", "--store", "none.db"],
        &["completions", "none"],
        &["new"],
        &["new", "a", "--kind", "thing"],
        &["list", "--tag", "x"],
        &["call", "x", "--openapi", "a", "--credential", "x"],
        &["man", "none"],
        &["man", "call", "--out", "x"],
    ] {
        add(arguments)?;
    }
    expect_file!["expected/wrong_usage.txt"].assert_eq(&shown);
    Ok(())
}

#[test]
fn every_command_has_a_page_of_the_manual() -> Tested {
    let dir = tempfile::tempdir()?;
    let output = run(dir.path(), &["man", "--out", "man1"])?;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let whole = std::fs::read_to_string(dir.path().join("man1/callpact.1"))?;
    for command in commands() {
        let name = format!("callpact\\-{command}");
        assert!(whole.contains(&name), "{command}");
        let page = std::fs::read_to_string(dir.path().join(format!("man1/callpact-{command}.1")))?;
        for heading in [".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", &name] {
            assert!(
                page.contains(heading),
                "{command} without {heading}: {page}"
            );
        }
        let printed = run(dir.path(), &["man", &command])?;
        assert!(out(&printed).contains(&name), "{}", out(&printed));
    }
    // The exit codes and the examples are in it.
    assert!(
        whole.contains("Exit codes:") && whole.contains("callpact agent"),
        "{whole}"
    );
    Ok(())
}

/// What a shell that completes the last of these words gets.
fn complete(
    dir: &std::path::Path,
    words: &[&str],
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let output = program(dir)
        .arg("--")
        .arg("callpact")
        .args(words)
        .env("COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_COMP_TYPE", "9")
        .env("_CLAP_COMPLETE_SPACE", "true")
        .output()?;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    Ok(out(&output).lines().map(str::to_owned).collect())
}

#[test]
fn tools_and_ids_are_completed_by_the_program() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    assert_eq!(
        complete(dir, &["call", "file_"])?,
        ["file_read", "file_write"]
    );
    assert_eq!(complete(dir, &["schema", "calc"])?, ["calculator"]);
    std::fs::write(
        dir.join("callpact.toml"),
        "tools = [\"datetime\"]\nstore = \"calls.db\"\n",
    )?;
    let tools: Vec<String> = complete(dir, &["call", ""])?;
    let tools: Vec<&String> = tools.iter().filter(|word| !word.starts_with('-')).collect();
    assert_eq!(tools, ["datetime"]);
    let list =
        r#"[{"name": "weather", "description": "Says it", "parameters": {"type": "object"}}]"#;
    std::fs::write(dir.join("list.json"), list)?;
    assert_eq!(
        complete(dir, &["check", "--from", "list.json", "w"])?,
        ["weather"]
    );
    // Without a file there are no ids, and no file is made.
    assert!(
        complete(dir, &["show", ""])?
            .iter()
            .all(|word| word.starts_with('-'))
    );
    assert!(!dir.join("calls.db").exists());
    std::fs::write(dir.join("callpact.toml"), "store = \"calls.db\"\n")?;
    let id = crate::stored::waiting(dir)?;
    let begin: String = id.chars().take(6).collect();
    assert_eq!(complete(dir, &["show", &begin])?, std::slice::from_ref(&id));
    assert_eq!(
        complete(dir, &["reject", "--store", "calls.db", &begin])?,
        [id]
    );
    // A fault in the settings is no obstacle.
    std::fs::write(dir.join("callpact.toml"), "tols = 1\n")?;
    assert_eq!(complete(dir, &["call", "calc"])?, ["calculator"]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = out(&program(dir).env("COMPLETE", shell).output()?);
        assert!(script.contains("COMPLETE"), "{shell}: {script}");
    }
    Ok(())
}
