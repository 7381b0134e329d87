//! `serve --store`: calls of MCP clients that wait for a decision, and `serve --ask`.

use std::{
    error::Error,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{Tested, err, out, program, run};

/// The time limit of every wait.
const WAIT: Duration = Duration::from_mins(1);

/// A server on pipes whose client is this test; it is ended when this is dropped.
struct Client {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the server and introduces a client that can do this.
    fn start(dir: &Path, can: &Value, more: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut child = program(dir)
            .args(["serve", "--stdio", "--root", "work"])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = child.stdout.take().ok_or("no output")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut client = Self {
            child,
            input,
            lines,
        };
        client.send(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": can,
                "clientInfo": {"name": "tests", "version": "1"},
            }}),
        )?;
        client.next()?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    fn send(&mut self, message: &Value) -> Tested {
        Ok(writeln!(self.input, "{message}")?)
    }

    /// Asks for a file to be written.
    fn write(&mut self, id: u32, path: &str) -> Tested {
        let call = json!({"name": "file_write", "arguments": {"path": path, "content": "c"}});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}))
    }

    /// The next request or answer of the server.
    fn next(&self) -> Result<Value, Box<dyn Error>> {
        loop {
            let message: Value = serde_json::from_str(&self.lines.recv_timeout(WAIT)?)?;
            if message.get("id").is_some() {
                return Ok(message);
            }
        }
    }

    /// The texts of the next answer, and whether it is an error.
    fn result(&self) -> Result<(bool, String), Box<dyn Error>> {
        let answer = self.next()?;
        let blocks = answer["result"]["content"].as_array();
        let blocks = blocks.ok_or_else(|| answer.to_string())?.iter();
        let texts = blocks.filter_map(|block| block["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n\n");
        Ok((answer["result"]["isError"] == true, text))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory with the directory that is served, and the file of calls beside it.
fn scene() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    std::fs::create_dir(dir.path().join("work"))?;
    Ok(dir)
}

/// The one call that waits.
fn waiting(dir: &Path) -> Result<Value, Box<dyn Error>> {
    let listed = run(dir, &["pending", "--store", "calls.db", "--json"])?;
    let listed: Value = serde_json::from_slice(&listed.stdout)?;
    let calls = listed["calls"].as_array().ok_or("a list")?;
    assert_eq!(calls.len(), 1, "{listed}");
    Ok(calls[0].clone())
}

#[test]
fn mcp_call_waits_in_store_until_approval() -> Tested {
    let dir = scene()?;
    let dir = dir.path();
    // Also a client whose user could be asked: those who have the file decide.
    for (nth, can) in [json!({}), json!({"elicitation": {}})].iter().enumerate() {
        let path = format!("{nth}.txt");
        let mut client = Client::start(dir, can, &["--store", "calls.db"])?;
        client.write(1, &path)?;
        let (is_error, text) = client.result()?;
        let call = waiting(dir)?;
        let id = call["id"].as_str().ok_or("an id")?;
        let words = format!("Error: the call waits for a decision under the id {id}. It runs when");
        assert!(is_error && text.starts_with(&words), "{text}");
        assert_eq!(call["asked_by"], "the client tests");
        assert_eq!(call["tool"], "file_write");
        // A tool that only reads is served, and the call outlives the server.
        client.send(
            &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "calculator", "arguments": {"input": "6 * 7"},
            }}),
        )?;
        assert_eq!(client.result()?, (false, "42".to_owned()));
        drop(client);
        let file = dir.join("work").join(&path);
        assert!(!file.exists());
        let approved = run(dir, &["approve", id, "--store", "calls.db"])?;
        assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
        let resumed = run(dir, &["resume", "--store", "calls.db", "--root", "work"])?;
        assert_eq!(out(&resumed), "1 call was resumed\n", "{}", err(&resumed));
        assert_eq!(std::fs::read_to_string(file)?, "c");
    }
    Ok(())
}

#[test]
fn asks_user_of_client_if_possible() -> Tested {
    let dir = scene()?;
    let dir = dir.path();
    let with = ["--ask", "--store", "calls.db"];
    let mut client = Client::start(dir, &json!({"elicitation": {}}), &with)?;
    for (id, content, written) in [
        (1, json!({"decision": "approve"}), true),
        (2, json!({"decision": "refuse", "reason": "not now"}), false),
        (
            3,
            json!({"decision": "approve", "arguments": r#"{"path": "3.txt", "content": "d"}"#}),
            true,
        ),
    ] {
        let path = format!("{id}.txt");
        client.write(id, &path)?;
        let question = client.next()?;
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let message = question["params"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(&path), "{message}");
        client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {
            "action": "accept", "content": content,
        }}))?;
        let (is_error, text) = client.result()?;
        assert_eq!(is_error, !written, "{text}");
        // The model of the client is told what its user made of the call.
        let told = text.contains("Note: a person edited this call to: {");
        assert_eq!(told, id == 3, "{text}");
        assert_eq!(dir.join("work").join(path).exists(), written);
    }
    drop(client);
    // Nobody can be asked at this one.
    let mut client = Client::start(dir, &json!({}), &with)?;
    client.write(3, "3.txt")?;
    let (_, text) = client.result()?;
    let call = waiting(dir)?;
    assert!(text.contains(call["id"].as_str().ok_or("an id")?), "{text}");
    drop(client);
    // Without a file there is nothing to wait in.
    let mut client = Client::start(dir, &json!({}), &["--ask"])?;
    client.write(4, "4.txt")?;
    let (is_error, text) = client.result()?;
    assert!(is_error, "{text}");
    assert!(!dir.join("work/4.txt").exists());
    Ok(())
}

#[test]
fn the_confirmation_of_the_host_counts() -> Tested {
    let dir = scene()?;
    std::fs::write(
        dir.path().join("callpact.toml"),
        "tools = [\"file_write\", \"shell\"]\n[approvals]\nalways = [\"file_write\"]\n",
    )?;
    // A program that asks at a terminal has none here.
    let mut client = Client::start(dir.path(), &json!({}), &[])?;
    client.write(1, "a.txt")?;
    let (is_error, text) = client.result()?;
    assert!(
        is_error && !dir.path().join("work/a.txt").exists(),
        "{text}"
    );
    for more in [
        &["--host-confirms"][..],
        &["--host-confirms", "--store", "calls.db"],
    ] {
        let mut client = Client::start(dir.path(), &json!({}), more)?;
        client.write(1, "a.txt")?;
        let (is_error, text) = client.result()?;
        assert!(!is_error, "{text}");
        assert_eq!(std::fs::read_to_string(dir.path().join("work/a.txt"))?, "c");
        std::fs::remove_file(dir.path().join("work/a.txt"))?;
        // A tool that asks before every command.
        client.send(
            &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "shell", "arguments": {"command": "echo done > b.txt"},
            }}),
        )?;
        let (is_error, text) = client.result()?;
        assert!(
            !is_error && dir.path().join("work/b.txt").exists(),
            "{text}"
        );
        std::fs::remove_file(dir.path().join("work/b.txt"))?;
    }
    let both = run(
        dir.path(),
        &["serve", "--stdio", "--host-confirms", "--ask"],
    )?;
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
    Ok(())
}

#[test]
fn mcp_write_rejects_bytes_changed_after_question() -> Tested {
    let dir = scene()?;
    let dir = dir.path();
    let file = dir.join("work/1.txt");
    let (before, meanwhile) = (b"a\xff\x00b", b"a\xff\x01b");
    let changed = "what it would do has changed since it was shown for approval";
    // The user of the client is asked.
    let with = ["--ask", "--store", "calls.db"];
    let mut client = Client::start(dir, &json!({"elicitation": {}}), &with)?;
    for (id, content, written) in [(1, meanwhile, false), (2, before, true)] {
        std::fs::write(&file, before)?;
        client.write(id, "1.txt")?;
        let question = client.next()?;
        let message = question["params"]["message"].as_str().unwrap_or_default();
        assert!(
            message.contains("The 4 bytes of 1.txt are replaced."),
            "{message}"
        );
        std::fs::write(&file, content)?;
        client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {
            "action": "accept", "content": {"decision": "approve"},
        }}))?;
        let (is_error, text) = client.result()?;
        assert_eq!(
            (is_error, text.contains(changed)),
            (!written, !written),
            "{text}"
        );
        assert_eq!(std::fs::read(&file)? == b"c", written);
    }
    drop(client);
    // The call waits in the file, and another process carries it out.
    std::fs::write(&file, before)?;
    let mut client = Client::start(dir, &json!({}), &["--store", "calls.db"])?;
    client.write(3, "1.txt")?;
    client.result()?;
    let call = waiting(dir)?;
    let id = call["id"].as_str().ok_or("an id")?;
    drop(client);
    let approved = run(dir, &["approve", id, "--store", "calls.db"])?;
    assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    std::fs::write(&file, meanwhile)?;
    let resumed = run(
        dir,
        &["resume", "--store", "calls.db", "--root", "work", "--json"],
    )?;
    assert!(out(&resumed).contains(changed), "{}", out(&resumed));
    assert_eq!(std::fs::read(&file)?, meanwhile);
    Ok(())
}

#[test]
fn sends_user_of_client_to_page() -> Tested {
    let dir = scene()?;
    let dir = dir.path();
    let page = "https://desk.example.com/";
    let with = ["--store", "calls.db", "--page", page];
    let mut client = Client::start(dir, &json!({"elicitation": {"url": {}}}), &with)?;
    client.write(1, "1.txt")?;
    let question = client.next()?;
    let call = waiting(dir)?;
    let id = call["id"].as_str().ok_or("an id")?;
    assert_eq!(question["params"]["mode"], "url", "{question}");
    assert_eq!(question["params"]["url"], format!("{page}#waiting/{id}"));
    let approved = run(
        dir,
        &["approve", id, "--store", "calls.db", "--as", "grace"],
    )?;
    assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    client
        .send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}}))?;
    // The server carries the call out.
    let (is_error, text) = client.result()?;
    assert_eq!(
        (is_error, text.as_str()),
        (false, "Successfully wrote to: 1.txt")
    );
    assert_eq!(std::fs::read_to_string(dir.join("work/1.txt"))?, "c");
    drop(client);
    // A client that shows no pages learns where the call waits.
    let mut client = Client::start(dir, &json!({}), &with)?;
    client.write(2, "2.txt")?;
    let (_, text) = client.result()?;
    let call = waiting(dir)?;
    let id = call["id"].as_str().ok_or("an id")?;
    assert!(
        text.contains(&format!("at {page}#waiting/{id} under the id {id}")),
        "{text}"
    );
    drop(client);
    for wrong in ["http://desk.example.com/", "javascript:alert(1)", ""] {
        let refused = ["serve", "--stdio", "--store", "calls.db", "--page", wrong];
        let refused = run(dir, &refused)?;
        assert_eq!(refused.status.code(), Some(2), "{wrong}: {}", err(&refused));
    }
    Ok(())
}

#[test]
fn scopes_say_whose_calls_wait() -> Tested {
    let dir = scene()?;
    let dir = dir.path();
    crate::write_people(dir)?;
    let settings = "[approvals.scopes]\nwrite = \"ask\"\n";
    std::fs::write(dir.join("callpact.toml"), settings)?;
    let more = ["--store", "calls.db", "--tokens", "tokens.toml"];
    let serving = crate::serve::Serving::start(dir, &more)?;
    let write = |token: &str| {
        let arguments = r#"{"path": "b.txt", "content": "hello"}"#;
        let call = [
            "mcp",
            "--yes",
            "--token-env",
            "TOKEN",
            "--call",
            "file_write",
            "--arguments",
        ];
        let mut command = program(dir);
        command.args(call).args([arguments, serving.url()]);
        command.env("TOKEN", token).output()
    };
    let grace = write("the-token-of-grace")?;
    let unknown = "Unknown tool 'file_write'";
    assert!(err(&grace).contains(unknown), "{}", err(&grace));
    let ada = write("the-token-of-ada")?;
    assert!(err(&ada).contains("waits for a decision"), "{}", err(&ada));
    assert_eq!(waiting(dir)?["asked_by"], "ada");
    assert!(!dir.join("b.txt").exists());
    Ok(())
}

#[test]
fn empty_scope_table_denies_writes_and_needs_callers() -> Tested {
    let dir = scene()?;
    let dir = dir.path();
    crate::write_people(dir)?;
    std::fs::write(dir.join("callpact.toml"), "[approvals.scopes]\n")?;
    let serving = crate::serve::Serving::start(dir, &["--tokens", "tokens.toml"])?;
    let call = [
        "mcp",
        "--yes",
        "--token-env",
        "TOKEN",
        "--call",
        "file_write",
        "--arguments",
        r#"{"path": "b.txt", "content": "hello"}"#,
    ];
    let written = program(dir)
        .args(call)
        .arg(serving.url())
        .env("TOKEN", "the-token-of-ada")
        .output()?;
    assert!(
        err(&written).contains("Unknown tool 'file_write'"),
        "{}",
        err(&written)
    );
    assert!(!dir.join("b.txt").exists());
    let nobody = run(dir, &["serve", "--http", "127.0.0.1:0"])?;
    assert_eq!(nobody.status.code(), Some(2));
    let words = "approvals.scopes has no effect: nothing says who calls";
    assert!(err(&nobody).contains(words), "{}", err(&nobody));
    // The client of standard input and output is the host, which needs no token.
    let stdio = run(dir, &["serve", "--stdio"])?;
    assert!(err(&stdio).contains(words), "{}", err(&stdio));
    Ok(())
}

/// A call that had begun when `resume` was interrupted is not said not to have run.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_resume_says_what_had_begun() -> Tested {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = scene()?;
    let dir = dir.path();
    std::fs::write(dir.join("callpact.toml"), "tools = [\"shell\"]\n")?;
    let mut client = Client::start(dir, &json!({}), &["--store", "calls.db"])?;
    let command = json!({"command": "echo a >> begun; sleep 3000"});
    let call = json!({"name": "shell", "arguments": command});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}))?;
    client.result()?;
    drop(client);
    let call = waiting(dir)?;
    let id = call["id"].as_str().ok_or("an id")?;
    let approved = run(dir, &["approve", id, "--store", "calls.db"])?;
    assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    let resume = ["resume", "--store", "calls.db", "--root", "work", "--json"];
    let child = program(dir)
        .args(resume)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let file = dir.join("work/begun");
    let end = std::time::Instant::now() + WAIT;
    // The shell makes the file before the line is in it.
    while !std::fs::read_to_string(&file).is_ok_and(|text| text == "a\n") {
        assert!(std::time::Instant::now() < end, "it did not begin");
        thread::sleep(Duration::from_millis(10));
    }
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    kill_process(pid.ok_or("no number")?, Signal::INT)?;
    let ended = child.wait_with_output()?;
    assert_eq!(ended.status.code(), Some(6), "{}", out(&ended));
    let said: Value = serde_json::from_str(&out(&ended))?;
    assert_eq!(said["calls"][0]["outcome"], "unknown", "{said}");
    assert_eq!(said["calls"][0]["id"], id, "{said}");
    // It does not run again.
    let again = run(dir, &resume)?;
    assert_eq!(std::fs::read_to_string(&file)?, "a\n", "{}", out(&again));
    Ok(())
}
