//! `desk`: what it prints, what it refuses, and what is there after a crash.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
};

use serde_json::{Value, json};

use crate::{Tested, err, program, run};

/// A desk that runs, with the session of one browser.
pub(crate) struct Desk {
    child: Child,
    host: String,
    cookie: String,
}

impl Desk {
    pub(crate) fn start(dir: &Path, args: &[&str]) -> Result<Self, Box<dyn std::error::Error>> {
        let mut child = program(dir)
            .args(["desk", "--json", "--no-open"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut line)?;
        let printed: Value = serde_json::from_str(&line)?;
        let url = printed["url"].as_str().ok_or("a url")?;
        let (host, token) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once("/#token="))
            .ok_or("an address with a token")?;
        let mut desk = Self {
            child,
            host: host.to_owned(),
            cookie: String::new(),
        };
        let (head, _) = desk.ask("POST", "session", &json!({ "token": token }))?;
        let cookie = head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie.and_then(|cookie| cookie.split(';').next());
        cookie.ok_or("a cookie")?.clone_into(&mut desk.cookie);
        Ok(desk)
    }

    pub(crate) fn ask(
        &self,
        method: &str,
        name: &str,
        body: &Value,
    ) -> Result<(String, Value), Box<dyn std::error::Error>> {
        let (host, cookie, body) = (&self.host, &self.cookie, body.to_string());
        let mut stream = TcpStream::connect(host)?;
        write!(
            stream,
            "{method} /api/{name} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nCookie: {cookie}\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("an answer")?;
        Ok((head.to_owned(), serde_json::from_str(body)?))
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_desk_shows_the_built_in_tools_and_calls_one() -> Tested {
    let dir = tempfile::tempdir()?;
    let desk = Desk::start(dir.path(), &[])?;
    let (_, tools) = desk.ask("GET", "tools", &Value::Null)?;
    assert!(
        tools
            .as_array()
            .is_some_and(|tools| tools.iter().any(|tool| tool["name"] == "calculator")),
        "{tools}"
    );
    let call = json!({ "number": 1, "tool": "calculator", "arguments": "{\"input\": \"6 * 7\"}" });
    let (_, reply) = desk.ask("POST", "call", &call)?;
    assert_eq!(reply["output"], "42");
    Ok(())
}

#[test]
fn a_desk_shows_the_tools_of_a_server() -> Tested {
    let dir = tempfile::tempdir()?;
    let server = ["--", env!("CARGO_BIN_EXE_toolwright"), "serve", "--stdio"];
    let desk = Desk::start(dir.path(), &server)?;
    let call = json!({ "tool": "calculator", "arguments": "{}" });
    let (_, reply) = desk.ask("POST", "check", &call)?;
    assert_eq!(reply["ok"], false, "{reply}");
    Ok(())
}

#[test]
fn what_waits_is_there_after_a_crash_and_is_decided_once() -> Tested {
    let dir = tempfile::tempdir()?;
    let store = ["--store", "calls.db"];
    let desk = Desk::start(dir.path(), &store)?;
    put_call(&dir.path().join("calls.db"))?;
    let (_, waiting) = desk.ask("GET", "waiting", &Value::Null)?;
    assert_eq!(waiting[0]["tool"], "file_write", "{waiting}");
    // Killed, not asked to end.
    drop(desk);
    let desk = Desk::start(dir.path(), &store)?;
    let (_, waiting) = desk.ask("GET", "waiting", &Value::Null)?;
    assert_eq!(
        waiting[0]["action"], r#"{"path": "a.md", "content": "hello"}"#,
        "{waiting}"
    );
    let decision = json!({ "id": waiting[0]["id"], "digest": waiting[0]["digest"], "decision": { "decision": "exit_early" } });
    let (head, answer) = desk.ask("POST", "decide", &decision)?;
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {answer}");
    let (head, answer) = desk.ask("POST", "decide", &decision)?;
    assert!(head.starts_with("HTTP/1.1 409"), "{head} {answer}");
    Ok(())
}

/// Makes a call that waits in a file.
fn put_call(file: &Path) -> Tested {
    use toolwright::{Halt, PermissionMode, ToolCall, ToolContext, Toolset};
    let root = file.parent().ok_or("a folder")?;
    let tools = Toolset::builder()
        .tool(toolwright_tools::FileWrite::new(root)?)
        .build()?;
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_deferred_approval()
        .with_store(toolwright_store::SqliteStore::open(file)?);
    let call = ToolCall::new(
        "call-1",
        "file_write",
        r#"{"path": "a.md", "content": "hello"}"#,
    );
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match runtime.block_on(tools.call(&call, &cx)) {
        Err(Halt::Pending(_)) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

#[test]
fn a_desk_serves_this_machine_alone() -> Tested {
    let dir = tempfile::tempdir()?;
    let remote = run(dir.path(), &["desk", "--no-open", "--listen", "0.0.0.0:0"])?;
    assert_eq!(remote.status.code(), Some(2), "{}", err(&remote));
    assert!(
        err(&remote).contains("other machines reach 0.0.0.0:0"),
        "{}",
        err(&remote)
    );
    let store = run(dir.path(), &["desk", "--no-open", "--decide-only"])?;
    assert_eq!(store.status.code(), Some(2), "{}", err(&store));
    Ok(())
}
