//! The link to a server: it reconnects if needed, keeps the list of tools current, and makes calls.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use callpact::{
    Outcome, Permission, ToolContext, ToolResult,
    observe::TraceParent,
    review::{ToolServer, visible},
    schema::ForeignSchema,
    tool::ToolHints,
};
use rmcp::{
    ServiceError,
    model::{
        CallToolRequestParams, CustomResult, JsonObject, RequestParamsMeta, ServerResult, Tool,
    },
};
use serde_json::Value;
use tokio::sync::watch;
use tracing::Instrument;

use super::{
    catalog::ServerCatalog,
    config::McpConfig,
    connection::{ClientService, NotificationHandler, connect, is_broken, list_tools, send_call},
    content::{readable_result, tool_result},
    error::{ClientError, cut, describe_failure, one_line},
    watch::MessageTap,
};

/// A server with its configuration and its open connection.
pub(super) struct ServerLink {
    pub(super) config: McpConfig,
    /// The name of the server in messages.
    label: String,
    handler: NotificationHandler,
    running: tokio::sync::Mutex<Option<Arc<ClientService>>>,
    catalog: Mutex<ServerCatalog>,
}

/// A tool as it was offered to a model.
#[derive(Clone)]
pub(super) struct OfferedTool {
    pub(super) name: String,
    pub(super) fingerprint: String,
    pub(super) permission: Permission,
    /// The server's schema of structured results.
    pub(super) output: Option<Arc<ForeignSchema>>,
}

/// The message about a call that may have had an effect.
const MAY_HAVE_RUN: &str =
    "; nobody knows whether it was carried out. Find out before calling again";

impl OfferedTool {
    /// The end of a call whose result cannot be had, though it may have had its effect.
    fn lost(&self, why: String) -> ToolResult {
        if self.permission == Permission::ReadOnly {
            ToolResult::failure(why)
        } else {
            ToolResult::failure(why + MAY_HAVE_RUN).with_outcome(Outcome::Unknown)
        }
    }
}

impl ServerLink {
    pub(super) fn new(config: McpConfig) -> Self {
        Self {
            label: config.label(),
            handler: NotificationHandler::new(
                config.asks.clone(),
                config
                    .hears
                    .clone()
                    .map(|hears| MessageTap::new(hears, config.redactor())),
            ),
            running: tokio::sync::Mutex::new(None),
            catalog: Mutex::new(ServerCatalog::new(config.pins.clone().unwrap_or_default())),
            config,
        }
    }

    pub(super) fn catalog(&self) -> MutexGuard<'_, ServerCatalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A receiver that is notified when the server says that its list of tools changed, and at once if it
    /// said so since the list was fetched.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        let mut changes = self.handler.watch();
        if self.handler.changes() != self.catalog().changes {
            changes.mark_changed();
        }
        changes
    }

    /// How far a tool reaches. The hints of an untrusted server are ignored: they could only make a
    /// tool look more harmless than it is.
    pub(super) fn permission(&self, tool: &Tool) -> Permission {
        if let Some(permission) = self.config.permissions.get(&*tool.name) {
            return *permission;
        }
        let hints = tool.annotations.as_ref().filter(|_| self.config.trusted);
        match hints.map(|hints| (hints.read_only_hint, hints.destructive_hint)) {
            Some((Some(true), _)) => Permission::ReadOnly,
            Some((_, Some(false))) => Permission::Write,
            _ => Permission::Destructive,
        }
    }

    /// The hints of a tool, if the server is trusted.
    pub(super) fn hints(&self, tool: &Tool) -> ToolHints {
        let server = ToolServer::new(&*self.label, self.config.trusted);
        let mut hints = ToolHints::new().with_server(server);
        if let Some(given) = tool.annotations.as_ref().filter(|_| self.config.trusted) {
            let title = tool.title.as_ref().or(given.title.as_ref());
            hints.title = title.map(|title| one_line(title, 128).into());
            hints.idempotent = given.idempotent_hint;
            hints.open_world = given.open_world_hint;
        }
        hints
    }

    /// The open connection, or a new one if there is none that works.
    pub(super) async fn running(&self) -> Result<Arc<ClientService>, ClientError> {
        let mut current = self.running.lock().await;
        if let Some(running) = &*current
            && !running.is_closed()
            && !running.is_transport_closed()
        {
            return Ok(Arc::clone(running));
        }
        *current = None;
        let limit = self.config.open_timeout;
        let open = async {
            let running = connect(&self.config, self.handler.clone()).await?;
            self.refresh(&running).await?;
            Ok(Arc::new(running))
        };
        let running = match tokio::time::timeout(limit, open).await {
            Ok(running) => running?,
            Err(_) => return Err(ClientError::TimedOut(limit)),
        };
        *current = Some(Arc::clone(&running));
        Ok(running)
    }

    /// The revision of the protocol of the open connection, if there is one.
    pub(super) fn revision(&self) -> Option<String> {
        let current = self.running.try_lock().ok()?;
        let running = current.as_ref()?;
        let open = !running.is_closed() && !running.is_transport_closed();
        let server = running.peer().peer_info().filter(|_| open)?;
        Some(server.protocol_version.to_string())
    }

    /// Fetches the list of tools; the accepted tools stay as they are.
    pub(super) async fn refresh(&self, running: &ClientService) -> Result<(), ClientError> {
        // The count is read first. A notification that arrives during the request, or a request that
        // fails, leaves the list stale, and the next call fetches it again.
        let changes = self.handler.changes();
        let limit = self.config.open_timeout;
        let list = match tokio::time::timeout(limit, list_tools(running)).await {
            Ok(list) => list?,
            Err(_) => return Err(ClientError::TimedOut(limit)),
        };
        self.catalog().replace(list, changes);
        Ok(())
    }

    /// Ends the connection, and the server if it was started here.
    pub(super) async fn close(&self) {
        let running = self.running.lock().await.take();
        if let Some(running) = running {
            running.cancellation_token().cancel();
            // The last owner waits until the child process is gone.
            if let Ok(mut running) = Arc::try_unwrap(running) {
                let _ = running.close_with_timeout(Duration::from_secs(10)).await;
            }
        }
    }

    /// Drops a broken connection, so that the next call opens a new one.
    async fn forget(&self, broken: &Arc<ClientService>) {
        let mut current = self.running.lock().await;
        if current
            .as_ref()
            .is_some_and(|running| Arc::ptr_eq(running, broken))
        {
            *current = None;
        }
    }

    /// Why a tool that was offered may no longer be called.
    fn refusal(&self, offered: &OfferedTool) -> Option<String> {
        let catalog = self.catalog();
        let (name, label) = (one_line(&offered.name, 64), &self.label);
        let Some(now) = catalog.find(&offered.name) else {
            return Some(format!(
                "the MCP server '{label}' no longer has the tool '{name}'"
            ));
        };
        if catalog.drift_of(now).is_some() {
            return Some(format!(
                "the tool '{name}' of the MCP server '{label}' has changed since it was accepted; it is not called until a person accepts the change. Go on without it"
            ));
        }
        (now.fingerprint != offered.fingerprint).then(|| {
            format!(
                "the tool '{name}' of the MCP server '{label}' has changed and the change was accepted, but the list of tools is still the old one; the program has to build it again"
            )
        })
    }

    /// Calls an offered tool, within the time limit of the configuration.
    pub(super) async fn call(
        &self,
        offered: &OfferedTool,
        arguments: Value,
        cx: &ToolContext,
    ) -> ToolResult {
        let limit = self.config.timeout;
        let span = tracing::info_span!(
            target: "callpact",
            "tools/call",
            otel.name = %format_args!("tools/call {}", offered.name),
            otel.kind = "client",
            otel.status_code = tracing::field::Empty,
            mcp.method.name = "tools/call",
            gen_ai.tool.name = %offered.name,
            error.type = tracing::field::Empty,
        );
        let work = self
            .try_call(offered, arguments, cx)
            .instrument(span.clone());
        let ended = tokio::time::timeout(limit, work).await;
        let failed = match &ended {
            Ok(result) if result.is_success() => None,
            Ok(_) => Some("tool_error"),
            Err(_) => Some("timeout"),
        };
        if let Some(why) = failed {
            span.record("error.type", why);
            span.record("otel.status_code", "ERROR");
        }
        match ended {
            Ok(result) => result,
            Err(_) => ToolResult::failure(format!(
                "the MCP server '{}' did not answer within {limit:?}; the call was cancelled, and what it was doing may be half done",
                self.label
            )),
        }
    }

    /// Calls a tool, and calls it again if the connection broke and the tool only reads.
    async fn try_call(
        &self,
        offered: &OfferedTool,
        arguments: Value,
        cx: &ToolContext,
    ) -> ToolResult {
        let label = &self.label;
        let arguments = match arguments {
            Value::Object(map) => map,
            Value::Null => JsonObject::new(),
            // Its schema also takes values other than an object, which the protocol cannot carry.
            _ => {
                return ToolResult::failure(
                    "nothing was sent: an MCP server takes its arguments as an object",
                );
            }
        };
        let mut last = None;
        for attempt in 0..2 {
            let running = match self.current().await {
                Ok(running) => running,
                Err(error) => {
                    return ToolResult::failure(format!(
                        "the MCP server '{label}' cannot be reached: {error}"
                    ));
                }
            };
            if let Some(why) = self.refusal(offered) {
                return ToolResult::failure(why);
            }
            let mut request =
                CallToolRequestParams::new(offered.name.clone()).with_arguments(arguments.clone());
            if let Some(parent) = cx.get::<TraceParent>() {
                request.set_traceparent(parent.as_str());
            }
            match send_call(&running, request, cx).await {
                Ok(reply) => return self.read_reply(reply, offered),
                Err(error) if is_broken(&error) => {
                    self.forget(&running).await;
                    if offered.permission != Permission::ReadOnly {
                        return offered.lost(format!(
                            "the connection to the MCP server '{label}' broke during the call"
                        ));
                    }
                    tracing::warn!(target: "callpact", server = %label, attempt, "the connection broke: {}", visible(&describe_failure(&error)));
                    last = Some(error);
                }
                Err(ServiceError::McpError(error)) => {
                    return ToolResult::failure(format!(
                        "the MCP server '{label}' refused the call: {}",
                        cut(&error.message, 2_000)
                    ));
                }
                Err(error) => {
                    let why = describe_failure(&error);
                    return offered.lost(format!("the MCP server '{label}' failed: {why}"));
                }
            }
        }
        let why = last
            .map(|error| describe_failure(&error))
            .unwrap_or_default();
        ToolResult::failure(format!(
            "the connection to the MCP server '{label}' broke twice: {why}"
        ))
    }

    /// A connection whose list of tools is current.
    async fn current(&self) -> Result<Arc<ClientService>, ClientError> {
        let running = self.running().await?;
        let (stale, changes) = {
            let catalog = self.catalog();
            let stale = catalog.fetched.elapsed() >= self.config.recheck;
            (stale, catalog.changes)
        };
        if self.handler.changes() == changes && !stale {
            return Ok(running);
        }
        if self.refresh(&running).await.is_ok() {
            return Ok(running);
        }
        // No call was made yet, so a new connection repeats nothing.
        self.forget(&running).await;
        self.running().await
    }

    fn read_reply(&self, reply: ServerResult, offered: &OfferedTool) -> ToolResult {
        let why = match reply {
            ServerResult::CallToolResult(result) => {
                return tool_result(result, offered.output.as_deref());
            }
            // rmcp reads a result whole or not at all.
            ServerResult::CustomResult(CustomResult(result))
                if result.get("content").is_some_and(Value::is_array) =>
            {
                if let Some(result) = readable_result(result) {
                    return tool_result(result, offered.output.as_deref());
                }
                "gave an answer that is not the result of a call"
            }
            ServerResult::InputRequiredResult(_) => {
                return ToolResult::failure(format!(
                    "the MCP server '{}' asks for an input that this program does not give",
                    self.label
                ));
            }
            ServerResult::CreateTaskResult(_) => {
                "made a task of the call, which this program does not follow"
            }
            _ => "gave an answer that is not the result of a call",
        };
        offered.lost(format!("the MCP server '{}' {why}", self.label))
    }
}
