//! The responses API.

use async_openai::types::responses::{
    FunctionCallOutput, FunctionCallOutputItemParam, FunctionTool, FunctionToolCall, InputItem,
    Item, OutputItem, OutputStatus, Tool,
};
use callpact::{
    Dialect, ToolCall, ToolContext, ToolReply, ToolSpec, Toolset, adapter::sanitized_for_replay,
};

use crate::{
    schema::{is_strict, parameters},
    turn::{Halted, run_calls},
};

/// The tools of a list, for a `CreateResponse`.
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
/// let tools =
///     callpact_adapters::async_openai::response_tools(&toolset, Dialect::OpenAiResponsesStrict);
/// let json = serde_json::to_value(&tools)?;
/// assert_eq!((&json[0]["name"], &json[0]["strict"]), (&"now".into(), &true.into()));
/// # Ok(())
/// # }
/// ```
pub fn response_tools(toolset: &Toolset, dialect: Dialect) -> Vec<Tool> {
    let specs = toolset.spec_list(dialect);
    specs.iter().map(response_tool).collect()
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
/// let dialect = Dialect::OpenAiResponsesStrict;
/// let plan = toolset.plan_strict(dialect, &StrictBudget::of(dialect));
/// let tools: Vec<_> =
///     plan.specs.iter().map(callpact_adapters::async_openai::response_tool).collect();
/// assert_eq!(tools.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn response_tool(spec: &ToolSpec) -> Tool {
    Tool::Function(FunctionTool {
        name: spec.name.clone(),
        description: Some(spec.description.clone()),
        parameters: Some(parameters(spec)),
        // If this is absent, the provider tries strict mode.
        strict: Some(is_strict(spec)),
        ..FunctionTool::default()
    })
}

/// The function calls in a response's output. The program handles other kinds of calls.
///
/// ```
/// use serde_json::json;
///
/// # fn main() -> Result<(), serde_json::Error> {
/// let output = serde_json::from_value(json!([
///     {"type": "function_call", "call_id": "call_1", "name": "now", "arguments": "{}"},
/// ]))?;
/// let output: Vec<_> = output;
/// assert_eq!(callpact_adapters::async_openai::response_calls(&output)[0].id, "call_1");
/// # Ok(())
/// # }
/// ```
pub fn response_calls(output: &[OutputItem]) -> Vec<ToolCall> {
    let items = output.iter();
    items
        .filter_map(|item| match item {
            OutputItem::FunctionCall(call) => Some(ours(call)),
            _ => None,
        })
        .collect()
}

fn ours(call: &FunctionToolCall) -> ToolCall {
    let mut ours = ToolCall::new(&call.call_id, &call.name, &call.arguments);
    // An unfinished item is not a call.
    ours.cut_off = matches!(
        call.status,
        Some(OutputStatus::Incomplete | OutputStatus::InProgress)
    );
    ours
}

/// The result of a call, as an item of the next input, with the images of the result.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().build()?;
/// let reply = tools.call(&ToolCall::new("call_1", "x", "{}"), &ToolContext::new()).await?;
/// let item = serde_json::to_value(callpact_adapters::async_openai::response_item(&reply))?;
/// assert_eq!(item["type"], "function_call_output");
/// assert_eq!(item["output"], "Error: Unknown tool 'x'. There are no tools.");
/// # Ok(())
/// # }
/// ```
pub fn response_item(reply: &ToolReply) -> InputItem {
    let mut message = reply.to_message(Dialect::OpenAiResponses);
    InputItem::Item(Item::FunctionCallOutput(FunctionCallOutputItemParam {
        call_id: Some(reply.call_id.clone()),
        // Content without a type in this API becomes one text.
        output: serde_json::from_value(message["output"].take())
            .unwrap_or_else(|_| FunctionCallOutput::Text(reply.to_text_alone().into_owned())),
        id: None,
        status: None,
        name: None,
        namespace: None,
        caller: None,
    }))
}

/// Runs the function calls of a response, read-only ones together and every other alone, and returns
/// the items that answer them. Without calls there are none, and the response is the answer.
///
/// The items are the whole next input of a request with `previous_response_id`; without it they follow
/// the history and [`response_replay`] of the output.
///
/// ```
/// use async_openai::types::responses::OutputItem;
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
/// let output: Vec<OutputItem> = serde_json::from_value(json!([
///     {"type": "function_call", "call_id": "call_1", "name": "add", "arguments": "{\"a\": 2, \"b\": 3}"},
/// ]))?;
/// let items = callpact_adapters::async_openai::response_turn(&toolset, &output, &ToolContext::new()).await?;
/// assert_eq!(serde_json::to_value(&items)?[0]["output"], "5");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a call halts.
pub async fn response_turn(
    tools: &Toolset,
    output: &[OutputItem],
    cx: &ToolContext,
) -> Result<Vec<InputItem>, Halted> {
    let replies = run_calls(tools, &response_calls(output), cx).await?;
    Ok(replies.iter().map(response_item).collect())
}

/// The output of a response as part of the next input, for programs that keep the history
/// themselves. A call that the provider would refuse is changed to a form that it accepts.
///
/// ```
/// use async_openai::types::responses::OutputItem;
/// use serde_json::json;
///
/// # fn main() -> Result<(), serde_json::Error> {
/// let output: Vec<OutputItem> = serde_json::from_value(json!([
///     {"type": "function_call", "call_id": "call_1", "name": "add", "arguments": "{\"a\": 2"},
/// ]))?;
/// let items = serde_json::to_value(callpact_adapters::async_openai::response_replay(&output)?)?;
/// assert_eq!(items[0]["arguments"], r#"{"invalid_arguments":"{\"a\": 2"}"#);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If an item of the output has no form as an input.
pub fn response_replay(output: &[OutputItem]) -> Result<Vec<InputItem>, serde_json::Error> {
    let items = output.iter();
    items
        .map(|item| {
            let item = match item {
                OutputItem::FunctionCall(call) => {
                    let sent = sanitized_for_replay(&ours(call));
                    Item::FunctionCall(FunctionToolCall {
                        name: sent.name,
                        arguments: sent.arguments,
                        ..call.clone()
                    })
                }
                other => serde_json::from_value(serde_json::to_value(other)?)?,
            };
            Ok(InputItem::Item(item))
        })
        .collect()
}
