//! Calls and replies in the words of each provider.

use std::fmt;

use serde_json::{Value, json};

use super::{ToolCall, ToolReply};
use crate::schema::Dialect;

/// Why the calls of a response cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallFault {
    /// Where in the response, as a JSON pointer.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for CallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() {
            "the response"
        } else {
            &self.path
        };
        write!(f, "{path}: {}", self.message)
    }
}

impl std::error::Error for CallFault {}

/// How a provider writes a call.
#[derive(Clone, Copy)]
struct Form {
    /// The ways from a response to the list that holds the calls.
    lists: &'static [&'static str],
    /// The key inside a list's item, where the call is nested once more.
    nested: Option<&'static str>,
    /// The `type` of the items that are calls, where items have one.
    kind: Option<&'static str>,
    /// The key of the id; beside `nested` for chat, inside it elsewhere.
    id: &'static str,
    id_outside: bool,
    arguments: &'static str,
}

const CHAT: Form = Form {
    lists: &[
        "/choices/0/message/tool_calls",
        "/message/tool_calls",
        "/tool_calls",
    ],
    nested: Some("function"),
    kind: Some("function"),
    id: "id",
    id_outside: true,
    arguments: "arguments",
};
const RESPONSES: Form = Form {
    lists: &["/response/output", "/output"],
    nested: None,
    kind: Some("function_call"),
    id: "call_id",
    id_outside: false,
    arguments: "arguments",
};
const MESSAGES: Form = Form {
    lists: &["/message/content", "/content"],
    nested: None,
    kind: Some("tool_use"),
    id: "id",
    id_outside: false,
    arguments: "input",
};
const GEMINI: Form = Form {
    lists: &["/candidates/0/content/parts", "/content/parts", "/parts"],
    nested: Some("functionCall"),
    kind: None,
    id: "id",
    id_outside: false,
    arguments: "args",
};
const CONVERSE: Form = Form {
    lists: &["/output/message/content", "/message/content", "/content"],
    nested: Some("toolUse"),
    kind: None,
    id: "toolUseId",
    id_outside: false,
    arguments: "input",
};

const fn form(dialect: Dialect) -> Option<&'static Form> {
    Some(match dialect {
        Dialect::Portable
        | Dialect::OpenAi
        | Dialect::OpenAiStrict
        | Dialect::Mistral
        | Dialect::Ollama
        | Dialect::Vllm => &CHAT,
        Dialect::OpenAiResponses | Dialect::OpenAiResponsesStrict => &RESPONSES,
        Dialect::Anthropic | Dialect::AnthropicStrict => &MESSAGES,
        Dialect::Gemini | Dialect::GeminiOpenApi => &GEMINI,
        Dialect::Bedrock | Dialect::BedrockStrict => &CONVERSE,
        Dialect::Mcp20251125 | Dialect::Mcp20260728 => return None,
    })
}

impl ToolCall {
    /// The calls in a provider's response: the whole of it, its message, or the list of its parts.
    ///
    /// Text parts are passed over; no calls at all is an empty list. A call without an id, which
    /// some servers leave out, gets one by its position.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolwright::{Dialect, ToolCall};
    ///
    /// let response = json!({"content": [
    ///     {"type": "text", "text": "I will look."},
    ///     {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"query": "lamp"}},
    /// ]});
    /// let calls = ToolCall::parse(&response, Dialect::Anthropic)?;
    /// assert_eq!(calls, [ToolCall::new("toolu_1", "search", r#"{"query":"lamp"}"#)]);
    /// # Ok::<(), toolwright::adapter::CallFault>(())
    /// ```
    ///
    /// # Errors
    /// When a part says that it is a call and is none. Arguments that are not JSON are no error
    /// here: they are the model's, and the reader tells it.
    pub fn parse(response: &Value, dialect: Dialect) -> Result<Vec<Self>, CallFault> {
        let Some(form) = form(dialect) else {
            return mcp(response).map(|call| vec![call]);
        };
        let found = form
            .lists
            .iter()
            .find_map(|path| Some((*path, response.pointer(path)?)));
        let (path, items) = match (found, response) {
            (Some((path, Value::Array(items))), _) => (path, items.as_slice()),
            (None, Value::Array(items)) => ("", items.as_slice()),
            // A message without calls has no list, or null in its place.
            (Some((_, Value::Null | Value::String(_))) | None, Value::Object(map)) => {
                let single = form.nested.is_some_and(|key| map.contains_key(key))
                    || (form.kind.is_some()
                        && map.get("type").and_then(Value::as_str) == form.kind);
                if single {
                    ("", std::slice::from_ref(response))
                } else {
                    return Ok(Vec::new());
                }
            }
            (Some((path, _)), _) => return Err(fault(path, "expected a list")),
            (None, _) => return Err(fault("", "expected an object")),
        };
        let mut calls = Vec::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(call) = one(item, form, &format!("{path}/{index}"), calls.len())? {
                calls.push(call);
            }
        }
        Ok(calls)
    }
}

fn fault(path: &str, message: &str) -> CallFault {
    CallFault {
        path: path.to_owned(),
        message: message.to_owned(),
    }
}

/// A call, or nothing when the item is something else.
fn one(item: &Value, form: &Form, path: &str, nth: usize) -> Result<Option<ToolCall>, CallFault> {
    let kind = item.get("type").and_then(Value::as_str);
    let inner = match form.nested {
        Some(key) => match item.get(key) {
            Some(inner) => inner,
            None if form.kind.is_some() && kind == form.kind => {
                return Err(fault(path, &format!("a call without `{key}`")));
            }
            None => return Ok(None),
        },
        None if kind == form.kind => item,
        None => return Ok(None),
    };
    let Some(name) = inner.get("name").and_then(Value::as_str) else {
        return Err(fault(path, "a call without a name"));
    };
    let outer = if form.id_outside { item } else { inner };
    let id = match outer
        .get(form.id)
        .and_then(Value::as_str)
        .filter(|id| !id.is_empty())
    {
        Some(id) => id.to_owned(),
        None => format!("call_{nth}"),
    };
    Ok(Some(ToolCall::new(
        id,
        name,
        text(inner.get(form.arguments)),
    )))
}

/// Arguments as text: some providers send text, others the object itself.
fn text(arguments: Option<&Value>) -> String {
    match arguments {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// A `tools/call` request, or its `params`.
fn mcp(request: &Value) -> Result<ToolCall, CallFault> {
    let (path, params) = match request.get("params") {
        Some(params) => ("/params", params),
        None => ("", request),
    };
    let Some(name) = params.get("name").and_then(Value::as_str) else {
        return Err(fault(path, "a call without a name"));
    };
    let id = match request.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => "call_0".to_owned(),
    };
    Ok(ToolCall::new(id, name, text(params.get("arguments"))))
}

impl ToolReply {
    /// The reply as the provider wants it back: a message for chat, an input item for responses, a
    /// content block or part elsewhere, the result of `tools/call` for MCP.
    ///
    /// ```
    /// # use toolwright::{Dialect, ToolCall, ToolContext, Toolset};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::builder().build()?;
    /// let reply = tools.call(&ToolCall::new("toolu_1", "x", "{}"), &ToolContext::new()).await?;
    /// assert_eq!(
    ///     reply.to_message(Dialect::Anthropic),
    ///     serde_json::json!({
    ///         "type": "tool_result", "tool_use_id": "toolu_1", "is_error": true,
    ///         "content": "Error: Unknown tool 'x'. There are no tools.",
    ///     }),
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_message(&self, dialect: Dialect) -> Value {
        let (id, name, text) = (&self.call_id, &self.tool, &*self.to_model());
        match dialect {
            Dialect::OpenAi | Dialect::OpenAiStrict | Dialect::Vllm | Dialect::Portable => {
                json!({"role": "tool", "tool_call_id": id, "content": text})
            }
            Dialect::Mistral => {
                json!({"role": "tool", "tool_call_id": id, "name": name, "content": text})
            }
            Dialect::Ollama => json!({"role": "tool", "tool_name": name, "content": text}),
            Dialect::OpenAiResponses | Dialect::OpenAiResponsesStrict => {
                json!({"type": "function_call_output", "call_id": id, "output": text})
            }
            Dialect::Anthropic | Dialect::AnthropicStrict => {
                let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": text});
                if !self.is_success() {
                    block["is_error"] = true.into();
                }
                block
            }
            Dialect::Gemini | Dialect::GeminiOpenApi => {
                let key = if self.is_success() { "output" } else { "error" };
                let output = match self.result.error() {
                    Some(message) => json!(message),
                    None => json!(text),
                };
                json!({"functionResponse": {"id": id, "name": name, "response": {key: output}}})
            }
            Dialect::Bedrock | Dialect::BedrockStrict => {
                let status = if self.is_success() {
                    "success"
                } else {
                    "error"
                };
                json!({"toolResult": {
                    "toolUseId": id, "content": [{"text": text}], "status": status,
                }})
            }
            Dialect::Mcp20251125 | Dialect::Mcp20260728 => {
                let mut result = json!({
                    "content": [{"type": "text", "text": text}], "isError": !self.is_success(),
                });
                if dialect == Dialect::Mcp20260728 {
                    result["resultType"] = "complete".into();
                }
                if let Some(structured) = self.result.structured() {
                    result["structuredContent"] = structured.clone();
                }
                result
            }
        }
    }
}
