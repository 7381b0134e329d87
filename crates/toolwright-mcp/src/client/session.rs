//! A server in use: its tools, and the way of a call to it.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rmcp::{
    ServiceError,
    model::{CallToolRequestParams, JsonObject, ServerResult, Tool},
};
use serde_json::Value;
use toolwright::{
    DynamicTool, Permission, ToolContext, ToolResult, names::provider_name, schema::ForeignSchema,
    toolset::Tools,
};

use super::{
    ClientError, Drift, DriftKind, McpConfig, Pins,
    connection::{Handler, Running, broken, call, connect, list},
    content::tool_result,
    error::{cut, named, went_wrong},
    pins::fingerprint,
};

/// How many characters of a description go to the model.
const DESCRIPTION: usize = 8_192;

/// An MCP server whose tools can be used as tools of a [`Toolset`](toolwright::Toolset).
///
/// A connection that breaks is made anew at the next call. A call that was under way when it broke
/// is made once more if the tool only reads; otherwise the model is told that nobody knows whether
/// it was carried out.
///
/// ```no_run
/// use toolwright::{ToolCall, ToolContext, Toolset, review};
/// use toolwright_mcp::client::McpClient;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let files = McpClient::spawn("file-server", ["--root", "docs"]).await?;
/// let search = McpClient::connect("http://127.0.0.1:8080/mcp").await?;
/// let tools = Toolset::builder().tools(files.tools()).tools(search.tools()).build()?;
/// // Nothing is known of these tools, so somebody is asked about every call.
/// let cx = ToolContext::new().with_reviewer(review::auto_approve());
/// let reply = tools.call(&ToolCall::new("1", "read_file", r#"{"path":"a.md"}"#), &cx).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpClient(Arc<Shared>);

struct Shared {
    config: McpConfig,
    label: String,
    handler: Handler,
    running: tokio::sync::Mutex<Option<Arc<Running>>>,
    known: Mutex<Known>,
}

struct Known {
    listed: Vec<Listed>,
    /// The names that the server listed more than once.
    twice: BTreeSet<String>,
    pins: Pins,
    checked: Instant,
    /// How often the server had said that its list has changed when this one was asked for.
    changes: u64,
}

struct Listed {
    tool: Tool,
    fingerprint: String,
}

/// A tool of a server that cannot be offered to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// The name that the server gives it.
    pub tool: String,
    /// Why.
    pub reason: String,
}

/// A tool as it was offered to a model.
#[derive(Clone)]
struct Offered {
    name: String,
    fingerprint: String,
    permission: Permission,
}

impl McpClient {
    /// Starts a server as a child process, with a few harmless variables of the environment.
    ///
    /// [`McpConfig`] has more to say: a prefix, permissions, timeouts, the tools that were accepted.
    ///
    /// # Errors
    /// When the server cannot be started or does not speak the protocol.
    pub async fn spawn<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = A>,
    ) -> Result<Self, ClientError> {
        McpConfig::command(program, args).open().await
    }

    /// Connects to a server over streamable HTTP.
    ///
    /// # Errors
    /// When the server cannot be reached or does not speak the protocol.
    pub async fn connect(url: impl Into<String>) -> Result<Self, ClientError> {
        McpConfig::url(url).open().await
    }

    pub(super) async fn open(config: McpConfig) -> Result<Self, ClientError> {
        let given = config.pins.clone();
        let first = given.is_none();
        let shared = Shared {
            label: config.label(),
            config,
            handler: Handler::default(),
            running: tokio::sync::Mutex::new(None),
            known: Mutex::new(Known {
                listed: Vec::new(),
                twice: BTreeSet::new(),
                pins: given.unwrap_or_default(),
                checked: Instant::now(),
                changes: 0,
            }),
        };
        shared.running().await?;
        if first {
            shared.known().accept_all();
        }
        Ok(Self(Arc::new(shared)))
    }

    /// The tools, as the server listed them last and under their prefix, for
    /// [`ToolsetBuilder::tools`](toolwright::ToolsetBuilder::tools).
    ///
    /// A tool that was never accepted is left out. One that has changed since is there under its
    /// name, without what the server says of it now, and refuses every call until it is accepted and
    /// this is asked for again.
    pub fn tools(&self) -> Tools {
        self.offer().0
    }

    /// The tools that [`tools`](Self::tools) leaves out because no model could use them.
    pub fn unusable(&self) -> Vec<Unusable> {
        self.offer().1
    }

    fn offer(&self) -> (Tools, Vec<Unusable>) {
        let known = self.0.known();
        let (mut tools, mut unusable) = (Tools::new(), Vec::new());
        let mut taken = BTreeSet::new();
        for listed in &known.listed {
            let original = &*listed.tool.name;
            let state = known.state(listed);
            if state == Some(DriftKind::New) {
                continue;
            }
            let name = provider_name(&format!("{}{original}", self.0.config.prefix));
            let made = if taken.insert(name.clone()) {
                self.tool(name, listed, state)
            } else {
                Err(format!("another tool of the server is called '{name}' too"))
            };
            match made {
                Ok(tool) => tools.push(tool),
                Err(reason) => {
                    unusable.push(Unusable {
                        tool: named(original, 128),
                        reason: cut(&reason, 500),
                    });
                }
            }
        }
        unusable.extend(known.twice.iter().map(|name| Unusable {
            tool: named(name, 128),
            reason: "the server lists it more than once; the first is used".to_owned(),
        }));
        (tools, unusable)
    }

    fn tool(
        &self,
        name: String,
        listed: &Listed,
        state: Option<DriftKind>,
    ) -> Result<DynamicTool, String> {
        let tool = &listed.tool;
        let (schema, words) = if state.is_some() {
            // What it says now was not accepted, so no model reads it.
            let words = "This tool has changed since it was accepted. It cannot be used until a person accepts the change.";
            (None, words.to_owned())
        } else {
            let input = Value::Object((*tool.input_schema).clone());
            let schema = ForeignSchema::normalized(input).map_err(|faults| faults.to_string())?;
            (Some(schema), described(tool))
        };
        let offered = Offered {
            name: tool.name.clone().into_owned(),
            fingerprint: listed.fingerprint.clone(),
            permission: self.0.permission(tool),
        };
        let (shared, permission) = (Arc::clone(&self.0), offered.permission);
        let made = DynamicTool::with_schema(name, words, schema, move |arguments, cx| {
            let (shared, offered) = (Arc::clone(&shared), offered.clone());
            async move { shared.call(&offered, arguments, &cx).await }
        });
        Ok(made
            .map_err(|error| error.to_string())?
            .with_permission(permission))
    }

    /// The tools that are not as they were accepted.
    pub fn drift(&self) -> Vec<Drift> {
        let known = self.0.known();
        let mut drift: Vec<Drift> = known
            .listed
            .iter()
            .filter_map(|listed| {
                let kind = known.state(listed)?;
                let description = listed.tool.description.as_ref();
                Some(Drift {
                    tool: listed.tool.name.clone().into_owned(),
                    kind,
                    description: description.map(|text| cut(text, DESCRIPTION)),
                })
            })
            .collect();
        let names: BTreeSet<&str> = known
            .listed
            .iter()
            .map(|listed| &*listed.tool.name)
            .collect();
        drift.extend(
            known
                .pins
                .iter()
                .filter(|(tool, _)| !names.contains(tool))
                .map(|(tool, _)| Drift {
                    tool: tool.to_owned(),
                    kind: DriftKind::Gone,
                    description: None,
                }),
        );
        drift
    }

    /// Accepts a tool as the server lists it now, under the name that the server gives it; one that
    /// is gone is forgotten. Says whether there was such a tool.
    pub fn accept(&self, tool: &str) -> bool {
        self.0.known().accept(tool)
    }

    /// Accepts all tools as the server lists them now.
    pub fn accept_all(&self) {
        self.0.known().accept_all();
    }

    /// What was accepted, to be saved and given to [`McpConfig::pins`] next time.
    pub fn pins(&self) -> Pins {
        self.0.known().pins.clone()
    }

    /// Lists the tools again.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub async fn refresh(&self) -> Result<(), ClientError> {
        let running = self.0.running().await?;
        self.0.list(&running).await
    }

    /// Ends the connection, and the server if it was started. The next call would start it again.
    pub async fn close(&self) {
        let running = self.0.running.lock().await.take();
        if let Some(running) = running {
            running.cancellation_token().cancel();
            // The last owner waits until the child process is gone.
            if let Ok(mut running) = Arc::try_unwrap(running) {
                let _ = running.close_with_timeout(Duration::from_secs(10)).await;
            }
        }
    }
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpClient")
            .field("config", &self.0.config)
            .finish_non_exhaustive()
    }
}

impl Known {
    /// What is different about a tool, if anything is.
    fn state(&self, listed: &Listed) -> Option<DriftKind> {
        match self.pins.get(&listed.tool.name) {
            None => Some(DriftKind::New),
            Some(accepted) if accepted != listed.fingerprint => Some(DriftKind::Changed),
            Some(_) => None,
        }
    }

    fn accept(&mut self, tool: &str) -> bool {
        let Self { listed, pins, .. } = self;
        match listed.iter().find(|listed| listed.tool.name == tool) {
            Some(listed) => pins.set(tool, &listed.fingerprint),
            None if pins.get(tool).is_some() => pins.remove(tool),
            None => return false,
        }
        true
    }

    fn accept_all(&mut self) {
        self.pins = Pins::new();
        for listed in &self.listed {
            self.pins.set(&listed.tool.name, &listed.fingerprint);
        }
    }
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far a tool reaches. Hints of a server that is not trusted are not heard: they could only
    /// make it look more harmless than it must be taken for.
    fn permission(&self, tool: &Tool) -> Permission {
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

    /// The connection, made anew if there is none that works.
    async fn running(&self) -> Result<Arc<Running>, ClientError> {
        let mut place = self.running.lock().await;
        if let Some(running) = &*place
            && !running.is_closed()
            && !running.is_transport_closed()
        {
            return Ok(Arc::clone(running));
        }
        *place = None;
        let limit = self.config.open_timeout;
        let open = async {
            let running = connect(&self.config, self.handler.clone()).await?;
            self.list(&running).await?;
            Ok(Arc::new(running))
        };
        let running = match tokio::time::timeout(limit, open).await {
            Ok(running) => running?,
            Err(_) => return Err(ClientError::TimedOut(limit)),
        };
        *place = Some(Arc::clone(&running));
        Ok(running)
    }

    /// Takes a connection that broke out of use.
    async fn forget(&self, broken: &Arc<Running>) {
        let mut place = self.running.lock().await;
        if place
            .as_ref()
            .is_some_and(|running| Arc::ptr_eq(running, broken))
        {
            *place = None;
        }
    }

    /// Lists the tools; what was accepted stays as it is.
    async fn list(&self, running: &Running) -> Result<(), ClientError> {
        // What changes from here on is found at the next time. That there was a change is known until
        // a list was had: one that fails, or is given up, tells nothing, and no call overtakes it.
        let changes = self.handler.changes();
        let limit = self.config.open_timeout;
        let tools = match tokio::time::timeout(limit, list(running)).await {
            Ok(tools) => tools?,
            Err(_) => return Err(ClientError::TimedOut(limit)),
        };
        let mut seen = BTreeSet::new();
        let mut listed = Vec::with_capacity(tools.len());
        let mut twice = BTreeSet::new();
        for tool in tools {
            // Of two tools with one name, calls would reach either.
            if seen.insert(tool.name.clone()) {
                listed.push(Listed {
                    fingerprint: fingerprint(&tool),
                    tool,
                });
            } else {
                twice.insert(tool.name.into_owned());
            }
        }
        let mut known = self.known();
        // Of two that were under way together, the one that was asked for first may come last.
        if changes >= known.changes {
            known.listed = listed;
            known.twice = twice;
            known.checked = Instant::now();
            known.changes = changes;
        }
        Ok(())
    }

    /// Why a tool that was offered may not be called any more.
    fn refusal(&self, offered: &Offered) -> Option<String> {
        let known = self.known();
        let (name, label) = (named(&offered.name, 64), &self.label);
        let Some(now) = known
            .listed
            .iter()
            .find(|listed| listed.tool.name == *offered.name)
        else {
            return Some(format!(
                "the MCP server '{label}' no longer has the tool '{name}'"
            ));
        };
        if known.state(now).is_some() {
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

    async fn call(&self, offered: &Offered, arguments: Value, cx: &ToolContext) -> ToolResult {
        let limit = self.config.timeout;
        match tokio::time::timeout(limit, self.attempts(offered, arguments, cx)).await {
            Ok(result) => result,
            Err(_) => ToolResult::failure(format!(
                "the MCP server '{}' did not answer within {limit:?}; the call was cancelled, and what it was doing may be half done",
                self.label
            )),
        }
    }

    async fn attempts(&self, offered: &Offered, arguments: Value, cx: &ToolContext) -> ToolResult {
        let label = &self.label;
        let arguments = match arguments {
            Value::Object(map) => map,
            _ => JsonObject::new(),
        };
        let mut last = None;
        // One more try at the most.
        for attempt in 0..2 {
            let running = match self.ready().await {
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
            let request =
                CallToolRequestParams::new(offered.name.clone()).with_arguments(arguments.clone());
            match call(&running, request, cx).await {
                Ok(reply) => return self.reply(reply),
                Err(error) if broken(&error) => {
                    self.forget(&running).await;
                    if offered.permission != Permission::ReadOnly {
                        return ToolResult::failure(format!(
                            "the connection to the MCP server '{label}' broke during the call; nobody knows whether it was carried out. Find out before calling again"
                        ));
                    }
                    tracing::warn!(target: "toolwright", server = %label, attempt, "the connection broke: {error}");
                    last = Some(error);
                }
                Err(ServiceError::McpError(error)) => {
                    return ToolResult::failure(format!(
                        "the MCP server '{label}' refused the call: {}",
                        cut(&error.message, 2_000)
                    ));
                }
                Err(error) => {
                    return ToolResult::failure(format!(
                        "the MCP server '{label}' failed: {}",
                        went_wrong(&error)
                    ));
                }
            }
        }
        let why = last.map(|error| went_wrong(&error)).unwrap_or_default();
        ToolResult::failure(format!(
            "the connection to the MCP server '{label}' broke twice: {why}"
        ))
    }

    /// A connection over which the tools are known to be what they are.
    async fn ready(&self) -> Result<Arc<Running>, ClientError> {
        let running = self.running().await?;
        let (stale, changes) = {
            let known = self.known();
            let stale = known.checked.elapsed() >= self.config.recheck;
            (stale, known.changes)
        };
        if self.handler.changes() == changes && !stale {
            return Ok(running);
        }
        if self.list(&running).await.is_ok() {
            return Ok(running);
        }
        // Nothing was called yet, so a new connection harms nobody.
        self.forget(&running).await;
        self.running().await
    }

    fn reply(&self, reply: ServerResult) -> ToolResult {
        let why = match reply {
            ServerResult::CallToolResult(result) => return tool_result(result),
            ServerResult::InputRequiredResult(_) => {
                "asks for an input that this program does not give"
            }
            ServerResult::CreateTaskResult(_) => {
                "made a task of the call, which this program does not follow"
            }
            _ => "gave an answer that is none",
        };
        ToolResult::failure(format!("the MCP server '{}' {why}", self.label))
    }
}

/// What the model is told of a tool.
fn described(tool: &Tool) -> String {
    let text = tool
        .description
        .as_deref()
        .filter(|text| !text.trim().is_empty());
    let title = || {
        tool.title
            .as_deref()
            .filter(|title| !title.trim().is_empty())
    };
    match text.or_else(title) {
        Some(text) => cut(text, DESCRIPTION),
        None => format!("The tool '{}'.", named(&tool.name, 64)),
    }
}
