//! `serve` that asks at the controlling terminal, which is neither its input nor its output.

use std::{
    error::Error,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Tested, console::Pty, err, out, program};

/// The time limit of every wait.
const WAIT: Duration = Duration::from_mins(1);

/// A command as the leader of a session of its own, with this terminal or with none.
fn in_session(dir: &Path, pty: Option<&Pty>, arguments: &[&str]) -> Command {
    // The first terminal that the leader of a session opens becomes that of the session.
    let script = r#"[ -z "$0" ] || : <> "$0"; exec "$@""#;
    let plain = program(dir);
    let mut command = Command::new("setsid");
    command
        .args(["sh", "-c", script, pty.map_or("", Pty::path)])
        .arg(plain.get_program())
        .args(arguments)
        .current_dir(dir);
    command
}

fn settings(dir: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    Ok(std::fs::write(dir.join("callpact.toml"), text)?)
}

/// A server on pipes whose client is this test; it is ended when this is dropped.
struct Server {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Server {
    fn start(dir: &Path, pty: Option<&Pty>) -> Result<Self, Box<dyn Error>> {
        let mut child = in_session(dir, pty, &["serve", "--stdio", "--root", "."])
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
        let mut server = Self {
            child,
            input,
            lines,
        };
        server.send(
            &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "t", "version": "1" },
        } }),
        )?;
        server.answer(0)?;
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Tested {
        Ok(writeln!(self.input, "{message}")?)
    }

    /// Asks for a file to be written.
    fn write(&mut self, id: u32, path: &str) -> Tested {
        let arguments = json!({ "path": path, "content": "c" });
        self.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "file_write", "arguments": arguments,
        } }),
        )
    }

    /// The answer to a request. Only the protocol may be on standard output.
    fn answer(&self, id: u32) -> Result<Value, Box<dyn Error>> {
        loop {
            let line = self.lines.recv_timeout(WAIT)?;
            let message: Value = serde_json::from_str(&line).map_err(|_| line.clone())?;
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["id"] == id {
                return Ok(message);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The result of a call that a person did not allow.
const NOT_APPROVED: &str = "Error: the call was not approved. Go on without it.";

#[test]
fn the_person_at_the_controlling_terminal_decides() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(dir.path(), "[approvals]\nmode = \"ask\"\n")?;
    let mut pty = Pty::open()?;
    let mut server = Server::start(dir.path(), Some(&pty))?;
    for (id, path, keys, written) in [
        (1, "yes", "y\n", true),
        (2, "no", "n\n", false),
        (3, "blank", "\n", false),
        (4, "end", "\x04", false),
        (5, "again", "y\n", true),
    ] {
        server.write(id, path)?;
        pty.wait_for("Continue? > ", usize::try_from(id)?)?;
        // Other messages of the client belong to the protocol and do not answer the question.
        server.send(&json!({ "jsonrpc": "2.0", "id": id + 100, "method": "ping" }))?;
        server.answer(id + 100)?;
        pty.put(keys.as_bytes())?;
        let answer = server.answer(id)?;
        assert_eq!(dir.path().join(path).exists(), written, "{answer}");
        if written {
            assert_eq!(answer["result"]["isError"], false, "{answer}");
        } else {
            assert_eq!(answer["result"]["content"][0]["text"], NOT_APPROVED);
        }
    }
    let shown = pty.text();
    assert!(
        shown.contains("file_write") && !shown.contains("jsonrpc"),
        "{shown}"
    );
    // A call that only reads is not asked about.
    server.send(
        &json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {
        "name": "file_read", "arguments": { "path": "yes" },
    } }),
    )?;
    assert_eq!(server.answer(6)?["result"]["content"][0]["text"], "c");
    assert_eq!(pty.text().matches("Continue? > ").count(), 5);
    Ok(())
}

#[test]
fn a_question_that_nobody_answers_ends_the_call() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(
        dir.path(),
        "[approvals]\nmode = \"ask_destructive\"\nalways = [\"file_write\"]\ntimeout_seconds = 1\n",
    )?;
    let mut pty = Pty::open()?;
    let mut server = Server::start(dir.path(), Some(&pty))?;
    let start = Instant::now();
    server.write(1, "late")?;
    let answer = server.answer(1)?;
    assert!(
        start.elapsed() >= Duration::from_secs(1),
        "nobody was asked"
    );
    assert_eq!(answer["result"]["content"][0]["text"], NOT_APPROVED);
    pty.wait_for("No longer waiting for an answer.", 1)?;
    // A late answer counts neither for this question nor for the next.
    pty.put(b"y\n")?;
    thread::sleep(Duration::from_millis(50));
    server.write(2, "late")?;
    let answer = server.answer(2)?;
    assert_eq!(answer["result"]["content"][0]["text"], NOT_APPROVED);
    assert!(!dir.path().join("late").exists());
    Ok(())
}

#[test]
fn a_client_that_cancels_withdraws_the_question() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(dir.path(), "[approvals]\nmode = \"ask\"\n")?;
    let mut pty = Pty::open()?;
    let mut server = Server::start(dir.path(), Some(&pty))?;
    server.write(1, "a")?;
    pty.wait_for("Continue? > ", 1)?;
    server.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
        "requestId": 1, "reason": "enough",
    } }),
    )?;
    pty.wait_for("No longer waiting for an answer.", 1)?;
    pty.put(b"y\n")?;
    server.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }))?;
    server.answer(2)?;
    assert!(!dir.path().join("a").exists());
    Ok(())
}

#[test]
fn without_a_terminal_nothing_is_approved() -> Tested {
    let dir = tempfile::tempdir()?;
    for approvals in ["mode = \"ask\"", "always = [\"file_write\"]"] {
        settings(dir.path(), &format!("[approvals]\n{approvals}\n"))?;
        let mut server = Server::start(dir.path(), None)?;
        let start = Instant::now();
        server.write(1, "a")?;
        let answer = server.answer(1)?;
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!(answer["result"]["content"][0]["text"], NOT_APPROVED);
        assert!(!dir.path().join("a").exists());
    }
    // The person who starts it is told at once.
    let ended = in_session(dir.path(), None, &["serve", "--stdio"])
        .stdin(Stdio::null())
        .output()?;
    assert_eq!(out(&ended), "");
    assert!(
        err(&ended).contains("no controlling terminal, so calls that need approval are refused"),
        "{}",
        err(&ended)
    );
    Ok(())
}

/// The system stops a background process that reads from its terminal; to a client it hangs for ever.
#[test]
fn background_process_of_terminal_approves_nothing() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(dir.path(), "[approvals]\nmode = \"ask\"\n")?;
    let pty = Pty::open()?;
    // The client starts its server in a process group of its own, which is not in the foreground.
    let arguments = r#"{"path": "a", "content": "b"}"#;
    let start = Instant::now();
    let ended = in_session(
        dir.path(),
        Some(&pty),
        &[
            &[
                "mcp",
                "--yes",
                "--call",
                "file_write",
                "--arguments",
                arguments,
                "--",
            ][..],
            &[env!("CARGO_BIN_EXE_callpact"), "serve", "--stdio"],
        ]
        .concat(),
    )
    .stdin(Stdio::null())
    .output()?;
    assert!(start.elapsed() < Duration::from_secs(30), "it hung");
    assert_eq!(ended.status.code(), Some(3), "{}", err(&ended));
    assert!(
        err(&ended).contains("the call was not approved"),
        "{}",
        err(&ended)
    );
    assert!(!dir.path().join("a").exists());
    Ok(())
}
