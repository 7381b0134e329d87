//! `serve --http`, end to end.

use std::{
    error::Error,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{Tested, err, out, program, run, write_people};

/// The time limit of every wait.
const WAIT: Duration = Duration::from_mins(1);

/// The program serving a directory; it is ended when this is dropped.
pub(crate) struct Serving {
    child: Child,
    url: String,
    authority: String,
}

impl Serving {
    pub(crate) fn start(dir: &Path, more: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut command = program(dir);
        command.stderr(Stdio::null());
        Self::of(command, more)
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Serves by a command that runs the program.
    fn of(mut command: Command, more: &[&str]) -> Result<Self, Box<dyn Error>> {
        let mut child = command
            .args(["serve", "--http", "127.0.0.1:0", "--root", ".", "--json"])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            let read = BufReader::new(stdout).read_line(&mut line);
            sender.send(read.map(|_| line))
        });
        let mut serving = Self {
            child,
            url: String::new(),
            authority: String::new(),
        };
        let said: Value = serde_json::from_str(&receiver.recv_timeout(WAIT)??)?;
        let url = said["url"].as_str().unwrap_or_default();
        let authority = url
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix("/mcp"));
        authority
            .ok_or("no address")?
            .clone_into(&mut serving.authority);
        url.clone_into(&mut serving.url);
        Ok(serving)
    }

    /// The status line of the answer to a request with these headers.
    fn status(&self, host: &str, more: &str) -> Result<String, Box<dyn Error>> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "t", "version": "1" },
        } })
        .to_string();
        let mut stream = TcpStream::connect(&self.authority)?;
        stream.set_read_timeout(Some(WAIT))?;
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\
             connection: close\r\n{more}\r\n{body}",
            body.len()
        )?;
        let mut line = String::new();
        BufReader::new(stream.take(1 << 16)).read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn tools_are_served_over_http() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), "hello")?;
    let serving = Serving::start(dir.path(), &[])?;
    let list = run(dir.path(), &["mcp", &serving.url, "--json"])?;
    let list: Value = serde_json::from_slice(&list.stdout)?;
    let names: Vec<&str> = list["tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    // Nobody could answer a question.
    let expected = [
        "file_read",
        "file_write",
        "json_parser",
        "calculator",
        "datetime",
    ];
    assert_eq!(names, expected);
    let call = |tool: &str, arguments: &str| {
        let call = [
            "mcp",
            "--yes",
            "--call",
            tool,
            "--arguments",
            arguments,
            &serving.url,
        ];
        run(dir.path(), &call)
    };
    let read = call("file_read", r#"{"path": "a.txt"}"#)?;
    assert_eq!(
        (out(&read).as_str(), read.status.code()),
        ("hello\n", Some(0))
    );
    let outside = call("file_read", r#"{"path": "../a.txt"}"#)?;
    assert_eq!(outside.status.code(), Some(3));
    assert!(err(&outside).contains("Access denied"), "{}", err(&outside));
    let faulty = call("file_read", r#"{"path": "a.txt", "first_line": 0}"#)?;
    assert_eq!(faulty.status.code(), Some(2), "{}", err(&faulty));
    Ok(())
}

#[test]
fn other_hosts_and_origins_are_refused() -> Tested {
    let dir = tempfile::tempdir()?;
    let more = [
        "--allow-host",
        "tools.test",
        "--allow-origin",
        "https://page.test",
    ];
    let serving = Serving::start(dir.path(), &more)?;
    let own = serving.authority.clone();
    for (host, more, status) in [
        (own.as_str(), "", "200"),
        ("tools.test", "", "200"),
        ("evil.test", "", "403"),
        (&own, "origin: https://page.test\r\n", "200"),
        (&own, "origin: https://evil.test\r\n", "403"),
        ("evil.test", "origin: http://evil.test\r\n", "403"),
    ] {
        let line = serving.status(host, more)?;
        assert!(
            line.starts_with(&format!("HTTP/1.1 {status}")),
            "{host} {more}: {line}"
        );
    }
    Ok(())
}

#[test]
fn token_file_decides_callers_and_permissions() -> Tested {
    let dir = tempfile::tempdir()?;
    write_people(dir.path())?;
    let serving = Serving::start(dir.path(), &["--tokens", "tokens.toml"])?;
    let own = serving.authority.clone();
    for (more, status) in [
        ("", "401"),
        ("authorization: Bearer the-token-of-eve\r\n", "401"),
        ("authorization: Bearer the-token-of-ada\r\n", "200"),
    ] {
        let line = serving.status(&own, more)?;
        assert!(
            line.starts_with(&format!("HTTP/1.1 {status}")),
            "{more}: {line}"
        );
    }
    let write = |token: &str| {
        let arguments = r#"{"path": "b.txt", "content": "hello"}"#;
        let call = [
            "mcp",
            "--yes",
            "--token-env",
            "TOKEN",
            "--call",
            "file_write",
        ];
        let command = program(dir.path())
            .args(call)
            .args(["--arguments", arguments, &serving.url])
            .env("TOKEN", token)
            .output();
        command.map(|output| (output.status.code(), out(&output) + &err(&output)))
    };
    let (code, said) = write("the-token-of-grace")?;
    assert!(
        code == Some(2) && said.contains("Unknown tool 'file_write'"),
        "{said}"
    );
    assert!(!dir.path().join("b.txt").exists());
    let (code, said) = write("the-token-of-ada")?;
    assert_eq!(code, Some(0), "{said}");
    assert!(dir.path().join("b.txt").exists());
    Ok(())
}

#[test]
fn removed_token_loses_access() -> Tested {
    let dir = tempfile::tempdir()?;
    write_people(dir.path())?;
    let (file, log) = (dir.path().join("tokens.toml"), dir.path().join("log"));
    let mut command = program(dir.path());
    command.stderr(std::fs::File::create(&log)?);
    let serving = Serving::of(command, &["-v", "--tokens", "tokens.toml"])?;
    let own = serving.authority.clone();
    let status = |who: &str| {
        let token = format!("authorization: Bearer the-token-of-{who}\r\n");
        let line = serving.status(&own, &token)?;
        let code = line.split(' ').nth(1).unwrap_or_default().to_owned();
        Ok::<_, Box<dyn Error>>(code)
    };
    assert_eq!(
        (status("ada")?, status("grace")?),
        ("200".into(), "200".into())
    );
    let both = std::fs::read_to_string(&file)?;
    let (of_ada, of_grace) = both.rsplit_once("[[token]]").ok_or("two tokens")?;
    std::fs::write(&file, format!("[[token]]{of_grace}"))?;
    assert_eq!(
        (status("ada")?, status("grace")?),
        ("401".into(), "200".into())
    );
    for broken in [of_ada.replace("name", "nam"), String::new()] {
        std::fs::write(&file, broken)?;
        assert_eq!(
            (status("ada")?, status("grace")?),
            ("401".into(), "200".into())
        );
    }
    std::fs::write(&file, of_ada)?;
    assert_eq!(
        (status("ada")?, status("grace")?),
        ("200".into(), "401".into())
    );
    // One line for each fault of the file and for each request that was refused, and no token in it.
    drop(serving);
    let log = std::fs::read_to_string(log)?;
    let stay = "tokens.toml: line 1: expected tables `[[token]]` with `name`, `sha256` and, if there \
                are any, `scopes`; the tokens that were read before stay";
    assert!(log.contains(stay), "{log}");
    let refused = log
        .lines()
        .filter(|line| line.contains("the token is not valid"));
    assert_eq!(refused.count(), 4, "{log}");
    assert!(!log.contains("the-token-of"), "{log}");
    Ok(())
}

#[test]
fn rejects_remote_serving_without_authentication() -> Tested {
    let dir = tempfile::tempdir()?;
    let bare = run(dir.path(), &["serve", "--http", "0.0.0.0:0"])?;
    assert_eq!(bare.status.code(), Some(2));
    assert!(
        err(&bare).contains("nothing says who calls"),
        "{}",
        err(&bare)
    );
    let missing = ["serve", "--http", "0.0.0.0:0", "--tokens", "none.toml"];
    let missing = run(dir.path(), &missing)?;
    assert_eq!(missing.status.code(), Some(1));
    assert!(err(&missing).contains("none.toml"), "{}", err(&missing));
    let half = [
        "serve",
        "--http",
        "0.0.0.0:0",
        "--issuer",
        "https://login.example.com",
    ];
    let half = run(dir.path(), &half)?;
    assert_eq!(half.status.code(), Some(2));
    assert!(err(&half).contains("--keys"), "{}", err(&half));
    std::fs::write(dir.path().join("keys.json"), r#"{"keys": []}"#)?;
    let empty = [
        "serve",
        "--stdio",
        "--issuer",
        "i",
        "--audience",
        "a",
        "--keys",
        "keys.json",
    ];
    let empty = run(dir.path(), &empty)?;
    assert!(err(&empty).contains("it has no key"), "{}", err(&empty));
    // A variable of a script that is not set.
    for (issuer, audience, named) in [("", "a", "--issuer"), ("i", " ", "--audience")] {
        let words = [
            "--issuer",
            issuer,
            "--audience",
            audience,
            "--keys",
            "keys.json",
        ];
        let blank = run(
            dir.path(),
            &[&["serve", "--http", "127.0.0.1:0"], &words[..]].concat(),
        )?;
        assert_eq!(blank.status.code(), Some(2));
        assert!(err(&blank).contains(named), "{}", err(&blank));
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_well() -> Tested {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir()?;
    let mut serving = Serving::start(dir.path(), &[])?;
    let pid = i32::try_from(serving.child.id())
        .ok()
        .and_then(Pid::from_raw);
    kill_process(pid.ok_or("no number")?, Signal::INT)?;
    let end = std::time::Instant::now() + WAIT;
    let status = loop {
        if let Some(status) = serving.child.try_wait()? {
            break status;
        }
        assert!(std::time::Instant::now() < end, "it is still there");
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(0));
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn listener_waits_until_accept_succeeds() -> Tested {
    let dir = tempfile::tempdir()?;
    let plain = program(dir.path());
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"ulimit -n 24; exec "$0" "$@""#])
        .arg(plain.get_program())
        .current_dir(dir.path())
        .stdin(Stdio::null());
    command.stderr(Stdio::null());
    let mut serving = Serving::of(command, &[])?;
    let own = serving.authority.clone();
    // More connections than open files are allowed.
    let many: Result<Vec<TcpStream>, _> = (0..40).map(|_| TcpStream::connect(&own)).collect();
    let many = many?;
    thread::sleep(Duration::from_millis(500));
    assert!(serving.child.try_wait()?.is_none(), "it gave up at once");
    drop(many);
    let line = serving.status(&own, "")?;
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
    Ok(())
}

#[test]
fn an_address_that_is_taken_is_said() -> Tested {
    let dir = tempfile::tempdir()?;
    let serving = Serving::start(dir.path(), &[])?;
    let output = run(dir.path(), &["serve", "--http", &serving.authority])?;
    assert_eq!(output.status.code(), Some(1));
    let said = err(&output);
    assert!(
        said.starts_with(&format!("error: {}: ", serving.authority)),
        "{said}"
    );
    Ok(())
}

#[test]
fn reports_client_without_handshake() -> Tested {
    let dir = tempfile::tempdir()?;
    let gone = run(dir.path(), &["serve", "--stdio"])?;
    assert_eq!(gone.status.code(), Some(1));
    assert_eq!(
        err(&gone),
        "error: the client went away before it introduced itself\n"
    );
    let mut child = program(dir.path())
        .args(["serve", "--stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "file_write", "arguments": { "path": "a", "content": "hunter2" },
    } });
    if let Some(mut input) = child.stdin.take() {
        writeln!(input, "{call}")?;
    }
    let output = child.wait_with_output()?;
    let said = err(&output);
    assert!(!dir.path().join("a").exists());
    assert!(!said.contains("hunter2") && !said.contains("::"), "{said}");
    assert!(!said.contains("Some("), "{said}");
    Ok(())
}
