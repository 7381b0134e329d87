//! `worker`, and the commands that use workers, at a real NATS server.

use std::{
    io::{BufRead, BufReader},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

#[cfg(unix)]
use crate::endpoint::{calls, completion, raw};
use crate::{Tested, desk::Desk, err, out, program, run};

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server with its data in a directory. `None`, with a note, if there is no server to start.
fn server(dir: &Path) -> Option<(Process, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/nats_server");
    let found = Command::new(script).stderr(Stdio::null()).output().ok()?;
    if !found.status.success() {
        eprintln!("skipped: there is no nats-server; `scripts/nats_server --install` gets one");
        return None;
    }
    let path = String::from_utf8(found.stdout).ok()?;
    let free = TcpListener::bind("127.0.0.1:0").ok()?;
    let address = free.local_addr().ok()?;
    drop(free);
    let started = Command::new(path.trim())
        .args(["--jetstream", "--addr", "127.0.0.1", "--port"])
        .arg(address.port().to_string())
        .arg("--store_dir")
        .arg(dir.join("nats"))
        .stderr(Stdio::null())
        .spawn();
    let process = Process(started.ok()?);
    let end = Instant::now() + Duration::from_mins(1);
    while TcpStream::connect(address).is_err() {
        assert!(Instant::now() < end, "the server does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    Some((process, format!("nats://{address}")))
}

/// Starts a worker, and waits until it serves.
fn worker(dir: &Path, url: &str) -> Result<Process, Box<dyn std::error::Error>> {
    worker_with(dir, url, &[])
}

fn worker_with(
    dir: &Path,
    url: &str,
    more: &[&str],
) -> Result<Process, Box<dyn std::error::Error>> {
    let mut child = program(dir)
        .args(["worker", "--json", "--root", ".", "--nats", url])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let started: Value = serde_json::from_str(&line)?;
    assert!(started["worker"].is_string(), "{line}");
    Ok(Process(child))
}

#[test]
fn workers_are_listed_and_called() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let none = run(
        here.path(),
        &["call", "--nats", &url, "calculator", r#"{"input": "1"}"#],
    )?;
    assert_eq!(none.status.code(), Some(1));
    assert!(err(&none).contains("no worker is there"), "{}", err(&none));
    let none = run(
        here.path(),
        &["agent", "--offline", "--nats", &url, "Price it"],
    )?;
    assert_eq!(none.status.code(), Some(1), "{}", err(&none));
    let _worker = worker(there.path(), &url)?;
    let list = run(here.path(), &["list", "--nats", &url, "--json"])?;
    let list: Value = serde_json::from_slice(&list.stdout)?;
    let local = run(here.path(), &["list", "--json"])?;
    let local: Value = serde_json::from_slice(&local.stdout)?;
    let names = |list: &Value| -> Vec<String> {
        let tools = list["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["name"].to_string()).collect()
    };
    let expected: Vec<String> = names(&local)
        .into_iter()
        .filter(|name| name != "\"human_input\"")
        .collect();
    assert_eq!(names(&list), expected);
    let sum = [
        "call",
        "--nats",
        &url,
        "calculator",
        r#"{"input": "2 + 3 * 4"}"#,
    ];
    let sum = run(here.path(), &sum)?;
    assert_eq!(
        (sum.status.code(), out(&sum).trim()),
        (Some(0), "14"),
        "{}",
        err(&sum)
    );
    let text = r#"{"path": "a.txt", "content": "hello"}"#;
    let asked = run(here.path(), &["call", "--nats", &url, "file_write", text])?;
    assert_eq!(asked.status.code(), Some(4), "{}", err(&asked));
    assert!(!there.path().join("a.txt").exists());
    let written = run(
        here.path(),
        &["call", "--nats", &url, "--yes", "file_write", text],
    )?;
    assert_eq!(written.status.code(), Some(0), "{}", err(&written));
    assert_eq!(
        std::fs::read_to_string(there.path().join("a.txt"))?,
        "hello"
    );
    assert!(!here.path().join("a.txt").exists());
    let unknown = run(here.path(), &["call", "--nats", &url, "file_wirte"])?;
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        err(&unknown).contains("did you mean `file_write`?"),
        "{}",
        err(&unknown)
    );
    let other = run(
        here.path(),
        &["list", "--nats", &url, "--nats-prefix", "other"],
    )?;
    assert_eq!(other.status.code(), Some(1));
    Ok(())
}

/// Three workers from nothing, by the exact commands of the page.
#[cfg(unix)]
#[test]
fn the_commands_of_the_page_work() -> Tested {
    let dir = tempfile::tempdir()?;
    let Some((_server, url)) = server(dir.path()) else {
        return Ok(());
    };
    std::fs::create_dir(dir.path().join("docs"))?;
    let page = include_str!("../../../../docs/workers.md");
    let mut blocks = page.split("```sh\n").skip(2);
    let commands = blocks.next().and_then(|rest| rest.split("```").next());
    let (mut started, mut ran) = (Vec::new(), Vec::new());
    for line in commands.ok_or("the commands")?.lines() {
        let name = line.split(' ').nth(1).ok_or("a command")?;
        let more = match name {
            "worker" => "--json",
            "desk" => "--json --no-open",
            "agent" => "--offline",
            _ => "",
        };
        let line = line.replace("nats://127.0.0.1:4222", &url);
        let line = line.replacen("callpact", env!("CARGO_BIN_EXE_callpact"), 1);
        let mut command = Command::new("sh");
        let command = command.args(["-c", &format!("exec {line} {more}")]);
        let command = command.current_dir(dir.path()).stdin(Stdio::null());
        if ["worker", "desk"].contains(&name) {
            let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
            let mut process = Process(command.spawn()?);
            let output = process.0.stdout.take().ok_or("no output")?;
            let mut says = String::new();
            BufReader::new(output).read_line(&mut says)?;
            assert!(says.starts_with('{'), "{line}: {says}");
            started.push((name, process));
        } else {
            let ended = command.output()?;
            assert_eq!(ended.status.code(), Some(0), "{line}: {}", err(&ended));
            ran.push((name, out(&ended)));
        }
    }
    assert!(
        started
            .iter()
            .map(|(name, _)| *name)
            .eq(["worker", "worker", "worker", "desk"])
    );
    assert!(
        ran.iter()
            .map(|(name, _)| *name)
            .eq(["list", "call", "agent"])
    );
    assert_eq!(ran[1].1.trim(), "14");
    assert!(dir.path().join("docs/report.md").exists());
    Ok(())
}

#[test]
fn desk_lists_and_calls_worker_tools() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let none = run(here.path(), &["desk", "--no-open", "--nats", &url])?;
    assert_eq!(none.status.code(), Some(1));
    assert!(err(&none).contains("no worker is there"), "{}", err(&none));
    let _worker = worker(there.path(), &url)?;
    let desk = Desk::start(here.path(), &["--nats", &url])?;
    let (_, tools) = desk.ask("GET", "tools", &Value::Null)?;
    let tools = tools.as_array().ok_or("a list")?;
    assert!(tools.iter().any(|tool| tool["name"] == "file_read"));
    // A worker does not have the tool of the terminal.
    assert!(!tools.iter().any(|tool| tool["name"] == "human_input"));
    std::fs::write(there.path().join("a.txt"), "from there")?;
    let call = json!({ "number": 1, "tool": "file_read", "arguments": "{\"path\": \"a.txt\"}" });
    let reply = desk.call(&call)?;
    assert_eq!(reply["output"], "from there", "{reply}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_desk_follows_workers_that_come_and_go() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let mut first = worker(there.path(), &url)?;
    let desk = Desk::start(here.path(), &["--nats", &url])?;
    let wait_for = |wanted: bool| -> Tested {
        for _ in 0..1_200 {
            let (_, tools) = desk.ask("GET", "tools", &Value::Null)?;
            let tools = tools.as_array().ok_or("a list")?;
            if tools.iter().any(|tool| tool["name"] == "file_read") == wanted {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(format!("the tools are there: {}", !wanted).into())
    };
    wait_for(true)?;
    let pid = rustix::process::Pid::from_child(&first.0);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
    first.0.wait()?;
    wait_for(false)?;
    let _second = worker(there.path(), &url)?;
    wait_for(true)?;
    let call = json!({ "number": 1, "tool": "calculator", "arguments": "{\"input\": \"6 * 7\"}" });
    let reply = desk.call(&call)?;
    assert_eq!(reply["output"], "42", "{reply}");
    Ok(())
}

#[test]
fn tools_come_from_one_place() -> Tested {
    let dir = tempfile::tempdir()?;
    let nats = ["--nats", "nats://127.0.0.1:1"];
    for (command, other) in [
        (&["call", "add"][..], &["--from", "tools.json"][..]),
        (&["call", "add", "{}"], &["--", "some-server"]),
        (&["call", "add"], &["--root", "."]),
        (&["desk"], &["--from", "tools.json"]),
        (&["desk"], &["--", "some-server"]),
        (&["desk"], &["--root", "."]),
        (&["agent", "Do it"], &["--root", "."]),
    ] {
        let args = [command, &nats, other].concat();
        let both = run(dir.path(), &args)?;
        assert_eq!(both.status.code(), Some(2), "{args:?}");
        assert!(err(&both).contains("cannot be used with"), "{}", err(&both));
    }
    Ok(())
}

#[test]
fn the_agent_uses_workers() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let _worker = worker(there.path(), &url)?;
    let ran = run(
        here.path(),
        &["agent", "--offline", "--json", "--nats", &url, "Price it"],
    )?;
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    assert!(there.path().join("report.md").exists(), "{}", err(&ran));
    let said: Value = serde_json::from_slice(&ran.stdout)?;
    assert_eq!(said.get("root"), Some(&Value::Null));
    let files = "files are where the workers have their roots";
    assert!(err(&ran).contains(files), "{}", err(&ran));
    // The call runs at the workers later, and needs no directory here.
    let store = ["--store", "calls.db", "--defer"];
    let args = ["agent", "--offline", "--nats", &url, "Price it"];
    let waits = run(here.path(), &[&args[..], &store].concat())?;
    assert_eq!(waits.status.code(), Some(5), "{}", err(&waits));
    Ok(())
}

#[cfg(unix)]
#[test]
fn signal_ends_worker_and_hosts_notice() -> Tested {
    let dir = tempfile::tempdir()?;
    let Some((_server, url)) = server(dir.path()) else {
        return Ok(());
    };
    let mut worker = worker(dir.path(), &url)?;
    let pid = rustix::process::Pid::from_child(&worker.0);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
    assert_eq!(worker.0.wait()?.code(), Some(0));
    let none = run(dir.path(), &["list", "--nats", &url])?;
    assert_eq!(none.status.code(), Some(1));
    Ok(())
}

/// Interrupts a call whose worker is frozen and cannot say how it ended. `then` is what happens to the worker.
#[cfg(unix)]
fn interrupts_a_call_of_a_frozen_worker(then: rustix::process::Signal) -> Tested {
    use rustix::process::{Pid, Signal, kill_process};
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let config = "tools = [\"shell\"]\n";
    std::fs::write(there.path().join("callpact.toml"), config)?;
    let worker = worker(there.path(), &url)?;
    // It ends with the directory.
    let command = "echo here >> ledger; while [ -e ledger ]; do sleep 0.1; done";
    let arguments = json!({ "command": command }).to_string();
    let mut call = program(here.path());
    call.args([
        "call", "--nats", &url, "--yes", "--json", "shell", &arguments,
    ]);
    let call = call.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let ledger = there.path().join("ledger");
    wait_until("the command runs", || ledger.exists())?;
    let worker_id = Pid::from_child(&worker.0);
    kill_process(worker_id, Signal::STOP)?;
    kill_process(Pid::from_child(&call), Signal::INT)?;
    if then == Signal::KILL {
        kill_process(worker_id, then)?;
    }
    let ended = call.wait_with_output()?;
    if then != Signal::KILL {
        // So that it can end what it began.
        kill_process(worker_id, Signal::CONT)?;
        kill_process(worker_id, then)?;
    }
    assert_eq!(ended.status.code(), Some(6), "{}", err(&ended));
    let reply: Value = serde_json::from_slice(&ended.stdout)?;
    assert_eq!(reply["outcome"], "unknown");
    let words = "Error: Nobody knows whether 'shell' was carried out";
    assert!(
        reply["reply"]
            .as_str()
            .is_some_and(|it| it.starts_with(words))
    );
    Ok(())
}

#[cfg(unix)]
#[test]
fn interrupted_call_of_frozen_worker_is_unknown() -> Tested {
    interrupts_a_call_of_a_frozen_worker(rustix::process::Signal::INT)
}

#[cfg(unix)]
#[test]
fn interrupted_call_of_killed_worker_is_unknown() -> Tested {
    interrupts_a_call_of_a_frozen_worker(rustix::process::Signal::KILL)
}

#[test]
fn rejects_nats_options_without_server() -> Tested {
    let dir = tempfile::tempdir()?;
    for option in ["--nats-prefix", "--nats-creds"] {
        let args = ["call", "calculator", r#"{"input": "1"}"#, option, "x"];
        let refused = run(dir.path(), &args)?;
        assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
        assert!(err(&refused).contains("--nats <URL>"), "{}", err(&refused));
    }
    Ok(())
}

#[test]
fn a_password_is_in_no_trace() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let _worker = worker(there.path(), &url)?;
    // A server without users lets everybody in.
    let url = url.replace("nats://", "nats://ann:hunter2@");
    let listed = run(here.path(), &["list", "-vvv", "--nats", &url])?;
    assert_eq!(listed.status.code(), Some(0), "{}", err(&listed));
    assert!(err(&listed).contains("async_nats"), "{}", err(&listed));
    assert!(!err(&listed).contains("hunter2"), "{}", err(&listed));
    Ok(())
}

/// Starts a call of ten minutes at a worker with one place, and interrupts its caller. The command ends, the place
/// is free, and the caller says that nobody knows how far the command came.
#[cfg(unix)]
fn breaks_off(caller: impl FnOnce(&Path, &str, &Value) -> Result<Command, Failed>) -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let config = "tools = [\"shell\", \"calculator\"]\n[limits]\ntimeout_seconds = 3600\n";
    for dir in [&here, &there] {
        std::fs::write(dir.path().join("callpact.toml"), config)?;
    }
    let _worker = worker_with(there.path(), &url, &["--max-in-flight", "1"])?;
    let command = "while sleep 0.1; do echo here >> ledger; done";
    let arguments = json!({ "command": command, "timeout": 600 });
    let mut caller = caller(here.path(), &url, &arguments)?;
    let mut caller = Process(caller.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?);
    let ledger = || std::fs::read_to_string(there.path().join("ledger")).unwrap_or_default();
    wait_until("the command runs", || {
        !ledger().is_empty() || caller.0.try_wait().is_ok_and(|ended| ended.is_some())
    })?;
    let pid = rustix::process::Pid::from_child(&caller.0);
    rustix::process::kill_process(pid, rustix::process::Signal::INT)?;
    assert_eq!(caller.0.wait()?.code(), Some(6));
    wait_until("the command ends", || {
        let before = ledger();
        std::thread::sleep(Duration::from_secs(1));
        ledger() == before
    })?;
    let elsewhere = tempfile::tempdir()?;
    let sum = [
        "call",
        "--nats",
        &url,
        "calculator",
        r#"{"input": "6 * 7"}"#,
    ];
    let sum = run(elsewhere.path(), &sum)?;
    assert_eq!(out(&sum).trim(), "42", "{}", err(&sum));
    Ok(())
}

#[cfg(unix)]
type Failed = Box<dyn std::error::Error>;

#[cfg(unix)]
fn wait_until(what: &str, mut happened: impl FnMut() -> bool) -> Tested {
    let end = Instant::now() + Duration::from_mins(1);
    while Instant::now() < end {
        if happened() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err(format!("{what}: not within a minute").into())
}

#[cfg(unix)]
#[test]
fn an_interrupted_call_is_stopped_at_its_worker() -> Tested {
    breaks_off(|dir, url, arguments| {
        let mut call = program(dir);
        call.args(["call", "--nats", url, "--yes", "shell"]);
        call.arg(arguments.to_string());
        Ok(call)
    })
}

#[cfg(unix)]
#[test]
fn an_interrupted_agent_stops_its_calls_at_workers() -> Tested {
    breaks_off(|dir, url, arguments| {
        let wants = completion(&calls("shell", arguments), "tool_calls");
        let (endpoint, _) = raw(vec![wants])?;
        let mut agent = program(dir);
        agent
            .args(["agent", "Do it", "--nats", url, "--yes"])
            .env("CALLPACT_BASE_URL", endpoint)
            .env("CALLPACT_MODEL", "m");
        Ok(agent)
    })
}

#[test]
fn reports_unreachable_nats_server() -> Tested {
    let dir = tempfile::tempdir()?;
    for command in ["list", "worker"] {
        let failed = run(dir.path(), &[command, "--nats", "nats://127.0.0.1:1"])?;
        assert_eq!(failed.status.code(), Some(1), "{command}");
        assert!(
            err(&failed).contains("no connection to the NATS server"),
            "{}",
            err(&failed)
        );
    }
    Ok(())
}

/// A worker that dies while it runs a call that may run once: the caller ends with an exit code of its own.
#[cfg(unix)]
#[test]
fn unknown_outcome_has_own_exit_code() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    std::fs::write(there.path().join("callpact.toml"), "tools = [\"shell\"]\n")?;
    let dying = worker_with(there.path(), &url, &["--lease", "1"])?;
    let arguments = json!({ "command": "echo here >> ledger; sleep 60" }).to_string();
    let mut call = program(here.path());
    call.args([
        "call", "--nats", &url, "--yes", "--json", "shell", &arguments,
    ]);
    let call = call.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let ledger = there.path().join("ledger");
    wait_until("the command runs", || ledger.exists())?;
    drop(dying);
    let _heir = worker_with(there.path(), &url, &[])?;
    let ended = call.wait_with_output()?;
    assert_eq!(ended.status.code(), Some(6), "{}", err(&ended));
    let reply: Value = serde_json::from_slice(&ended.stdout)?;
    assert_eq!(reply["outcome"], "unknown");
    assert_eq!(std::fs::read_to_string(ledger)?, "here\n");
    let help = run(here.path(), &["--help"])?;
    let line = "  6  a call was begun, and nobody knows whether it was carried out";
    assert!(out(&help).contains(line), "{}", out(&help));
    Ok(())
}

#[cfg(unix)]
#[test]
fn background_process_belongs_to_starting_worker() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let config = "tools = [\"shell\", \"shell_process\"]\n";
    std::fs::write(there.path().join("callpact.toml"), config)?;
    let _workers = [worker(there.path(), &url)?, worker(there.path(), &url)?];
    let call = |tool: &str, arguments: &Value| {
        let arguments = arguments.to_string();
        let args = ["call", "--nats", &url, "--yes", tool, &arguments];
        run(here.path(), &args)
    };
    let start = json!({ "command": "sleep 600", "run_in_background": true });
    let started = out(&call("shell", &start)?);
    let mut words = started.split(['"', ' ']);
    let id = words.find(|word| word.starts_with("p1@")).ok_or("an id")?;
    let id = id.trim_end_matches('.');
    let (mut found, mut refused) = (false, false);
    // The server hands calls to the workers in turn.
    for _ in 0..100 {
        let looked = call("shell_process", &json!({ "process_id": id }))?;
        if looked.status.success() {
            assert_eq!(out(&looked).trim(), format!("Process {id} running"));
            found = true;
        } else {
            let (text, named) = (err(&looked), format!("Process {id} belongs to worker "));
            assert!(text.contains(&named), "{text}");
            refused = true;
        }
        if found && refused {
            return Ok(());
        }
    }
    Err(format!("found: {found}, refused: {refused}").into())
}

#[test]
fn a_worker_that_denies_lists_what_only_reads() -> Tested {
    let (here, there) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let Some((_server, url)) = server(there.path()) else {
        return Ok(());
    };
    let config = "[approvals]\nmode = \"deny\"\nalways = [\"file_read\"]\n";
    std::fs::write(there.path().join("callpact.toml"), config)?;
    std::fs::write(there.path().join("a.txt"), "hello")?;
    let _worker = worker(there.path(), &url)?;
    let list = run(here.path(), &["list", "--nats", &url, "--json"])?;
    let list: Value = serde_json::from_slice(&list.stdout)?;
    let tools = list["tools"].as_array().ok_or("a list")?;
    assert!(!tools.is_empty());
    for tool in tools {
        assert_eq!(tool["permission"], "read_only", "{tool}");
    }
    // Every tool of the list can run, even one that asks.
    let read = r#"{"path": "a.txt"}"#;
    let read = run(
        here.path(),
        &["call", "--nats", &url, "--yes", "file_read", read],
    )?;
    assert_eq!(out(&read).trim(), "hello", "{}", err(&read));
    std::fs::write(
        there.path().join("callpact.toml"),
        "tools = [\"file_write\"]\n[approvals]\nmode = \"deny\"\n",
    )?;
    let none = run(there.path(), &["worker", "--nats", &url])?;
    assert_eq!(none.status.code(), Some(1));
    assert!(
        err(&none).contains("there is nothing to serve"),
        "{}",
        err(&none)
    );
    Ok(())
}

#[test]
fn rejects_invalid_lease_version_and_address() -> Tested {
    let dir = tempfile::tempdir()?;
    let nats = ["worker", "--nats", "nats://127.0.0.1:1"];
    for (option, value, why) in [
        ("--lease", "0", "0 is not in 1..=86400"),
        ("--lease", "1ms", "invalid digit found in string"),
        ("--lease", "315360000", "315360000 is not in 1..=86400"),
        ("--list-version", "0", "0 is not in 1..=4294967295"),
    ] {
        let refused = run(dir.path(), &[&nats[..], &[option, value]].concat())?;
        assert_eq!(refused.status.code(), Some(2), "{option} {value}");
        assert!(err(&refused).contains(why), "{}", err(&refused));
    }
    for (option, value) in [
        ("--toolset", ""),
        ("--toolset", "a b"),
        ("--toolset", "ä"),
        ("--nats-prefix", "a.b"),
    ] {
        let refused = run(dir.path(), &[&nats[..], &[option, value]].concat())?;
        assert_eq!(refused.status.code(), Some(2), "{option} {value}");
        assert!(err(&refused).contains("invalid name"), "{}", err(&refused));
    }
    let refused = run(dir.path(), &["list", "--nats", "http://a:hunter2@b"])?;
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        err(&refused).trim(),
        "error: the address of the NATS server cannot be used: it begins with neither nats:// nor tls://; \
         write it as nats://HOST:PORT"
    );
    Ok(())
}

#[test]
fn worker_help_has_no_broken_lines() -> Tested {
    let help = out(&run(tempfile::tempdir()?.path(), &["worker", "--help"])?);
    let (_, words) = help.split_once("Calls are approved").ok_or("the words")?;
    let lines: Vec<&str> = words.lines().collect();
    let (_, all) = lines.split_last().ok_or("lines")?;
    // A line that is much shorter than the others was broken twice.
    assert!(all.iter().all(|line| line.len() > 50), "{help}");
    Ok(())
}
