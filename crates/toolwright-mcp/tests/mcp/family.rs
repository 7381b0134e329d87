//! What a started server leaves behind: nothing.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use toolwright_mcp::client::{McpClient, McpConfig};

use crate::help::fixture_program;

/// Where the number of the started server's own child is written.
struct Note(PathBuf);

impl Note {
    fn new(name: &str) -> Self {
        let name = format!("toolwright-family-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// A server that starts a process of its own, which outlives it unless somebody ends it.
    async fn server(&self, script: &str) -> McpClient {
        let script = format!("sleep 300 & echo $! > \"$1\"; {script}");
        let arguments = [
            "-c".as_ref(),
            script.as_ref(),
            fixture_program().as_os_str(),
            self.0.as_os_str(),
        ]
        .map(std::ffi::OsStr::to_owned);
        McpConfig::command("sh", arguments).open().await.unwrap()
    }

    fn pid(&self) -> i32 {
        fs::read_to_string(&self.0).unwrap().trim().parse().unwrap()
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Whether a process is there and has not ended; one that nobody waits for counts as ended.
fn runs(pid: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        return cfg!(not(target_os = "linux")) && rustix::process::test_kill_process(pid).is_ok();
    };
    // The state comes after the name, which is in brackets.
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    !matches!(state, Some('Z' | 'X'))
}

async fn until_gone(pid: i32) {
    let end = Instant::now() + Duration::from_secs(15);
    while runs(pid) {
        assert!(Instant::now() < end, "{pid} is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_server_that_ends_takes_what_it_started_with_it() {
    let note = Note::new("ends");
    let client = note.server("exec \"$0\"").await;
    let pid = note.pid();
    assert!(runs(pid));
    client.close().await;
    // It is killed by now, and ends at its own time.
    until_gone(pid).await;
}

#[tokio::test]
async fn a_server_that_does_not_end_is_killed_with_what_it_started() {
    let note = Note::new("stubborn");
    let client = note.server("trap '' TERM; \"$0\"; sleep 300").await;
    let pid = note.pid();
    assert!(runs(pid));
    client.close().await;
    // It is killed by now, and ends at its own time.
    until_gone(pid).await;
}

#[tokio::test]
async fn a_client_that_is_dropped_closes() {
    let note = Note::new("dropped");
    let client = note.server("exec \"$0\"").await;
    let pid = note.pid();
    drop(client);
    until_gone(pid).await;
}

#[test]
fn so_does_one_whose_runtime_is_gone() {
    let note = Note::new("runtime");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(note.server("exec \"$0\""));
    let pid = note.pid();
    runtime.shutdown_background();
    drop(client);
    let waiting = tokio::runtime::Runtime::new().unwrap();
    waiting.block_on(until_gone(pid));
}
