//! Rows 1.9 of `file_read` and `file_write`.

use serde_json::json;
use toolwright_tools::{FileRead, FileWrite};

use crate::bench::{Place, said, set};

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
fn row_1_9_file_read_base_dir_must_exist() {
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
async fn row_1_9_file_read_success_is_the_content() {
    let place = Place::new();
    place.put("a.txt", "line one\nline two\n");
    assert_eq!(read(&place, "a.txt").await, "line one\nline two\n");
}

#[tokio::test]
async fn row_1_9_file_read_blank() {
    let place = Place::new();
    for path in ["", " ", "\t\n"] {
        assert_eq!(
            read(&place, path).await,
            "Error: File path must not be blank"
        );
    }
}

#[tokio::test]
async fn row_1_9_file_read_outside() {
    let place = Place::new();
    for path in ["../outside/secret.txt", "/etc/passwd", "a/../../x", "a\0b"] {
        assert_eq!(read(&place, path).await, OUTSIDE, "{path:?}");
    }
}

/// The original's "resolves outside" is said in the words of "is outside": two texts would tell a
/// link from a plain path.
#[tokio::test]
async fn row_1_9_file_read_resolves_outside() {
    let place = Place::new();
    place.link("l", place.outside().join("secret.txt"));
    place.link("d", place.outside());
    for path in ["l", "d/secret.txt", "d/nope"] {
        assert_eq!(read(&place, path).await, OUTSIDE, "{path}");
    }
}

#[tokio::test]
async fn row_1_9_file_read_not_found() {
    let place = Place::new();
    assert_eq!(
        read(&place, "nope.txt").await,
        "Error: File not found: nope.txt"
    );
}

#[tokio::test]
async fn row_1_9_file_read_not_a_regular_file() {
    let place = Place::new();
    std::fs::create_dir(place.base().join("sub")).unwrap();
    assert_eq!(read(&place, "sub").await, "Error: Not a regular file: sub");
}

#[tokio::test]
async fn row_1_9_file_read_absolute_path_inside() {
    let place = Place::new();
    place.put("a.txt", "x");
    let path = place.base().join("a.txt");
    assert_eq!(read(&place, path.to_str().unwrap()).await, "x");
}

#[tokio::test]
async fn row_1_9_file_read_utf8_is_strict() {
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
async fn row_1_9_file_write_success_and_parents() {
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
async fn row_1_9_file_write_blank() {
    let place = Place::new();
    assert_eq!(
        write(&place, " ", "x").await,
        "Error: Path must not be blank"
    );
}

#[tokio::test]
async fn row_1_9_file_write_outside() {
    let place = Place::new();
    for path in ["../outside/new.txt", "/tmp/toolwright-never", "a\0b"] {
        assert_eq!(write(&place, path, "x").await, OUTSIDE, "{path:?}");
    }
    assert!(!place.outside().join("new.txt").exists());
}

#[tokio::test]
async fn row_1_9_file_write_failed() {
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
