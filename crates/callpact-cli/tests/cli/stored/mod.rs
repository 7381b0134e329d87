//! Calls that wait in a file, from the command line.

mod damaged;
mod edits;
mod resuming;
mod waiting;

use std::path::Path;

use callpact_store::SqliteStore;
use serde_json::Value;

use crate::{Tested, endpoint, err, program, run};

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
pub(crate) fn waiting(dir: &Path) -> Result<String, Box<dyn std::error::Error>> {
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

/// A model that appends one line in each of these lists of calls, with the ids that are given.
fn appending(turns: &[&[&str]]) -> Result<(String, endpoint::Heard), Box<dyn std::error::Error>> {
    let call = |id: &&str| {
        serde_json::json!({"id": id, "type": "function", "function": {
            "name": "file_write",
            "arguments": r#"{"path": "log", "content": "x\n", "mode": "append"}"#,
        }})
    };
    let mut messages: Vec<Value> = turns
        .iter()
        .map(|ids| ids.iter().map(call).collect::<Value>())
        .map(|calls| serde_json::json!({"content": null, "tool_calls": calls}))
        .collect();
    messages.push(serde_json::json!({"content": "Done."}));
    crate::fake(&messages)
}

/// Plays the run with the model at an address.
fn play(dir: &Path, url: &str) -> std::io::Result<std::process::Output> {
    program(dir)
        .args(["agent", "Log it"])
        .args(RUN.iter().skip(3))
        .env("CALLPACT_BASE_URL", url)
        .env("CALLPACT_MODEL", "m")
        .output()
}

/// Changes the file of the calls as nobody should.
fn change(dir: &Path, sql: &str) -> Tested {
    let file = rusqlite::Connection::open(dir.join("calls.db"))?;
    assert_eq!(file.execute(sql, [])?, 1);
    Ok(())
}

/// Runs steps of the store in this process.
fn with_store<T>(
    dir: &Path,
    steps: impl AsyncFnOnce(SqliteStore) -> Result<T, Box<dyn std::error::Error>>,
) -> Result<T, Box<dyn std::error::Error>> {
    let store = SqliteStore::open(dir.join("calls.db"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(steps(store))
}

/// Another call that waits, of another run.
fn waiting_too(dir: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let before = ids(&json(dir, &["pending"])?);
    let mut other = RUN.to_vec();
    other[9] = "tuesday";
    assert_eq!(run(dir, &other)?.status.code(), Some(5));
    let after = ids(&json(dir, &["pending"])?);
    let new = after.into_iter().find(|id| !before.contains(id));
    Ok(new.ok_or("a new call")?)
}

fn ids(listed: &Value) -> Vec<String> {
    let calls = listed["calls"].as_array().into_iter().flatten();
    calls
        .map(|call| call["id"].as_str().unwrap_or_default().to_owned())
        .collect()
}
