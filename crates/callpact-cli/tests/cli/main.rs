//! The program itself, as a process.
#![allow(clippy::similar_names, clippy::type_complexity)] // short tests read better with short names

#[cfg(unix)]
mod console;
mod desk;
mod endpoint;
#[cfg(unix)]
mod endpoint_stream;
mod failures;
mod help;
mod mcp_servers;
mod new;
mod options;
mod permissions;
mod serve;
mod serve_store;
#[cfg(target_os = "linux")]
mod served_terminal;
mod sources;
mod stored;
mod usage;
mod workers;

use std::{
    error::Error,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

type Tested = Result<(), Box<dyn Error>>;

fn program(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_callpact"));
    for name in [
        "CALLPACT_BASE_URL",
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        "CALLPACT_MODEL",
        "CALLPACT_STORE",
        "COLUMNS",
        // They decide about colours, and where the tests run in CI, `CI` is one of them.
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "CI",
    ] {
        command.env_remove(name);
    }
    command.current_dir(dir).stdin(Stdio::null());
    command
}

fn run(dir: &Path, args: &[&str]) -> Result<Output, Box<dyn Error>> {
    Ok(program(dir).args(args).output()?)
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn tools_are_listed_shown_and_linted() -> Tested {
    let dir = tempfile::tempdir()?;
    let list = run(dir.path(), &["list", "--json"])?;
    let list: Value = serde_json::from_slice(&list.stdout)?;
    assert_eq!(list["tools"][1]["name"], "file_write");
    assert_eq!(list["tools"][1]["permission"], "write");
    let schema = run(
        dir.path(),
        &["schema", "file_write", "--dialect", "openai-strict"],
    )?;
    let schema: Value = serde_json::from_slice(&schema.stdout)?;
    assert_eq!(schema["additionalProperties"], false);
    let lint = run(dir.path(), &["lint"])?;
    assert_eq!(lint.status.code(), Some(0), "{}", out(&lint));
    let unknown = run(dir.path(), &["schema", "file_wirte"])?;
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        err(&unknown).contains("did you mean `file_write`?"),
        "{}",
        err(&unknown)
    );
    Ok(())
}

#[test]
fn prints_grammars_of_one_tool_and_of_all() -> Tested {
    let dir = tempfile::tempdir()?;
    let printed = |args: &[&str]| run(dir.path(), args).map(|output| out(&output));
    let one = printed(&["schema", "file_write", "--grammar", "gbnf"])?;
    assert!(
        one.starts_with("root ::= ") && one.contains("path"),
        "{one}"
    );
    let one = printed(&["schema", "file_write", "--grammar", "lark"])?;
    assert!(one.contains("start: ") && one.contains("path"), "{one}");
    let all = printed(&["schema", "--grammar", "lark"])?;
    for tool in ["calculator", "file_write"] {
        assert!(all.contains(&format!(r#"\"{tool}\""#)), "{tool}: {all}");
    }
    for wrong in [
        &["schema"][..],
        &["schema", "file_write", "--grammar", "gbnf", "--request"],
        &["schema", "file_wirte", "--grammar", "gbnf"],
    ] {
        assert_eq!(run(dir.path(), wrong)?.status.code(), Some(2), "{wrong:?}");
    }
    Ok(())
}

#[test]
fn exit_code_reports_outcome_of_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let code = |args: &[&str]| run(dir.path(), args).map(|output| output.status.code());
    let sum = run(
        dir.path(),
        &["call", "calculator", r#"{"input": "2 + 3 * 4"}"#],
    )?;
    assert_eq!((out(&sum).as_str(), sum.status.code()), ("14\n", Some(0)));
    assert_eq!(code(&["call", "file_read", r#"{"pth": "a"}"#])?, Some(2));
    assert_eq!(code(&["call", "file_read", r#"{"path": "a"}"#])?, Some(3));
    let write = r#"{"path": "a", "content": "b"}"#;
    let halted = run(dir.path(), &["call", "file_write", write, "--json"])?;
    assert_eq!(halted.status.code(), Some(4));
    let error: Value = serde_json::from_slice(&halted.stdout)?;
    assert_eq!(error["error"]["exit_code"], 4);
    assert!(!dir.path().join("a").exists());
    assert_eq!(code(&["call", "file_write", write, "--yes"])?, Some(0));
    assert_eq!(std::fs::read_to_string(dir.path().join("a"))?, "b");
    // The changes are reported next to the result.
    let read = r#"{"path": "a", "colour": "red"}"#;
    let noted = run(dir.path(), &["call", "file_read", read])?;
    assert_eq!(out(&noted), "b\n");
    assert!(
        err(&noted).starts_with("     note  the arguments were read with these changes:\n")
            && err(&noted).contains("colour"),
        "{}",
        err(&noted)
    );
    let mut piped = program(dir.path())
        .args(["call", "calculator", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = piped.stdin.take() {
        input.write_all(br#"{"input": "6 * 7"}"#)?;
    }
    assert_eq!(out(&piped.wait_with_output()?), "42\n");
    Ok(())
}

/// The page shows what the program prints.
#[test]
fn cli_page_matches_run_of_script() -> Tested {
    let page = include_str!("../../../../docs/cli.md");
    let block = page.split("```text\n").nth(1).ok_or("a block")?;
    let shown = block.split("```").next().ok_or("an end")?;
    let dir = tempfile::tempdir()?;
    let task = "What do four months cost? Write report.md";
    let ran = run(dir.path(), &["agent", task])?;
    assert!(ran.status.success(), "{}", err(&ran));
    let printed = err(&ran) + &out(&ran);
    let root = printed
        .lines()
        .find_map(|line| line.trim().strip_prefix("root  "));
    let root = root.ok_or("a root")?.to_owned();
    assert_eq!(printed.replace(&root, "<a new directory>"), shown);
    std::fs::remove_dir_all(root)?;
    Ok(())
}

#[test]
fn the_agent_plays_its_script_offline() -> Tested {
    let dir = tempfile::tempdir()?;
    let output = run(dir.path(), &["agent", "Cost it", "--root", ".", "--json"])?;
    let progress = err(&output);
    assert_eq!(output.status.code(), Some(0), "{progress}");
    assert!(
        progress.contains("Invalid arguments, 3 problems:"),
        "{progress}"
    );
    assert!(
        progress.contains("approved  by the script's own reviewer"),
        "{progress}"
    );
    assert!(!progress.contains('\x1b'), "colours in a pipe");
    let result: Value = serde_json::from_slice(&output.stdout)?;
    let outcomes: Vec<_> = result["calls"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|call| &call["outcome"])
        .collect();
    assert_eq!(
        outcomes,
        [
            "success",
            "success",
            "invalid_arguments",
            "success",
            "success"
        ]
    );
    let report = std::fs::read_to_string(dir.path().join("report.md"))?;
    assert!(
        report.contains("four months, less 25 %: 246.75"),
        "{report}"
    );
    Ok(())
}

/// Answers chat completions on loopback with these messages, one after the other.
fn fake(messages: &[Value]) -> Result<(String, endpoint::Heard), Box<dyn Error>> {
    let answer = |message: &Value| {
        let body = json!({"choices": [{"message": message}]});
        endpoint::answer("200 OK", "", &body.to_string())
    };
    endpoint::raw(messages.iter().map(answer).collect())
}

/// The bodies of the requests.
fn bodies(heard: endpoint::Heard) -> Result<Vec<Value>, Box<dyn Error>> {
    let requests = heard.join().map_err(|_| "the endpoint panicked")??;
    let bodies = requests.iter().map(|(_, body)| serde_json::from_str(body));
    Ok(bodies.collect::<Result<_, _>>()?)
}

fn write_call() -> Value {
    let arguments = r#"{"path": "a.txt", "content": "hello"}"#;
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "file_write", "arguments": arguments}},
    ]})
}

#[test]
fn the_agent_talks_to_an_endpoint() -> Tested {
    let dir = tempfile::tempdir()?;
    let (url, serving) = fake(&[
        write_call(),
        json!({"role": "assistant", "content": "Written."}),
    ])?;
    let output = program(dir.path())
        .args(["agent", "Write it", "--root", ".", "--yes"])
        .env("CALLPACT_BASE_URL", url)
        .env("CALLPACT_MODEL", "m")
        .output()?;
    assert_eq!(out(&output), "Written.\n", "{}", err(&output));
    assert_eq!(std::fs::read_to_string(dir.path().join("a.txt"))?, "hello");
    let requests = bodies(serving)?;
    assert_eq!(requests.len(), 2);
    let told = requests
        .last()
        .and_then(|request| request["messages"].as_array()?.last().cloned());
    let told = told.ok_or("no messages")?;
    assert_eq!(told["tool_call_id"], "c1");
    assert_eq!(told["content"], "Successfully wrote to: a.txt");
    Ok(())
}

#[test]
fn an_endpoint_gets_no_approval_without_a_person() -> Tested {
    let dir = tempfile::tempdir()?;
    let (url, serving) = fake(&[write_call()])?;
    let output = program(dir.path())
        .args(["agent", "Write it", "--root", "."])
        .env("CALLPACT_BASE_URL", url)
        .env("CALLPACT_MODEL", "m")
        .output()?;
    assert_eq!(output.status.code(), Some(4), "{}", err(&output));
    assert!(!dir.path().join("a.txt").exists());
    bodies(serving)?;
    Ok(())
}

#[test]
fn an_mcp_server_is_inspected_and_called() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), "hello")?;
    let server = [
        env!("CARGO_BIN_EXE_callpact"),
        "serve",
        "--stdio",
        "--root",
        ".",
    ];
    let list = run(dir.path(), &[&["mcp", "--"], &server[..]].concat())?;
    assert!(out(&list).contains("file_read"), "{}", err(&list));
    let call = [
        "mcp",
        "--call",
        "file_read",
        "--arguments",
        r#"{"path": "a.txt"}"#,
        "--yes",
        "--",
    ];
    let read = run(dir.path(), &[&call, &server[..]].concat())?;
    assert_eq!(out(&read).trim(), "hello", "{}", err(&read));
    let remote = run(dir.path(), &["serve", "--http", "0.0.0.0:0"])?;
    assert_eq!(remote.status.code(), Some(2));
    Ok(())
}

#[test]
fn completions_and_help() -> Tested {
    let dir = tempfile::tempdir()?;
    let script = run(dir.path(), &["completions", "bash"])?;
    assert!(out(&script).contains("_callpact()"));
    let help = run(dir.path(), &["--help"])?;
    assert!(out(&help).contains("Exit codes:"));
    Ok(())
}

/// The `cargo run` lines of the README do what they say.
#[test]
fn the_readme_runs() -> Tested {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md"))?;
    let lines: Vec<_> = readme
        .lines()
        .filter(|line| line.starts_with("cargo run "))
        .collect();
    assert!(!lines.is_empty());
    for line in lines {
        // `.ci/run` checks what cargo builds for it, which has fewer features than the program of the tests.
        let arguments = line
            .strip_prefix("cargo run -p callpact-cli -- ")
            .ok_or(line)?;
        let output = Command::new("sh")
            .args(["-c", &format!("\"$PROGRAM\" {arguments}")])
            .env("PROGRAM", env!("CARGO_BIN_EXE_callpact"))
            .current_dir(&root)
            .stdin(Stdio::null())
            .env_remove("CALLPACT_BASE_URL")
            .env_remove("OPENAI_BASE_URL")
            .output()?;
        assert!(output.status.success(), "{line}: {}", err(&output));
    }
    Ok(())
}

/// Writes a file of tokens, and settings by which Ada may do what she likes and Grace only read.
pub(crate) fn write_people(dir: &Path) -> Tested {
    // printf %s the-token-of-ada | sha256sum, and of grace.
    let tokens = "[[token]]\nname = \"ada\"\nscopes = [\"write\"]\n\
        sha256 = \"7dac292edbc1f082c8e2f3485f445396480972c0b282d9ecae47688f07754ecc\"\n\
        [[token]]\nname = \"grace\"\n\
        sha256 = \"ecd753ca4f6c9f75892217ba586fab59e735225de5b2bf7d416954d9e79cabd5\"\n";
    std::fs::write(dir.join("tokens.toml"), tokens)?;
    let settings = "[approvals.scopes]\nwrite = \"allow_all\"\n";
    Ok(std::fs::write(dir.join("callpact.toml"), settings)?)
}
