//! Workers as processes, which can be killed and frozen, and their ledger.

use std::{
    collections::HashMap,
    fs::OpenOptions,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use callpact::{ToolContext, Toolset, tools};
use callpact_nats::worker;
use rustix::process::{Pid, Signal, kill_process};

/// How long a call stays with a worker that is silent.
pub(crate) const LEASE: Duration = Duration::from_secs(3);

/// Tools that write every run into a file.
struct Ledger(PathBuf);

#[tools]
impl Ledger {
    /// Writes a line that must stand in the ledger at most once
    #[tool(destructive)]
    async fn pay(&self, id: String, millis: u64) -> std::io::Result<String> {
        write(&self.0, "pay", &id)?;
        tokio::time::sleep(Duration::from_millis(millis)).await;
        Ok(format!("paid {id}"))
    }

    /// Writes a line that may stand in the ledger more than once
    #[tool(read_only)]
    async fn look(&self, id: String, millis: u64) -> std::io::Result<String> {
        write(&self.0, "look", &id)?;
        tokio::time::sleep(Duration::from_millis(millis)).await;
        Ok(format!("saw {id}"))
    }
}

/// One line in one write, so that lines of several processes do not mix.
fn write(ledger: &Path, tool: &str, id: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open(ledger)?;
    file.write_all(format!("{tool} {id}\n").as_bytes())
}

/// A worker in a process of its own, for which a test starts this binary again. It ends when it is killed.
#[tokio::test]
#[ignore = "the worker of other tests"]
async fn worker_process() {
    let variable = |name| std::env::var(name).expect("the test sets it");
    let ledger = Ledger(variable("LEDGER").into());
    let tools = Toolset::builder().tools(ledger).build().unwrap();
    let worker = worker(tools, ToolContext::new()).connect(variable("NATS_URL"));
    let worker = worker.toolset(variable("TOOLSET"));
    let serving = worker.max_in_flight(32).lease(LEASE).start().await.unwrap();
    println!("\nserving {}", serving.id());
    std::future::pending::<()>().await;
}

/// A worker in a process of its own.
pub(crate) struct Process(Child);

impl Process {
    /// Starts a worker, and waits until it serves.
    pub(crate) async fn start(nats: &str, toolset: &str, ledger: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "process::worker_process",
                "--ignored",
                "--nocapture",
            ])
            .env("NATS_URL", nats)
            .env("TOOLSET", toolset)
            .env("LEDGER", ledger)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (says, serves) = tokio::sync::oneshot::channel();
        // It is read to its end: the harness of the tests writes a line after a minute, and dies if it cannot.
        std::thread::spawn(move || {
            let mut lines = lines.map_while(Result::ok);
            let serves = lines.any(|line| line.starts_with("serving "));
            let _ = says.send(serves);
            lines.for_each(drop);
        });
        assert!(serves.await.unwrap(), "the worker serves");
        Self(child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How often each line occurs in a ledger.
pub(crate) fn count_runs(ledger: &Path) -> HashMap<String, usize> {
    let mut runs = HashMap::new();
    for line in std::fs::read_to_string(ledger).unwrap().lines() {
        *runs.entry(line.to_owned()).or_default() += 1;
    }
    runs
}
