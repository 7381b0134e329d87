//! The fixture of the protocol's conformance suite, which calls its tools by name.
//!
//! `conformance` serves over stdio, `conformance ADDRESS` over HTTP. [`ToolServer`] serves the tools of a
//! `Toolset`; the rest (questions to the client's model and user, logs, prompts, resources, completion)
//! uses rmcp directly.
#![allow(deprecated)] // the older revisions have sampling and logging

mod beside;
mod library;
mod rounds;
mod toolset;

use std::{hash::RandomState, io::Write, sync::Arc};

use callpact::ToolContext;
use callpact_mcp::server::{HttpServer, RateLimit, ToolServer};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
        CompleteResult, ContentBlock, GetPromptRequestParams, GetPromptResponse, Implementation,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams, Tool,
        UnsubscribeRequestParams,
    },
    service::RequestContext,
    transport::stdio,
};
use serde_json::{Value, json};

#[derive(Clone)]
struct Fixture {
    tools: ToolServer,
    key: Arc<RandomState>,
}

type Answer<T> = Result<T, ErrorData>;

/// Makes a value of the protocol from JSON.
fn made<T: serde::de::DeserializeOwned>(value: Value) -> Answer<T> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn said(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_completions()
            .enable_logging()
            .build();
        ServerConfig::new(can)
            .with_server_info(Implementation::new("callpact-conformance", "1.0.0"))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools
            .get_tool(name)
            .or_else(|| beside::listed().into_iter().find(|tool| tool.name == name))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Answer<ListToolsResult> {
        let mut list = self.tools.list_tools(request, context).await?;
        list.tools.extend(beside::listed());
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        if beside::BESIDE.iter().any(|(name, _)| *name == request.name) {
            self.beside(request, context).await
        } else {
            self.tools.call_tool(request, context).await
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListResourcesResult> {
        library::resources()
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListResourceTemplatesResult> {
        library::templates()
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<ReadResourceResponse> {
        library::resource(&request.uri)
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<()> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<()> {
        Ok(())
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<()> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListPromptsResult> {
        library::prompts()
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<GetPromptResponse> {
        library::prompt(request)
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<CompleteResult> {
        made(
            json!({ "resultType": "complete", "completion": { "values": ["paris", "park", "party"], "total": 3, "hasMore": false } }),
        )
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = ToolServer::new(toolset::toolset()?, ToolContext::new())
        .with_rate_limit(RateLimit::new(100_000, 100_000.0));
    let fixture = Fixture {
        tools,
        key: Arc::default(),
    };
    match std::env::args().nth(1) {
        None => {
            fixture.serve(stdio()).await?.waiting().await?;
        }
        Some(address) => {
            let server = HttpServer::bind(fixture, address.parse()?).await?;
            let mut out = std::io::stdout();
            writeln!(out, "http://{}/mcp", server.local_addr()?)?;
            out.flush()?;
            server.run().await?;
        }
    }
    Ok(())
}
