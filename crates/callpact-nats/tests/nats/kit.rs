//! A real server for each test, and processes that end with it.

use std::{
    fs::File,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use callpact_nats::Server;
use tempfile::TempDir;

/// The longest time for something that takes milliseconds on an idle machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A server of its own, with its data in a directory that goes with it.
pub(crate) struct Nats {
    program: PathBuf,
    port: u16,
    dir: TempDir,
    options: Vec<String>,
    process: Option<Child>,
}

/// Starts a server; `None`, with a note, if there is no server to start.
pub(crate) async fn server() -> Option<Nats> {
    server_of(&["--jetstream"]).await
}

/// A server with these options.
pub(crate) async fn server_of(options: &[&str]) -> Option<Nats> {
    server_with(options, &[]).await
}

/// A server with `JetStream` and this configuration. `files` are next to it.
pub(crate) async fn configured(config: &str, files: &[(&str, &str)]) -> Option<Nats> {
    let files = [files, &[("nats.conf", config)][..]].concat();
    server_with(&["--jetstream", "--config", "nats.conf"], &files).await
}

async fn server_with(options: &[&str], files: &[(&str, &str)]) -> Option<Nats> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/nats_server");
    let found = Command::new(script).stderr(Stdio::null()).output();
    let found = found.ok().filter(|found| found.status.success());
    let path = found.and_then(|found| String::from_utf8(found.stdout).ok());
    let Some(path) = path.filter(|path| !path.trim().is_empty()) else {
        eprintln!("skipped: there is no nats-server; `scripts/nats_server --install` gets one");
        return None;
    };
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut nats = Nats {
        program: path.trim().into(),
        port,
        dir: TempDir::new().unwrap(),
        options: options.iter().map(|&option| option.to_owned()).collect(),
        process: None,
    };
    for (name, text) in files {
        std::fs::write(nats.dir().join(name), text).unwrap();
    }
    nats.start().await;
    Some(nats)
}

impl Nats {
    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn server(&self) -> Server {
        Server::new(self.url())
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) async fn start(&mut self) {
        let log = File::create(self.dir().join("server.log")).unwrap();
        let process = Command::new(&self.program)
            .args(["--addr", "127.0.0.1", "--port"])
            .arg(self.port.to_string())
            .arg("--store_dir")
            .arg(self.dir().join("data"))
            .args(&self.options)
            .current_dir(self.dir())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.process = Some(process);
        let end = tokio::time::Instant::now() + LONG;
        while tokio::net::TcpStream::connect(("127.0.0.1", self.port))
            .await
            .is_err()
        {
            assert!(
                tokio::time::Instant::now() < end,
                "the server does not listen"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Ends the server as a loss of its process does.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
