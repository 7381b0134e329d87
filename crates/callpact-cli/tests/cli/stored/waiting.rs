//! Calls wait, are shown and decided about.

use std::{io::Write, process::Stdio};

use callpact::store::{CallStore, Moment, StoredCall};
use callpact_store::SqliteStore;
use serde_json::Value;

use super::{RUN, appending, code, json, waiting, waiting_too};
use crate::{Tested, err, out, program, run};

#[test]
fn write_waits_and_runs_once_after_approval() -> Tested {
    let dir = tempfile::tempdir()?;
    let (dir, report) = (dir.path(), dir.path().join("work/report.md"));
    let id = waiting(dir)?;
    assert!(!report.exists());
    let again: Value = serde_json::from_slice(&run(dir, &[RUN, &["--json"]].concat())?.stdout)?;
    assert_eq!(
        (&again["error"]["exit_code"], &again["error"]["id"]),
        (&5.into(), &(*id).into())
    );
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
fn calls_with_equal_ids_are_separate() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    let play = |turns: &[&[&str]], run: &str, how: &str| {
        let (url, heard) = appending(turns)?;
        let output = program(dir)
            .args([
                "agent", "Log it", "--root", "work", "--store", "calls.db", "--run", run, how,
            ])
            .env("CALLPACT_BASE_URL", url)
            .env("CALLPACT_MODEL", "m")
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
fn json_contains_outcome_of_pending_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    let output = run(dir, &[RUN, &["--json"]].concat())?;
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let calls = told["calls"].as_array().ok_or("the calls")?;
    let outcomes: Vec<_> = calls.iter().map(|call| call["outcome"].as_str()).collect();
    assert_eq!(outcomes.last(), Some(&Some("pending")), "{told}");
    assert!(outcomes.iter().all(Option::is_some), "{told}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn equivalent_arguments_identify_same_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    std::fs::write(dir.join("shell.toml"), "tools = [\"shell\"]")?;
    let play = |arguments: &str| {
        let function = serde_json::json!({"name": "shell", "arguments": arguments});
        let call = serde_json::json!({"id": "a", "type": "function", "function": function});
        let answers = [
            serde_json::json!({"content": null, "tool_calls": [call]}),
            serde_json::json!({"content": "Done."}),
        ];
        let (url, heard) = crate::fake(&answers)?;
        let output = program(dir)
            .args(["agent", "Log it", "--root", "work", "--store", "calls.db"])
            .args(["--run", "monday", "--yes", "--config", "shell.toml"])
            .env("CALLPACT_BASE_URL", url)
            .env("CALLPACT_MODEL", "m")
            .output()?;
        assert_eq!(out(&output), "Done.\n", "{}", err(&output));
        crate::bodies(heard)?;
        Ok::<_, Box<dyn std::error::Error>>(std::fs::read_to_string(dir.join("work/log"))?)
    };
    for arguments in [
        r#"{"command": "echo x >> log", "timeout": 5}"#,
        r#"{"timeout": 5, "command": "echo \u0078 >> log"}"#,
        r#"{"command": "echo x >> log", "timeout": 5.0}"#,
        r#"{"command": "echo x >> log", "timeout": "5"}"#,
        r#"{"Command": "echo x >> log", "timeout": 5, "description": null}"#,
    ] {
        assert_eq!(play(arguments)?, "x\n", "{arguments}");
    }
    let other = r#"{"command": "echo x >> log", "timeout": 6}"#;
    assert_eq!(play(other)?, "x\nx\n");
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
    let bad = json(dir, &["approve", &id, "--edit", "bad.json"])?;
    assert_eq!(bad["error"]["exit_code"], 2, "{bad}");
    let message = bad["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("content: missing"), "{bad}");
    assert_eq!(
        code(dir, &["approve", &id, "--edit", "good.json"])?,
        Some(0)
    );
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert_eq!(std::fs::read_to_string(dir.join("work/other.md"))?, "less");
    assert!(!dir.join("work/report.md").exists());
    Ok(())
}

#[cfg(unix)]
#[test]
fn rejects_edit_of_symbolic_link_at_approval() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    std::os::unix::fs::symlink("elsewhere.md", dir.join("work/link.md"))?;
    let edit = r#"{"path": "link.md", "content": "less"}"#;
    std::fs::write(dir.join("edit.json"), edit)?;
    let edited = ["approve", &id, "--edit", "edit.json", "--store", "calls.db"];
    let edited = run(dir, &edited)?;
    assert_eq!(edited.status.code(), Some(2), "{}", err(&edited));
    let words = "Access denied: path is a symbolic link";
    assert!(err(&edited).contains(words), "{}", err(&edited));
    assert_eq!(json(dir, &["show", &id])?["state"], "waiting");
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
fn checks_edit_in_workspace_of_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = waiting(dir)?;
    // A whole path lies in the directory of the call, and not in the directory of the command.
    let path = std::fs::canonicalize(dir.join("work"))?.join("less.md");
    let edit = serde_json::json!({"path": path, "content": "less"}).to_string();
    std::fs::write(dir.join("edit.json"), edit)?;
    std::fs::create_dir(dir.join("elsewhere"))?;
    let settings = format!("root = {:?}", dir.join("elsewhere"));
    std::fs::write(dir.join("callpact.toml"), settings)?;
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
fn list_shows_decider_and_outcome() -> Tested {
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
fn shows_whole_call_without_control_characters() -> Tested {
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
    for command in [&["pending"][..], &["resume"], &["show", "0123"]] {
        let directory = run(dir, &[command, &["--store", "work"]].concat())?;
        assert_eq!(directory.status.code(), Some(1));
        let words = "work is not a call store: it is a directory";
        assert!(err(&directory).contains(words), "{}", err(&directory));
    }
    Ok(())
}

/// Somebody who may read the file and nothing more.
#[cfg(unix)]
#[test]
fn reads_store_without_write_access() -> Tested {
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
    // Nothing stops root, so another user looks, with a program that this user can reach.
    let programs = tempfile::tempdir()?;
    let copy = programs.path().join("callpact");
    if is_root {
        std::fs::set_permissions(programs.path(), Permissions::from_mode(0o755))?;
        // By another process, since a file that this process, or a child of another test, has open for writing
        // does not run.
        let copied = std::process::Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_callpact"))
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
fn store_is_file_under_any_name() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    std::fs::create_dir(dir.join("work"))?;
    // SQLite keeps these in memory, where they end with the program.
    for name in [":memory:", "file::memory:", "file:calls?mode=memory"] {
        let mut agent = RUN.to_vec();
        agent[6] = name;
        let output = run(dir, &agent)?;
        assert_eq!(output.status.code(), Some(5), "{}", err(&output));
        let file = if name.contains('?') {
            format!("'{name}'")
        } else {
            name.to_owned()
        };
        let hint = format!("`callpact pending --store {file}` lists what waits");
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
        // The system knows the user.
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
        let acting = code(dir, &["approve", &id, "--role", name])?;
        assert_eq!(acting, Some(2), "{name:?}");
    }
    // The model would get no reason.
    for reason in ["", " \n", "\u{200b}\u{202e}"] {
        let refused = code(dir, &["refuse", &id, "--reason", reason])?;
        assert_eq!(refused, Some(2), "{reason:?}");
    }
    Ok(())
}
