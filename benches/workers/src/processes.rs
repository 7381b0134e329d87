//! The server and the processes that answer calls. Each ends when it is dropped.

use std::{
    io::{BufRead, BufReader},
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tempfile::TempDir;
use tokio::net::TcpStream;

use crate::Done;

/// A process that is killed when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A NATS server with `JetStream`, and its data.
pub(crate) struct Nats {
    port: u16,
    _process: Process,
    _data: TempDir,
}

impl Nats {
    pub(crate) async fn start(program: &Path) -> Done<Self> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = free.local_addr()?.port();
        drop(free);
        let data = tempfile::tempdir()?;
        let process = Command::new(program)
            .args(["--jetstream", "--addr", "127.0.0.1", "--port"])
            .arg(port.to_string())
            .arg("--store_dir")
            .arg(data.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let nats = Self {
            port,
            _process: Process(process),
            _data: data,
        };
        for _ in 0..1_000 {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port))
                .await
                .is_ok()
            {
                return Ok(nats);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err("the NATS server does not listen".into())
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// What the program says that it is.
    pub(crate) fn version(program: &Path) -> Done<String> {
        let said = Command::new(program).arg("--version").output()?.stdout;
        Ok(String::from_utf8(said)?.trim().replace(": v", " "))
    }
}

/// This program again, as a process that answers calls.
pub(crate) struct Answerer {
    /// The line that it said when it was there.
    pub(crate) said: String,
    _process: Process,
}

impl Answerer {
    pub(crate) fn start(words: &[&str]) -> Done<Self> {
        let program = std::env::current_exe()?;
        let mut child = Command::new(program)
            .args(words)
            .stdout(Stdio::piped())
            .spawn()?;
        let out = child.stdout.take();
        let process = Process(child);
        let mut said = String::new();
        BufReader::new(out.ok_or("no output")?).read_line(&mut said)?;
        if said.is_empty() {
            return Err(format!("`bench-workers {}` ended", words.join(" ")).into());
        }
        Ok(Self {
            said: said.trim().to_owned(),
            _process: process,
        })
    }
}
