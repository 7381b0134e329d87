//! The handler that rmcp calls: it lists the tools, makes the calls, and converts the replies.

use std::{
    ffi::OsStr,
    path::Path,
    pin::pin,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
    time::Duration,
};

use callpact::{
    Cancellation, Halt, PermissionMode, ToolCall, ToolContext, ToolReply, Toolset,
    identity::Identity, observe::TraceParent, review::visible, tool::LogLevel,
};
use http::request::Parts;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
        Extensions, Implementation, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestMethod, ReadResourceRequestParams, ReadResourceResponse,
        ResourcesCapability, ServerCapabilities, ServerConfig, Tool,
    },
    service::{NotificationContext, RequestContext},
};
use serde_json::Value;
use tracing::{Instrument, Span};

use super::{
    ask::{AskClients, wait_for_person},
    clients::ClientTable,
    host::HostConfirms,
    incoming::RawArguments,
    large::LargeResults,
    limit::{CallerTurns, RateLimit},
    listing::{OutputForm, ToolListing, is_object, wrap_schema},
    log_level::{SessionLevel, from_protocol},
    page::make_call,
    progress,
    request::{RequestInfo, new_id},
    result::{describe_halt, describe_result, describe_waiting},
    revision::takes_any_value,
    turns::RequestTurn,
};

/// An MCP server over a [`Toolset`].
///
/// Faults in arguments are results that the model sees; an unknown tool is a protocol error. The list of a caller has
/// no tool that the [permission mode](ToolContext::with_permissions) of their context denies.
#[derive(Clone)]
pub struct ToolServer(Arc<SharedServer>, SessionLevel);

struct SharedServer {
    listing: RwLock<Arc<ToolListing>>,
    clients: ClientTable,
    context: ToolContext,
    name: String,
    version: String,
    instructions: Option<String>,
    calls: CallerTurns,
    ask: Option<AskClients>,
    of_request: Option<Arc<OfRequest>>,
    list_for: Option<Arc<ListFor>>,
    host_confirms: bool,
    large: Option<LargeResults>,
}

/// Makes the context of one request.
type OfRequest = dyn Fn(&RequestInfo<'_>, ToolContext) -> ToolContext + Send + Sync;

/// Whether a caller has a tool in their list.
type ListFor = dyn Fn(Option<&Identity>, &str) -> bool + Send + Sync;

impl ToolServer {
    /// Makes a server of these tools. Every call gets a context made from the given one.
    ///
    /// The server has the name of the program's file. [`tool_server!`](crate::tool_server) makes one with the name and
    /// the version of the crate.
    pub fn new(tools: Toolset, context: ToolContext) -> Self {
        let program = std::env::current_exe().ok();
        let name = program.as_deref().and_then(Path::file_stem);
        let name = name.map_or_else(|| "server".into(), OsStr::to_string_lossy);
        let shared = Arc::new(SharedServer {
            listing: RwLock::new(Arc::new(ToolListing::new(tools))),
            clients: ClientTable::default(),
            context,
            name: name.into_owned(),
            version: "0.0.0".to_owned(),
            instructions: None,
            calls: CallerTurns::new(RateLimit::default()),
            ask: None,
            of_request: None,
            list_for: None,
            host_confirms: false,
            large: None,
        });
        Self(shared, SessionLevel::default())
    }
}

impl ToolServer {
    /// Sets the name and the version, which clients show.
    #[must_use]
    pub fn named(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        let (name, version) = (name.into(), version.into());
        self.change(|shared| {
            shared.name = name;
            shared.version = version;
        })
    }

    /// Sets instructions for the model: what the tools are for.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<String>) -> Self {
        let instructions = Some(instructions.into());
        self.change(|shared| shared.instructions = instructions)
    }

    /// Sets how fast each caller makes calls: each identity, or each peer address if callers are not identified.
    #[must_use]
    pub fn with_rate_limit(self, limit: RateLimit) -> Self {
        self.change(|shared| shared.calls = CallerTurns::new(limit))
    }

    /// Asks the user of the client about the calls that need approval, and the questions of tools: by
    /// elicitation, and from the revision 2026-07-28 on with a result that requires an input.
    ///
    /// Then everything above read-only needs approval, unless the context has another
    /// [mode](ToolContext::with_permissions). A context that has a reviewer keeps it. If a client cannot
    /// be asked, its call waits in the [store](ToolContext::with_store) of the context, and the result
    /// gives the id; without a store it is an error.
    ///
    /// From 2026-07-28 on, a tool that asks in the middle of its work starts again with the answer, so only
    /// tools that read may ask there.
    #[must_use]
    pub fn ask_clients(self, ask: AskClients) -> Self {
        self.change(|shared| shared.ask = Some(ask))
    }

    /// Makes the context of each call and each list from the facts about its request: headers, the address and the
    /// name of the client, and its identity. The function gets the context of the server, whose
    /// [caller](ToolContext::caller) is the identified caller, if there is one.
    #[must_use]
    pub fn with_request_context(
        self,
        make: impl Fn(&RequestInfo<'_>, ToolContext) -> ToolContext + Send + Sync + 'static,
    ) -> Self {
        self.change(|shared| shared.of_request = Some(Arc::new(make)))
    }

    /// Gives each caller a list of their own: the tools for which the function returns `true`. To this caller, every
    /// other tool is unknown.
    ///
    /// ```
    /// # use callpact::{ToolContext, Toolset};
    /// # use callpact_mcp::server::ToolServer;
    /// # fn example(tools: Toolset) {
    /// let server = ToolServer::new(tools, ToolContext::new()).list_for(|identity, tool| {
    ///     let is_operator = identity.is_some_and(|who| who.has_scope("ops"));
    ///     is_operator || !tool.starts_with("admin_")
    /// });
    /// # drop(server);
    /// # }
    /// ```
    #[must_use]
    pub fn list_for(
        self,
        has: impl Fn(Option<&Identity>, &str) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.change(|shared| shared.list_for = Some(Arc::new(has)))
    }

    /// Leaves approval to the client: its own confirmation of a call counts as the yes of a person. Hosts confirm calls
    /// by the annotations of the tools, which come from their [permissions](callpact::Permission).
    ///
    /// It does not count for a call that demands a [role](callpact::toolset::ToolsetBuilder::require_approval_by), nor
    /// for a question in the middle of a tool's work, which the host has not seen. A context that has a reviewer, and
    /// [`ask_clients`](Self::ask_clients), come first.
    #[must_use]
    pub fn host_confirms(self) -> Self {
        self.change(|shared| shared.host_confirms = true)
    }

    /// Keeps the whole of a text with more characters than this, and gives the client its beginning and a resource to
    /// read: with `resources/read`, the same caller gets all of it. At most 64 results, and 64 MiB, are kept: the
    /// oldest ones of the caller with the most go first.
    ///
    /// ```
    /// # use callpact::{ToolContext, Toolset};
    /// # use callpact_mcp::server::ToolServer;
    /// # fn example(tools: Toolset) {
    /// let server = ToolServer::new(tools, ToolContext::new()).large_results(20_000);
    /// # drop(server);
    /// # }
    /// ```
    #[must_use]
    pub fn large_results(self, characters: usize) -> Self {
        self.change(|shared| shared.large = Some(LargeResults::new(characters)))
    }

    /// Serves these tools from now on, also by all clones of this server. Calls in flight end with the tools that they
    /// began with. Clients with a session are told that the list has changed; clients of the revision 2026-07-28 may
    /// keep the list of before for one minute.
    ///
    /// ```
    /// # use callpact::{ToolContext, Toolset};
    /// # use callpact_mcp::server::ToolServer;
    /// # async fn example(tools: Toolset, more: Toolset) -> Result<(), Box<dyn std::error::Error>> {
    /// let server = ToolServer::new(tools, ToolContext::new());
    /// let own = server.clone();
    /// let http = server.bind(([127, 0, 0, 1], 8080).into()).await?;
    /// tokio::spawn(http.run());
    /// own.replace_tools(more).await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn replace_tools(&self, tools: Toolset) {
        let listing = Arc::new(ToolListing::new(tools));
        *self
            .0
            .listing
            .write()
            .unwrap_or_else(PoisonError::into_inner) = listing;
        self.0.clients.tell_of_tools().await;
    }

    fn listing(&self) -> Arc<ToolListing> {
        Arc::clone(&read(&self.0.listing))
    }

    fn change(self, change: impl FnOnce(&mut SharedServer)) -> Self {
        let mut shared = Arc::try_unwrap(self.0).unwrap_or_else(|shared| SharedServer {
            listing: RwLock::new(Arc::clone(&read(&shared.listing))),
            clients: ClientTable::default(),
            context: shared.context.clone(),
            name: shared.name.clone(),
            version: shared.version.clone(),
            instructions: shared.instructions.clone(),
            calls: CallerTurns::new(shared.calls.limit()),
            ask: shared.ask.clone(),
            of_request: shared.of_request.clone(),
            list_for: shared.list_for.clone(),
            host_confirms: shared.host_confirms,
            large: shared
                .large
                .as_ref()
                .map(|it| LargeResults::new(it.limit())),
        });
        change(&mut shared);
        Self(Arc::new(shared), self.1)
    }
}

fn read(listing: &RwLock<Arc<ToolListing>>) -> RwLockReadGuard<'_, Arc<ToolListing>> {
    listing.read().unwrap_or_else(PoisonError::into_inner)
}

impl ServerHandler for ToolServer {
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.0.clients.add(context.peer);
    }

    #[allow(deprecated)] // clients of today set it
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.1.set(from_protocol(request.level));
        Ok(())
    }

    #[allow(deprecated)] // for messages, as above
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_logging()
            .build();
        if self.0.large.is_some() {
            capabilities.resources = Some(ResourcesCapability::default());
        }
        let name = Implementation::new(self.0.name.clone(), self.0.version.clone());
        let info = ServerConfig::new(capabilities).with_server_info(name);
        match &self.0.instructions {
            Some(instructions) => info.with_instructions(instructions.clone()),
            None => info,
        }
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(large) = &self.0.large else {
            return Err(ErrorData::method_not_found::<ReadResourceRequestMethod>());
        };
        let cx = self.context_of(&context);
        let read = large.read(&request.uri, cx.caller())?;
        Ok(read.with_cache_scope(CacheScope::Private).into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.listing().entry(name).cloned()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // There is only one page, so the server never gave out a cursor.
        if request.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params("unknown cursor", None));
        }
        let (info, listing) = (RequestInfo::new(&context), self.listing());
        let listed = self.tools_of(&context, &listing.tools);
        let is_listed = |tool: &&Tool| listed.contains(&tool.name);
        let mut tools: Vec<_> = listing.listed.iter().filter(is_listed).cloned().collect();
        if !takes_any_value(&context) {
            for tool in &mut tools {
                if let Some(schema) = tool.output_schema.take_if(|schema| !is_object(schema)) {
                    tool.output_schema = wrap_schema(&schema).map(Arc::new);
                }
            }
        }
        let depends_on_caller =
            self.0.of_request.is_some() || self.0.list_for.is_some() || info.identity().is_some();
        let scope = if depends_on_caller {
            CacheScope::Private
        } else {
            CacheScope::Public
        };
        // A client of 2026-07-28 learns of another list only after this time.
        let list = ListToolsResult::with_all_items(tools).with_ttl_ms(LIST_TTL_MS);
        Ok(list.with_cache_scope(scope))
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let SharedServer { calls, ask, .. } = &*self.0;
        // The call ends on the list that it begins with.
        let listing = self.listing();
        let tools = &listing.tools;
        let info = RequestInfo::new(&context);
        if !tools.contains(&request.name) || !self.has_for(info.identity(), &request.name) {
            // The nearest names must be those that the caller knows.
            let known = self.tools_of(&context, tools);
            let words = known.describe_unknown(&request.name);
            return Err(ErrorData::invalid_params(words, None));
        }
        if let Err(wait) = calls.take(&info.caller_key(), Duration::ZERO) {
            // Rounded up, since a client that comes too early is sent away again.
            let seconds = (wait.as_secs_f64().min(3600.0) * 10.0).ceil() / 10.0;
            let text = format!("Error: too many calls; try again in {seconds:.1} seconds");
            return Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into());
        }
        let arguments = match raw_arguments(&context.extensions) {
            Some(raw) => raw.to_string(),
            // The arguments are absent, or the program's transport does not keep the text.
            None => Value::Object(request.arguments.take().unwrap_or_default()).to_string(),
        };
        let base = &self.context_of(&context);
        let asking = match ask {
            Some(ask) if base.reviewer().is_none() => {
                let reads_only = listing.reads_only(&request.name);
                Some((ask, ask.begin(&context, &request, &arguments, reads_only)?))
            }
            _ => None,
        };
        let (id, run) = match asking.as_ref().and_then(|(_, asking)| asking.run()) {
            Some(run) => (run.to_owned(), run.to_owned()),
            // Clients choose the ids of requests, so two clients may use the same ones.
            None => (context.id.to_string(), new_id()),
        };
        let call = ToolCall::new(id, request.name, arguments);
        let cancellation = Cancellation::new();
        let (notes, forward) = progress::notes(&context, &call.name, self.level_for(&context));
        let mut cx = notes.attach(base.clone().with_cancellation(cancellation.clone()));
        cx = match &asking {
            Some((_, asking)) => asking.attach(cx),
            None => self.attach_reviewer(cx),
        };
        if cx.store().is_some() {
            cx = cx.with_run(run);
        }
        let (mut forward, mut stopped) = (pin!(forward), pin!(wait_for_stop(base)));
        let mut forwarding = true;
        let span = open_span(&call, &cx);
        let ended = {
            let work = async {
                match &asking {
                    Some((ask, asking)) => make_call(ask, asking, tools, &call, &cx).await,
                    None => tools.call(&call, &cx).await,
                }
            };
            let mut work = pin!(work.instrument(span.clone()));
            loop {
                tokio::select! {
                    biased;
                    () = context.ct.cancelled() => {
                        cancellation.cancel();
                        break Err(Halt::Cancelled);
                    }
                    () = &mut stopped => {
                        cancellation.cancel();
                        break Err(Halt::Cancelled);
                    }
                    () = &mut forward, if forwarding => forwarding = false,
                    reply = &mut work => break reply,
                }
            }
        };
        if forwarding && !cancellation.is_cancelled() {
            // Progress before the end is sent before the result.
            notes.close();
            let _ = tokio::time::timeout(LAST_NOTES, forward).await;
        }
        note_end(&span, &ended);
        match ended {
            Ok(reply) => {
                let form = listing.form_of_output(&call.name, takes_any_value(&context));
                Ok(self.describe_reply(reply, form, &cx, &context).await)
            }
            Err(halt) => {
                if let Some((ask, asking)) = &asking
                    && let Some(question) = asking.question(&halt)
                {
                    return Ok(ask
                        .require(&question, &context, &call.name, &call.arguments)?
                        .into());
                }
                if let Halt::Pending(pending) = &halt
                    && cx.store().is_some()
                {
                    let page = asking.as_ref().and_then(|(ask, _)| ask.page_of(pending));
                    return Ok(describe_waiting(pending, page.as_deref()).into());
                }
                if !matches!(halt, Halt::Cancelled) {
                    tracing::warn!(target: "callpact", tool = %call.name, halt = halt.name(), "the call was halted: {}", visible(&halt.to_string()));
                }
                Ok(describe_halt(&halt)?.into())
            }
        }
    }
}

/// Waits for the program's own cancellation, which ends every call.
async fn wait_for_stop(base: &ToolContext) {
    match base.cancellation() {
        Some(stop) => stop.cancelled().await,
        None => std::future::pending().await,
    }
}

impl ToolServer {
    /// Makes the result that the model sees. One of many bytes waits for its turn.
    async fn describe_reply(
        &self,
        reply: ToolReply,
        form: OutputForm,
        cx: &ToolContext,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let mut result = describe_result(&reply, form);
        if let Some(large) = &self.0.large {
            large.shorten(&mut result, &reply, cx.caller());
        }
        // A result that waits is in memory once.
        drop(reply);
        if let Some(turn) = of_request::<RequestTurn>(&context.extensions) {
            turn.take(&result).await;
        }
        result.into()
    }

    /// The context for the call of a request.
    fn context_of(&self, context: &RequestContext<RoleServer>) -> ToolContext {
        let info = RequestInfo::new(context);
        let mut cx = self.0.context.clone();
        if let Some(parent) = context.meta.get_traceparent().and_then(TraceParent::parse) {
            cx = cx.with(parent);
        }
        if let Some(identity) = info.identity() {
            cx = cx.with_caller(&identity.name);
        }
        match &self.0.of_request {
            Some(make) => make(&info, cx),
            None => cx,
        }
    }

    /// The tools in the list of a caller: their permission mode denies none of them.
    fn tools_of(&self, context: &RequestContext<RoleServer>, tools: &Toolset) -> Toolset {
        let (info, mode) = (
            RequestInfo::new(context),
            self.context_of(context).permissions(),
        );
        tools.filter(|name| {
            let denied = mode
                .zip(tools.permission(name))
                .is_some_and(|(mode, permission)| mode.denies(permission));
            !denied && self.has_for(info.identity(), name)
        })
    }

    /// The least level of the messages that the client wants. In the revision 2026-07-28 each request says it.
    #[allow(deprecated)] // for clients of today
    fn level_for(&self, context: &RequestContext<RoleServer>) -> Option<LogLevel> {
        if takes_any_value(context) {
            context.meta.log_level().map(from_protocol)
        } else {
            Some(self.1.get())
        }
    }

    /// Adds the reviewer of a call about which the client is not asked.
    fn attach_reviewer(&self, cx: ToolContext) -> ToolContext {
        if cx.reviewer().is_some() {
            cx
        } else if self.0.host_confirms {
            cx.with_reviewer(HostConfirms)
        } else {
            wait_for_person(cx, PermissionMode::AllowAll)
        }
    }

    /// Whether a caller has a tool in their list.
    fn has_for(&self, identity: Option<&Identity>, tool: &str) -> bool {
        let has = self.0.list_for.as_ref();
        has.is_none_or(|has| has(identity, tool))
    }
}

/// The span of a call at the server.
fn open_span(call: &ToolCall, cx: &ToolContext) -> Span {
    tracing::info_span!(
        target: "callpact",
        "tools/call",
        otel.name = %format_args!("tools/call {}", call.name),
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        mcp.method.name = "tools/call",
        gen_ai.tool.name = %call.name,
        traceparent = cx.get::<TraceParent>().map(TraceParent::as_str),
        error.type = tracing::field::Empty,
    )
}

fn note_end(span: &Span, ended: &Result<ToolReply, Halt>) {
    let failed = match ended {
        Ok(reply) => (!reply.is_success()).then_some("tool_error"),
        // A call that waits for a decision has not failed.
        Err(Halt::Pending(_)) => None,
        Err(halt) => Some(halt.name()),
    };
    if let Some(why) = failed {
        span.record("error.type", why);
        span.record("otel.status_code", "ERROR");
    }
}

/// The text of a call's arguments as the client sent it. Over HTTP it comes with the parts of the
/// request.
fn raw_arguments(extensions: &Extensions) -> Option<&str> {
    let raw = extensions.get().or_else(|| of_request(extensions));
    raw.map(|raw: &RawArguments| &*raw.0)
}

/// An extension of the HTTP request that a message came with.
fn of_request<T: Clone + Send + Sync + 'static>(extensions: &Extensions) -> Option<&T> {
    extensions.get::<Parts>()?.extensions.get()
}

/// The time for sending the last notes on progress.
const LAST_NOTES: Duration = Duration::from_secs(1);

/// How long a client may keep the list.
const LIST_TTL_MS: u64 = 60_000;
