//! `desk`: what it prints, what it refuses, and what is there after a crash.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
};

use serde_json::{Value, json};

use crate::{Tested, err, program, run, write_people};

/// A desk that runs, with the session of one browser.
pub(crate) struct Desk {
    child: Child,
    host: String,
    session: String,
}

impl Desk {
    pub(crate) fn start(dir: &Path, args: &[&str]) -> Result<Self, Box<dyn std::error::Error>> {
        Self::start_with_log(dir, args, Stdio::null())
    }

    fn start_with_log(
        dir: &Path,
        args: &[&str],
        log: Stdio,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let mut child = program(dir)
            .args(["desk", "--json", "--no-open"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut line)?;
        let printed: Value = serde_json::from_str(&line)?;
        let url = printed["url"].as_str().ok_or("a url")?;
        let (host, token) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once('/'))
            .ok_or("an address")?;
        let mut desk = Self {
            child,
            host: host.to_owned(),
            session: String::new(),
        };
        // If people have their own tokens, the address has none.
        let known = args.contains(&"--tokens");
        match token.strip_prefix("#token=") {
            Some(token) if !known => desk.enter(token)?,
            None if known && token.is_empty() => {}
            _ => return Err(format!("{url} with {args:?}").into()),
        }
        Ok(desk)
    }

    /// Comes in with a token.
    fn enter(&mut self, token: &str) -> Tested {
        let (_, answer) = self.ask("POST", "session", &json!({ "token": token }))?;
        let session = answer["session"].as_str().ok_or("a session")?;
        session.clone_into(&mut self.session);
        Ok(())
    }

    pub(crate) fn ask(
        &self,
        method: &str,
        name: &str,
        body: &Value,
    ) -> Result<(String, Value), Box<dyn std::error::Error>> {
        let (host, session, body) = (&self.host, &self.session, body.to_string());
        let mut stream = TcpStream::connect(host)?;
        write!(
            stream,
            "{method} /api/{name} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nCallpact-Session: {session}\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("an answer")?;
        Ok((head.to_owned(), serde_json::from_str(body)?))
    }

    /// Makes a call as the page does: confirms it if it can destroy something, and asks for its result when it ended.
    pub(crate) fn call(&self, call: &Value) -> Result<Value, Box<dyn std::error::Error>> {
        let (_, mut said) = self.ask("POST", "call", call)?;
        for _ in 0..1_200 {
            if said["state"] == "done" {
                return Ok(said["reply"].take());
            }
            if said["state"] == "asks" {
                let yes = json!({ "number": call["number"], "digest": said["asks"]["digest"] });
                self.ask("POST", "confirm", &yes)?;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
            let number = json!({ "number": call["number"] });
            (_, said) = self.ask("POST", "result", &number)?;
        }
        Err(format!("the call did not end: {said}").into())
    }

    /// The first call that waits, in full.
    fn waiting(&self) -> Result<Value, Box<dyn std::error::Error>> {
        let (_, page) = self.ask("POST", "inbox", &json!({}))?;
        let id = json!({ "id": page["rows"][0]["id"] });
        Ok(self.ask("POST", "waiting", &id)?.1)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn desk_lists_and_calls_built_in_tools() -> Tested {
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
    let reply = desk.call(&call)?;
    assert_eq!(reply["output"], "42");
    Ok(())
}

#[test]
fn a_desk_shows_the_tools_of_a_server() -> Tested {
    let dir = tempfile::tempdir()?;
    let server = ["--", env!("CARGO_BIN_EXE_callpact"), "serve", "--stdio"];
    let desk = Desk::start(dir.path(), &server)?;
    let call = json!({ "tool": "calculator", "arguments": "{}" });
    let (_, reply) = desk.ask("POST", "check", &call)?;
    assert_eq!(reply["ok"], false, "{reply}");
    Ok(())
}

/// A server in the shell: a call of `more` gives it one tool more.
const GROWING: &str = r#"
say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
tools='{"name":"more","inputSchema":{"type":"object"}}'
while IFS= read -r line; do
  id=${line##*\"id\":}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*) say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"method":"tools/list"'*) say "\"result\":{\"tools\":[$tools]}" ;;
    *'"method":"tools/call"'*)
      tools="$tools,{\"name\":\"grown\",\"inputSchema\":{\"type\":\"object\"}}"
      say '"result":{"content":[{"type":"text","text":"more"}]}'
      echo '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' ;;
    *'"id":'*) say '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
"#;

#[test]
fn a_desk_follows_the_list_of_a_server() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(
        dir.path().join("callpact.toml"),
        "[approvals]\nmode = \"allow_all\"\n",
    )?;
    let desk = Desk::start(dir.path(), &["--", "sh", "-c", GROWING])?;
    let names = || -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let (_, tools) = desk.ask("GET", "tools", &Value::Null)?;
        let tools = tools.as_array().ok_or("a list")?.iter();
        Ok(tools.map(|tool| tool["name"].to_string()).collect())
    };
    assert_eq!(names()?, ["\"more\""]);
    let call = json!({ "number": 1, "tool": "more", "arguments": "{}" });
    let reply = desk.call(&call)?;
    assert_eq!(reply["output"], "more", "{reply}");
    for _ in 0..600 {
        if names()? == ["\"more\"", "\"grown\""] {
            // The new one is accepted: somebody sees it and may try it.
            let call = json!({ "tool": "grown", "arguments": "{}" });
            let (_, reply) = desk.ask("POST", "check", &call)?;
            assert_eq!(reply["ok"], true, "{reply}");
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    Err("the new tool did not come".into())
}

const ADA: &str = "the-token-of-ada";
const GRACE: &str = "the-token-of-grace";

#[test]
fn token_scopes_limit_signed_in_people() -> Tested {
    let dir = tempfile::tempdir()?;
    write_people(dir.path())?;
    let log = std::fs::File::create(dir.path().join("log"))?;
    let args = ["-v", "--listen", "0.0.0.0:0", "--tokens", "tokens.toml"];
    let mut desk = Desk::start_with_log(dir.path(), &args, log.into())?;
    let call = json!({ "number": 1, "tool": "file_write",
        "arguments": "{\"path\": \"a.txt\", \"content\": \"x\"}" });
    desk.enter(GRACE)?;
    let reply = desk.call(&call)?;
    assert_eq!(reply["outcome"], "refused", "{reply}");
    assert!(!dir.path().join("a.txt").exists());
    desk.enter(ADA)?;
    let reply = desk.call(&call)?;
    assert_eq!(reply["outcome"], "success", "{reply}");
    assert!(dir.path().join("a.txt").exists());
    // Each refused token is one line of the log, which does not have it.
    let wrong = ["a-wrong-token-of-ada", "another-token-of-ada"];
    for token in wrong {
        let (head, _) = desk.ask("POST", "session", &json!({ "token": token }))?;
        assert!(head.starts_with("HTTP/1.1 401"), "{head}");
    }
    drop(desk);
    let log = std::fs::read_to_string(dir.path().join("log"))?;
    let told = log.matches("a token was refused at the desk").count();
    assert_eq!(told, wrong.len(), "{log}");
    for secret in wrong.into_iter().chain([ADA, GRACE]) {
        assert!(!log.contains(secret), "{log}");
    }
    Ok(())
}

#[test]
fn call_survives_crash_and_is_decided_once() -> Tested {
    let dir = tempfile::tempdir()?;
    let store = ["--store", "calls.db"];
    let desk = Desk::start(dir.path(), &store)?;
    put_call(&dir.path().join("calls.db"))?;
    let waiting = desk.waiting()?;
    assert_eq!(waiting["tool"], "file_write", "{waiting}");
    // Killed, not asked to end.
    drop(desk);
    let desk = Desk::start(dir.path(), &store)?;
    let waiting = desk.waiting()?;
    assert_eq!(
        waiting["action"], r#"{"path": "a.md", "content": "hello"}"#,
        "{waiting}"
    );
    let decision = json!({ "id": waiting["id"], "digest": waiting["digest"], "decision": { "decision": "exit_early" } });
    let (head, answer) = desk.ask("POST", "decide", &decision)?;
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {answer}");
    let (head, answer) = desk.ask("POST", "decide", &decision)?;
    assert!(head.starts_with("HTTP/1.1 409"), "{head} {answer}");
    Ok(())
}

#[test]
fn first_decision_wins_across_browsers_and_console() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    put_call(&file)?;
    let store = ["--store", "calls.db"];
    let mut desks = Vec::new();
    for _ in 0..2 {
        desks.push(Desk::start(
            dir.path(),
            &[&store[..], &["--decide-only"]].concat(),
        )?);
    }
    let waiting = desks[0].waiting()?;
    let id = waiting["id"].as_str().ok_or("an id")?;
    let decision =
        json!({ "id": id, "digest": waiting["digest"], "decision": { "decision": "continue" } });
    let told = std::thread::scope(|scope| {
        let browsers = desks.iter().map(|desk| {
            let decision = &decision;
            scope.spawn(move || {
                let (head, answer) = desk.ask("POST", "decide", decision).expect("an answer");
                let won = head.starts_with("HTTP/1.1 200");
                assert!(won || head.starts_with("HTTP/1.1 409"), "{head} {answer}");
                (won, answer["error"].to_string())
            })
        });
        let browsers: Vec<_> = browsers.collect();
        let refused = run(
            dir.path(),
            &[&["refuse", id, "--reason", "no"], &store[..]].concat(),
        );
        let refused = refused.expect("a program that runs");
        let mut told = vec![(refused.status.success(), err(&refused))];
        told.extend(
            browsers
                .into_iter()
                .map(|one| one.join().expect("a browser")),
        );
        told
    });
    assert_eq!(told.iter().filter(|(won, _)| *won).count(), 1, "{told:?}");
    for (_, text) in told.iter().filter(|(won, _)| !won) {
        let told_who = text.contains("already") || text.contains("has decided");
        assert!(told_who, "{told:?}");
    }
    Ok(())
}

/// Makes a call that waits in a file.
fn put_call(file: &Path) -> Tested {
    use callpact::{Halt, PermissionMode, ToolCall, ToolContext, Toolset};
    let root = file.parent().ok_or("a folder")?;
    let tools = Toolset::builder()
        .tool(callpact_tools::FileWrite::new(root)?)
        .build()?;
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_deferred_approval()
        .with_store(callpact_store::SqliteStore::open(file)?);
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

fn own_server() -> Value {
    json!({ "command": env!("CARGO_BIN_EXE_callpact"), "args": ["serve", "--stdio", "--root", "."] })
}

#[cfg(unix)]
#[test]
fn a_desk_shows_each_server_and_its_messages() -> Tested {
    let dir = tempfile::tempdir()?;
    let script = "echo \"no key: $KEY\" >&2; exit 1";
    let file = json!({ "mcpServers": {
        "good": own_server(),
        "gone": { "command": "/bin/sh", "args": ["-c", script], "env": { "KEY": "a-secret-key" } },
    } });
    std::fs::write(dir.path().join("servers.json"), file.to_string())?;
    let desk = Desk::start(dir.path(), &["--config", "servers.json"])?;
    let (_, shown) = desk.ask("POST", "servers", &json!({}))?;
    assert_eq!(shown["allowed"], false);
    let find = |name: &str| {
        let servers = shown["servers"].as_array();
        let found = servers.and_then(|all| all.iter().find(|one| one["name"] == name));
        found.cloned().ok_or_else(|| format!("{name} in {shown}"))
    };
    let (good, gone) = (find("good")?, find("gone")?);
    assert_eq!(
        (&good["state"], &good["trusted"]),
        (&json!("connected"), &json!(false))
    );
    assert!(
        good["tools"].as_u64() > Some(3) && good["protocol"].is_string(),
        "{good}"
    );
    assert_eq!(gone["state"], "failed");
    assert_eq!(gone["last_words"], "no key: <secret_ref:KEY>");
    assert!(
        gone["rule"]
            .as_str()
            .is_some_and(|rule| rule.contains("PATH")),
        "{gone}"
    );
    assert!(!shown.to_string().contains("a-secret-key"), "{shown}");
    let call =
        json!({ "number": 1, "tool": "good_calculator", "arguments": "{\"input\": \"6 * 7\"}" });
    assert_eq!(desk.call(&call)?["output"], "42");
    let (_, messages) = desk.ask("POST", "messages", &json!({}))?;
    let messages = messages["messages"].as_array().ok_or("messages")?;
    let of_call = |answer: bool| {
        messages
            .iter()
            .find(|one| one["method"] == "tools/call" && one["answer"] == answer)
    };
    let (request, answer) = (
        of_call(false).ok_or("a call")?,
        of_call(true).ok_or("an answer")?,
    );
    assert_eq!(
        (&request["way"], &answer["way"]),
        (&json!("out"), &json!("in"))
    );
    assert_eq!(
        (&request["id"], &request["server"]),
        (&answer["id"], &json!("good"))
    );
    assert!(
        answer["took"].is_u64() && answer["body"].to_string().contains("42"),
        "{answer}"
    );
    let new = json!({ "name": "x", "kind": "command", "settings": { "command": "/bin/true" } });
    let (head, _) = desk.ask("POST", "connect", &new)?;
    assert!(head.starts_with("HTTP/1.1 403"), "{head}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_server_is_connected_from_the_page_where_allowed() -> Tested {
    let dir = tempfile::tempdir()?;
    let desk = Desk::start(dir.path(), &["--allow-connect"])?;
    let connect = |name: &str, settings: &Value| {
        let kind = if settings["url"].is_null() {
            "command"
        } else {
            "url"
        };
        let new = json!({ "name": name, "kind": kind, "settings": settings });
        desk.ask("POST", "connect", &new)
    };
    let names = || -> Result<String, Box<dyn std::error::Error>> {
        Ok(desk.ask("GET", "tools", &Value::Null)?.1.to_string())
    };
    let own = json!({ "command": env!("CARGO_BIN_EXE_callpact"),
        "arguments": ["serve", "--stdio", "--root", "."], "folder": dir.path() });
    let (head, answer) = connect("mine", &own)?;
    assert!(head.starts_with("HTTP/1.1 200"), "{head} {answer}");
    let tools = names()?;
    assert!(
        tools.contains("mine_calculator") && tools.contains("\"calculator\""),
        "{tools}"
    );
    for (name, settings, expected) in [
        ("mine", own.clone(), "there is a server `mine`"),
        ("a b", own.clone(), "letters, digits"),
        ("none", json!({ "command": "/none" }), "cannot be started"),
        (
            "key",
            json!({ "command": "${HOME}/x" }),
            "variables such as",
        ),
        (
            "far",
            json!({ "url": "http://example.com/mcp", "headers": { "Authorization": "x" } }),
            "a header is not sent over",
        ),
        (
            "sad",
            json!({ "command": "/bin/sh", "arguments": ["-c", "echo no key >&2; exit 1"] }),
            "Its last words:\nno key",
        ),
    ] {
        let (head, answer) = connect(name, &settings)?;
        assert!(head.starts_with("HTTP/1.1 422"), "{name}: {head}");
        assert!(
            answer["error"]
                .as_str()
                .is_some_and(|error| error.contains(expected)),
            "{name}: {answer}"
        );
    }
    let (_, shown) = desk.ask("POST", "servers", &json!({}))?;
    assert_eq!(
        shown["servers"].as_array().map(Vec::len),
        Some(1),
        "{shown}"
    );
    assert_eq!(
        (&shown["allowed"], &shown["servers"][0]["removable"]),
        (&json!(true), &json!(true))
    );
    let (head, _) = desk.ask("POST", "disconnect", &json!({ "name": "mine" }))?;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(!names()?.contains("mine_calculator"));
    write_people(dir.path())?;
    let both = run(
        dir.path(),
        &["desk", "--allow-connect", "--tokens", "tokens.toml"],
    )?;
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
    Ok(())
}
