//! The handler that rmcp calls: it lists the tools, makes the calls, and converts the replies.

use std::{pin::pin, sync::Arc, time::Duration};

use callpact::{
    Cancellation, Content, Dialect, Halt, PendingCall, Permission, ToolCall, ToolContext,
    ToolReply, ToolSpec, Toolset, identity::Identity, observe::TraceParent,
};
use http::request::Parts;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
        Extensions, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams,
        ResourceContents, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use tracing::{Instrument, Span};

use super::{
    ask::AskClients,
    incoming::RawArguments,
    limit::{Bucket, RateLimit},
    page::make_call,
    progress,
    request::{RequestInfo, new_id},
    revision::takes_any_value,
    turns::Turn,
};

/// An MCP server over a [`Toolset`].
///
/// Faults in arguments are results that the model sees; an unknown tool is a protocol error. The list of a caller has
/// no tool that the [permission mode](ToolContext::with_permissions) of their context denies.
#[derive(Clone)]
pub struct ToolServer(Arc<Shared>);

struct Shared {
    tools: Toolset,
    listed: Vec<Tool>,
    context: ToolContext,
    name: String,
    version: String,
    instructions: Option<String>,
    bucket: Bucket,
    ask: Option<AskClients>,
    of_request: Option<Arc<OfRequest>>,
    list_for: Option<Arc<ListFor>>,
}

/// Makes the context of one request.
type OfRequest = dyn Fn(&RequestInfo<'_>, ToolContext) -> ToolContext + Send + Sync;

/// Whether a caller has a tool in their list.
type ListFor = dyn Fn(Option<&Identity>, &str) -> bool + Send + Sync;

impl ToolServer {
    /// Makes a server of these tools. Every call gets a context made from the given one.
    pub fn new(tools: Toolset, context: ToolContext) -> Self {
        let listed = tools
            .spec_list(Dialect::Mcp20260728)
            .iter()
            .map(describe_tool)
            .collect();
        Self(Arc::new(Shared {
            tools,
            listed,
            context,
            name: "callpact".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            bucket: Bucket::new(RateLimit::default()),
            ask: None,
            of_request: None,
            list_for: None,
        }))
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

    /// Sets the limit on calls.
    #[must_use]
    pub fn with_rate_limit(self, limit: RateLimit) -> Self {
        self.change(|shared| shared.bucket = Bucket::new(limit))
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

    fn change(self, change: impl FnOnce(&mut Shared)) -> Self {
        let mut shared = Arc::try_unwrap(self.0).unwrap_or_else(|shared| Shared {
            tools: shared.tools.clone(),
            listed: shared.listed.clone(),
            context: shared.context.clone(),
            name: shared.name.clone(),
            version: shared.version.clone(),
            instructions: shared.instructions.clone(),
            bucket: Bucket::new(shared.bucket.limit()),
            ask: shared.ask.clone(),
            of_request: shared.of_request.clone(),
            list_for: shared.list_for.clone(),
        });
        change(&mut shared);
        Self(Arc::new(shared))
    }
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let name = Implementation::new(self.0.name.clone(), self.0.version.clone());
        let info = ServerConfig::new(capabilities).with_server_info(name);
        match &self.0.instructions {
            Some(instructions) => info.with_instructions(instructions.clone()),
            None => info,
        }
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.listed(name).cloned()
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
        let (info, mode) = (
            RequestInfo::new(&context),
            self.context_of(&context).permissions(),
        );
        let is_listed = |tool: &&Tool| {
            let permission = self.0.tools.permission(&tool.name);
            let denied = mode
                .zip(permission)
                .is_some_and(|(mode, permission)| mode.denies(permission));
            !denied && self.has_for(info.identity(), &tool.name)
        };
        let mut tools: Vec<_> = self.0.listed.iter().filter(is_listed).cloned().collect();
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
        // The list of a caller does not change while the server runs.
        let list = ListToolsResult::with_all_items(tools).with_ttl_ms(LIST_TTL_MS);
        Ok(list.with_cache_scope(scope))
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Shared {
            tools, bucket, ask, ..
        } = &*self.0;
        let info = RequestInfo::new(&context);
        if !tools.contains(&request.name) || !self.has_for(info.identity(), &request.name) {
            // The nearest names must be those that the caller knows.
            let known = tools.filter(|name| self.has_for(info.identity(), name));
            let words = known.describe_unknown(&request.name);
            return Err(ErrorData::invalid_params(words, None));
        }
        if let Err(seconds) = bucket.take() {
            // Rounded up, since a client that comes too early is sent away again.
            let seconds = (seconds.min(3600.0) * 10.0).ceil() / 10.0;
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
                let reads_only = self.reads_only(&request.name);
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
        let (notes, forward) = progress::notes(&context);
        let mut cx = notes.attach(base.clone().with_cancellation(cancellation.clone()));
        if let Some((_, asking)) = &asking {
            cx = asking.attach(cx);
        }
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
            Ok(reply) => Ok(self.describe_in_turn(&reply, &call.name, &context).await),
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
                    tracing::warn!(target: "callpact", tool = %call.name, halt = halt.name(), "the call was halted: {halt}");
                }
                Err(describe_halt(&halt))
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

    /// Whether a caller has a tool in their list.
    fn has_for(&self, identity: Option<&Identity>, tool: &str) -> bool {
        let has = self.0.list_for.as_ref();
        has.is_none_or(|has| has(identity, tool))
    }

    /// Makes the result that the model sees. A large result waits for its turn.
    async fn describe_in_turn(
        &self,
        reply: &ToolReply,
        tool: &str,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let result = describe_result(reply, self.form_of_output(tool, context));
        if let Some(turn) = of_request::<Turn>(&context.extensions) {
            turn.take(&result).await;
        }
        result.into()
    }

    fn listed(&self, tool: &str) -> Option<&Tool> {
        self.0.listed.iter().find(|listed| listed.name == tool)
    }

    fn reads_only(&self, tool: &str) -> bool {
        let hints = self.listed(tool).and_then(|tool| tool.annotations.as_ref());
        hints.is_some_and(|hints| hints.read_only_hint == Some(true))
    }

    /// The form in which the client of a request takes structured output.
    fn form_of_output(&self, tool: &str, context: &RequestContext<RoleServer>) -> Form {
        if takes_any_value(context) {
            return Form::Any;
        }
        match self
            .listed(tool)
            .and_then(|tool| tool.output_schema.as_deref())
        {
            Some(schema) if !is_object(schema) && wrap_schema(schema).is_some() => Form::Wrapped,
            _ => Form::Object,
        }
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

fn is_object(schema: &JsonObject) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

/// How long a client may keep the list.
const LIST_TTL_MS: u64 = 60_000;

/// The key for output that is not an object, in older revisions, which only know objects.
const RESULT: &str = "result";

/// The schema of an output inside an object; `None` if references would no longer lead to their target.
fn wrap_schema(schema: &JsonObject) -> Option<JsonObject> {
    if json!(schema).to_string().contains("\"$ref\"") {
        return None;
    }
    let mut wrapped = JsonObject::new();
    wrapped.insert("type".to_owned(), "object".into());
    wrapped.insert("properties".to_owned(), json!({RESULT: schema}));
    wrapped.insert("required".to_owned(), json!([RESULT]));
    Some(wrapped)
}

/// The form of structured output that a client takes.
#[derive(Clone, Copy)]
enum Form {
    Any,
    /// An object; any other output is left out.
    Object,
    /// The output inside an object, as its schema says.
    Wrapped,
}

/// Makes the result that the model sees.
fn describe_result(reply: &ToolReply, form: Form) -> CallToolResult {
    let mut content: Vec<ContentBlock> = reply.parts().into_iter().map(describe_block).collect();
    let structured = reply.bounded_structured();
    if let Err(words) = &structured {
        content.push(ContentBlock::text(words));
    }
    let mut result = if reply.is_success() && structured.is_ok() {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    let structured = structured.unwrap_or_default();
    result.structured_content = structured.and_then(|value| match form {
        Form::Object if !value.is_object() => None,
        Form::Object | Form::Any => Some(value.clone()),
        Form::Wrapped => Some(json!({RESULT: value})),
    });
    result
}

/// Makes the result of a call that waits in the store.
fn describe_waiting(pending: &PendingCall, page: Option<&str>) -> CallToolResult {
    let place = page.map_or_else(String::new, |page| format!(" at {page}"));
    let text = format!(
        "Error: the call waits for a decision{place} under the id {}. It runs when somebody has approved it; \
         do not make it again",
        pending.id
    );
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Makes a content block of the protocol.
fn describe_block(part: Content) -> ContentBlock {
    match part {
        Content::Text { text } => ContentBlock::text(text),
        Content::Image { mime, data } => ContentBlock::image(data, mime),
        Content::Audio { mime, data } => ContentBlock::audio(data, mime),
        Content::Resource { uri, mime, text } => {
            ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime))
        }
        Content::Blob { uri, mime, data } => {
            ContentBlock::resource(ResourceContents::blob(data, uri).with_mime_type(mime))
        }
        other => ContentBlock::text(other.to_text()),
    }
}

/// Makes the error for the client's program; the model does not see it.
fn describe_halt(halt: &Halt) -> ErrorData {
    match halt {
        // The client's user may read these; the reason of a misconfiguration stays in the server's log.
        Halt::ExitEarly { .. } | Halt::Pending(_) | Halt::ReviewFailed(_) => {
            ErrorData::invalid_request("the call was not approved", None)
        }
        Halt::Cancelled => ErrorData::invalid_request("the call was cancelled", None),
        _ => ErrorData::internal_error("the server is not set up for this call", None),
    }
}

/// Makes the entry of a tool in `tools/list`.
fn describe_tool(spec: &ToolSpec) -> Tool {
    let mut tool = Tool::new(
        spec.name.clone(),
        spec.description.clone(),
        parse_schema(&spec.parameters),
    );
    if let Some(output) = &spec.output {
        tool = tool.with_raw_output_schema(Arc::new(parse_schema(output)));
    }
    let mut hints = ToolAnnotations::new();
    hints.title = spec.hints.title.as_deref().map(str::to_owned);
    hints.idempotent_hint = spec.hints.idempotent;
    hints.open_world_hint = spec.hints.open_world;
    tool.title.clone_from(&hints.title);
    tool.with_annotations(match spec.permission {
        Permission::ReadOnly => hints.read_only(true).destructive(false),
        Permission::Write => hints.read_only(false).destructive(false),
        Permission::Destructive => hints.read_only(false).destructive(true),
    })
}

fn parse_schema(text: &str) -> JsonObject {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => map,
        _ => JsonObject::new(),
    }
}
