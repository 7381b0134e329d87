//! Servers and clients for the tests.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant, SystemTime},
};

use callpact::ToolContext;
use callpact_mcp::server::{HttpServer, Stop, ToolServer};
use rmcp::{
    ClientHandler, RoleClient, ServerHandler, ServiceExt,
    model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam, ProtocolVersion},
    service::{ClientLifecycleMode, ClientServiceExt, NotificationContext, RunningService},
};
use serde_json::{Value, json};

use crate::{fixture, peer::transport};

/// A server on a port of its own; it stops when this is dropped.
pub(crate) struct Served {
    pub(crate) url: String,
    pub(crate) authority: String,
    /// `None` for a server in a process of its own.
    stop: Option<Stop>,
}

impl Served {
    fn new(authority: String, stop: Option<Stop>) -> Self {
        Self {
            url: format!("http://{authority}/mcp"),
            authority,
            stop,
        }
    }

    /// A server in a process of its own, which ends by itself.
    pub(crate) fn in_process(authority: &str) -> Self {
        Self::new(authority.to_owned(), None)
    }

    pub(crate) fn stop(&self) {
        if let Some(stop) = &self.stop {
            stop.stop();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

pub(crate) fn run<H: ServerHandler + Clone>(server: HttpServer<H>) -> Served {
    let authority = server.local_addr().unwrap().to_string();
    let stop = server.stopper();
    tokio::spawn(server.run());
    Served::new(authority, Some(stop))
}

pub(crate) async fn serve(server: ToolServer) -> Served {
    run(server.bind("127.0.0.1:0".parse().unwrap()).await.unwrap())
}

pub(crate) fn fixture_server() -> ToolServer {
    ToolServer::new(fixture::tools().unwrap(), ToolContext::new()).named("fixture", "1.0.0")
}

/// rmcp's client, which keeps the notes on progress.
#[derive(Clone, Default)]
pub(crate) struct Ear(pub(crate) Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Ear {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push(params);
    }
}

pub(crate) type Client = RunningService<RoleClient, Ear>;

pub(crate) fn modern() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    }
}

/// Connects in an older revision, with a session.
pub(crate) async fn connect(url: &str) -> Client {
    Ear::default().serve(transport(url)).await.unwrap()
}

/// Connects in the newer revision, without a session.
pub(crate) async fn connect_modern(url: &str) -> Client {
    Ear::default()
        .serve_with_lifecycle(transport(url), modern())
        .await
        .unwrap()
}

pub(crate) fn request(name: &str, arguments: Value) -> CallToolRequestParams {
    let request = CallToolRequestParams::new(name.to_owned());
    match arguments {
        Value::Object(map) => request.with_arguments(map),
        _ => request,
    }
}

pub(crate) async fn call(client: &Client, name: &str, arguments: Value) -> CallToolResult {
    client.call_tool(request(name, arguments)).await.unwrap()
}

pub(crate) fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

/// How often `sleep` has begun under a key, and was stopped.
pub(crate) async fn counts(client: &Client, key: &str) -> (u64, u64) {
    let result = call(client, "counts", json!({})).await;
    let all: BTreeMap<String, (u64, u64)> = serde_json::from_str(text(&result)).unwrap();
    all.get(key).copied().unwrap_or_default()
}

/// Waits until the counts are these.
pub(crate) async fn until(client: &Client, key: &str, expected: (u64, u64)) {
    let end = Instant::now() + Duration::from_secs(10);
    while counts(client, key).await != expected {
        assert!(
            Instant::now() < end,
            "{key}: {:?}, not {expected:?}",
            counts(client, key).await
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn is_newer_than_the_sources(program: &Path) -> bool {
    fn newest(path: &Path) -> SystemTime {
        if path.is_file() {
            return path.metadata().unwrap().modified().unwrap();
        }
        let entries = std::fs::read_dir(path).unwrap().map(Result::unwrap);
        let times = entries.map(|entry| newest(&entry.path()));
        times.max().unwrap_or(SystemTime::UNIX_EPOCH)
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let built = program.metadata().and_then(|about| about.modified());
    built.is_ok_and(|built| {
        let mut sources = [
            "Cargo.toml",
            "src",
            "examples",
            "tests",
            "../callpact",
            "../callpact-contract",
            "../callpact-derive",
            "../../Cargo.lock",
        ]
        .iter();
        sources.all(|path| newest(&here.join(path)) < built)
    })
}

/// The path of the example's program, which is built first.
pub(crate) fn fixture_program() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            let mut path = std::env::current_exe().unwrap();
            path.pop();
            path.set_file_name("examples");
            path.push(format!("serve_fixture{}", std::env::consts::EXE_SUFFIX));
            // Cargo builds examples for the tests of a package, and not for a single test.
            if is_newer_than_the_sources(&path) {
                return path;
            }
            let status = Command::new(env!("CARGO"))
                .args([
                    "build",
                    "-q",
                    "-p",
                    "callpact-mcp",
                    "--all-features",
                    "--locked",
                ])
                .args(["--example", "serve_fixture"])
                .status()
                .unwrap();
            assert!(status.success() && path.exists());
            path
        })
        .clone()
}
