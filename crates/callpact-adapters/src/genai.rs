//! Callpact tools in a [genai](https://docs.rs/genai) chat.
//!
//! [`tools`] makes the list for a `ChatRequest`. [`turn`] runs the calls of a response and returns the
//! messages to append: the model's own, and the results of its calls.
//!
//! ```no_run
//! use genai::{Client, chat::ChatRequest};
//! use callpact::{Dialect, ToolContext, Toolset, tool};
//! use callpact_adapters::genai::{tools, turn};
//!
//! /// Adds two numbers
//! #[tool(read_only)]
//! fn add(a: i64, b: i64) -> Result<i64, &'static str> {
//!     a.checked_add(b).ok_or("the sum is too large")
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let toolset = Toolset::builder().tool(Add).build()?;
//!     let (client, cx) = (Client::new()?, ToolContext::new());
//!     let mut request = ChatRequest::from_user("What is 2 + 3?").with_tools(tools(&toolset, Dialect::OpenAi));
//!     for _ in 0..8 {
//!         let response = client.exec_chat("gpt-5-mini", request.clone(), None).await?;
//!         let messages = turn(&toolset, &response, &cx).await?;
//!         if messages.is_empty() {
//!             println!("{}", response.first_text().unwrap_or_default());
//!             break;
//!         }
//!         request = request.append_messages(messages);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! # Arguments that are not JSON
//!
//! genai parses the arguments of a whole chat completion itself, and `exec_chat` fails if they are
//! not JSON: this crate never sees that response. Streams keep the text, so a program that wants to
//! report such faults to the model uses a stream and [`turn_streamed`].

use callpact::{
    Dialect, ToolCall, ToolContext, ToolReply, ToolSpec, Toolset, adapter::sanitized_for_replay,
};
use genai::chat::{
    ChatMessage, ChatResponse, ContentPart, MessageContent, StopReason, StreamEnd, Tool,
    ToolResponse,
};
use serde_json::Value;

use crate::{
    schema::{is_strict, parameters},
    turn::{Halted, mark_last_cut_off, run_calls},
};

/// The tools of a list, for a `ChatRequest`, in the dialect of the model's provider.
///
/// ```
/// use callpact::{Dialect, Toolset, tool};
///
/// /// The time of day
/// #[tool(read_only)]
/// fn now() -> &'static str {
///     "noon"
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let toolset = Toolset::builder().tool(Now).build()?;
/// let tools = callpact_adapters::genai::tools(&toolset, Dialect::OpenAiStrict);
/// assert_eq!((tools[0].name.as_str(), tools[0].strict), ("now", Some(true)));
/// # Ok(())
/// # }
/// ```
pub fn tools(toolset: &Toolset, dialect: Dialect) -> Vec<Tool> {
    toolset.spec_list(dialect).iter().map(tool).collect()
}

/// One tool, for example one of a [plan for strict mode](Toolset::plan_strict).
///
/// ```
/// use callpact::{Dialect, Toolset, adapter::StrictBudget, tool};
///
/// /// The time of day
/// #[tool(read_only)]
/// fn now() -> &'static str {
///     "noon"
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let toolset = Toolset::builder().tool(Now).build()?;
/// let dialect = Dialect::AnthropicStrict;
/// let plan = toolset.plan_strict(dialect, &StrictBudget::of(dialect));
/// let tools: Vec<_> = plan.specs.iter().map(callpact_adapters::genai::tool).collect();
/// assert_eq!(tools.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn tool(spec: &ToolSpec) -> Tool {
    let tool = Tool::new(spec.name.as_str())
        .with_description(spec.description.as_str())
        .with_schema(parameters(spec));
    if is_strict(spec) {
        tool.with_strict(true)
    } else {
        tool
    }
}

/// Converts a call of genai. Arguments that genai kept as text stay that text.
///
/// ```
/// use serde_json::json;
///
/// let theirs = genai::chat::ToolCall {
///     call_id: "call_1".to_owned(),
///     fn_name: "add".to_owned(),
///     fn_arguments: json!({"a": 1}),
///     thought_signatures: None,
/// };
/// let ours = callpact_adapters::genai::call(&theirs);
/// assert_eq!(ours.arguments, r#"{"a":1}"#);
/// ```
pub fn call(call: &genai::chat::ToolCall) -> ToolCall {
    let arguments = match &call.fn_arguments {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    ToolCall::new(&call.call_id, &call.fn_name, arguments)
}

/// The result of a call, as a message of genai.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().build()?;
/// let reply = tools.call(&ToolCall::new("call_1", "x", "{}"), &ToolContext::new()).await?;
/// let response = callpact_adapters::genai::response(&reply);
/// assert_eq!(response.content, "Error: Unknown tool 'x'. There are no tools.");
/// # Ok(())
/// # }
/// ```
pub fn response(reply: &ToolReply) -> ToolResponse {
    // Some providers find the call by its name, so the response holds the name that they know.
    let sent = sanitized_for_replay(&ToolCall::new(&reply.call_id, &reply.tool, ""));
    ToolResponse::new(sent.id, reply.to_text_alone()).with_fn_name(sent.name)
}

/// Runs calls, read-only ones together and every other alone, and returns the responses in the order
/// of the calls.
///
/// ```
/// use serde_json::json;
/// use callpact::{ToolContext, Toolset, tool};
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> Result<i64, &'static str> {
///     a.checked_add(b).ok_or("the sum is too large")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let toolset = Toolset::builder().tool(Add).build()?;
/// let call = genai::chat::ToolCall {
///     call_id: "call_1".to_owned(),
///     fn_name: "add".to_owned(),
///     fn_arguments: json!({"a": 2, "b": 3}),
///     thought_signatures: None,
/// };
/// let responses = callpact_adapters::genai::responses(&toolset, &[call], &ToolContext::new()).await?;
/// assert_eq!(responses[0].content, "5");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a call halts.
pub async fn responses(
    tools: &Toolset,
    calls: &[genai::chat::ToolCall],
    cx: &ToolContext,
) -> Result<Vec<ToolResponse>, Halted> {
    let calls: Vec<ToolCall> = calls.iter().map(call).collect();
    let replies = run_calls(tools, &calls, cx).await?;
    Ok(replies.iter().map(response).collect())
}

/// Runs the calls of a response and returns the messages to append to the request. Without calls
/// there are none, and the response is the answer.
///
/// The first message is the model's own, with all its parts. A call that a provider would refuse in
/// the history is changed to a form that it accepts. The last call of a response that was cut off does
/// not run, and the model learns why.
///
/// ```
/// use genai::chat::{ChatRequest, ChatResponse};
/// use callpact::{ToolContext, Toolset};
/// use callpact_adapters::{Halted, genai::turn};
///
/// async fn next(
///     tools: &Toolset,
///     request: ChatRequest,
///     response: &ChatResponse,
/// ) -> Result<ChatRequest, Halted> {
///     Ok(request.append_messages(turn(tools, response, &ToolContext::new()).await?))
/// }
/// ```
///
/// # Errors
/// If a call halts.
pub async fn turn(
    tools: &Toolset,
    response: &ChatResponse,
    cx: &ToolContext,
) -> Result<Vec<ChatMessage>, Halted> {
    let reasoning = response.reasoning_content.clone();
    let stop = response.stop_reason.as_ref();
    messages(tools, response.content.clone(), reasoning, stop, cx).await
}

/// Like [`turn`], for the end of a stream. The stream must have captured the calls:
/// `ChatOptions::default().with_capture_tool_calls(true)`.
///
/// ```
/// use genai::chat::{ChatRequest, StreamEnd};
/// use callpact::{ToolContext, Toolset};
/// use callpact_adapters::{Halted, genai::turn_streamed};
///
/// async fn next(
///     tools: &Toolset,
///     request: ChatRequest,
///     end: &StreamEnd,
/// ) -> Result<ChatRequest, Halted> {
///     Ok(request.append_messages(turn_streamed(tools, end, &ToolContext::new()).await?))
/// }
/// ```
///
/// # Errors
/// If a call halts.
pub async fn turn_streamed(
    tools: &Toolset,
    end: &StreamEnd,
    cx: &ToolContext,
) -> Result<Vec<ChatMessage>, Halted> {
    let content = end.captured_content.clone().unwrap_or_default();
    let reasoning = end.captured_reasoning_content.clone();
    let stop = end.captured_stop_reason.as_ref();
    messages(tools, content, reasoning, stop, cx).await
}

/// The message of a model as part of the next request, with all its parts. [`turn`] returns it too;
/// a program that answers the calls later, because one waits for a decision, needs it alone.
///
/// A call that the provider would refuse in the history is changed to a form that it accepts.
///
/// ```
/// use genai::chat::{ChatRequest, ChatResponse};
/// use callpact::ToolReply;
/// use callpact_adapters::genai::{replay, response};
///
/// fn next(request: ChatRequest, said: &ChatResponse, replies: &[ToolReply]) -> ChatRequest {
///     let request = request.append_message(replay(said));
///     replies.iter().map(response).fold(request, ChatRequest::append_message)
/// }
/// ```
pub fn replay(response: &ChatResponse) -> ChatMessage {
    sent_back(response.content.clone(), response.reasoning_content.clone())
}

fn sent_back(mut content: MessageContent, reasoning: Option<String>) -> ChatMessage {
    for part in &mut content {
        if let ContentPart::ToolCall(theirs) = part {
            let sent = sanitized_for_replay(&call(theirs));
            theirs.fn_name = sent.name;
            theirs.fn_arguments = serde_json::from_str(&sent.arguments).unwrap_or_default();
        }
    }
    let reasoning = reasoning.filter(|_| !content.contains_reasoning_content());
    ChatMessage::assistant(content).with_reasoning_content(reasoning)
}

async fn messages(
    tools: &Toolset,
    content: MessageContent,
    reasoning: Option<String>,
    stop: Option<&StopReason>,
    cx: &ToolContext,
) -> Result<Vec<ChatMessage>, Halted> {
    let mut calls: Vec<ToolCall> = content.tool_calls().into_iter().map(call).collect();
    if let Some(StopReason::MaxTokens(_) | StopReason::ContentFilter(_)) = stop {
        mark_last_cut_off(&mut calls);
    }
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let replies = run_calls(tools, &calls, cx).await?;
    let responses: Vec<ToolResponse> = replies.iter().map(response).collect();
    Ok(vec![
        sent_back(content, reasoning),
        ChatMessage::from(responses),
    ])
}
