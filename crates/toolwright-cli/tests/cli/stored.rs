//! Calls that wait in a file, from the command line.

use std::{io::Write, path::Path, process::Stdio, time::Duration};

use serde_json::Value;
use toolwright::store::{CallStore, Claim, Moment, StoredCall};
use toolwright_store::SqliteStore;

use crate::{Tested, endpoint, err, out, program, run};

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

#[test]
fn calls_with_one_id_are_calls_of_their_own() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    let play = |turns: &[&[&str]], run: &str, how: &str| {
        let (url, heard) = appending(turns)?;
        let output = program(dir)
            .args([
                "agent", "Log it", "--root", "work", "--store", "calls.db", "--run", run, how,
            ])
            .env("TOOLWRIGHT_BASE_URL", url)
            .env("TOOLWRIGHT_MODEL", "m")
            .output()?;
        // A run that ends early leaves the model with answers that nobody asks for.
        if output.status.success() {
            crate::bodies(heard)?;
        }
        Ok::<_, Box<dyn std::error::Error>>(output)
    };
    let log = || std::fs::read_to_string(dir.join("work/log")).unwrap_or_default();
    let turns: &[&[&str]] = &[&["c", "c"], &["c"], &["", ""], &[""]];
    let output = play(turns, "monday", "--yes")?;
    assert_eq!(out(&output), "Done.\n", "{}", err(&output));
    assert_eq!(log(), "x\n".repeat(6));
    // The run that is started again finds its calls, whatever ids the model gives now.
    let again = play(
        &[&["a"], &["b", "c"], &["d"], &["e", "f"]],
        "monday",
        "--yes",
    )?;
    assert_eq!(out(&again), "Done.\n", "{}", err(&again));
    assert_eq!(log(), "x\n".repeat(6));
    let other = play(&[&["c"]], "tuesday", "--yes")?;
    assert_eq!(out(&other), "Done.\n", "{}", err(&other));
    assert_eq!(log(), "x\n".repeat(7));
    // Each waits for itself.
    let waits = play(&[&["c", "c"], &["c"]], "wednesday", "--defer")?;
    assert_eq!(waits.status.code(), Some(5), "{}", err(&waits));
    let listed = json(dir, &["pending"])?;
    assert_eq!(
        listed["calls"].as_array().map(Vec::len),
        Some(2),
        "{listed}"
    );
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
    let words = "there is no tool `file_write` here";
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
    let hint = format!("; it runs with --root {}", here.display());
    assert!(err(&elsewhere).contains(&hint), "{}", err(&elsewhere));
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
    assert_eq!(json(dir, &["show", &id])?["state"], "refused");
    assert_eq!(json(dir, &["pending"])?["calls"], Value::Array(Vec::new()));
    // The model of the run is told, and goes on without the file.
    let output = run(dir, RUN)?;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("not today"), "{}", out(&output));
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn the_list_says_who_decided_what_and_what_came_of_it() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let (ran, refused) = (waiting(dir)?, waiting_too(dir)?);
    let listed = || {
        Ok::<_, Box<dyn std::error::Error>>(out(&run(
            dir,
            &["pending", "--all", "--store", "calls.db"],
        )?))
    };
    assert!(!listed()?.contains('('), "nobody has decided");
    let edit = r#"{"path": "b.md", "content": "less"}"#;
    std::fs::write(dir.join("edit.json"), edit)?;
    assert_eq!(
        code(
            dir,
            &["approve", &ran, "--edit", "edit.json", "--as", "ada"]
        )?,
        Some(0)
    );
    assert_eq!(
        code(dir, &["refuse", &refused, "--reason", "no", "--as", "zoe"])?,
        Some(0)
    );
    let before = listed()?;
    assert!(before.contains(&format!("{ran}  approved ")), "{before}");
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    let after = listed()?;
    let line = |id: &str| {
        after
            .lines()
            .find(|line| line.starts_with(id))
            .unwrap_or_default()
    };
    assert!(
        line(&ran).starts_with(&format!("{ran}  finished ")),
        "{after}"
    );
    assert!(
        line(&ran).ends_with("  (edited by ada, outcome success)"),
        "{after}"
    );
    assert!(
        line(&refused).starts_with(&format!("{refused}  refused ")),
        "{after}"
    );
    assert!(line(&refused).ends_with("  (refused by zoe)"), "{after}");
    Ok(())
}

#[test]
fn the_model_of_a_run_is_told_of_an_edit() -> Tested {
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

/// Plays the run with the model at an address.
fn play(dir: &Path, url: &str) -> std::io::Result<std::process::Output> {
    program(dir)
        .args(["agent", "Log it"])
        .args(RUN.iter().skip(3))
        .env("TOOLWRIGHT_BASE_URL", url)
        .env("TOOLWRIGHT_MODEL", "m")
        .output()
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

#[test]
fn a_damaged_call_is_listed_and_stops_no_other() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let (damaged, good) = (waiting(dir)?, waiting_too(dir)?);
    assert_eq!(code(dir, &["approve", &damaged])?, Some(0));
    assert_eq!(code(dir, &["approve", &good])?, Some(0));
    change(
        dir,
        &format!("UPDATE calls SET call = substr(call, 1, 40) WHERE id = '{damaged}'"),
    )?;
    let listed = json(dir, &["pending"])?;
    assert_eq!(listed["calls"][0]["id"], *damaged);
    assert_eq!(listed["calls"][0]["state"], "damaged");
    assert_eq!(listed["calls"][1]["state"], "approved");
    let shown = run(dir, &["pending", "--store", "calls.db"])?;
    assert!(
        out(&shown).starts_with(&format!("{damaged}  damaged   ")),
        "{}",
        out(&shown)
    );
    let words = format!("the call `{damaged}` is damaged: ");
    for command in [
        &["show", &damaged][..],
        &["approve", &damaged],
        &["reject", &damaged],
    ] {
        let output = run(dir, &[command, &["--store", "calls.db"]].concat())?;
        assert_eq!(output.status.code(), Some(1));
        assert!(err(&output).contains(&words), "{}", err(&output));
    }
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1));
    assert!(err(&resumed).contains(&words), "{}", err(&resumed));
    assert_eq!(out(&resumed).trim(), "1 call was resumed; 1 did not run");
    assert!(dir.join("work/report.md").exists());
    assert_eq!(json(dir, &["show", &good])?["state"], "finished");
    // `resume` says how to be rid of it, and is content afterwards.
    let command = format!("toolwright forget {damaged} --store calls.db");
    assert!(err(&resumed).contains(&command), "{}", err(&resumed));
    let resumed = json(dir, &["resume", "--root", "work"])?;
    let hint = resumed["calls"][0]["hint"].as_str().unwrap_or_default();
    assert!(hint.contains(&command), "{resumed}");
    let forgotten = json(dir, &["forget", &damaged])?;
    assert_eq!(
        forgotten,
        serde_json::json!({"id": damaged, "forgotten": true})
    );
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert_eq!(json(dir, &["pending"])?["calls"], Value::Array(Vec::new()));
    Ok(())
}

#[test]
fn a_call_is_forgotten_if_nobody_can_decide_about_it_or_run_it() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let forget = || run(dir, &["forget", &id, "--store", "calls.db"]);
    let waits = forget()?;
    assert_eq!(waits.status.code(), Some(1));
    let words = "nobody has decided about the call yet; reject it first";
    assert!(err(&waits).contains(words), "{}", err(&waits));
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let lease = Duration::from_secs(600);
    let key = with_store(dir, async |store| {
        let key = store.get(&id).await?.ok_or("the call")?.key;
        store.claim(&key, lease, Moment::now()).await?;
        Ok(key)
    })?;
    let claimed = forget()?;
    assert_eq!(claimed.status.code(), Some(1));
    let words = "a process has claimed it until ";
    assert!(err(&claimed).contains(words), "{}", err(&claimed));
    change(
        dir,
        &format!("UPDATE claims SET until = 1 WHERE key = '{key}'"),
    )?;
    // Its tool is gone.
    std::fs::write(dir.join("toolwright.toml"), "tools = [\"calculator\"]")?;
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1));
    let command = format!("toolwright forget {id} --store calls.db");
    assert!(err(&resumed).contains(&command), "{}", err(&resumed));
    let forgotten = forget()?;
    assert_eq!(out(&forgotten), "forgotten\n", "{}", err(&forgotten));
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    let again = forget()?;
    assert_eq!(again.status.code(), Some(1));
    assert!(
        err(&again).contains("no call waits under the id"),
        "{}",
        err(&again)
    );
    Ok(())
}

#[test]
fn a_call_whose_text_was_changed_does_not_run_and_says_why() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    change(
        dir,
        "UPDATE calls SET call = replace(call, 'report.md', 'other.md')",
    )?;
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1));
    let words =
        "the call of 'file_write' is not the one that was shown for a decision: its text, the tool";
    assert!(err(&resumed).contains(words), "{}", err(&resumed));
    assert_eq!(std::fs::read_dir(dir.join("work"))?.count(), 0);
    Ok(())
}

#[test]
fn a_call_that_another_process_has_claimed_is_not_done_yet() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let lease = Duration::from_secs(600);
    with_store(dir, async |store| {
        let key = store.get(&id).await?.ok_or("the call")?.key;
        let claimed = store.claim(&key, lease, Moment::now()).await?;
        assert!(matches!(claimed, Claim::Held(_)), "{claimed:?}");
        Ok(())
    })?;
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(5), "{}", err(&resumed));
    let words = "the call is running elsewhere: a process has claimed it until 20";
    assert!(err(&resumed).contains(words), "{}", err(&resumed));
    assert_eq!(out(&resumed).trim(), "0 calls were resumed; 1 did not run");
    let resumed = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(resumed["calls"][0]["state"], "running");
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[test]
fn two_processes_that_resume_at_once_run_each_call_once() -> Tested {
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
fn a_call_whose_process_was_killed_is_claimed_until_its_time() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    std::fs::write(dir.join("toolwright.toml"), "tools = [\"shell\"]")?;
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
    let begun = dir.join("work/begun");
    for _ in 0..600 {
        if begun.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(begun.exists(), "it runs");
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
fn a_call_of_which_nobody_knows_stays_in_the_list() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let (id, other) = (waiting(dir)?, waiting_too(dir)?);
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    assert_eq!(code(dir, &["reject", &other])?, Some(0));
    // A process that began the call and ended.
    with_store(dir, async |store| {
        let key = store.get(&id).await?.ok_or("the call")?.key;
        store.claim(&key, Duration::ZERO, Moment(1)).await?;
        Ok(())
    })?;
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

/// Somebody who may read the file and nothing more.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_can_be_looked_at() -> Tested {
    use std::{
        fs::Permissions,
        os::unix::{fs::PermissionsExt, process::CommandExt},
    };
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    for (path, mode) in [(dir.join("calls.db"), 0o444), (dir.to_owned(), 0o555)] {
        std::fs::set_permissions(path, Permissions::from_mode(mode))?;
    }
    let is_root = rustix::process::geteuid().is_root();
    // Nothing holds root up, so another user looks, with a program that this user can reach.
    let programs = tempfile::tempdir()?;
    let copy = programs.path().join("toolwright");
    if is_root {
        std::fs::set_permissions(programs.path(), Permissions::from_mode(0o755))?;
        // By another process: a file that this one has open for writing, and a child of another test with it, does
        // not run.
        let copied = std::process::Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_toolwright"))
            .arg(&copy)
            .status()?;
        assert!(copied.success());
    }
    let look = |args: &[&str]| {
        let mut command = program(dir);
        if is_root {
            command = std::process::Command::new(&copy);
            command.current_dir(dir).stdin(Stdio::null());
            command.uid(65_534).gid(65_534);
        }
        command.args(args).args(["--store", "calls.db"]).output()
    };
    let listed = look(&["pending"])?;
    assert_eq!(listed.status.code(), Some(0), "{}", err(&listed));
    assert!(
        out(&listed).starts_with(&format!("{id}  waiting ")),
        "{}",
        out(&listed)
    );
    let shown = look(&["show", &id])?;
    assert!(
        out(&shown).contains("tool       file_write (write)"),
        "{}",
        err(&shown)
    );
    let approved = look(&["approve", &id])?;
    assert_eq!(approved.status.code(), Some(1));
    assert!(err(&approved).contains("calls.db"), "{}", err(&approved));
    std::fs::set_permissions(dir, Permissions::from_mode(0o755))?;
    assert_eq!(json(dir, &["show", &id])?["state"], "waiting");
    Ok(())
}

#[test]
fn a_store_is_a_file_whatever_its_name_is() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    // SQLite keeps these in memory, where they are gone with the program.
    for name in [":memory:", "file::memory:", "file:calls?mode=memory"] {
        let mut agent = RUN.to_vec();
        agent[6] = name;
        let output = run(dir, &agent)?;
        assert_eq!(output.status.code(), Some(5), "{}", err(&output));
        let hint = format!("`toolwright pending --store {name}` lists what waits");
        assert!(err(&output).contains(&hint), "{}", err(&output));
        let listed = run(dir, &["pending", "--store", name])?;
        assert!(
            out(&listed).contains("  waiting "),
            "{name}: {}",
            err(&listed)
        );
        assert!(dir.join(name).exists(), "{name}");
    }
    let mut agent = RUN.to_vec();
    agent[6] = "";
    let output = run(dir, &agent)?;
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    // Every such run would have the same name.
    agent[6] = "calls.db";
    agent[9] = " ";
    assert_eq!(run(dir, &agent)?.status.code(), Some(2));
    Ok(())
}

#[test]
fn who_decides_has_a_name() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    for (as_user, variables, expected) in [
        (None, &[("USER", "grace")][..], Some("grace")),
        (None, &[("USER", " "), ("LOGNAME", "ada")], Some("ada")),
        (
            None,
            &[("USER", "a\u{202e}da"), ("USERNAME", "zoe")],
            Some("zoe"),
        ),
        // The system knows who runs it.
        (None, &[], None),
        (
            Some("\u{417}\u{43e}\u{44f}"),
            &[("USER", "grace")],
            Some("\u{417}\u{43e}\u{44f}"),
        ),
    ] {
        let id = waiting(dir)?;
        let mut command = program(dir);
        for name in ["USER", "LOGNAME", "USERNAME"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        command.args([
            "refuse", &id, "--reason", "no", "--store", "calls.db", "--json",
        ]);
        let output = command
            .args(as_user.iter().flat_map(|name| ["--as", name]))
            .output()?;
        let decided: Value = serde_json::from_slice(&output.stdout)?;
        let by = decided["decided"]["by"].as_str().ok_or("a name")?;
        match expected {
            Some(expected) => assert_eq!(by, expected),
            None => assert!(!by.is_empty() && !by.contains("somebody"), "{by}"),
        }
        std::fs::remove_file(dir.join("calls.db"))?;
    }
    let id = waiting(dir)?;
    for name in ["", " ", "a\u{200b}da", "ada\n"] {
        assert_eq!(
            code(dir, &["approve", &id, "--as", name])?,
            Some(2),
            "{name:?}"
        );
    }
    Ok(())
}
