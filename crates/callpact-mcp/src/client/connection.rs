//! One connection to a server: its requests, and the notifications of the server.

use std::{
    collections::BTreeSet,
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use callpact::ToolContext;
use rmcp::{
    ClientHandler, ErrorData, RoleClient, ServiceError,
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientCapabilities,
        ClientConfig, ClientRequest, CustomResult, DEFAULT_MRTR_MAX_ROUNDS, ElicitRequestParams,
        ElicitResult, ElicitationAction, ElicitationCapability, FormElicitationCapability,
        Implementation, ListToolsRequest, PaginatedRequestParams, ProgressToken, ProtocolVersion,
        RequestId, ServerResult, Tool, UrlElicitationCapability,
    },
    service::{
        ClientLifecycleMode, ClientServiceExt, NotificationContext, Peer, PeerRequestOptions,
        RequestContext, RunningService,
    },
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::Value;
use tokio::sync::watch;

use super::{
    config::{McpConfig, RemoteServer, ServerTarget},
    elicit::{OnElicitation, answer, answer_all, visit_pages},
    error::{ClientError, cut, describe_failure, describe_open_failure, one_line},
    program::start,
    progress::ProgressCalls,
    watch::{MessageTap, TappedTransport},
};
use crate::net::http_client;

pub(super) type ClientService = RunningService<RoleClient, NotificationHandler>;

/// The most pages of tools, and the most tools, that are read from a server.
const PAGES: usize = 100;
const TOOLS: usize = 2_000;
/// The most malformed entries that are recorded.
const MALFORMED: usize = 100;
/// The most bytes of a whole list of tools.
const LIST: usize = 32 << 20;

/// Handles the notifications of the server.
#[derive(Clone, Default)]
pub(super) struct NotificationHandler {
    progress: ProgressCalls,
    changes: Arc<AtomicU64>,
    told: Arc<watch::Sender<()>>,
    asks: Option<OnElicitation>,
    tap: Option<MessageTap>,
}

impl NotificationHandler {
    pub(super) fn new(asks: Option<OnElicitation>, tap: Option<MessageTap>) -> Self {
        Self {
            asks,
            tap,
            ..Self::default()
        }
    }

    /// How many times the server has said that its list of tools changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::SeqCst)
    }

    /// A receiver that is notified of each change.
    pub(super) fn watch(&self) -> watch::Receiver<()> {
        self.told.subscribe()
    }
}

impl ClientHandler for NotificationHandler {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.told.send_replace(());
    }

    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new("callpact", env!("CARGO_PKG_VERSION"));
        let mut can = ClientCapabilities::default();
        can.elicitation = self.asks.as_ref().map(|_| {
            ElicitationCapability::new()
                .with_form(FormElicitationCapability::new())
                .with_url(UrlElicitationCapability::new())
        });
        ClientConfig::new(can, name)
    }

    async fn create_elicitation(
        &self,
        asked: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(match &self.asks {
            Some(asks) => answer(asks, asked).await,
            None => ElicitResult::new(ElicitationAction::Decline),
        })
    }
}

/// Connects, in the newest revision of the protocol that the server knows.
pub(super) async fn connect(
    config: &McpConfig,
    handler: NotificationHandler,
) -> Result<ClientService, ClientError> {
    let lifecycle = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: None,
    };
    let (tap, progress) = (handler.tap.clone(), handler.progress.clone());
    let running = match &config.target {
        ServerTarget::Command(program) => {
            let inner = start(program, &config.redactor())?;
            let transport = TappedTransport {
                inner,
                tap,
                progress,
            };
            handler.serve_with_lifecycle(transport, lifecycle).await
        }
        ServerTarget::Url(RemoteServer {
            url,
            token,
            headers,
        }) => {
            let http = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            let mut http = http.custom_headers(headers.clone());
            if let Some(token) = token {
                http = http.auth_header(token);
            }
            let client = http_client(url).map_err(ClientError::Address)?;
            let inner = StreamableHttpClientTransport::with_client(client, http);
            let transport = TappedTransport {
                inner,
                tap,
                progress,
            };
            handler.serve_with_lifecycle(transport, lifecycle).await
        }
    };
    running.map_err(|error| ClientError::Protocol(cut(&describe_open_failure(&error), 300)))
}

/// The tools that a server listed.
#[derive(Default)]
pub(super) struct ToolList {
    pub(super) tools: Vec<Tool>,
    /// The entries that are not tools: each by its name, or its position in the list, with the
    /// reason.
    pub(super) malformed: Vec<(String, String)>,
}

/// Lists the tools, past the cache of rmcp.
pub(super) async fn list_tools(running: &ClientService) -> Result<ToolList, ClientError> {
    let failed = |error: &ServiceError| ClientError::Protocol(describe_failure(error));
    let (mut list, mut size) = (ToolList::default(), WrittenSize(0));
    let mut cursor = None;
    let mut seen = BTreeSet::new();
    for _ in 0..PAGES {
        let page = PaginatedRequestParams::default().with_cursor(cursor);
        let request = ListToolsRequest::with_param(page);
        let reply = running
            .send_request(ClientRequest::ListToolsRequest(request))
            .await
            .map_err(|error| failed(&error))?;
        // `Size` only counts, so this cannot fail.
        let (tools, next_cursor) = match reply {
            ServerResult::ListToolsResult(page) => {
                let _ = serde_json::to_writer(&mut size, &page.tools);
                (page.tools, page.next_cursor)
            }
            // rmcp reads a page whole or not at all.
            ServerResult::CustomResult(CustomResult(mut page)) => {
                let Some(Value::Array(entries)) = page.get_mut("tools").map(Value::take) else {
                    return Err(failed(&ServiceError::UnexpectedResponse));
                };
                let _ = serde_json::to_writer(&mut size, &entries);
                let tools = take_tools(entries, &mut list);
                (tools, page["nextCursor"].as_str().map(str::to_owned))
            }
            _ => return Err(failed(&ServiceError::UnexpectedResponse)),
        };
        if size.0 > LIST {
            return Err(ClientError::Protocol(format!(
                "the server's list of tools is longer than {} MiB",
                LIST >> 20
            )));
        }
        list.tools.extend(tools);
        cursor = next_cursor;
        // A repeated cursor would make the list endless.
        let goes_on = cursor
            .as_ref()
            .is_some_and(|cursor| seen.insert(cursor.clone()));
        if !goes_on || list.tools.len() >= TOOLS {
            break;
        }
    }
    list.tools.truncate(TOOLS);
    Ok(list)
}

/// The entries of a page that are tools; the others are recorded.
fn take_tools(entries: Vec<Value>, list: &mut ToolList) -> Vec<Tool> {
    let mut tools = Vec::new();
    for (place, entry) in entries.into_iter().enumerate() {
        let name = entry["name"].as_str().map(str::to_owned);
        match serde_json::from_value(entry) {
            Ok(tool) => tools.push(tool),
            Err(error) if list.malformed.len() < MALFORMED => {
                let name = name.unwrap_or_else(|| format!("number {} of the list", place + 1));
                let reason = format!("the entry is malformed: {error}");
                tracing::warn!(target: "callpact", tool = %one_line(&name, 128), "left out: {}", cut(&reason, 500));
                list.malformed.push((name, reason));
            }
            Err(_) => {}
        }
    }
    tools
}

/// Counts the written bytes.
struct WrittenSize(usize);

impl io::Write for WrittenSize {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A call under way. When it is dropped before its end, the server is told to cancel it.
struct OpenCall {
    peer: Peer<RoleClient>,
    progress: ProgressCalls,
    token: ProgressToken,
    id: Option<RequestId>,
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        self.progress.remove(&self.token);
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

/// Sends a call. Sends it again with answers if the server requires some, or after the user visited the pages that
/// it requires.
pub(super) async fn send_call(
    running: &ClientService,
    mut request: CallToolRequestParams,
    cx: &ToolContext,
) -> Result<ServerResult, ServiceError> {
    for _ in 0..DEFAULT_MRTR_MAX_ROUNDS {
        let reply = match (
            send_once(running, request.clone(), cx).await,
            &running.service().asks,
        ) {
            (Err(ServiceError::McpError(error)), Some(asks)) if visit_pages(asks, &error).await => {
                continue;
            }
            (reply, _) => reply?,
        };
        let (Some(asks), ServerResult::InputRequiredResult(required)) =
            (&running.service().asks, &reply)
        else {
            return Ok(reply);
        };
        let asked = required.input_requests.clone().unwrap_or_default();
        match answer_all(asks, asked).await {
            Some(answers) if !answers.is_empty() => request.input_responses = Some(answers),
            _ => return Ok(reply),
        }
        request.request_state.clone_from(&required.request_state);
    }
    send_once(running, request, cx).await
}

async fn send_once(
    running: &ClientService,
    request: CallToolRequestParams,
    cx: &ToolContext,
) -> Result<ServerResult, ServiceError> {
    let tap = running.service().tap.as_ref();
    let secrets = tap.zip(cx.redactor());
    let _hidden = secrets.map(|(tap, redactor)| tap.hide(redactor));
    let mut request = CallToolRequest::new(request);
    request.extensions.insert(cx.clone());
    let request = ClientRequest::CallToolRequest(request);
    let options = PeerRequestOptions::no_options();
    let handle = running.send_cancellable_request(request, options).await?;
    let mut open = OpenCall {
        peer: running.peer().clone(),
        progress: running.service().progress.clone(),
        token: handle.progress_token.clone(),
        id: Some(handle.id.clone()),
    };
    let reply = handle.await_response().await;
    // The call has ended, so there is nothing to cancel.
    open.id = None;
    reply
}

/// Whether an error means that the connection is broken.
pub(super) fn is_broken(error: &ServiceError) -> bool {
    matches!(
        error,
        ServiceError::TransportClosed | ServiceError::TransportSend(_)
    )
}
