//! Calls that wait in a file, from the command line.

use std::{io::Write, path::Path, process::Stdio};

use serde_json::Value;
use toolwright::store::{CallStore, Moment, StoredCall};
use toolwright_store::SqliteStore;

use crate::{Tested, err, out, program, run};

const RUN: &[&str] = &[
    "agent",
    "Cost it",
    "--offline",
    "--root",
    "work",
    "--store",
    "calls.db",
    "--defer",
    "--run",
    "monday",
];

/// Plays the script until its write waits, and gives the id of that call.
fn waiting(dir: &Path) -> Result<String, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(dir.join("work"))?;
    let output = run(dir, RUN)?;
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    let listed = json(dir, &["pending"])?;
    let calls = listed["calls"].as_array().ok_or("a list")?;
    let last = calls.last().ok_or("a call")?;
    assert_eq!(last["state"], "waiting");
    let id = last["id"].as_str().ok_or("an id")?;
    assert!(err(&output).contains(id), "{}", err(&output));
    Ok(id.to_owned())
}

/// Runs a command on the file and reads what it prints as JSON.
fn json(dir: &Path, args: &[&str]) -> Result<Value, Box<dyn std::error::Error>> {
    let output = run(dir, &[args, &["--store", "calls.db", "--json"]].concat())?;
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn code(dir: &Path, args: &[&str]) -> Result<Option<i32>, Box<dyn std::error::Error>> {
    let output = run(dir, &[args, &["--store", "calls.db"]].concat())?;
    Ok(output.status.code())
}

#[test]
fn a_write_waits_and_runs_once_after_a_yes() -> Tested {
    let dir = tempfile::tempdir()?;
    let (dir, report) = (dir.path(), dir.path().join("work/report.md"));
    let id = waiting(dir)?;
    assert!(!report.exists());
    assert_eq!(
        waiting(dir)?,
        id,
        "the run that is started again waits for the same call"
    );
    let shown = run(dir, &["show", &id, "--store", "calls.db"])?;
    let shown = out(&shown);
    for line in [
        "state      waiting",
        "tool       file_write (write)",
        "by         agent",
        "report.md",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert!(!report.exists(), "nobody has decided");
    let approved = json(dir, &["approve", &id, "--as", "grace"])?;
    assert_eq!(approved["decided"]["by"], "grace");
    assert_eq!(
        code(dir, &["reject", &id])?,
        Some(1),
        "the first decision counts"
    );
    let resumed = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(resumed["calls"][0]["outcome"], "success", "{resumed}");
    let text = std::fs::read_to_string(&report)?;
    assert!(text.starts_with("# Costs"), "{text}");
    let again = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(again["calls"], Value::Array(Vec::new()));
    assert_eq!(json(dir, &["show", &id])?["state"], "finished");
    // The run goes on with the result.
    let output = run(dir, RUN)?;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("the sum is in report.md"));
    Ok(())
}

#[test]
fn an_edit_is_checked_before_it_counts() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    std::fs::write(dir.join("bad.json"), r#"{"path": "other.md"}"#)?;
    std::fs::write(
        dir.join("good.json"),
        r#"{"path": "other.md", "content": "less"}"#,
    )?;
    let bad = run(
        dir,
        &["approve", &id, "--edit", "bad.json", "--store", "calls.db"],
    )?;
    assert_eq!(bad.status.code(), Some(2));
    assert!(err(&bad).contains("content: missing"), "{}", err(&bad));
    assert_eq!(
        code(dir, &["approve", &id, "--edit", "good.json"])?,
        Some(0)
    );
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert_eq!(std::fs::read_to_string(dir.join("work/other.md"))?, "less");
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn an_edit_comes_from_standard_input() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let approve = |input: &str| -> Result<std::process::Output, Box<dyn std::error::Error>> {
        let mut command = program(dir);
        command.args(["approve", &id, "--edit", "-", "--store", "calls.db"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let mut stdin = child.stdin.take().ok_or("it is piped")?;
        // A program that does not read is found by its answer.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        Ok(child.wait_with_output()?)
    };
    let faulty = approve(r#"{"path": "less.md"}"#)?;
    assert_eq!(faulty.status.code(), Some(2), "{}", err(&faulty));
    assert!(
        err(&faulty).contains("content: missing"),
        "{}",
        err(&faulty)
    );
    let long = approve(&"a".repeat((16 << 20) + 1))?;
    assert_eq!(long.status.code(), Some(1));
    let words = "standard input: more than 16 MiB of arguments";
    assert!(err(&long).contains(words), "{}", err(&long));
    let edited = approve(r#"{"path": "less.md", "content": "less"}"#)?;
    assert_eq!(edited.status.code(), Some(0), "{}", err(&edited));
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(out(&resumed).trim(), "1 call was resumed");
    assert_eq!(std::fs::read_to_string(dir.join("work/less.md"))?, "less");
    Ok(())
}

#[test]
fn a_call_whose_tool_is_switched_off_goes_on_waiting() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let settings = dir.join("toolwright.toml");
    std::fs::write(&settings, "tools = [\"calculator\"]")?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1));
    let words = "the tool `file_write` is missing, or has changed since the call was made";
    assert!(err(&resumed).contains(words), "{}", err(&resumed));
    assert_eq!(out(&resumed).trim(), "0 calls were resumed; 1 did not run");
    std::fs::remove_file(settings)?;
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert!(dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn a_call_runs_only_in_the_directory_that_it_was_made_in() -> Tested {
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
    // The directory of the command, if none is named.
    assert_eq!(code(dir, &["resume"])?, Some(1));
    assert_eq!(std::fs::read_dir(&other)?.count(), 0);
    assert!(!dir.join("work/report.md").exists());
    assert_eq!(json(dir, &["show", &id])?["state"], "approved");
    // The same run over another directory makes calls of its own.
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
fn an_edit_is_checked_in_the_directory_of_the_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    // A whole path lies in the directory of the call, and not in the directory of the command.
    let path = std::fs::canonicalize(dir.join("work"))?.join("less.md");
    let edit = serde_json::json!({"path": path, "content": "less"}).to_string();
    std::fs::write(dir.join("edit.json"), edit)?;
    std::fs::create_dir(dir.join("elsewhere"))?;
    let settings = format!("root = {:?}", dir.join("elsewhere"));
    std::fs::write(dir.join("toolwright.toml"), settings)?;
    assert_eq!(
        code(dir, &["approve", &id, "--edit", "edit.json"])?,
        Some(0)
    );
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert_eq!(std::fs::read_to_string(dir.join("work/less.md"))?, "less");
    Ok(())
}

#[test]
fn a_no_settles_the_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let refused = json(dir, &["refuse", &id, "--reason", "not today"])?;
    assert_eq!(refused["decided"]["decision"]["reason"], "not today");
    assert_eq!(json(dir, &["show", &id])?["state"], "rejected");
    assert_eq!(json(dir, &["pending"])?["calls"], Value::Array(Vec::new()));
    // The model of the run is told, and goes on without the file.
    let output = run(dir, RUN)?;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("not today"), "{}", out(&output));
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn a_call_is_shown_whole_and_moves_no_cursor() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let call = serde_json::json!({
        "id": "0123", "call_id": "call-1", "tool": "file_write", "permission": "write",
        "arguments": "{\"path\": \"a\u{1b}[2J\"}", "changes": ["mode: overwrite by default"],
        "preview": "-old\n+new", "required_role": "ops", "digest": "",
    });
    let call = StoredCall::new(serde_json::from_value(call)?, "key", Moment::now()).asked_by("ada");
    let put = async || {
        SqliteStore::open(dir.join("calls.db"))?
            .put(&call)
            .await
            .map_err(Box::from)
    };
    let put: Tested = tokio::runtime::Builder::new_current_thread()
        .build()?
        .block_on(put());
    put?;
    let shown = run(dir, &["show", "0123", "--store", "calls.db"])?;
    let shown = out(&shown);
    for line in [
        "by         ada",
        "role       ops",
        "preview    -old\n           +new",
        "changed    mode",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let list = run(dir, &["pending", "--store", "calls.db"])?;
    assert!(out(&list).starts_with("0123  waiting   "), "{}", out(&list));
    assert!(!shown.contains('\u{1b}') && !out(&list).contains('\u{1b}'));
    // Somebody of another role cannot approve it, and anybody can reject it.
    assert_eq!(code(dir, &["approve", "0123"])?, Some(2));
    assert_eq!(code(dir, &["approve", "0123", "--role", "dev"])?, Some(2));
    assert_eq!(code(dir, &["reject", "0123"])?, Some(0));
    Ok(())
}

#[test]
fn what_is_missing_is_said() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let none = run(dir, &["pending", "--store", "calls.db"])?;
    assert_eq!(none.status.code(), Some(1));
    assert!(
        err(&none).contains("calls.db: no such file"),
        "{}",
        err(&none)
    );
    assert!(!dir.join("calls.db").exists(), "looking makes no file");
    waiting(dir)?;
    let unknown = run(dir, &["approve", "0123", "--store", "calls.db"])?;
    assert_eq!(unknown.status.code(), Some(1));
    assert!(err(&unknown).contains("no call waits under the id `0123`"));
    let rootless = ["agent", "x", "--offline", "--store", "calls.db", "--defer"];
    let rootless = run(dir, &rootless)?;
    assert_eq!(rootless.status.code(), Some(2));
    assert!(err(&rootless).contains("--defer needs --root"));
    std::fs::write(
        dir.join("other.db"),
        "not a database, but long enough to have a header of one: 100 bytes are needed for that, no less",
    )?;
    let foreign = run(dir, &["pending", "--store", "other.db"])?;
    assert_eq!(foreign.status.code(), Some(1));
    assert!(err(&foreign).contains("other.db"), "{}", err(&foreign));
    Ok(())
}
