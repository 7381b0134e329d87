//! Permissions by settings and options.

#[cfg(target_os = "linux")]
use std::{
    io::Write,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    thread,
};

use serde_json::json;

use crate::{Tested, bodies, err, fake, out, program, run};

/// The time limit of every wait.
#[cfg(target_os = "linux")]
const WAIT: Duration = Duration::from_mins(1);

fn settings(dir: &Path, text: &str) -> std::io::Result<()> {
    std::fs::write(dir.join("callpact.toml"), text)
}

#[cfg(unix)]
#[test]
fn the_shell_is_asked_about() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(dir.path(), "tools = [\"shell\", \"shell_process\"]\n")?;
    let list = run(dir.path(), &["list"])?;
    assert_eq!(out(&list).lines().count(), 2, "{}", err(&list));
    let call = ["call", "shell", r#"{"command": "touch x"}"#];
    let asked = run(dir.path(), &call)?;
    assert_eq!(asked.status.code(), Some(4), "{}", err(&asked));
    assert!(!dir.path().join("x").exists());
    let approved = run(dir.path(), &[&call[..], &["--yes"]].concat())?;
    assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    assert!(dir.path().join("x").exists());
    // If everything is allowed, so is this, unless it is named.
    let tools = "tools = [\"shell\"]\n[approvals]\nmode = \"allow_all\"\n";
    let call = ["call", "shell", r#"{"command": "touch y"}"#];
    settings(dir.path(), &format!("{tools}always = [\"shell\"]\n"))?;
    let asked = run(dir.path(), &call)?;
    assert_eq!(asked.status.code(), Some(4), "{}", err(&asked));
    assert!(!dir.path().join("y").exists());
    settings(dir.path(), tools)?;
    let allowed = run(dir.path(), &call)?;
    assert_eq!(allowed.status.code(), Some(0), "{}", err(&allowed));
    assert!(dir.path().join("y").exists());
    Ok(())
}

/// Waits until a command has begun, which writes a file.
#[cfg(target_os = "linux")]
fn begun(file: &Path) {
    let end = Instant::now() + WAIT;
    while !file.exists() {
        assert!(Instant::now() < end, "it did not begin");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a program has ended, and says how.
#[cfg(target_os = "linux")]
fn ended(child: &mut Child) -> Result<Option<i32>, Box<dyn std::error::Error>> {
    let end = Instant::now() + WAIT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if Instant::now() > end {
            child.kill()?;
            return Err("it is still there".into());
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Whether a process with this argument runs. In a namespace of its own a command has another number than
/// here, so the argument tells which it is.
#[cfg(target_os = "linux")]
fn runs(argument: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("processes");
    processes.filter_map(Result::ok).any(|process| {
        // A process that nobody has waited for has no arguments any more.
        let arguments = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        arguments
            .split(|byte| *byte == 0)
            .any(|word| word == argument.as_bytes())
    })
}

#[cfg(target_os = "linux")]
#[test]
fn signal_ends_program_and_child_processes() -> Tested {
    use rustix::process::{Pid, Signal, kill_process};
    let dir = tempfile::tempdir()?;
    settings(
        dir.path(),
        "tools = [\"shell\"]\n[approvals]\nmode = \"allow_all\"\n",
    )?;
    let file = dir.path().join("begun");
    let seconds = format!("3{:07}", std::process::id());
    let command = json!({ "command": format!("touch begun; exec sleep {seconds}") });
    for (kind, signal, code) in [
        ("call", Signal::INT, 6),
        ("call", Signal::TERM, 6),
        ("serve", Signal::INT, 0),
        ("serve", Signal::TERM, 0),
    ] {
        let _ = std::fs::remove_file(&file);
        let mut child = program(dir.path());
        let child = child.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = if kind == "call" {
            let arguments = command.to_string();
            child.args(["call", "shell", &arguments]).spawn()?
        } else {
            child.args(["serve", "--stdio"]).spawn()?
        };
        let mut input = child.stdin.take().ok_or("no standard input")?;
        if kind == "serve" {
            for message in [
                json!({ "id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": { "name": "t", "version": "1" },
                } }),
                json!({ "method": "notifications/initialized" }),
                json!({ "id": 2, "method": "tools/call", "params": {
                    "name": "shell", "arguments": command,
                } }),
            ] {
                let mut message = message;
                message["jsonrpc"] = "2.0".into();
                writeln!(input, "{message}")?;
            }
        }
        begun(&file);
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or("no number")?;
        kill_process(pid, signal)?;
        assert_eq!(ended(&mut child)?, Some(code), "{kind} {signal:?}");
        // It is killed before the program is gone, and at the latest a moment after.
        let end = Instant::now() + WAIT;
        while runs(&seconds) {
            assert!(Instant::now() < end, "{kind} {signal:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }
    // Under `nohup` it goes on when the terminal goes away.
    let _ = std::fs::remove_file(&file);
    let mut child = Command::new("sh")
        .args(["-c", r#"trap "" HUP; exec "$0" "$@""#])
        .arg(program(dir.path()).get_program())
        .args([
            "call",
            "shell",
            r#"{"command": "touch begun; sleep 1; touch z"}"#,
        ])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .spawn()?;
    begun(&file);
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    kill_process(pid.ok_or("no number")?, Signal::HUP)?;
    assert_eq!(ended(&mut child)?, Some(0));
    assert!(dir.path().join("z").exists());
    Ok(())
}

#[test]
fn approval_list_overrides_permission_mode() -> Tested {
    let dir = tempfile::tempdir()?;
    let sum = ["call", "calculator", r#"{"input": "6 * 7"}"#];
    for (approvals, code) in [
        ("mode = \"allow_all\"", 0),
        ("mode = \"allow_all\"\nalways = [\"calculator\"]", 4),
        ("mode = \"deny\"", 0),
    ] {
        settings(dir.path(), &format!("[approvals]\n{approvals}\n"))?;
        let output = run(dir.path(), &sum)?;
        assert_eq!(output.status.code(), Some(code), "{approvals}");
        assert_eq!(out(&output) == "42\n", code == 0, "{approvals}");
    }
    Ok(())
}

#[test]
fn the_sizes_of_files_are_limited() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(
        dir.path(),
        "[limits]\nmax_read_bytes = 4\nmax_write_bytes = 4\n",
    )?;
    for (name, content) in [("small", "1234"), ("large", "12345")] {
        std::fs::write(dir.path().join(name), content)?;
        let fits = name == "small";
        let path = json!({ "path": name }).to_string();
        let read = run(dir.path(), &["call", "file_read", &path])?;
        assert_eq!(read.status.code() == Some(0), fits, "{}", out(&read));
        let write = json!({ "path": "new", "content": content }).to_string();
        let wrote = run(dir.path(), &["call", "file_write", &write, "--yes"])?;
        assert_eq!(wrote.status.code() == Some(0), fits, "{}", out(&wrote));
    }
    assert_eq!(std::fs::read_to_string(dir.path().join("new"))?, "1234");
    Ok(())
}

#[test]
fn what_is_served_may_only_read() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a"), "hello")?;
    std::fs::write(
        dir.path().join("deny.toml"),
        "[approvals]\nmode = \"deny\"\n",
    )?;
    let through = |tool: &str, arguments: &str| {
        let server = [env!("CARGO_BIN_EXE_callpact"), "serve", "--stdio"];
        let served = [&server[..], &["--root", ".", "--config", "deny.toml"]].concat();
        let call = [
            "mcp",
            "--call",
            tool,
            "--arguments",
            arguments,
            "--yes",
            "--",
        ];
        run(dir.path(), &[&call[..], &served].concat())
    };
    let read = through("file_read", r#"{"path": "a"}"#)?;
    assert_eq!(out(&read).trim(), "hello", "{}", err(&read));
    let wrote = through("file_write", r#"{"path": "b", "content": "c"}"#)?;
    assert_eq!(wrote.status.code(), Some(2), "{}", out(&wrote));
    assert!(
        err(&wrote).contains("Unknown tool 'file_write'"),
        "{}",
        err(&wrote)
    );
    assert!(!dir.path().join("b").exists());
    Ok(())
}

#[test]
fn a_search_needs_its_key() -> Tested {
    let dir = tempfile::tempdir()?;
    settings(dir.path(), "tools = [\"web_search\", \"web_scrape\"]\n")?;
    let list = || {
        let mut command = program(dir.path());
        command.arg("list");
        command.env_remove("TAVILY_API_KEY");
        command.env_remove("SERPAPI_API_KEY");
        command
    };
    let none = list().output()?;
    assert_eq!(none.status.code(), Some(1));
    assert!(err(&none).contains("needs TAVILY_API_KEY or SERPAPI_API_KEY"));
    for name in ["TAVILY_API_KEY", "SERPAPI_API_KEY"] {
        let blank = list().env(name, "").output()?;
        assert_eq!(blank.status.code(), Some(1));
        let some = list().env(name, "hunter2").output()?;
        assert_eq!(out(&some).lines().count(), 2, "{}", err(&some));
        assert!(!out(&some).contains("hunter2"));
    }
    Ok(())
}

#[test]
fn a_token_is_for_an_address() -> Tested {
    let dir = tempfile::tempdir()?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/mcp", listener.local_addr()?);
    let heard = thread::spawn(move || {
        let (stream, _) = listener.accept()?;
        let lines = BufReader::new(stream).lines();
        let head = lines
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty());
        Ok::<_, std::io::Error>(head.collect::<Vec<_>>())
    });
    let with_token = |target: &[&str]| {
        let mut command = program(dir.path());
        command.args(["mcp", "--token-env", "TOKEN_OF_A_TEST"]);
        command.args(target);
        command.env_remove("TOKEN_OF_A_TEST");
        command
    };
    for (command, words) in [
        (&mut with_token(&[&url]), "TOKEN_OF_A_TEST is not set"),
        (
            with_token(&["--", "false"]).env("TOKEN_OF_A_TEST", "hunter2"),
            "--token-env is for addresses",
        ),
        (
            with_token(&["http://192.0.2.1/mcp"]).env("TOKEN_OF_A_TEST", "hunter2"),
            "a token is not sent over `http` to another machine",
        ),
        (
            with_token(&[&url, "more"]).env("TOKEN_OF_A_TEST", "hunter2"),
            "an address takes no arguments",
        ),
    ] {
        let output = command.output()?;
        assert_ne!(output.status.code(), Some(0));
        assert!(err(&output).contains(words), "{}", err(&output));
        assert!(!err(&output).contains("hunter2"), "{}", err(&output));
    }
    // The listener has heard nothing so far; this is its first request.
    let sent = with_token(&[&url])
        .env("TOKEN_OF_A_TEST", "hunter2")
        .output()?;
    assert_eq!(sent.status.code(), Some(1));
    assert!(!err(&sent).contains("hunter2"), "{}", err(&sent));
    let head = heard.join().map_err(|_| "the listener panicked")??;
    let bearer = |line: &String| line.eq_ignore_ascii_case("authorization: Bearer hunter2");
    assert!(head.iter().any(bearer), "{head:?}");
    Ok(())
}

#[test]
fn local_token_bypasses_proxy() -> Tested {
    let dir = tempfile::tempdir()?;
    let (server, proxy) = (
        TcpListener::bind("127.0.0.1:0")?,
        TcpListener::bind("127.0.0.1:0")?,
    );
    let (url, proxied) = (
        format!("http://{}/mcp", server.local_addr()?),
        format!("http://{}", proxy.local_addr()?),
    );
    server.set_nonblocking(true)?;
    proxy.set_nonblocking(true)?;
    std::fs::write(
        dir.path().join("callpact.toml"),
        "[limits]\ntimeout_seconds = 1\n",
    )?;
    let mut command = program(dir.path());
    command.args(["mcp", "--token-env", "TOKEN_OF_A_TEST", &url]);
    command.env("TOKEN_OF_A_TEST", "hunter2");
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, &proxied);
    }
    command.env_remove("NO_PROXY").env_remove("no_proxy");
    // Neither answers; who was asked is what counts.
    let mut child = command.stderr(std::process::Stdio::null()).spawn()?;
    let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let asked = loop {
        if server.accept().is_ok() {
            break "the server";
        }
        if proxy.accept().is_ok() {
            break "the proxy";
        }
        if std::time::Instant::now() > end {
            break "nobody";
        }
        thread::sleep(std::time::Duration::from_millis(10));
    };
    child.kill()?;
    child.wait()?;
    assert_eq!(asked, "the server");
    Ok(())
}

#[test]
fn stops_agent_after_repeated_failed_calls() -> Tested {
    let dir = tempfile::tempdir()?;
    let call = json!({"role": "assistant", "content": "Once more.", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "file_read", "arguments": r#"{"path": "no"}"#}},
    ]});
    // Three failures, three calls that are not made any more, and one too many.
    let (url, serving) = fake(&vec![call; 7])?;
    let output = program(dir.path())
        .args(["agent", "Read it", "--root", ".", "--yes"])
        .env("CALLPACT_BASE_URL", url)
        .env("CALLPACT_MODEL", "m")
        .output()?;
    let said = err(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("goes round in circles; given up"), "{said}");
    assert_eq!(
        said.matches("STOP: This call has failed 3 times").count(),
        3,
        "{said}"
    );
    let requests = bodies(serving)?;
    let told = requests
        .last()
        .and_then(|request| request["messages"].as_array()?.last().cloned());
    let told = told.ok_or("no messages")?;
    assert_eq!(told["tool_call_id"], "c1");
    assert!(
        told["content"]
            .as_str()
            .is_some_and(|text| text.starts_with("STOP: "))
    );
    Ok(())
}
