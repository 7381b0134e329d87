//! One connection to a server, and what is said over it.

use std::{
    collections::{BTreeSet, HashMap},
    io,
    process::Stdio,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

#[cfg(unix)]
use process_wrap::tokio::CommandWrap;
use rmcp::{
    ClientHandler, RoleClient, ServiceError,
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientCapabilities,
        ClientConfig, ClientRequest, Implementation, ListToolsRequest, PaginatedRequestParams,
        ProgressNotificationParam, ProgressToken, ProtocolVersion, RequestId, ServerResult, Tool,
    },
    service::{
        ClientLifecycleMode, ClientServiceExt, NotificationContext, Peer, PeerRequestOptions,
        RunningService,
    },
    transport::{
        StreamableHttpClientTransport, TokioChildProcess,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::process::Command;
use toolwright::ToolContext;

use super::{
    ClientError, McpConfig,
    config::{Program, Target, check, is_here},
    error::{cut, unopened, went_wrong},
};

pub(super) type Running = RunningService<RoleClient, Handler>;

/// How many pages of tools, and how many tools, are taken from a server.
const PAGES: usize = 100;
const TOOLS: usize = 2_000;
/// How many bytes a list of tools may have in all.
const LIST: usize = 32 << 20;

/// What the server says unasked.
#[derive(Clone, Default)]
pub(super) struct Handler {
    calls: Arc<Mutex<HashMap<ProgressToken, ToolContext>>>,
    changes: Arc<AtomicU64>,
}

impl Handler {
    fn calls(&self) -> MutexGuard<'_, HashMap<ProgressToken, ToolContext>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often the server said that its list has changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::SeqCst)
    }
}

impl ClientHandler for Handler {
    async fn on_progress(
        &self,
        note: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let cx = self.calls().get(&note.progress_token).cloned();
        if let Some(cx) = cx {
            let message = note.message.map(|message| cut(&message, 1_000));
            cx.progress(note.progress, note.total, message.as_deref());
        }
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new("toolwright", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), name)
    }
}

/// Connects, in the newest revision that the server knows.
pub(super) async fn connect(config: &McpConfig, handler: Handler) -> Result<Running, ClientError> {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: None,
    };
    let running = match &config.target {
        Target::Command(program) => {
            handler
                .serve_with_lifecycle(start(program)?, lifecycle)
                .await
        }
        Target::Url { url, token } => {
            check(url, token.is_some())?;
            let mut http = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            if let Some(token) = token {
                http = http.auth_header(token);
            }
            let transport = StreamableHttpClientTransport::with_client(client(url)?, http);
            handler.serve_with_lifecycle(transport, lifecycle).await
        }
    };
    running.map_err(|error| ClientError::Protocol(cut(&unopened(&error), 300)))
}

/// How many redirects one request follows.
const REDIRECTS: usize = 10;

/// The HTTP client of a connection; to this very machine without a proxy of the environment, which
/// would be another one that sees the token.
fn client(url: &str) -> Result<reqwest::Client, ClientError> {
    let unusable = |why: &str| ClientError::Address(format!("there is no client for it: {why}"));
    let tls = tls().ok_or_else(|| unusable("TLS could not be set up"))?;
    let builder = reqwest::Client::builder();
    let builder = if is_here(url) {
        builder.no_proxy()
    } else {
        builder
    };
    builder
        .tls_backend_preconfigured(tls.clone())
        // A connection whose last answer was not read to its end is slow to be used again.
        .pool_max_idle_per_host(0)
        .redirect(redirects())
        .build()
        .map_err(|error| unusable(&error.to_string()))
}

/// The TLS set-up, made once and not for each connection: reading the system's roots takes a while.
///
/// The crypto provider is named here, so that no process-wide default is needed or changed. Without
/// any roots on the system `https` fails, and `http` to this machine works.
fn tls() -> Option<&'static rustls::ClientConfig> {
    static TLS: OnceLock<Option<rustls::ClientConfig>> = OnceLock::new();
    TLS.get_or_init(|| {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .ok()?;
        let with_roots = match builder.clone().with_platform_verifier() {
            Ok(with_roots) => with_roots,
            Err(_) => builder.with_root_certificates(rustls::RootCertStore::empty()),
        };
        Some(with_roots.with_no_client_auth())
    })
    .as_ref()
}

/// Only redirects to the same origin that keep the method and the body: nothing is sent to another
/// host, a token least of all.
fn redirects() -> reqwest::redirect::Policy {
    reqwest::redirect::Policy::custom(|attempt| {
        let keeps = matches!(attempt.status().as_u16(), 307 | 308);
        let first = attempt.previous().first();
        let stays = first.is_some_and(|first| first.origin() == attempt.url().origin());
        if keeps && stays && attempt.previous().len() <= REDIRECTS {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}

fn start(program: &Program) -> Result<TokioChildProcess, ClientError> {
    let mut command = Command::new(&program.path);
    command.args(&program.args);
    if program.all_env {
        command.envs(program.env.iter().cloned());
    } else {
        command.env_clear().envs(program.environment());
    }
    if let Some(dir) = &program.dir {
        command.current_dir(dir);
    }
    let errors = if program.show_errors {
        Stdio::inherit()
    } else {
        Stdio::null()
    };
    #[cfg(unix)]
    let command = {
        let mut command = CommandWrap::from(command);
        command.wrap(super::family::OwnGroup);
        command
    };
    let started = TokioChildProcess::builder(command).stderr(errors).spawn();
    started.map(|(child, _)| child).map_err(ClientError::Start)
}

/// Lists the tools, past every cache.
pub(super) async fn list(running: &Running) -> Result<Vec<Tool>, ClientError> {
    let failed = |error: &ServiceError| ClientError::Protocol(went_wrong(error));
    let (mut tools, mut size) = (Vec::new(), Size(0));
    let mut cursor = None;
    let mut seen = BTreeSet::new();
    for _ in 0..PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let request = ListToolsRequest::with_param(page);
        let reply = running
            .send_request(ClientRequest::ListToolsRequest(request))
            .await
            .map_err(|error| failed(&error))?;
        let ServerResult::ListToolsResult(page) = reply else {
            return Err(failed(&ServiceError::UnexpectedResponse));
        };
        for tool in &page.tools {
            // Counting does not fail.
            let _ = serde_json::to_writer(&mut size, tool);
        }
        if size.0 > LIST {
            return Err(ClientError::Protocol(format!(
                "the server's list of tools is longer than {} MiB",
                LIST >> 20
            )));
        }
        tools.extend(page.tools);
        cursor = page.next_cursor;
        // A cursor that comes twice leads round in circles.
        let goes_on = cursor
            .as_ref()
            .is_some_and(|cursor| seen.insert(cursor.clone()));
        if !goes_on || tools.len() >= TOOLS {
            break;
        }
    }
    tools.truncate(TOOLS);
    Ok(tools)
}

/// Counts what is written.
struct Size(usize);

impl io::Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A call on its way. Dropped before its end, it is cancelled at the server.
struct Underway {
    peer: Peer<RoleClient>,
    handler: Handler,
    token: ProgressToken,
    id: Option<RequestId>,
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.handler.calls().remove(&self.token);
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let reason = Some("the call was cancelled".to_owned());
            let note = CancelledNotificationParam::new(Some(id), reason);
            let _ = peer.notify_cancelled(note).await;
        });
    }
}

/// Makes a call.
pub(super) async fn call(
    running: &Running,
    request: CallToolRequestParams,
    cx: &ToolContext,
) -> Result<ServerResult, ServiceError> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(request));
    let options = PeerRequestOptions::no_options();
    let handle = running.send_cancellable_request(request, options).await?;
    let handler = running.service().clone();
    handler
        .calls()
        .insert(handle.progress_token.clone(), cx.clone());
    let mut underway = Underway {
        peer: running.peer().clone(),
        handler,
        token: handle.progress_token.clone(),
        id: Some(handle.id.clone()),
    };
    let reply = handle.await_response().await;
    underway.id = None;
    reply
}

/// Whether an error says that the connection is of no more use.
pub(super) fn broken(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::TransportClosed | ServiceError::TransportSend(_)
    )
}
