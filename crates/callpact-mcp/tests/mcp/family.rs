//! A started server leaves nothing behind.

use std::{
    fs,
    time::{Duration, Instant},
};

use callpact_mcp::client::{Boundary, McpClient, McpConfig};

use crate::help::fixture_program;

/// The number in the command line of the started server's own child.
struct Mark(String);

impl Mark {
    fn new(number: u32) -> Self {
        Self(format!("{number}{:07}", std::process::id()))
    }

    /// A server that starts a process of its own, which outlives it unless somebody ends it.
    async fn server(&self, script: &str) -> McpClient {
        self.start(&format!("sleep \"$1\" & {script}")).await
    }

    async fn start(&self, script: &str) -> McpClient {
        let arguments = [
            "-c".as_ref(),
            script.as_ref(),
            fixture_program().as_os_str(),
            self.0.as_ref(),
        ]
        .map(std::ffi::OsStr::to_owned);
        McpConfig::command("sh", arguments).open().await.unwrap()
    }

    /// The process as this program sees it: inside of a namespace it has another number.
    fn pid(&self) -> i32 {
        self.found().expect("the process was started")
    }

    fn found(&self) -> Option<i32> {
        let line = format!("sleep\0{}\0", self.0);
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let mut pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.find(|pid| {
            fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|there| there == line)
        })
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
async fn ending_server_ends_child_processes() {
    let mark = Mark::new(861);
    let client = mark.server("exec \"$0\"").await;
    let pid = mark.pid();
    assert!(runs(pid));
    client.close().await;
    // It is killed by now, and ends at its own time.
    until_gone(pid).await;
}

#[tokio::test]
async fn kills_unresponsive_server_and_child_processes() {
    let mark = Mark::new(862);
    let client = mark.server("trap '' TERM; \"$0\"; sleep 300").await;
    let pid = mark.pid();
    assert!(runs(pid));
    client.close().await;
    // It is killed by now, and ends at its own time.
    until_gone(pid).await;
}

#[tokio::test]
async fn boundary_ends_hidden_process_with_server() {
    if Boundary::strongest() == Boundary::Group {
        println!("skipped: this machine has no boundary that holds it");
        return;
    }
    // No parent, no pipe, no environment and a session of its own.
    let hide = "env -i PATH=\"$PATH\" setsid -f sleep \"$1\" </dev/null >/dev/null 2>&1";
    let mark = Mark::new(865);
    let client = mark.start(&format!("{hide}; exec \"$0\"")).await;
    let end = Instant::now() + Duration::from_secs(15);
    let pid = loop {
        if let Some(pid) = mark.found() {
            break pid;
        }
        assert!(Instant::now() < end, "it was not started");
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    client.close().await;
    until_gone(pid).await;
}

#[tokio::test]
async fn a_client_that_is_dropped_closes() {
    let mark = Mark::new(863);
    let client = mark.server("exec \"$0\"").await;
    let pid = mark.pid();
    drop(client);
    until_gone(pid).await;
}

#[test]
fn so_does_one_whose_runtime_is_gone() {
    let mark = Mark::new(864);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(mark.server("exec \"$0\""));
    let pid = mark.pid();
    runtime.shutdown_background();
    drop(client);
    let waiting = tokio::runtime::Runtime::new().unwrap();
    waiting.block_on(until_gone(pid));
}
