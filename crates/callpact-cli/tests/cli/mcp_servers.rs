//! `mcp` with a file of servers, and with a server that is silent; the names of dialects.

use serde_json::{Value, json};

use crate::{Tested, err, out, run};

/// A server of this program itself.
fn own_server() -> Value {
    json!({
        "command": env!("CARGO_BIN_EXE_callpact"),
        "args": ["serve", "--stdio", "--root", "."],
    })
}

#[test]
fn a_file_of_servers_is_listed_and_called() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), "here")?;
    let file = json!({ "mcpServers": {
        "one": own_server(),
        "two": own_server(),
        "off": { "command": "nothing", "disabled": true },
    } });
    std::fs::write(dir.path().join("servers.json"), file.to_string())?;
    let list = run(dir.path(), &["mcp", "--config", "servers.json"])?;
    assert_eq!(list.status.code(), Some(0), "{}", err(&list));
    for tool in ["one_file_read", "two_file_read"] {
        assert!(out(&list).contains(tool), "{}", out(&list));
    }
    let list = run(dir.path(), &["mcp", "--config", "servers.json", "two"])?;
    assert!(!out(&list).contains("one_file_read"), "{}", out(&list));
    assert!(out(&list).contains("two_file_read"), "{}", out(&list));
    let call = [
        "mcp",
        "--config",
        "servers.json",
        "one",
        "--call",
        "one_file_read",
        "--arguments",
        r#"{"path": "a.txt"}"#,
        "--yes",
    ];
    let called = run(dir.path(), &call)?;
    assert_eq!(called.status.code(), Some(0), "{}", err(&called));
    assert!(out(&called).contains("here"), "{}", out(&called));
    let typo = run(dir.path(), &["mcp", "--config", "servers.json", "tow"])?;
    assert_eq!(typo.status.code(), Some(2));
    assert!(
        err(&typo).contains("the file has no server `tow`"),
        "{}",
        err(&typo)
    );
    Ok(())
}

#[test]
fn names_unusable_server_of_file() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = json!({ "mcpServers": { "good": own_server(), "gone": { "command": "./none" } } });
    std::fs::write(dir.path().join("servers.json"), file.to_string())?;
    let list = run(dir.path(), &["mcp", "--config", "servers.json"])?;
    assert_eq!(list.status.code(), Some(1), "{}", err(&list));
    assert!(out(&list).contains("good_file_read"), "{}", out(&list));
    assert!(
        err(&list).contains("left out  gone: the server cannot be started"),
        "{}",
        err(&list)
    );
    let file = json!({ "mcpServers": { "a": { "url": "http://127.0.0.1:1/mcp", "args": [] } } });
    std::fs::write(dir.path().join("servers.json"), file.to_string())?;
    let faulty = run(dir.path(), &["mcp", "--config", "servers.json"])?;
    assert_eq!(faulty.status.code(), Some(1));
    let expected = "servers.json: the configuration: `a`: `args` is for a server with a `command`";
    assert!(err(&faulty).contains(expected), "{}", err(&faulty));
    // The other commands take settings.
    let other = run(dir.path(), &["list", "--config", "servers.json"])?;
    assert_eq!(other.status.code(), Some(1));
    let none = run(dir.path(), &["mcp"])?;
    assert_eq!(none.status.code(), Some(2));
    assert!(err(&none).contains("name a server"), "{}", err(&none));
    Ok(())
}

#[test]
fn reads_byte_order_mark_and_rejects_comments() -> Tested {
    let dir = tempfile::tempdir()?;
    let path = dir.path().join("servers.json");
    let file = json!({ "mcpServers": { "one": own_server() } });
    std::fs::write(&path, format!("\u{feff}{file}"))?;
    let list = run(dir.path(), &["mcp", "--config", "servers.json"])?;
    assert_eq!(list.status.code(), Some(0), "{}", err(&list));
    std::fs::write(&path, format!("// mine\n{file}"))?;
    let list = run(dir.path(), &["mcp", "--config", "servers.json"])?;
    assert_eq!(list.status.code(), Some(1), "{}", err(&list));
    let expected =
        "servers.json: the configuration: expected value at line 1 column 1; JSON has no comments";
    assert!(err(&list).contains(expected), "{}", err(&list));
    Ok(())
}

#[cfg(unix)]
#[test]
fn shows_stderr_of_started_server() -> Tested {
    let dir = tempfile::tempdir()?;
    let server =
        json!({ "command": "/bin/sh", "args": ["-c", "echo no such database >&2; exit 1"] });
    let file = json!({ "mcpServers": { "one": server } });
    std::fs::write(dir.path().join("servers.json"), file.to_string())?;
    let list = run(dir.path(), &["mcp", "--config", "servers.json"])?;
    assert_eq!(list.status.code(), Some(1), "{}", err(&list));
    assert!(err(&list).contains("no such database"), "{}", err(&list));
    Ok(())
}

#[cfg(unix)]
#[test]
fn the_program_says_what_it_waits_for() -> Tested {
    let dir = tempfile::tempdir()?;
    let silent = run(dir.path(), &["mcp", "--wait", "2", "--", "/bin/cat"])?;
    assert_eq!(silent.status.code(), Some(1), "{}", err(&silent));
    let said = err(&silent);
    assert!(
        said.contains("waiting  for /bin/cat to introduce itself and its tools, at most 2s"),
        "{said}"
    );
    assert!(said.contains("/bin/cat: "), "{said}");
    assert!(said.contains("Model Context Protocol"), "{said}");
    Ok(())
}

#[test]
fn dialects_complete_and_typos_get_a_hint() -> Tested {
    let dir = tempfile::tempdir()?;
    for command in [&["schema", "calculator"][..], &["lint"]] {
        let typo = run(
            dir.path(),
            &[command, &["--dialect", "openai-strct"]].concat(),
        )?;
        assert_eq!(typo.status.code(), Some(2));
        let said = err(&typo);
        assert!(said.contains("did you mean `openai-strict`?"), "{said}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = out(&run(dir.path(), &["completions", shell])?);
        for dialect in ["openai-strict", "anthropic", "gemini"] {
            assert!(script.contains(dialect), "{shell}: {dialect}");
        }
    }
    Ok(())
}

#[test]
fn a_trusted_server_is_asked_about_writes_only() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), "here")?;
    let read = ("file_read", r#"{"path": "a.txt"}"#);
    let write = ("file_write", r#"{"path": "b.txt", "content": "x"}"#);
    for ((tool, arguments), trust, code) in [
        (read, None, 4),
        (read, Some("--trust"), 0),
        (write, Some("--trust"), 4),
    ] {
        let mut call = vec!["mcp", "--call", tool, "--arguments", arguments];
        call.extend(trust);
        call.extend(["--", env!("CARGO_BIN_EXE_callpact"), "serve", "--stdio"]);
        let called = run(dir.path(), &call)?;
        assert_eq!(called.status.code(), Some(code), "{tool}: {}", err(&called));
    }
    assert!(!dir.path().join("b.txt").exists());
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_started_server_gets_a_given_variable() -> Tested {
    let dir = tempfile::tempdir()?;
    let server = ["--", "/bin/sh", "-c", "echo \"[$COLOUR]\" >&2; exit 1"];
    let given = [&["mcp", "--env", "COLOUR=a=b"], &server[..]].concat();
    let given = run(dir.path(), &given)?;
    assert!(err(&given).contains("[a=b]"), "{}", err(&given));
    let faulty = run(dir.path(), &["mcp", "--env", "COLOUR", "--", "/bin/sh"])?;
    assert_eq!(faulty.status.code(), Some(2));
    assert!(
        err(&faulty).contains("expected NAME=VALUE"),
        "{}",
        err(&faulty)
    );
    Ok(())
}
