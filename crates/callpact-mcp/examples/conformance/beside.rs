//! The tools that need what a `Toolset` does not have: the client's log, its model and its user.

use std::time::Duration;

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
        ElicitRequestParams, JsonObject, LoggingLevel, LoggingMessageNotificationParam, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{Answer, Fixture, made, rounds::sampling, said};

/// The tools that need what a `Toolset` does not have.
pub(crate) const BESIDE: &[(&str, &str)] = &[
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

/// The list of these tools.
pub(crate) fn listed() -> Vec<Tool> {
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

impl Fixture {
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

    /// Calls a tool that asks the user, in the older revisions.
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

    pub(crate) async fn beside(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let argument = |name: &str| {
            let given = request.arguments.as_ref().and_then(|map| map.get(name));
            given
                .and_then(Value::as_str)
                .unwrap_or("nothing")
                .to_owned()
        };
        match &*request.name {
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
