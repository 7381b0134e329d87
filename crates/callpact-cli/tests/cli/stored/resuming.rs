//! Calls that were decided about go on.

use std::{path::Path, process::Stdio, time::Duration};

use callpact::store::{CallStore, Claim, ClaimToken, Moment};
use serde_json::Value;

#[cfg(target_os = "linux")]
use callpact_tools::{Shell, engine::process::Boundary};

use super::{RUN, appending, change, code, ids, json, play, waiting, waiting_too, with_store};
use crate::{Tested, err, out, program, run};

/// Claims a call as another process does.
fn claim(
    dir: &Path,
    id: &str,
    lease: Duration,
    now: Moment,
) -> Result<(String, ClaimToken), Box<dyn std::error::Error>> {
    with_store(dir, async |store| {
        let key = store.get(id).await?.ok_or("the call")?.key;
        match store.claim(&key, lease, now).await? {
            Claim::Held(token) => Ok((key, token)),
            claimed => Err(format!("{claimed:?}").into()),
        }
    })
}

/// Waits for a file that a command makes.
fn wait_for(file: &Path) -> Tested {
    for _ in 0..600 {
        if file.exists() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(format!("{} is not there", file.display()).into())
}

#[test]
fn call_of_disabled_tool_keeps_waiting() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let settings = dir.join("callpact.toml");
    std::fs::write(&settings, "tools = [\"calculator\"]")?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1));
    let words = "there is no tool `file_write` here";
    assert!(err(&resumed).contains(words), "{}", err(&resumed));
    assert_eq!(out(&resumed).trim(), "0 calls were resumed; 1 did not run");
    std::fs::remove_file(settings)?;
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert!(dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn denied_call_is_not_counted_and_resumes_elsewhere() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let settings = dir.join("callpact.toml");
    std::fs::write(&settings, "[approvals]\nmode = \"deny\"\n")?;
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1), "{}", err(&resumed));
    assert_eq!(out(&resumed), "0 calls were resumed; 1 did not run\n");
    let command = format!("callpact forget {id} --store calls.db");
    assert!(err(&resumed).contains(&command), "{}", err(&resumed));
    assert_eq!(json(dir, &["show", &id])?["state"], "approved");
    std::fs::remove_file(settings)?;
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert!(dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn call_runs_only_in_original_workspace() -> Tested {
    let dir = tempfile::tempdir()?;
    let (dir, other) = (dir.path(), dir.path().join("other"));
    let id = waiting(dir)?;
    std::fs::create_dir(&other)?;
    let here = std::fs::canonicalize(dir.join("work"))?;
    let shown = json(dir, &["show", &id])?;
    assert_eq!(shown["workspace"].as_str(), here.to_str());
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let words = format!("the call was made in the workspace `{}`", here.display());
    let elsewhere = run(dir, &["resume", "--root", "other", "--store", "calls.db"])?;
    assert_eq!(elsewhere.status.code(), Some(1));
    assert!(err(&elsewhere).contains(&words), "{}", err(&elsewhere));
    let hint = format!("; it runs with --root {}", here.display());
    assert!(err(&elsewhere).contains(&hint), "{}", err(&elsewhere));
    // The directory of the command, if none is named.
    assert_eq!(code(dir, &["resume"])?, Some(1));
    assert_eq!(std::fs::read_dir(&other)?.count(), 0);
    assert!(!dir.join("work/report.md").exists());
    assert_eq!(json(dir, &["show", &id])?["state"], "approved");
    // The same run over another directory makes its own calls.
    let mut elsewhere = RUN.to_vec();
    elsewhere[4] = "other";
    assert_eq!(run(dir, &elsewhere)?.status.code(), Some(5));
    assert_eq!(
        json(dir, &["pending"])?["calls"].as_array().map(Vec::len),
        Some(2)
    );
    // However the directory is written.
    let spelled = code(dir, &["resume", "--root", "./other/../work"])?;
    assert_eq!(spelled, Some(0));
    assert!(dir.join("work/report.md").exists());
    assert_eq!(std::fs::read_dir(&other)?.count(), 0);
    Ok(())
}

#[test]
fn model_of_run_learns_of_edit() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    let id = {
        let (url, _) = appending(&[&["c"]])?;
        let output = play(dir, &url)?;
        assert_eq!(output.status.code(), Some(5), "{}", err(&output));
        ids(&json(dir, &["pending"])?).remove(0)
    };
    let edit = r#"{"path": "log", "content": "y\n"}"#;
    std::fs::write(dir.join("edit.json"), edit)?;
    assert_eq!(
        code(dir, &["approve", &id, "--edit", "edit.json"])?,
        Some(0)
    );
    let resumed = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(resumed["calls"][0]["edited"], edit);
    let (url, heard) = appending(&[&["c"]])?;
    let output = play(dir, &url)?;
    assert_eq!(out(&output), "Done.\n", "{}", err(&output));
    let told = crate::bodies(heard)?.pop().ok_or("a request")?;
    let told = told["messages"].to_string();
    let words = r"Successfully wrote to: log\n\nNote: a person edited this call to: {";
    assert!(told.contains(words), "{told}");
    assert_eq!(std::fs::read_to_string(dir.join("work/log"))?, "y\n");
    Ok(())
}

#[test]
fn resume_reports_call_claimed_by_other_process() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    claim(dir, &id, Duration::from_mins(10), Moment::now())?;
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(5), "{}", err(&resumed));
    let words = "the call is running elsewhere: a process has claimed it until 20";
    assert!(err(&resumed).contains(words), "{}", err(&resumed));
    assert_eq!(out(&resumed).trim(), "0 calls were resumed; 1 did not run");
    let resumed = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(resumed["calls"][0]["state"], "running");
    let shown = json(dir, &["show", &id])?;
    assert_eq!(shown["state"], "running");
    assert_eq!(shown["claimed_until"], resumed["calls"][0]["until"]);
    let shown = out(&run(dir, &["show", &id, "--store", "calls.db"])?);
    assert!(shown.contains("\nclaimed    until 20"), "{shown}");
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn parallel_resumes_run_each_call_once() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    let call = |nth: usize| {
        let arguments = format!(r#"{{"path": "{nth}", "content": "x", "mode": "create_new"}}"#);
        serde_json::json!({"id": "c", "type": "function", "function": {
            "name": "file_write", "arguments": arguments,
        }})
    };
    let calls: Value = (0..20).map(call).collect();
    let (url, _heard) = crate::fake(&[serde_json::json!({"content": null, "tool_calls": calls})])?;
    let output = play(dir, &url)?;
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    let ids = ids(&json(dir, &["pending"])?);
    assert_eq!(ids.len(), 20);
    for id in &ids {
        assert_eq!(code(dir, &["approve", id])?, Some(0));
    }
    let resume = || {
        let mut command = program(dir);
        command.args(["resume", "--root", "work", "--store", "calls.db"]);
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    };
    let mut ran = 0;
    for process in [resume()?, resume()?] {
        let output = process.wait_with_output()?;
        // The other one may still run a call when this one has no more to do.
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(5), "{}", err(&output));
        // Each counts its own.
        let counted = out(&output);
        let counted: usize = counted.split(' ').next().unwrap_or_default().parse()?;
        assert_eq!(err(&output).matches("       ok  ").count(), counted);
        ran += counted;
    }
    assert_eq!(ran, 20);
    // A second try would have failed.
    assert_eq!(std::fs::read_dir(dir.join("work"))?.count(), 20);
    Ok(())
}

/// Kills what a killed program left behind in a directory.
#[cfg(target_os = "linux")]
fn kill_those_in(dir: &Path) -> Tested {
    let dir = std::fs::canonicalize(dir)?;
    for process in std::fs::read_dir("/proc")? {
        let process = process?;
        let is_there = std::fs::read_link(process.path().join("cwd")).is_ok_and(|it| it == dir);
        let id = process.file_name().to_string_lossy().parse().ok();
        if let Some(id) = id
            .and_then(rustix::process::Pid::from_raw)
            .filter(|_| is_there)
        {
            // It may have ended by itself.
            let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
        }
    }
    Ok(())
}

/// A process that is killed cannot give its claim back.
#[cfg(target_os = "linux")]
#[test]
fn claim_of_killed_process_lasts_until_expiry() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    std::fs::write(dir.join("callpact.toml"), "tools = [\"shell\"]")?;
    let call = serde_json::json!({"id": "c", "type": "function", "function": {
        "name": "shell", "arguments": r#"{"command": "touch begun; sleep 5"}"#,
    }});
    let (url, _heard) = crate::fake(&[serde_json::json!({"content": null, "tool_calls": [call]})])?;
    let output = play(dir, &url)?;
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    let id = ids(&json(dir, &["pending"])?).remove(0);
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let resume = ["resume", "--root", "work", "--store", "calls.db"];
    let mut killed = program(dir)
        .args(resume)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    wait_for(&dir.join("work/begun"))?;
    killed.kill()?;
    killed.wait()?;
    kill_those_in(&dir.join("work"))?;
    // The process is gone, and nobody else may begin the call before its claim is over.
    let resumed = run(dir, &resume)?;
    assert_eq!(resumed.status.code(), Some(5), "{}", err(&resumed));
    let until = with_store(dir, async |store| {
        let key = store.get(&id).await?.ok_or("the call")?.key;
        Ok(store.claim_record(&key).await?.ok_or("a claim")?.until)
    })?;
    let words = format!("a process has claimed it until {until}");
    assert!(err(&resumed).contains(&words), "{}", err(&resumed));
    assert_eq!(out(&resumed), "0 calls were resumed; 1 did not run\n");
    let resumed = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(resumed["calls"][0]["until"], until.0);
    // Afterwards nobody knows what became of it.
    change(dir, "UPDATE claims SET until = 1")?;
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(6));
    assert_eq!(json(dir, &["show", &id])?["state"], "unknown");
    Ok(())
}

#[test]
fn unknown_call_stays_in_list() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let (id, other) = (waiting(dir)?, waiting_too(dir)?);
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    assert_eq!(code(dir, &["reject", &other])?, Some(0));
    // A process that began the call and ended.
    claim(dir, &id, Duration::ZERO, Moment(1))?;
    assert_eq!(json(dir, &["pending"])?["calls"][0]["state"], "unknown");
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(6));
    assert_eq!(
        code(dir, &["resume", "--root", "work"])?,
        Some(0),
        "it is settled"
    );
    assert_eq!(json(dir, &["pending"])?["calls"], Value::Array(Vec::new()));
    let all = json(dir, &["pending", "--all"])?;
    assert_eq!(ids(&all), [&*id, &other]);
    assert_eq!(all["calls"][0]["state"], "unknown");
    assert_eq!(all["calls"][1]["state"], "rejected");
    let shown = out(&run(dir, &["pending", "--all", "--store", "calls.db"])?);
    assert!(shown.contains(&format!("{id}  unknown ")), "{shown}");
    let shown = json(dir, &["show", &id])?;
    assert_eq!(
        (&shown["state"], &shown["result"]["outcome"]),
        (&"unknown".into(), &"unknown".into())
    );
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[cfg(unix)]
#[test]
fn adopts_unknown_outcome_of_other_process() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    std::fs::write(
        dir.join("callpact.toml"),
        "tools = [\"shell\", \"file_write\"]",
    )?;
    let call = |id: &str, tool: &str, arguments: Value| {
        serde_json::json!({"id": id, "type": "function", "function": {
            "name": tool, "arguments": arguments.to_string(),
        }})
    };
    let slow = "touch begun; while [ ! -e go ]; do sleep 0.05; done";
    let calls = [
        call("a", "shell", serde_json::json!({"command": slow})),
        call(
            "b",
            "file_write",
            serde_json::json!({"path": "b", "content": "b"}),
        ),
    ];
    let (url, _heard) = crate::fake(&[serde_json::json!({"content": null, "tool_calls": calls})])?;
    let output = play(dir, &url)?;
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    let ids = ids(&json(dir, &["pending"])?);
    for id in &ids {
        assert_eq!(code(dir, &["approve", id])?, Some(0));
    }
    let resuming = program(dir)
        .args(["resume", "--root", "work", "--store", "calls.db"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    wait_for(&dir.join("work/begun"))?;
    // The process has listed both. Another one finds that the second started and has no result.
    let (key, token) = claim(dir, &ids[1], Duration::ZERO, Moment(1))?;
    let record = r#"{"outcome": "unknown", "error": "nobody knows"}"#;
    with_store(dir, async |store| {
        Ok(store.finish(&key, token, record, Moment::now()).await?)
    })?;
    std::fs::write(dir.join("work/go"), "")?;
    let resumed = resuming.wait_with_output()?;
    assert_eq!(resumed.status.code(), Some(6), "{}", err(&resumed));
    assert!(
        err(&resumed).contains("  unknown  nobody knows"),
        "{}",
        err(&resumed)
    );
    assert_eq!(
        out(&resumed),
        "1 call was resumed; 1 by another process\n",
        "{}",
        err(&resumed)
    );
    Ok(())
}

#[test]
fn agent_exit_code_reports_open_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    claim(dir, &id, Duration::from_mins(10), Moment::now())?;
    let elsewhere = run(dir, RUN)?;
    assert_eq!(elsewhere.status.code(), Some(5), "{}", err(&elsewhere));
    assert!(
        err(&elsewhere).contains("is running for this call elsewhere"),
        "{}",
        err(&elsewhere)
    );
    change(dir, "UPDATE claims SET until = 1")?;
    for _ in 0..2 {
        let unknown = run(dir, RUN)?;
        assert_eq!(unknown.status.code(), Some(6), "{}", err(&unknown));
        // The model has answered all the same.
        assert!(!out(&unknown).is_empty());
    }
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

/// The processes that work in a directory.
#[cfg(target_os = "linux")]
fn processes_in(dir: &Path) -> Result<usize, Box<dyn std::error::Error>> {
    let dir = std::fs::canonicalize(dir)?;
    let processes = std::fs::read_dir("/proc")?.filter_map(Result::ok);
    let places = processes.filter_map(|it| std::fs::read_link(it.path().join("cwd")).ok());
    Ok(places.filter(|place| *place == dir).count())
}

#[cfg(target_os = "linux")]
#[test]
fn orphans_in_namespace_end_with_command() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let work = dir.join("work");
    std::fs::create_dir(&work)?;
    if Shell::new(&work)?.boundary() != Boundary::Namespace {
        eprintln!("skipped: this machine has no namespaces");
        return Ok(());
    }
    std::fs::write(dir.join("callpact.toml"), "tools = [\"shell\"]")?;
    let command = "sleep 10000 & touch begun; while [ ! -e go ]; do sleep 0.05; done";
    let arguments = serde_json::json!({"command": command}).to_string();
    let mut killed = program(dir)
        .args(["call", "shell", &arguments, "--root", "work", "--yes"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    wait_for(&work.join("begun"))?;
    killed.kill()?;
    killed.wait()?;
    assert!(processes_in(&work)? > 0, "the command goes on");
    std::fs::write(work.join("go"), "")?;
    for _ in 0..600 {
        if processes_in(&work)? == 0 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err("a process is left".into())
}
