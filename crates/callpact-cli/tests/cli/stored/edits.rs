//! An edit of a call that waits in a file is shown before it counts, and runs as it was shown.

use std::path::Path;

use serde_json::Value;

use super::{change, code, json, waiting};
use crate::{Tested, err, out, run};

const EDIT: &str = r#"{"path": "costs.md", "content": "less\n"}"#;

/// A call that waits, an edit of it, and the file of which the edit is.
fn edited(dir: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let id = waiting(dir)?;
    std::fs::write(dir.join("edit.json"), EDIT)?;
    std::fs::write(dir.join("work/costs.md"), "all of it\n")?;
    Ok(id)
}

#[test]
fn shows_edit_before_and_at_approval() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    let with = |command: &str| {
        run(
            dir,
            &[command, &id, "--edit", "edit.json", "--store", "calls.db"],
        )
    };
    let shown = with("show")?;
    assert_eq!(shown.status.code(), Some(0), "{}", err(&shown));
    let shown = out(&shown);
    for line in [
        "state      waiting",
        "edited     \"path\": \"costs.md\"",
        "-all of it",
        "+less",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let data = json(dir, &["show", &id, "--edit", "edit.json"])?;
    let preview = data["edited"]["preview"]["text"]
        .as_str()
        .ok_or("a preview")?;
    assert!(preview.contains("-all of it\n+less"), "{preview}");
    assert_ne!(data["edited"]["digest"], Value::Null);
    assert_eq!(json(dir, &["show", &id])?.get("edited"), None);
    // Showing decides nothing.
    assert_eq!(json(dir, &["show", &id])?["state"], "waiting");
    let approved = with("approve")?;
    let text = out(&approved);
    assert!(
        text.contains("-all of it") && text.contains("+less"),
        "{text}"
    );
    assert!(text.ends_with("approved with an edit\n"), "{text}");
    let decided = out(&run(dir, &["show", &id, "--store", "calls.db"])?);
    assert!(decided.contains("-all of it"), "{decided}");
    // The file of the call as it was made does not matter any more.
    std::fs::write(dir.join("work/report.md"), "somebody's\n")?;
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(0));
    assert_eq!(
        std::fs::read_to_string(dir.join("work/costs.md"))?,
        "less\n"
    );
    Ok(())
}

#[test]
fn rejects_edit_of_file_changed_after_approval() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    let approved = json(dir, &["approve", &id, "--edit", "edit.json"])?;
    let preview = approved["decided"]["edited"]["preview"]["text"].as_str();
    assert!(
        preview.is_some_and(|it| it.contains("-all of it")),
        "{approved}"
    );
    std::fs::write(dir.join("work/costs.md"), "somebody's\n")?;
    let resumed = json(dir, &["resume", "--root", "work"])?;
    assert_eq!(resumed["calls"][0]["outcome"], "refused", "{resumed}");
    let said = resumed["calls"][0]["reply"].as_str().ok_or("a reply")?;
    assert!(
        said.contains("has changed since it was shown for approval"),
        "{said}"
    );
    let left = std::fs::read_to_string(dir.join("work/costs.md"))?;
    assert_eq!(left, "somebody's\n");
    Ok(())
}

#[test]
fn rejects_unseen_edit_of_older_program() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    assert_eq!(
        code(dir, &["approve", &id, "--edit", "edit.json"])?,
        Some(0)
    );
    change(
        dir,
        "UPDATE calls SET decision = json_remove(decision, '$.edited')",
    )?;
    let resumed = json(dir, &["resume", "--root", "work"])?;
    let said = resumed["calls"][0]["reply"].as_str().ok_or("a reply")?;
    assert!(
        said.contains("was not shown what the edited call does"),
        "{said}"
    );
    assert_eq!(
        std::fs::read_to_string(dir.join("work/costs.md"))?,
        "all of it\n"
    );
    Ok(())
}

#[test]
fn reports_missing_preview_without_tool() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    std::fs::write(dir.join("callpact.toml"), "tools = [\"file_read\"]")?;
    let approved = run(
        dir,
        &["approve", &id, "--edit", "edit.json", "--store", "calls.db"],
    )?;
    assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    let words = "the tool of the call is not here, so what the edited call does is not shown";
    assert!(err(&approved).contains(words), "{}", err(&approved));
    std::fs::remove_file(dir.join("callpact.toml"))?;
    assert_eq!(code(dir, &["resume", "--root", "work"])?, Some(3));
    assert_eq!(
        std::fs::read_to_string(dir.join("work/costs.md"))?,
        "all of it\n"
    );
    Ok(())
}

#[test]
fn shows_changed_line_end_of_edit() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    std::fs::write(dir.join("work/costs.md"), "a\r\nb\r\n")?;
    let edit = r#"{"path": "costs.md", "content": "a\nb\n"}"#;
    std::fs::write(dir.join("edit.json"), edit)?;
    for command in ["show", "approve"] {
        let args = [command, &id, "--edit", "edit.json", "--store", "calls.db"];
        let shown = out(&run(dir, &args)?);
        let lines: Vec<&str> = shown.lines().map(str::trim_start).collect();
        for line in [r"-a\u{d}", r"-b\u{d}", "+a", "+b"] {
            assert!(lines.contains(&line), "{command} {line}: {shown}");
        }
    }
    Ok(())
}

#[test]
fn rejects_edit_of_decided_or_expired_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    assert_eq!(
        code(dir, &["approve", &id, "--edit", "edit.json"])?,
        Some(0)
    );
    let other = r#"{"path": "costs.md", "content": "other\n"}"#;
    std::fs::write(dir.join("edit.json"), other)?;
    let with = |command: &str| {
        let args = [command, &id, "--edit", "edit.json", "--store", "calls.db"];
        run(dir, &args)
    };
    let refused = |when: &str| -> Tested {
        let (shown, approved) = (with("show")?, with("approve")?);
        assert_eq!(shown.status.code(), Some(1), "{when}: {}", err(&shown));
        assert_eq!(err(&shown), err(&approved), "{when}");
        assert_eq!(out(&shown), "", "{when}");
        Ok(())
    };
    refused("decided")?;
    assert!(err(&with("show")?).contains("has decided about the call"));
    let plain = out(&run(dir, &["show", &id, "--store", "calls.db"])?);
    assert!(plain.contains("+less"), "{plain}");
    change(dir, "UPDATE calls SET decision = NULL, until = 1")?;
    refused("expired")?;
    assert!(err(&with("show")?).contains("the time for a decision about the call is over"));
    Ok(())
}

#[test]
fn reads_edit_only_from_regular_file() -> Tested {
    let dir = tempfile::tempdir()?;
    let dir = dir.path();
    let id = edited(dir)?;
    let device = if cfg!(windows) { "work" } else { "/dev/null" };
    for (command, file) in [("show", device), ("approve", device), ("show", "work")] {
        let args = [command, &id, "--edit", file, "--store", "calls.db"];
        let refused = run(dir, &args)?;
        assert_eq!(refused.status.code(), Some(1), "{command}");
        let words = format!("error: {file}: not a regular file\n");
        assert_eq!(err(&refused), words, "{command}");
    }
    assert_eq!(json(dir, &["show", &id])?["state"], "waiting");
    Ok(())
}
