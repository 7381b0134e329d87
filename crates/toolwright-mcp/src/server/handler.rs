//! The handler that rmcp calls: lists, calls, and what goes back.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
        ToolAnnotations,
    },
    service::RequestContext,
};
use serde_json::Value;
use toolwright::{
    Cancellation, Dialect, Halt, Permission, ToolCall, ToolContext, ToolReply, ToolSpec, Toolset,
};

use super::limit::{Bucket, RateLimit};

/// An MCP server over a [`Toolset`].
///
/// Faults in arguments are results that the model sees; an unknown tool is a protocol error. The
/// list is the same at every request.
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
}

impl ToolServer {
    /// A server of these tools; every call gets a context made from the given one.
    pub fn new(tools: Toolset, context: ToolContext) -> Self {
        let listed = tools.spec_list(Dialect::Mcp20260728).iter().map(listed).collect();
        Self(Arc::new(Shared {
            tools,
            listed,
            context,
            name: "toolwright".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            bucket: Bucket::new(RateLimit::default()),
        }))
    }
}

impl ToolServer {
    /// The same under another name and version, which clients show.
    #[must_use]
    pub fn named(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        let (name, version) = (name.into(), version.into());
        self.change(|shared| {
            shared.name = name;
            shared.version = version;
        })
    }

    /// The same with words for the model on what the tools are for.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<String>) -> Self {
        let instructions = Some(instructions.into());
        self.change(|shared| shared.instructions = instructions)
    }

    /// The same with another limit on calls.
    #[must_use]
    pub fn with_rate_limit(self, limit: RateLimit) -> Self {
        self.change(|shared| shared.bucket = Bucket::new(limit))
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
        self.0.listed.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // The list does not change while the server runs.
        Ok(ListToolsResult::with_all_items(self.0.listed.clone()).with_ttl_ms(LIST_TTL_MS))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Shared { tools, context: base, bucket, .. } = &*self.0;
        if !tools.contains(&request.name) {
            let name: String = request.name.chars().take(64).collect();
            return Err(ErrorData::invalid_params(format!("Unknown tool: {name}"), None));
        }
        if let Err(seconds) = bucket.take() {
            let text = format!("Error: too many calls; try again in {:.1} seconds", seconds.min(3600.0));
            return Ok(CallToolResult::error(vec![ContentBlock::text(text)]).into());
        }
        let arguments = request.arguments.map(Value::Object).unwrap_or_default();
        let call = ToolCall::new(context.id.to_string(), request.name, arguments.to_string());
        let cancellation = Cancellation::new();
        let cx = base.clone().with_cancellation(cancellation.clone());
        let work = tools.call(&call, &cx);
        let went = tokio::select! {
            went = work => went,
            () = context.ct.cancelled() => {
                cancellation.cancel();
                Err(Halt::Cancelled)
            }
        };
        match went {
            Ok(reply) => Ok(result(&reply).into()),
            Err(halt) => Err(halted(&halt)),
        }
    }
}

/// How long a client may keep the list.
const LIST_TTL_MS: u64 = 60_000;

/// What the model sees of a reply.
fn result(reply: &ToolReply) -> CallToolResult {
    let content = vec![ContentBlock::text(reply.to_model())];
    let mut result = if reply.is_success() {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    result.structured_content = reply.result.structured().cloned();
    result
}

/// What the client's program sees of a halt; the model does not.
fn halted(halt: &Halt) -> ErrorData {
    match halt {
        // A client's user may read these; what a misconfiguration says stays in the server's log.
        Halt::ExitEarly { .. } | Halt::Pending(_) | Halt::ReviewFailed(_) => {
            ErrorData::invalid_request("the call was not approved", None)
        }
        Halt::Cancelled => ErrorData::invalid_request("the call was cancelled", None),
        _ => ErrorData::internal_error("the server is not set up for this call", None),
    }
}

/// A tool as `tools/list` shows it.
fn listed(spec: &ToolSpec) -> Tool {
    let mut tool = Tool::new(spec.name.clone(), spec.description.clone(), schema(&spec.parameters));
    if let Some(output) = &spec.output {
        tool = tool.with_raw_output_schema(Arc::new(schema(output)));
    }
    let hints = ToolAnnotations::new();
    tool.with_annotations(match spec.permission {
        Permission::ReadOnly => hints.read_only(true).destructive(false),
        Permission::Write => hints.read_only(false).destructive(false),
        Permission::Destructive => hints.read_only(false).destructive(true),
    })
}

fn schema(text: &str) -> JsonObject {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => map,
        _ => JsonObject::new(),
    }
}
