//! Chat completions.

use async_openai::types::chat::{
    ChatChoice, ChatCompletionMessageToolCall, ChatCompletionMessageToolCalls,
    ChatCompletionRequestAssistantMessage, ChatCompletionRequestMessage,
    ChatCompletionRequestToolMessage, ChatCompletionResponseMessage, ChatCompletionTool,
    ChatCompletionTools, FinishReason, FunctionCall, FunctionObject,
};
use callpact::{
    Dialect, ToolCall, ToolContext, ToolReply, ToolSpec, Toolset, adapter::sanitized_for_replay,
};

use crate::{
    schema::{is_strict, parameters},
    turn::{Halted, mark_last_cut_off, run_calls},
};

/// The tools of a list, for a `CreateChatCompletionRequest`.
///
/// The dialect is that of the provider behind the endpoint: `OpenAi`, `OpenAiStrict`, `Mistral`,
/// `Ollama`, `Vllm`, or `Portable` if it is unknown.
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
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let toolset = Toolset::builder().tool(Now).build()?;
/// let tools = callpact_adapters::async_openai::chat_tools(&toolset, Dialect::OpenAi);
/// let json = serde_json::to_value(&tools)?;
/// assert_eq!(json[0]["function"]["name"], "now");
/// # Ok(())
/// # }
/// ```
pub fn chat_tools(toolset: &Toolset, dialect: Dialect) -> Vec<ChatCompletionTools> {
    toolset.spec_list(dialect).iter().map(chat_tool).collect()
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
/// let dialect = Dialect::OpenAiStrict;
/// let plan = toolset.plan_strict(dialect, &StrictBudget::of(dialect));
/// let tools: Vec<_> = plan.specs.iter().map(callpact_adapters::async_openai::chat_tool).collect();
/// assert_eq!(tools.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn chat_tool(spec: &ToolSpec) -> ChatCompletionTools {
    ChatCompletionTools::Function(ChatCompletionTool {
        function: FunctionObject {
            name: spec.name.clone(),
            description: Some(spec.description.clone()),
            parameters: Some(parameters(spec)),
            strict: is_strict(spec).then_some(true),
        },
    })
}

/// The calls of a message, without calls of custom tools, which the program handles.
///
/// ```
/// use serde_json::json;
///
/// # fn main() -> Result<(), serde_json::Error> {
/// let message = serde_json::from_value(json!({"role": "assistant", "tool_calls": [
///     {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}},
/// ]}))?;
/// assert_eq!(callpact_adapters::async_openai::chat_calls(&message)[0].name, "now");
/// # Ok(())
/// # }
/// ```
pub fn chat_calls(message: &ChatCompletionResponseMessage) -> Vec<ToolCall> {
    let calls = message.tool_calls.iter().flatten();
    calls
        .filter_map(|call| match call {
            ChatCompletionMessageToolCalls::Function(call) => Some(ToolCall::new(
                &call.id,
                &call.function.name,
                &call.function.arguments,
            )),
            ChatCompletionMessageToolCalls::Custom(_) => None,
        })
        .collect()
}

/// The result of a call, as a tool message.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().build()?;
/// let reply = tools.call(&ToolCall::new("call_1", "x", "{}"), &ToolContext::new()).await?;
/// let message = callpact_adapters::async_openai::chat_message(&reply);
/// assert_eq!(message.tool_call_id, "call_1");
/// # Ok(())
/// # }
/// ```
pub fn chat_message(reply: &ToolReply) -> ChatCompletionRequestToolMessage {
    ChatCompletionRequestToolMessage {
        content: reply.to_text_alone().into_owned().into(),
        tool_call_id: reply.call_id.clone(),
    }
}

/// Runs the calls of a message, read-only ones together and every other alone, and returns the
/// messages to append: the model's own, and one for each call. Without calls there are none, and the
/// message is the answer.
///
/// A call that the provider would refuse in the history is changed to a form that it accepts. Calls of
/// custom tools stay in the model's message, for the program to answer. A message does not say whether
/// it was cut off: use [`chat_choice`] for that.
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
/// let message = serde_json::from_value(json!({"role": "assistant", "tool_calls": [
///     {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1"}},
/// ]}))?;
/// let turn = callpact_adapters::async_openai::chat_turn(&toolset, &message, &ToolContext::new()).await?;
/// let turn = serde_json::to_value(&turn)?;
/// assert_eq!(turn[0]["tool_calls"][0]["function"]["arguments"], r#"{"invalid_arguments":"{\"a\": 1"}"#);
/// assert!(turn[1]["content"].as_str().is_some_and(|text| text.starts_with("Error: Invalid arguments")));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a call halts.
pub async fn chat_turn(
    tools: &Toolset,
    message: &ChatCompletionResponseMessage,
    cx: &ToolContext,
) -> Result<Vec<ChatCompletionRequestMessage>, Halted> {
    turn(tools, message, &chat_calls(message), cx).await
}

/// Like [`chat_turn`], for a choice, which says why the message ended. The last call of a message that
/// was cut off does not run, and the model learns why.
///
/// ```
/// use serde_json::json;
/// use callpact::{ToolContext, Toolset, tool};
///
/// /// Deletes every report, or those of a year
/// #[tool(destructive)]
/// fn delete_reports(year: Option<u16>) -> &'static str {
///     "deleted"
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let toolset = Toolset::builder().tool(DeleteReports).build()?;
/// let choice = serde_json::from_value(json!({"index": 0, "finish_reason": "length", "message": {
///     "role": "assistant",
///     "tool_calls": [{"id": "call_1", "type": "function",
///         "function": {"name": "delete_reports", "arguments": ""}}],
/// }}))?;
/// let turn = callpact_adapters::async_openai::chat_choice(&toolset, &choice, &ToolContext::new()).await?;
/// let turn = serde_json::to_value(&turn)?;
/// assert!(turn[1]["content"].as_str().is_some_and(|text| text.contains("was cut off")));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a call halts.
pub async fn chat_choice(
    tools: &Toolset,
    choice: &ChatChoice,
    cx: &ToolContext,
) -> Result<Vec<ChatCompletionRequestMessage>, Halted> {
    let mut calls = chat_calls(&choice.message);
    if let Some(FinishReason::Length | FinishReason::ContentFilter) = choice.finish_reason {
        mark_last_cut_off(&mut calls);
    }
    turn(tools, &choice.message, &calls, cx).await
}

async fn turn(
    tools: &Toolset,
    message: &ChatCompletionResponseMessage,
    calls: &[ToolCall],
    cx: &ToolContext,
) -> Result<Vec<ChatCompletionRequestMessage>, Halted> {
    if calls.is_empty() {
        return Ok(Vec::new());
    }
    let replies = run_calls(tools, calls, cx).await?;
    let results = replies.iter().map(|reply| chat_message(reply).into());
    Ok(std::iter::once(chat_replay(message).into())
        .chain(results)
        .collect())
}

/// The message of a model as part of the next request. [`chat_turn`] returns it too; a program that
/// answers later, because a call waits for a decision, needs it alone.
///
/// A call that the provider would refuse in the history is changed to a form that it accepts.
///
/// ```
/// use serde_json::json;
///
/// # fn main() -> Result<(), serde_json::Error> {
/// let message = serde_json::from_value(json!({"role": "assistant", "tool_calls": [
///     {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": ""}},
/// ]}))?;
/// let sent = serde_json::to_value(callpact_adapters::async_openai::chat_replay(&message))?;
/// assert_eq!(sent["tool_calls"][0]["function"]["arguments"], "{}");
/// # Ok(())
/// # }
/// ```
pub fn chat_replay(
    message: &ChatCompletionResponseMessage,
) -> ChatCompletionRequestAssistantMessage {
    let calls = message.tool_calls.iter().flatten().map(|call| match call {
        ChatCompletionMessageToolCalls::Function(call) => {
            let sent = sanitized_for_replay(&ToolCall::new(
                &call.id,
                &call.function.name,
                &call.function.arguments,
            ));
            ChatCompletionMessageToolCalls::Function(ChatCompletionMessageToolCall {
                id: sent.id,
                function: FunctionCall {
                    name: sent.name,
                    arguments: sent.arguments,
                },
            })
        }
        ChatCompletionMessageToolCalls::Custom(_) => call.clone(),
    });
    ChatCompletionRequestAssistantMessage {
        content: message.content.clone().map(Into::into),
        refusal: message.refusal.clone(),
        tool_calls: Some(calls.collect()),
        ..ChatCompletionRequestAssistantMessage::default()
    }
}
