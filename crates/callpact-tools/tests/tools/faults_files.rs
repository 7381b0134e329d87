//! Faults 1.11 of the file tools, which ours do not have.

use std::time::{Duration, Instant};

use callpact::{Outcome, ToolContext};
use callpact_tools::{FileRead, FileWrite};
use serde_json::json;

use crate::bench::{Place, reply, said, set};

async fn write(place: &Place, path: &str) -> String {
    let tools = set(FileWrite::new(place.base()).unwrap());
    said(
        &tools,
        "file_write",
        json!({ "path": path, "content": "PWNED" }),
    )
    .await
}

#[tokio::test]
async fn a_link_at_the_end_is_not_followed() {
    let place = Place::new();
    place.link("l", place.outside().join("secret.txt"));
    assert!(write(&place, "l").await.starts_with("Error: Access denied"));
    let outside = std::fs::read_to_string(place.outside().join("secret.txt")).unwrap();
    assert_eq!(outside, "TOPSECRET");
}

#[tokio::test]
async fn a_dangling_link_makes_nothing_outside() {
    let place = Place::new();
    place.link("l", place.outside().join("new.txt"));
    assert!(write(&place, "l").await.starts_with("Error: Access denied"));
    assert!(!place.outside().join("new.txt").exists());
}

#[tokio::test]
async fn no_directory_is_made_before_the_check() {
    let place = Place::new();
    place.link("d", place.outside());
    assert!(
        write(&place, "d/sub/deep/x.txt")
            .await
            .starts_with("Error: Access denied")
    );
    assert!(!place.outside().join("sub").exists());
}

#[tokio::test]
async fn writing_tells_nothing_about_files_outside() {
    let place = Place::new();
    place.link("d", place.outside());
    let tools = set(FileWrite::new(place.base()).unwrap());
    for mode in ["overwrite", "append", "create_new"] {
        let mut texts = Vec::new();
        for path in [
            "d/secret.txt",
            "d/nope.txt",
            "../outside/secret.txt",
            "../nope/nope.txt",
        ] {
            let arguments = json!({ "path": path, "content": "x", "mode": mode });
            texts.push(said(&tools, "file_write", arguments).await);
        }
        texts.dedup();
        assert_eq!(texts.len(), 1, "{mode}: {texts:?}");
    }
}

#[tokio::test]
async fn reading_tells_nothing_about_files_outside() {
    let place = Place::new();
    place.link("d", place.outside());
    let tools = set(FileRead::new(place.base()).unwrap());
    let mut texts = Vec::new();
    for path in [
        "d/secret.txt",
        "d/nope",
        "d/nope/deeper",
        "../outside/secret.txt",
        "../nope",
    ] {
        texts.push(said(&tools, "file_read", json!({ "path": path })).await);
    }
    texts.dedup();
    assert_eq!(
        texts,
        ["Error: Access denied: path is outside the sandbox directory"]
    );
}

#[tokio::test]
async fn reading_is_bounded() {
    let place = Place::new();
    let sparse = std::fs::File::create(place.base().join("huge")).unwrap();
    sparse.set_len(10 << 30).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        place.base().join("pipe"),
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .unwrap();
    let tools = set(FileRead::new(place.base()).unwrap());
    let start = Instant::now();
    let huge = said(&tools, "file_read", json!({ "path": "huge" })).await;
    assert!(
        huge.starts_with("Error: Failed to read file: huge has 10737418240 bytes"),
        "{huge}"
    );
    let lines = said(
        &tools,
        "file_read",
        json!({ "path": "huge", "first_line": 2 }),
    )
    .await;
    assert!(
        lines.starts_with("Error: Failed to read file: the lines end beyond"),
        "{lines}"
    );
    let pipe = said(&tools, "file_read", json!({ "path": "pipe" })).await;
    assert_eq!(pipe, "Error: Not a regular file: pipe");
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

/// Texts repeat the path that was asked for, shortened, and no path of the machine.
#[tokio::test]
async fn read_messages_hold_no_paths_of_the_machine() {
    let place = Place::new();
    std::fs::create_dir(place.base().join("d")).unwrap();
    let tools = set(FileRead::new(place.base()).unwrap());
    let long = "x".repeat(3_000);
    for path in ["d", "nope", "../x", &long] {
        let text = said(&tools, "file_read", json!({ "path": path })).await;
        assert!(!text.contains(place.base().to_str().unwrap()), "{text}");
        assert!(text.chars().count() < 300, "{text}");
    }
}

#[test]
fn abandoned_write_is_never_made() {
    let place = Place::new();
    let tools = set(FileWrite::new(place.base()).unwrap());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    runtime.block_on(async {
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let write = json!({ "path": "late.txt", "content": "late" });
        let cx = ToolContext::new().with_timeout(Duration::from_millis(20));
        let reply = reply(&tools, "file_write", write, &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::TimedOut);
        // The thread is free again, and takes up what waits for it in turn.
        go.send(()).unwrap();
        let _ = busy.await;
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    });
    assert!(!place.base().join("late.txt").exists());
}
