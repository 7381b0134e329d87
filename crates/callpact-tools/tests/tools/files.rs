//! `file_read`, `file_write` and `file_edit`.

use callpact::ToolContext;
use callpact::review::ReviewDecision;
use callpact_tools::{FileEdit, FileRead, FileWrite};
use serde_json::json;

use crate::bench::{Place, said, said_in, set, told};

async fn read(place: &Place, path: &str) -> String {
    let tools = set(FileRead::new(place.base()).unwrap());
    said(&tools, "file_read", json!({ "path": path })).await
}

async fn write(place: &Place, path: &str, content: &str) -> String {
    let tools = set(FileWrite::new(place.base()).unwrap());
    said(
        &tools,
        "file_write",
        json!({ "path": path, "content": content }),
    )
    .await
}

const OUTSIDE: &str = "Error: Access denied: path is outside the sandbox directory";

#[test]
fn file_read_base_dir_must_exist() {
    let error = FileRead::new("/no/such/dir").unwrap_err().to_string();
    assert!(
        error.starts_with("baseDir must be an existing directory: /no/such/dir"),
        "{error}"
    );
    let place = Place::new();
    place.put("file", "");
    let file = place.base().join("file");
    let error = FileWrite::new(&file).unwrap_err().to_string();
    let expected = format!("baseDir must be an existing directory: {}", file.display());
    assert!(error.starts_with(&expected), "{error}");
}

#[tokio::test]
async fn file_read_success_is_the_content() {
    let place = Place::new();
    place.put("a.txt", "line one\nline two\n");
    assert_eq!(read(&place, "a.txt").await, "line one\nline two\n");
}

#[tokio::test]
async fn file_read_blank() {
    let place = Place::new();
    for path in ["", " ", "\t\n"] {
        assert_eq!(
            read(&place, path).await,
            "Error: File path must not be blank"
        );
    }
}

#[tokio::test]
async fn file_read_outside() {
    let place = Place::new();
    for path in ["../outside/secret.txt", "/etc/passwd", "a/../../x", "a\0b"] {
        assert_eq!(read(&place, path).await, OUTSIDE, "{path:?}");
    }
}

/// The original's "resolves outside" is said in the words of "is outside": two texts would tell a
/// link from a plain path.
#[tokio::test]
async fn file_read_resolves_outside() {
    let place = Place::new();
    place.link("l", place.outside().join("secret.txt"));
    place.link("d", place.outside());
    for path in ["l", "d/secret.txt", "d/nope"] {
        assert_eq!(read(&place, path).await, OUTSIDE, "{path}");
    }
}

#[tokio::test]
async fn file_read_not_found() {
    let place = Place::new();
    assert_eq!(
        read(&place, "nope.txt").await,
        "Error: File not found: nope.txt"
    );
}

#[tokio::test]
async fn file_read_not_a_regular_file() {
    let place = Place::new();
    std::fs::create_dir(place.base().join("sub")).unwrap();
    assert_eq!(read(&place, "sub").await, "Error: Not a regular file: sub");
}

#[tokio::test]
async fn file_read_absolute_path_inside() {
    let place = Place::new();
    place.put("a.txt", "x");
    let path = place.base().join("a.txt");
    assert_eq!(read(&place, path.to_str().unwrap()).await, "x");
}

#[tokio::test]
async fn file_read_utf8_is_strict() {
    let place = Place::new();
    place.put("b.bin", b"ok\xff\xfe");
    assert_eq!(
        read(&place, "b.bin").await,
        "Error: Failed to read file: not UTF-8 text (first wrong byte at 2 of 4); binary content is not shown"
    );
}

#[tokio::test]
async fn lines_of_a_file() {
    let place = Place::new();
    place.put("a.txt", "1\n2\n3\n4\n");
    let tools = set(FileRead::new(place.base()).unwrap());
    for (first, last, expected) in [
        (Some(2), Some(3), "2\n3\n"),
        (Some(3), None, "3\n4\n"),
        (None, Some(1), "1\n"),
        (
            Some(9),
            None,
            "Error: Failed to read file: line 9 is past the end, the file has 4 lines",
        ),
    ] {
        let arguments = json!({ "path": "a.txt", "first_line": first, "last_line": last });
        assert_eq!(said(&tools, "file_read", arguments).await, expected);
    }
    let zero = said(
        &tools,
        "file_read",
        json!({ "path": "a.txt", "first_line": 0 }),
    )
    .await;
    assert!(zero.contains("first_line: expected an integer"), "{zero}");
}

#[tokio::test]
async fn file_write_success_and_parents() {
    let place = Place::new();
    let written = write(&place, "a/b/c.txt", "text").await;
    assert_eq!(written, "Successfully wrote to: a/b/c.txt");
    assert_eq!(place.text("a/b/c.txt"), "text");
    assert_eq!(
        write(&place, "a/b/c.txt", "").await,
        "Successfully wrote to: a/b/c.txt"
    );
    assert_eq!(place.text("a/b/c.txt"), "");
}

#[tokio::test]
async fn file_write_blank() {
    let place = Place::new();
    assert_eq!(
        write(&place, " ", "x").await,
        "Error: Path must not be blank"
    );
}

#[tokio::test]
async fn file_write_outside() {
    let place = Place::new();
    for path in ["../outside/new.txt", "/tmp/callpact-never", "a\0b"] {
        assert_eq!(write(&place, path, "x").await, OUTSIDE, "{path:?}");
    }
    assert!(!place.outside().join("new.txt").exists());
}

#[tokio::test]
async fn file_write_failed() {
    let place = Place::new();
    place.put("a.txt", "old");
    let tools = set(FileWrite::new(place.base()).unwrap().max_bytes(4));
    let long = said(
        &tools,
        "file_write",
        json!({ "path": "a.txt", "content": "12345" }),
    )
    .await;
    assert_eq!(
        long,
        "Error: Failed to write file: it would hold 5 bytes, at most 4 are allowed"
    );
    assert_eq!(place.text("a.txt"), "old");
}

#[tokio::test]
async fn ways_to_write() {
    let place = Place::new();
    let tools = set(FileWrite::new(place.base()).unwrap());
    for (mode, content, expected) in [
        (json!("create_new"), "1", "Successfully wrote to: a"),
        (
            json!("create_new"),
            "2",
            "Error: Failed to write file: already exists: a",
        ),
        (json!("append"), "3", "Successfully wrote to: a"),
        (json!(null), "4", "Successfully wrote to: a"),
        (json!("append"), "5", "Successfully wrote to: a"),
    ] {
        let arguments = json!({ "path": "a", "content": content, "mode": mode });
        assert_eq!(said(&tools, "file_write", arguments).await, expected);
    }
    assert_eq!(place.text("a"), "45");
    let wrong = json!({ "path": "a", "content": "", "mode": "truncate" });
    let wrong = said(&tools, "file_write", wrong).await;
    assert!(
        wrong.contains("mode:") && wrong.contains("create_new"),
        "{wrong}"
    );
}

fn edit(path: &str, old: &str, new: &str) -> serde_json::Value {
    json!({ "path": path, "old_string": old, "new_string": new })
}

#[tokio::test]
async fn an_edit_replaces_one_place_or_all() {
    let place = Place::new();
    let tools = set(FileEdit::new(place.base()).unwrap());
    std::fs::write(place.base().join("e.txt"), "one\r\ntwo\r\ntwo\r\naaa\r\n").unwrap();
    let content = || std::fs::read_to_string(place.base().join("e.txt")).unwrap();
    for (old, new, expected) in [
        ("one", "1", "Replaced 1 place in: e.txt"),
        ("1\r\n", "", "Replaced 1 place in: e.txt"),
        (
            "two",
            "2",
            "Error: Failed to edit file: the text to replace stands at 2 places in e.txt; give more of the text around the one that is meant, or replace all",
        ),
        (
            "aa",
            "b",
            "Error: Failed to edit file: the text to replace stands at 2 places in e.txt; give more of the text around the one that is meant, or replace all",
        ),
        (
            "Two",
            "2",
            "Error: Failed to edit file: the text to replace is not in e.txt; it must match exactly, white space and line ends included",
        ),
        (
            "two\n",
            "2",
            "Error: Failed to edit file: the text to replace is not in e.txt; it must match exactly, white space and line ends included",
        ),
        (
            "aaa",
            "aaa",
            "Error: Failed to edit file: the text to replace and the new text are the same",
        ),
    ] {
        assert_eq!(
            said(&tools, "file_edit", edit("e.txt", old, new)).await,
            expected
        );
    }
    assert_eq!(content(), "two\r\ntwo\r\naaa\r\n");
    let mut all = edit("e.txt", "two\r\n", "");
    all["replace_all"] = json!(true);
    assert_eq!(
        said(&tools, "file_edit", all).await,
        "Replaced 2 places in: e.txt"
    );
    assert_eq!(content(), "aaa\r\n");
    // An empty text occurs everywhere.
    let empty = said(&tools, "file_edit", edit("e.txt", "", "x")).await;
    assert!(
        empty.contains("`old_string`") || empty.contains("old_string"),
        "{empty}"
    );
    assert_eq!(content(), "aaa\r\n");
}

#[tokio::test]
async fn edit_respects_sandbox_and_size_limit() {
    let place = Place::new();
    let base = place.base();
    std::fs::write(base.join("e.txt"), "12345").unwrap();
    std::fs::write(base.join("bytes"), b"a\xff").unwrap();
    std::fs::write(base.join("long.txt"), "123456789").unwrap();
    std::os::unix::fs::symlink("e.txt", base.join("link")).unwrap();
    let tools = set(FileEdit::new(&base).unwrap().max_bytes(8));
    for (path, new, expected) in [
        (
            "../e.txt",
            "x",
            "Error: Access denied: path is outside the sandbox directory",
        ),
        ("link", "x", "Error: Access denied: path is a symbolic link"),
        ("none.txt", "x", "Error: File not found: none.txt"),
        (".", "x", "Error: Not a regular file: ."),
        ("e.txt/", "x", "Error: Not a regular file: e.txt/"),
        (
            "bytes",
            "x",
            "Error: Failed to edit file: bytes is not UTF-8 text (first wrong byte at 1 of 2)",
        ),
        (
            "long.txt",
            "x",
            "Error: Failed to edit file: long.txt has 9 bytes, at most 8 are allowed",
        ),
        (
            "e.txt",
            "123456789",
            "Error: Failed to write file: it would hold 13 bytes, at most 8 are allowed",
        ),
    ] {
        assert_eq!(
            said(&tools, "file_edit", edit(path, "1", new)).await,
            expected,
            "{path}"
        );
    }
    assert_eq!(
        std::fs::read_to_string(base.join("e.txt")).unwrap(),
        "12345"
    );
}

#[tokio::test]
async fn reviewer_sees_diff_and_changed_file_stays() {
    let place = Place::new();
    let file = place.base().join("e.txt");
    let tools = set(FileEdit::new(place.base()).unwrap().require_approval(true));
    std::fs::write(&file, "one\ntwo\nthree\n").unwrap();
    let seen = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let (note, changed) = (seen.clone(), file.clone());
    let reviewer = callpact::review::review_fn(move |request| {
        let preview = request.preview.clone().unwrap_or_default();
        preview.as_str().clone_into(&mut note.lock().unwrap());
        let changed = changed.clone();
        async move {
            if request.action == "late" {
                std::fs::write(changed, "somebody else\ntwo\n").unwrap();
            }
            if request.action == "mine" {
                return Ok(ReviewDecision::Edit("yours".to_owned()));
            }
            Ok(ReviewDecision::Continue)
        }
    });
    let cx = ToolContext::new().with_reviewer(reviewer);
    let call = |new: &str| edit("e.txt", "two", new);
    assert_eq!(
        said_in(&tools, "file_edit", call("2"), &cx).await,
        "Replaced 1 place in: e.txt"
    );
    assert_eq!(
        *seen.lock().unwrap(),
        "--- a/e.txt\n+++ b/e.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
    );
    std::fs::write(&file, "two\n").unwrap();
    assert_eq!(
        said_in(&tools, "file_edit", call("mine"), &cx).await,
        told("Replaced 1 place in: e.txt", "yours")
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "yours\n");
    std::fs::write(&file, "two\n").unwrap();
    assert_eq!(
        said_in(&tools, "file_edit", call("late"), &cx).await,
        "Error: what it would do has changed since it was shown for approval. Make the call again if it is still \
         needed"
    );
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "somebody else\ntwo\n"
    );
}

#[tokio::test]
async fn file_write_shows_what_changes_in_a_file() {
    use callpact::{Halt, ToolCall};

    let place = Place::new();
    place.put("a.txt", "one\ntwo\n");
    let tools = set(FileWrite::new(place.base()).unwrap());
    let cx = ToolContext::new().with_deferred_approval();
    let preview = async |arguments: serde_json::Value| {
        let call = ToolCall::new("1", "file_write", arguments.to_string());
        match tools.call(&call, &cx).await {
            Err(Halt::Pending(pending)) => pending.preview,
            other => panic!("{other:?}"),
        }
    };
    let over = preview(json!({"path": "a.txt", "content": "one\n2\n"})).await;
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    assert_eq!(over.as_deref(), Some(diff));
    let end = json!({"path": "a.txt", "content": "three\n", "mode": "append"});
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n two\n+three\n";
    assert_eq!(preview(end).await.as_deref(), Some(diff));
    // A line ends with a line feed alone, so that each line that is shown begins with its mark.
    place.put("y.txt", "a\rb\rc\n");
    let hidden = preview(json!({"path": "y.txt", "content": "a\rEVIL\rc\n"})).await;
    let diff = "--- a/y.txt\n+++ b/y.txt\n@@ -1 +1 @@\n-a\rb\rc\n+a\rEVIL\rc\n";
    assert_eq!(hidden.as_deref(), Some(diff));
    place.put("y.txt", "a\r\nb\r");
    let open = preview(json!({"path": "y.txt", "content": "a\nb"})).await;
    let none = "\\ No newline at end of file\n";
    let diff =
        format!("--- a/y.txt\n+++ b/y.txt\n@@ -1,2 +1,2 @@\n-a\r\n-b\r\n{none}+a\n+b\n{none}");
    assert_eq!(open.as_deref(), Some(&*diff));
    // The arguments show all of a new file.
    for (path, content, mode) in [
        ("new.txt", "x", "overwrite"),
        ("a.txt", "x", "create_new"),
        ("a.txt", "one\ntwo\n", "overwrite"),
    ] {
        let arguments = json!({"path": path, "content": content, "mode": mode});
        assert_eq!(preview(arguments).await, None, "{path} {mode}");
    }
    assert_eq!(place.text("a.txt"), "one\ntwo\n");
}
