//! The resources and prompts that the suite asks for.

use rmcp::{
    ErrorData,
    model::{
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ReadResourceResponse, ReadResourceResult,
    },
};
use serde_json::{Value, json};

use crate::{
    Answer, made,
    rounds::{question, required},
    toolset::PIXEL,
};

pub(crate) fn resources() -> Answer<ListResourcesResult> {
    made(json!({ "resultType": "complete", "resources": [
        { "uri": "test://static-text", "name": "A text", "mimeType": "text/plain" },
        { "uri": "test://static-binary", "name": "A picture", "mimeType": "image/png" },
    ] }))
}

pub(crate) fn templates() -> Answer<ListResourceTemplatesResult> {
    made(json!({ "resultType": "complete", "resourceTemplates": [
        { "uriTemplate": "test://template/{id}/data", "name": "Data", "mimeType": "application/json" },
    ] }))
}

pub(crate) fn resource(uri: &str) -> Answer<ReadResourceResponse> {
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

pub(crate) fn prompts() -> Answer<ListPromptsResult> {
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

pub(crate) fn prompt(request: GetPromptRequestParams) -> Answer<GetPromptResponse> {
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
            let content = json!({ "type": "resource", "resource": {
                "uri": uri.unwrap_or("test://example-resource"),
                "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            } });
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
