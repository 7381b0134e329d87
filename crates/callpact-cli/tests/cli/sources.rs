//! Tools from a file, from standard input, and from an MCP server.

use std::{io::Write, path::Path, process::Stdio};

use serde_json::{Value, json};

use crate::{Tested, err, out, program, run};

fn weather() -> Value {
    json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "days": { "type": "integer", "maximum": 9 } },
        "required": ["city"],
    })
}

#[test]
fn the_tools_of_every_providers_list_are_read() -> Tested {
    let dir = tempfile::tempdir()?;
    let (name, description) = ("get_weather", "Says the weather.");
    for list in [
        json!([{ "type": "function", "function": { "name": name, "description": description, "parameters": weather() } }]),
        json!([{ "type": "function", "name": name, "description": description, "parameters": weather() }]),
        json!({ "tools": [{ "name": name, "description": description, "input_schema": weather() }] }),
        json!({ "tools": [{ "name": name, "description": description, "inputSchema": weather() }] }),
        json!([{ "functionDeclarations": [{ "name": name, "description": description, "parametersJsonSchema": weather() }] }]),
        json!({ "tools": [{ "toolSpec": { "name": name, "description": description, "inputSchema": { "json": weather() } } }] }),
    ] {
        std::fs::write(dir.path().join("tools.json"), list.to_string())?;
        let schema = run(
            dir.path(),
            &["schema", name, "--from", "tools.json", "--json"],
        )?;
        assert_eq!(schema.status.code(), Some(0), "{list}: {}", err(&schema));
        let schema: Value = serde_json::from_slice(&schema.stdout)?;
        assert_eq!(schema["properties"]["days"]["maximum"], 9, "{list}");
        let check = run(
            dir.path(),
            &["check", name, r#"{"days": 12}"#, "--from", "tools.json"],
        )?;
        assert_eq!(check.status.code(), Some(2), "{list}");
        let said = err(&check);
        assert!(
            said.contains("- days: expected an integer of at most 9, found 12")
                && said.contains("- city: missing"),
            "{said}"
        );
        let fits = run(
            dir.path(),
            &["check", name, r#"{"city": "Rome"}"#, "--from", "tools.json"],
        )?;
        assert_eq!(fits.status.code(), Some(0), "{}", err(&fits));
        // A list says what a tool takes, and nothing that could run.
        let call = run(
            dir.path(),
            &[
                "call",
                name,
                r#"{"city": "Rome"}"#,
                "--from",
                "tools.json",
                "--yes",
            ],
        )?;
        assert_eq!(call.status.code(), Some(3), "{}", err(&call));
        assert!(err(&call).contains("not what it does"), "{}", err(&call));
        // Nobody is asked about a call that cannot run, and the faults of a call come first.
        for (given, code, words) in [
            (r#"{"city": "Rome"}"#, 3, "there is nothing to run"),
            (r#"{"days": 12}"#, 2, "- city: missing"),
        ] {
            let call = run(dir.path(), &["call", name, given, "--from", "tools.json"])?;
            assert_eq!(call.status.code(), Some(code), "{}", err(&call));
            assert!(err(&call).contains(words), "{}", err(&call));
        }
    }
    Ok(())
}

/// A tool that a provider runs by itself has no schema: it is left out with a note, and the others
/// stay.
#[test]
fn list_omits_tools_of_provider() -> Tested {
    let dir = tempfile::tempdir()?;
    let own = json!({ "type": "function", "name": "get_weather", "description": "Says the weather.", "parameters": weather() });
    for (entry, named) in [
        (json!({ "type": "web_search" }), "web_search"),
        (
            json!({ "type": "web_search_20250305", "name": "web_search", "max_uses": 5 }),
            "web_search_20250305",
        ),
        (
            json!({ "type": "code_interpreter", "container": { "type": "auto" } }),
            "code_interpreter",
        ),
        (json!({ "google_search": {} }), "google_search"),
        (json!({ "cachePoint": { "type": "default" } }), "cachePoint"),
    ] {
        std::fs::write(
            dir.path().join("tools.json"),
            json!([entry, own]).to_string(),
        )?;
        let lint = run(
            dir.path(),
            &["lint", "--from", "tools.json", "--dialect", "openai"],
        )?;
        assert_eq!(lint.status.code(), Some(0), "{entry}: {}", err(&lint));
        assert!(out(&lint).contains("1 tools, 1 dialects"), "{}", out(&lint));
        let said = err(&lint);
        let words = format!("{named}: a tool of the provider, which has no schema");
        assert!(said.contains(&words), "{entry}: {said}");
        // Alone it is no list.
        let why = "neither a schema nor a list of tools";
        is_no_list(dir.path(), &json!([entry]).to_string(), why)?;
    }
    Ok(())
}

/// The excerpt of a report is there for tools of a file too, and properties keep the order of the file.
#[test]
fn shows_form_and_order_of_listed_tool() -> Tested {
    let dir = tempfile::tempdir()?;
    let schema = r#"{"type":"object","properties":{
        "zeta":{"type":"array","items":{"type":"object","properties":{"on":{"type":"string"},"at":{"type":"integer"}},"required":["on"]}},
        "alpha":{"type":"string"}},"required":["zeta"]}"#;
    std::fs::write(dir.path().join("plan.json"), schema)?;
    let check = run(
        dir.path(),
        &["check", "plan", r#"{"zeta": {}}"#, "--from", "plan.json"],
    )?;
    assert_eq!(check.status.code(), Some(2), "{}", err(&check));
    let form = r#"Expected: {"zeta": [{"on": string, "at"?: integer}]}"#;
    assert!(err(&check).contains(form), "{}", err(&check));
    for dialect in [
        "openai",
        "openai-strict",
        "gemini-openapi",
        "mcp-2026-07-28",
    ] {
        let schema = run(
            dir.path(),
            &[
                "schema",
                "plan",
                "--from",
                "plan.json",
                "--dialect",
                dialect,
                "--json",
            ],
        )?;
        let written = out(&schema);
        let place = |name: &str| written.find(&format!("\"{name}\":"));
        assert!(place("zeta") < place("alpha"), "{dialect}: {written}");
        assert!(place("on") < place("at"), "{dialect}: {written}");
    }
    Ok(())
}

#[test]
fn lints_own_schema_unchanged() -> Tested {
    let dir = tempfile::tempdir()?;
    let schema = json!({
        "type": "object",
        "description": "A search.",
        "properties": { "text": { "type": "string", "minLength": 1 }, "limit": { "type": "integer" } },
        "required": ["text"],
    });
    std::fs::write(dir.path().join("search.json"), schema.to_string())?;
    let lint = run(
        dir.path(),
        &[
            "lint",
            "--from",
            "search.json",
            "--dialect",
            "openai-strict",
            "--json",
        ],
    )?;
    assert_eq!(lint.status.code(), Some(1), "{}", out(&lint));
    let lint: Value = serde_json::from_slice(&lint.stdout)?;
    let found = lint["found"].as_array().ok_or("a list")?;
    assert!(
        found
            .iter()
            .any(|one| one["lint"]["tool"] == "search" && one["lint"]["severity"] == "error"),
        "{lint}"
    );
    let lint = run(
        dir.path(),
        &["lint", "--from", "search.json", "--dialect", "anthropic"],
    )?;
    assert_eq!(lint.status.code(), Some(0), "{}", out(&lint));
    assert!(out(&lint).contains("1 tools, 1 dialects"), "{}", out(&lint));
    // In the form in which this program would send it, the provider takes it.
    let strict = run(
        dir.path(),
        &[
            "schema",
            "search",
            "--from",
            "search.json",
            "--dialect",
            "openai-strict",
            "--json",
        ],
    )?;
    assert_eq!(strict.status.code(), Some(0), "{}", err(&strict));
    Ok(())
}

#[test]
fn standard_input_is_a_source_too() -> Tested {
    let dir = tempfile::tempdir()?;
    let mut child = program(dir.path())
        .args(["check", "schema", r#"{"city": 5}"#, "--from", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("a pipe")?;
    input.write_all(weather().to_string().as_bytes())?;
    drop(input);
    let output = child.wait_with_output()?;
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(
        err(&output).contains("city: expected a string, found 5"),
        "{}",
        err(&output)
    );
    let both = run(dir.path(), &["call", "schema", "-", "--from", "-"])?;
    assert_eq!(both.status.code(), Some(2));
    assert!(
        err(&both).contains("cannot both be standard input"),
        "{}",
        err(&both)
    );
    Ok(())
}

/// Expects that a file with this text is no list of tools, for a reason that is said with its name.
fn is_no_list(dir: &Path, text: &str, why: &str) -> Tested {
    std::fs::write(dir.join("tools.json"), text)?;
    let lint = run(dir, &["lint", "--from", "tools.json"])?;
    assert_eq!(lint.status.code(), Some(1), "{text}");
    let said = err(&lint);
    assert!(
        said.contains("tools.json: ") && said.contains(why),
        "{text}: {said}"
    );
    Ok(())
}

#[test]
fn every_fault_of_a_file_is_said() -> Tested {
    let dir = tempfile::tempdir()?;
    for (text, expected) in [
        ("", "EOF"),
        ("5", "a tool is an object"),
        ("[]", "neither a schema nor a list of tools"),
        ("{}", "neither a schema nor a list of tools"),
        (
            r#"{"error": {"message": "no such page"}}"#,
            "neither a schema nor a list of tools",
        ),
        (
            r#"[{"name": "a b", "description": "d"}, {"name": "c"}]"#,
            "tool 'c' has no description",
        ),
        (
            r#"{"type": "object", "properties": {"a": {"type": "strnig"}}}"#,
            "strnig",
        ),
    ] {
        is_no_list(dir.path(), text, expected)?;
    }
    let none = run(dir.path(), &["lint", "--from", "none.json"])?;
    assert_eq!(none.status.code(), Some(1));
    Ok(())
}

#[test]
fn lints_checks_and_calls_server_tools() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), "here")?;
    let server = [
        "--",
        env!("CARGO_BIN_EXE_callpact"),
        "serve",
        "--stdio",
        "--root",
        ".",
    ];
    let with = |args: &[&'static str]| run(dir.path(), &[args, &server].concat());
    let call = with(&["call", "file_read", r#"{"path": "a.txt"}"#, "--yes"])?;
    assert_eq!(call.status.code(), Some(0), "{}", err(&call));
    assert!(out(&call).contains("here"), "{}", out(&call));
    let check = with(&["check", "file_read", "{}"])?;
    assert_eq!(check.status.code(), Some(2), "{}", err(&check));
    let schema = with(&["schema", "file_read", "--dialect", "gemini"])?;
    assert!(out(&schema).contains("\"path\""), "{}", out(&schema));
    let lint = with(&["lint", "--dialect", "anthropic"])?;
    assert_eq!(lint.status.code(), Some(0), "{}", out(&lint));
    assert!(out(&lint).contains("1 dialects"), "{}", out(&lint));
    let servers = json!({ "mcpServers": { "own": { "command": env!("CARGO_BIN_EXE_callpact"), "args": ["serve", "--stdio"] } } });
    std::fs::write(dir.path().join("servers.json"), servers.to_string())?;
    let call = run(
        dir.path(),
        &[
            "call",
            "own_calculator",
            r#"{"input": "6 * 7"}"#,
            "--yes",
            "--config",
            "servers.json",
        ],
    )?;
    assert!(out(&call).contains("42"), "{}", err(&call));
    let gone = run(dir.path(), &["lint", "--", "./none"])?;
    assert_eq!(gone.status.code(), Some(1), "{}", err(&gone));
    Ok(())
}

/// A pipe may never have a writer. One that the shell makes has one.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_not_waited_for() -> Tested {
    let dir = tempfile::tempdir()?;
    let pipe = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status()?;
    assert!(made.success());
    for arguments in [
        &["list", "--config", "pipe"][..],
        &["call", "--config", "pipe", "calculator"],
        &["check", "--from", "pipe", "weather", "{}"],
        &["lint", "--from", "pipe"],
        &["pending", "--store", "pipe"],
        &["resume", "--store", "pipe"],
        &["approve", "--store", "pipe", "call-1"],
    ] {
        let ran = program(dir.path())
            .args(arguments)
            .stdin(std::process::Stdio::null())
            .output()?;
        let said = err(&ran);
        assert_eq!(ran.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("not a regular file"), "{arguments:?}: {said}");
    }
    std::fs::write(dir.path().join("tools.json"), weather().to_string())?;
    let shell = "\"$0\" lint --from <(cat tools.json) --dialect openai";
    let ran = std::process::Command::new("bash")
        .args(["-c", shell, env!("CARGO_BIN_EXE_callpact")])
        .current_dir(dir.path())
        .output()?;
    assert!(ran.status.success(), "{}", err(&ran));
    Ok(())
}

#[test]
fn lists_checks_and_calls_openapi_operations() -> Tested {
    let dir = tempfile::tempdir()?;
    let document = r#"{"openapi": "3.1.0", "servers": [{"url": "https://lamps.example"}],
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
        "paths": {"/lamps/{shelf}": {"get": {"operationId": "lamps/list", "tags": ["a"], "summary": "Lists lamps",
            "security": [{"key": []}],
            "parameters": [{"name": "shelf", "in": "path", "required": true, "schema": {"type": "integer"}}]},
          "delete": {"operationId": "clear", "tags": ["b"]}}}}"#;
    std::fs::write(dir.path().join("lamps.json"), document)?;
    let of = ["--openapi", "lamps.json"];
    let list = run(dir.path(), &[&["list"][..], &of].concat())?;
    assert!(
        out(&list).contains("lamps_list  read_only    Lists lamps"),
        "{}{}",
        out(&list),
        err(&list)
    );
    assert!(
        out(&list).contains("clear       destructive"),
        "{}",
        out(&list)
    );
    let tagged = run(dir.path(), &[&["list", "--tag", "b"][..], &of].concat())?;
    assert!(!out(&tagged).contains("lamps_list"), "{}", out(&tagged));
    let bad = run(
        dir.path(),
        &[&["check", "lamps_list", "shelf=x"][..], &of].concat(),
    )?;
    assert_eq!(bad.status.code(), Some(2), "{}", err(&bad));
    let lint = run(dir.path(), &[&["lint"][..], &of].concat())?;
    assert_eq!(lint.status.code(), Some(0), "{}", out(&lint));
    let (url, heard) = crate::endpoint::raw(vec![crate::endpoint::answer("200 OK", "", "[7]")])?;
    let called = crate::program(dir.path())
        .args([
            "call",
            "lamps_list",
            "shelf=3",
            "--api-server",
            &url,
            "--credential",
            "key=LAMP_KEY",
        ])
        .args(of)
        .env("LAMP_KEY", "k-12345678")
        .output()?;
    assert_eq!(out(&called), "[7]\n", "{}", err(&called));
    let requests = heard.join().map_err(|_| "the server panicked")??;
    let head = requests
        .first()
        .map(|(head, _)| head.to_ascii_lowercase())
        .unwrap_or_default();
    assert!(
        head.starts_with("get /v1/lamps/3 ") && head.contains("x-key: k-12345678"),
        "{head}"
    );
    let unset = run(
        dir.path(),
        &[&["list", "--credential", "key=NOT_SET_HERE"][..], &of].concat(),
    )?;
    assert_eq!(unset.status.code(), Some(2));
    Ok(())
}
