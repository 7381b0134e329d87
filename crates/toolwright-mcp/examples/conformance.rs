//! The fixture of the protocol's conformance suite, which calls its tools by name.
//!
//! `conformance` serves over stdio, `conformance ADDRESS` over HTTP. What a `Toolset` can say is served
//! by [`ToolServer`]; what it cannot (pictures and sound, questions to the client's model and user,
//! logs, prompts, resources, completion) stands beside it, on rmcp itself.
#![allow(deprecated)] // the older revision has sampling and logging

use std::{
    hash::{BuildHasher, RandomState},
    io::Write,
    sync::Arc,
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities,
        CompleteRequestParams, CompleteResult, ContentBlock, ElicitRequestParams,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
        InputRequiredResult, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, ServerCapabilities, ServerConfig, SetLevelRequestParams,
        SubscribeRequestParams, Tool, UnsubscribeRequestParams,
    },
    service::RequestContext,
    transport::stdio,
};
use serde_json::{Value, json};
use toolwright::{
    DynamicTool, Permission, ToolContext, ToolInput, Toolset, TypedAgentTool, schema::ForeignSchema,
};
use toolwright_mcp::server::{HttpServer, RateLimit, ToolServer};

/// A red pixel.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// A sound of no length.
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// What to add
#[derive(ToolInput)]
struct Sum {
    /// The first number
    a: i32,
    /// The second number
    #[tool_param(min = 0)]
    b: i32,
}

struct Add;

impl TypedAgentTool for Add {
    type Input = Sum;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "test_add"
    }
    fn description(&self) -> &'static str {
        "Adds two numbers."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: Sum, _: &ToolContext) -> String {
        (i64::from(input.a) + i64::from(input.b)).to_string()
    }
}

/// The tools that are served by the adapter.
fn toolset() -> Result<Toolset, Box<dyn std::error::Error>> {
    let schema_2020_12 = ForeignSchema::from_value(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
        } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    }))?;
    let mirrored = ForeignSchema::from_value(json!({
        "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
        "required": ["region"],
    }))?;
    let text = |name: &str, about: &str, says: &'static str| {
        DynamicTool::new(name, about, None, move |_, _| async move { says })
            .map(|tool| tool.with_permission(Permission::ReadOnly))
    };
    let failing =
        |_, _| async { Err::<String, _>("This tool intentionally returns an error for testing") };
    let stepping = |_, cx: ToolContext| async move {
        for (done, words) in [(0.0, "begun"), (50.0, "half"), (100.0, "done")] {
            cx.progress(done, Some(100.0), Some(words));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        "All steps are done."
    };
    Ok(Toolset::builder()
        .tool(Add)
        .tool(text(
            "test_simple_text",
            "Says a fixed text.",
            "This is a simple text response for testing.",
        )?)
        .tool(text(
            "test_reconnection",
            "Answers after the stream was closed.",
            "Reconnected.",
        )?)
        .tool(text(
            "test_logging_tool",
            "Does something that could be logged.",
            "Nothing was logged.",
        )?)
        .tool(DynamicTool::new(
            "test_error_handling",
            "Fails.",
            None,
            failing,
        )?)
        .tool(DynamicTool::new(
            "test_tool_with_progress",
            "Takes three steps.",
            None,
            stepping,
        )?)
        .tool(DynamicTool::with_schema(
            "test_custom_header",
            "Takes a parameter that HTTP clients repeat in a header.",
            Some(mirrored),
            |_, _| async { "accepted" },
        )?)
        .tool(DynamicTool::with_schema(
            "json_schema_2020_12_tool",
            "Takes what the newer JSON Schema can say.",
            Some(schema_2020_12),
            |_, _| async { "accepted" },
        )?)
        .build()?)
}

/// The tools that need what a `Toolset` does not have.
const BESIDE: &[(&str, &str)] = &[
    ("test_image_content", "Shows a picture."),
    ("test_audio_content", "Plays a sound."),
    ("test_embedded_resource", "Gives a resource."),
    (
        "test_multiple_content_types",
        "Gives a text, a picture and a resource.",
    ),
    ("test_tool_with_logging", "Writes to the client's log."),
    ("test_sampling", "Asks the client's model."),
    ("test_elicitation", "Asks the client's user."),
    ("test_elicitation_sep1034_defaults", "Asks with defaults."),
    ("test_elicitation_sep1330_enums", "Asks with choices."),
    (
        "test_missing_capability",
        "Needs a client that has a model.",
    ),
    (
        "test_streaming_elicitation",
        "Asks the client's user for another round.",
    ),
    ("test_input_required_result_elicitation", "Needs a name."),
    (
        "test_input_required_result_sampling",
        "Needs an answer of a model.",
    ),
    ("test_input_required_result_list_roots", "Needs the roots."),
    (
        "test_input_required_result_request_state",
        "Keeps a state at the client.",
    ),
    (
        "test_input_required_result_multiple_inputs",
        "Needs three things at once.",
    ),
    (
        "test_input_required_result_multi_round",
        "Needs two rounds.",
    ),
    (
        "test_input_required_result_tampered_state",
        "Notices a changed state.",
    ),
    (
        "test_input_required_result_capabilities",
        "Asks for what the client can do.",
    ),
];

#[derive(Clone)]
struct Fixture {
    tools: ToolServer,
    key: Arc<RandomState>,
}

type Answer<T> = Result<T, ErrorData>;

/// A value of the protocol from its JSON.
fn made<T: serde::de::DeserializeOwned>(value: Value) -> Answer<T> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn said(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn gave(content: &Value) -> Answer<CallToolResponse> {
    let result: CallToolResult = made(json!({ "content": content, "isError": false }))?;
    let mut result = result;
    result.result_type = CallToolResult::default().result_type;
    Ok(result.into())
}

fn resource(uri: &str, mime: &str, text: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": mime, "text": text } })
}

/// A question to the user, for one text or truth.
fn question(message: &str, name: &str, kind: &str) -> Value {
    json!({ "method": "elicitation/create", "params": {
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": { name: { "type": kind } },
            "required": [name],
        },
    } })
}

fn sampling(prompt: &str) -> Value {
    json!({ "method": "sampling/createMessage", "params": {
        "messages": [{ "role": "user", "content": { "type": "text", "text": prompt } }],
        "maxTokens": 100,
    } })
}

fn roots() -> Value {
    json!({ "method": "roots/list" })
}

fn required(requests: Value, state: Option<String>) -> Answer<InputRequiredResult> {
    Ok(InputRequiredResult::new(Some(made(requests)?), state))
}

impl Fixture {
    /// A state that only this server can have written.
    fn sealed(&self, state: &str) -> String {
        format!("{state}.{:016x}", self.key.hash_one(state))
    }

    fn unsealed<'a>(&self, sealed: &'a str) -> Answer<&'a str> {
        let state = sealed.rsplit_once('.').map(|(state, _)| state);
        state
            .filter(|state| self.sealed(state) == sealed)
            .ok_or_else(|| {
                ErrorData::invalid_params("the request state is not one of this server", None)
            })
    }

    async fn elicit(
        context: &RequestContext<RoleServer>,
        message: &str,
        schema: Value,
    ) -> Answer<CallToolResponse> {
        let params: ElicitRequestParams =
            made(json!({ "mode": "form", "message": message, "requestedSchema": schema }))?;
        match context.peer.create_elicitation(params).await {
            Ok(answer) => {
                let answer = serde_json::to_value(&answer).unwrap_or_default();
                Ok(said(format!("User response: {answer}")))
            }
            Err(error) => {
                Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]).into())
            }
        }
    }

    /// The tools that take more than one round in the newer revision.
    fn round(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let answers = request.input_responses.clone().unwrap_or_default();
        let state = request
            .request_state
            .as_deref()
            .map(|sealed| self.unsealed(sealed))
            .transpose()?;
        let text = |key: &str, path: &str| {
            answers
                .get(key)
                .and_then(|answer| answer.pointer(path))
                .and_then(Value::as_str)
        };
        let name = || question("What is your name?", "name", "string");
        let next = match &*request.name {
            "test_input_required_result_elicitation" => match text("user_name", "/content/name") {
                Some(name) => return Ok(said(format!("Hello, {name}!"))),
                None => required(json!({ "user_name": name() }), None),
            },
            "test_input_required_result_sampling" => {
                if let Some(answer) = text("capital_question", "/content/text") {
                    return Ok(said(answer));
                }
                let ask = sampling("What is the capital of France?");
                required(json!({ "capital_question": ask }), None)
            }
            "test_input_required_result_list_roots" => {
                match answers
                    .get("client_roots")
                    .and_then(|answer| answer.get("roots"))
                {
                    Some(roots) => return Ok(said(format!("The roots are {roots}."))),
                    None => required(json!({ "client_roots": roots() }), None),
                }
            }
            "test_input_required_result_request_state"
            | "test_input_required_result_tampered_state" => {
                if state == Some("asked") && answers.contains_key("confirm") {
                    return Ok(said("state-ok"));
                }
                let ask = question("Please confirm", "ok", "boolean");
                required(json!({ "confirm": ask }), Some(self.sealed("asked")))
            }
            "test_input_required_result_multiple_inputs" => {
                let all = ["user_name", "greeting", "client_roots"];
                if state == Some("asked") && all.iter().all(|key| answers.contains_key(*key)) {
                    return Ok(said("All three were given."));
                }
                let asks = json!({
                    "user_name": name(),
                    "greeting": sampling("Generate a greeting"),
                    "client_roots": roots(),
                });
                required(asks, Some(self.sealed("asked")))
            }
            "test_input_required_result_multi_round" => {
                let (one, two) = (
                    text("step1", "/content/name"),
                    text("step2", "/content/color"),
                );
                match (state.and_then(|state| state.split_once(':')), one, two) {
                    (Some(("two", name)), _, Some(color)) => {
                        return Ok(said(format!("{name} likes {color}.")));
                    }
                    (Some(("one", _)), Some(name), _) => {
                        let ask =
                            question("Step 2: What is your favorite color?", "color", "string");
                        required(
                            json!({ "step2": ask }),
                            Some(self.sealed(&format!("two:{name}"))),
                        )
                    }
                    _ => {
                        let ask = question("Step 1: What is your name?", "name", "string");
                        required(json!({ "step1": ask }), Some(self.sealed("one:")))
                    }
                }
            }
            "test_input_required_result_capabilities" => {
                let can = context.client_capabilities().unwrap_or_default();
                let mut asks = JsonObject::new();
                if can.elicitation.is_some() {
                    asks.insert("user_name".to_owned(), name());
                }
                if can.sampling.is_some() {
                    asks.insert("greeting".to_owned(), sampling("Generate a greeting"));
                }
                if can.roots.is_some() {
                    asks.insert("client_roots".to_owned(), roots());
                }
                if asks.is_empty() || asks.keys().all(|key| answers.contains_key(key)) {
                    return Ok(said("Nothing more is needed."));
                }
                required(Value::Object(asks), None)
            }
            _ if answers.is_empty() => required(json!({ "user_name": name() }), None),
            _ => return Ok(said("Thank you.")),
        };
        Ok(next?.into())
    }

    /// The tools that ask the user in the older revision.
    async fn ask(
        name: &str,
        message: &str,
        context: &RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        match name {
            "test_elicitation_sep1034_defaults" => {
                let schema = json!({ "type": "object", "properties": {
                    "name": { "type": "string", "default": "John Doe" },
                    "age": { "type": "integer", "default": 30 },
                    "score": { "type": "number", "default": 95.5 },
                    "status": {
                        "type": "string",
                        "enum": ["active", "inactive", "pending"],
                        "default": "active",
                    },
                    "verified": { "type": "boolean", "default": true },
                } });
                Self::elicit(context, "Everything has a default.", schema).await
            }
            "test_elicitation_sep1330_enums" => {
                let plain = json!(["option1", "option2", "option3"]);
                let titled = json!([
                    { "const": "value1", "title": "First Option" },
                    { "const": "value2", "title": "Second Option" },
                    { "const": "value3", "title": "Third Option" },
                ]);
                let schema = json!({ "type": "object", "properties": {
                    "untitledSingle": { "type": "string", "enum": plain },
                    "titledSingle": { "type": "string", "oneOf": titled },
                    "legacyEnum": {
                        "type": "string",
                        "enum": ["opt1", "opt2", "opt3"],
                        "enumNames": ["Option One", "Option Two", "Option Three"],
                    },
                    "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
                    "titledMulti": { "type": "array", "items": { "anyOf": titled } },
                } });
                Self::elicit(context, "Choose.", schema).await
            }
            _ => {
                let schema = json!({
                    "type": "object",
                    "properties": {
                        "username": { "type": "string", "description": "User's response" },
                        "email": { "type": "string", "description": "User's email address" },
                    },
                    "required": ["username", "email"],
                });
                Self::elicit(context, message, schema).await
            }
        }
    }

    async fn beside(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let image = json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
        let argument = |name: &str| {
            let given = request.arguments.as_ref().and_then(|map| map.get(name));
            given
                .and_then(Value::as_str)
                .unwrap_or("nothing")
                .to_owned()
        };
        match &*request.name {
            "test_image_content" => gave(&json!([image])),
            "test_audio_content" => {
                gave(&json!([{ "type": "audio", "data": SILENCE, "mimeType": "audio/wav" }]))
            }
            "test_embedded_resource" => {
                let text = "This is an embedded resource content.";
                gave(&json!([resource(
                    "test://embedded-resource",
                    "text/plain",
                    text
                )]))
            }
            "test_multiple_content_types" => gave(&json!([
                { "type": "text", "text": "Multiple content types test:" },
                image,
                resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
            ])),
            "test_tool_with_logging" => {
                for words in [
                    "Tool execution started",
                    "Tool processing data",
                    "Tool execution completed",
                ] {
                    let note =
                        LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(words));
                    let _ = context.peer.notify_logging_message(note).await;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Ok(said("It was logged."))
            }
            "test_sampling" => {
                let ask = sampling(&argument("prompt"));
                let params = made(ask.get("params").cloned().unwrap_or_default())?;
                match context.peer.create_message(params).await {
                    Ok(answer) => {
                        let answer = serde_json::to_value(&answer).unwrap_or_default();
                        Ok(said(format!("LLM response: {answer}")))
                    }
                    Err(error) => Ok(CallToolResult::error(vec![ContentBlock::text(
                        error.to_string(),
                    )])
                    .into()),
                }
            }
            name if name.starts_with("test_elicitation") => {
                Self::ask(name, &argument("message"), &context).await
            }
            "test_missing_capability" => {
                let can = context.client_capabilities().unwrap_or_default();
                if can.sampling.is_none() {
                    let needed = ClientCapabilities::builder().enable_sampling().build();
                    return Err(ErrorData::missing_required_client_capability(needed));
                }
                Ok(said("The client has what it takes."))
            }
            _ => self.round(&request, &context),
        }
    }
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
            .with_server_info(Implementation::new("toolwright-conformance", "1.0.0"))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools
            .get_tool(name)
            .or_else(|| beside().into_iter().find(|tool| tool.name == name))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Answer<ListToolsResult> {
        let mut list = self.tools.list_tools(request, context).await?;
        list.tools.extend(beside());
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        if BESIDE.iter().any(|(name, _)| *name == request.name) {
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
        made(json!({ "resultType": "complete", "resources": [
            { "uri": "test://static-text", "name": "A text", "mimeType": "text/plain" },
            { "uri": "test://static-binary", "name": "A picture", "mimeType": "image/png" },
        ] }))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListResourceTemplatesResult> {
        made(json!({ "resultType": "complete", "resourceTemplates": [
            { "uriTemplate": "test://template/{id}/data", "name": "Data", "mimeType": "application/json" },
        ] }))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<ReadResourceResponse> {
        let uri = request.uri.as_str();
        let template = uri
            .strip_prefix("test://template/")
            .and_then(|rest| rest.strip_suffix("/data"));
        let content = match (uri, template) {
            ("test://static-text", _) => {
                json!({ "uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource." })
            }
            ("test://static-binary", _) => {
                json!({ "uri": uri, "mimeType": "image/png", "blob": PIXEL })
            }
            (_, Some(id)) => {
                let data =
                    json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
                json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
            }
            _ => {
                let data = Some(json!({ "uri": uri }));
                return Err(ErrorData::resource_not_found("Resource not found", data));
            }
        };
        Ok(ReadResourceResult::new(vec![made(content)?]).into())
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
        made(json!({ "resultType": "complete", "prompts": [
            { "name": "test_simple_prompt", "description": "A fixed text." },
            { "name": "test_prompt_with_arguments", "description": "A text with two words in it.", "arguments": [
                { "name": "arg1", "description": "The first word", "required": true },
                { "name": "arg2", "description": "The second word", "required": true },
            ] },
            { "name": "test_prompt_with_embedded_resource", "description": "A resource.", "arguments": [
                { "name": "resourceUri", "description": "Which", "required": true },
            ] },
            { "name": "test_prompt_with_image", "description": "A picture." },
            { "name": "test_input_required_result_prompt", "description": "Needs a context." },
        ] }))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<GetPromptResponse> {
        let arguments = request.arguments.unwrap_or_default();
        let argument = |name: &str| {
            arguments
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let text =
            |text: String| json!({ "role": "user", "content": { "type": "text", "text": text } });
        let messages = match &*request.name {
            "test_simple_prompt" => {
                json!([text("This is a simple prompt for testing.".to_owned())])
            }
            "test_prompt_with_arguments" => {
                let (one, two) = (argument("arg1"), argument("arg2"));
                json!([text(format!(
                    "Prompt with arguments: arg1='{one}', arg2='{two}'"
                ))])
            }
            "test_prompt_with_embedded_resource" => {
                let uri = Some(argument("resourceUri")).filter(|uri| !uri.is_empty());
                let content = resource(
                    uri.unwrap_or("test://example-resource"),
                    "text/plain",
                    "Embedded resource content for testing.",
                );
                json!([{ "role": "user", "content": content }, text("Please read it.".to_owned())])
            }
            "test_prompt_with_image" => {
                let image = json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
                json!([{ "role": "user", "content": image }, text("Please look at it.".to_owned())])
            }
            "test_input_required_result_prompt" => {
                let answers = request.input_responses.unwrap_or_default();
                let context = answers
                    .get("user_context")
                    .and_then(|answer| answer.pointer("/content/context"));
                let Some(context) = context.and_then(Value::as_str) else {
                    let ask = question("What context should the prompt use?", "context", "string");
                    let asks = json!({ "user_context": ask });
                    return Ok(GetPromptResponse::InputRequired(required(asks, None)?));
                };
                json!([text(format!("Go on with {context}."))])
            }
            _ => return Err(ErrorData::invalid_params("Unknown prompt", None)),
        };
        Ok(GetPromptResult::new(made(messages)?).into())
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

fn beside() -> Vec<Tool> {
    let schema = |name: &str| -> JsonObject {
        let parameter = match name {
            "test_sampling" => "prompt",
            "test_elicitation" => "message",
            _ => return [("type".to_owned(), json!("object"))].into_iter().collect(),
        };
        [
            ("type".to_owned(), json!("object")),
            (
                "properties".to_owned(),
                json!({ parameter: { "type": "string" } }),
            ),
            ("required".to_owned(), json!([parameter])),
        ]
        .into_iter()
        .collect()
    };
    BESIDE
        .iter()
        .map(|(name, about)| Tool::new(*name, *about, schema(name)))
        .collect()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = ToolServer::new(toolset()?, ToolContext::new())
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
