//! Calls that can never run, and files that are damaged.

use std::time::Duration;

use callpact::store::{CallStore, Moment};
use serde_json::Value;

use super::{RUN, change, code, json, waiting, waiting_too, with_store};
use crate::{Tested, err, out, run};

#[test]
fn lists_damaged_call_and_runs_others() -> Tested {
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
    let command = format!("callpact forget {damaged} --store calls.db");
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
fn forgets_stuck_call_but_not_waiting_or_claimed() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let forget = || run(dir, &["forget", &id, "--store", "calls.db"]);
    let waits = forget()?;
    assert_eq!(waits.status.code(), Some(1));
    let words = "nobody has decided about the call yet; reject it first";
    assert!(err(&waits).contains(words), "{}", err(&waits));
    assert_eq!(code(dir, &["approve", &id])?, Some(0));
    let lease = Duration::from_mins(10);
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
    std::fs::write(dir.join("callpact.toml"), "tools = [\"calculator\"]")?;
    let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
    assert_eq!(resumed.status.code(), Some(1));
    let command = format!("callpact forget {id} --store calls.db");
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
fn resume_rejects_changed_call_text_with_reason() -> Tested {
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
fn reports_damaged_result_and_never_reruns_call() -> Tested {
    for damage in ["substr(result, 1, 9)", "CAST(x'ff' AS TEXT)"] {
        let dir = tempfile::tempdir()?;
        let dir = dir.path();
        let id = waiting(dir)?;
        assert_eq!(code(dir, &["approve", &id])?, Some(0));
        assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
        std::fs::remove_file(dir.join("work/report.md"))?;
        change(dir, &format!("UPDATE claims SET result = {damage}"))?;
        let words = format!("the call `{id}` is damaged: ");
        let listed = json(dir, &["pending"])?;
        let shown = json(dir, &["show", &id])?;
        for call in [&listed["calls"][0], &shown] {
            assert_eq!(
                (&call["id"], &call["state"]),
                (&(*id).into(), &"damaged".into())
            );
            let error = call["error"].as_str().unwrap_or_default();
            assert!(error.starts_with(&words), "{error}");
        }
        let resumed = run(dir, &["resume", "--root", "work", "--store", "calls.db"])?;
        assert_eq!(resumed.status.code(), Some(1));
        assert!(err(&resumed).contains(&words), "{}", err(&resumed));
        let command = format!("callpact forget {id} --store calls.db");
        assert!(err(&resumed).contains(&command), "{}", err(&resumed));
        // Its run goes on: nobody knows what became of the call.
        assert_eq!(run(dir, RUN)?.status.code(), Some(6));
        assert_eq!(code(dir, &["forget", &id])?, Some(0));
        assert_eq!(
            json(dir, &["pending", "--all"])?["calls"],
            Value::Array(Vec::new())
        );
        assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
        assert!(!dir.join("work/report.md").exists());
    }
    Ok(())
}

#[test]
fn damaged_file_fails_before_any_call_runs() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    let file = dir.join("calls.db");
    let mut bytes = std::fs::read(&file)?;
    // All pages but the first one.
    for byte in bytes.iter_mut().skip(4096) {
        *byte = 0x5a;
    }
    std::fs::write(&file, &bytes)?;
    for arguments in [
        RUN,
        &["resume", "--root", "work", "--store", "calls.db"],
        &["approve", &id, "--store", "calls.db"],
    ] {
        let output = run(dir, arguments)?;
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(err(&output).contains("calls.db"), "{}", err(&output));
        assert_eq!(err(&output).matches('\n').count(), 1, "{}", err(&output));
    }
    assert_eq!(std::fs::read(&file)?, bytes, "nothing is lost");
    Ok(())
}

#[test]
fn approve_rejects_changed_call_text() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    change(
        dir,
        "UPDATE calls SET call = replace(call, 'report.md', 'other.md')",
    )?;
    let approved = run(dir, &["approve", &id, "--store", "calls.db"])?;
    assert_eq!(approved.status.code(), Some(1));
    let command = format!("callpact forget {id} --store calls.db");
    for words in ["is not the one that was shown for a decision", &command] {
        assert!(err(&approved).contains(words), "{}", err(&approved));
    }
    assert_eq!(json(dir, &["show", &id])?["state"], "waiting");
    assert_eq!(code(dir, &["reject", &id])?, Some(0));
    assert_eq!(code(dir, &["forget", &id])?, Some(0));
    Ok(())
}
