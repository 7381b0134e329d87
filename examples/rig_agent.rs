//! Callpact tools in a rig agent. The reply to a faulty call names every fault, a person approves
//! destructive calls, and a rejection ends the run. A script plays the model.

use callpact::{ReviewDecision, ToolContext, Toolset, review::review_fn, tool};
use callpact_adapters::rig::{CallpactTools, RigTools};
use rig_agent::AgentBuilder;
use rig_core::{
    message::{AssistantContent, Message, UserContent},
    test_utils::{MockCompletionModel, MockTurn},
};
use serde_json::json;

/// The state of an order
#[tool(read_only)]
fn order_state(
    /// The number of the order
    #[tool_param(pattern = "^A-[0-9]+$")]
    order: String,
) -> String {
    format!("{order}: paid, not sent yet")
}

/// Cancels an order
#[tool(destructive)]
fn cancel_order(
    /// The number of the order
    #[tool_param(pattern = "^A-[0-9]+$")]
    order: String,
    /// Why
    #[tool_param(min_length = 5)]
    reason: String,
) -> String {
    format!("{order} is cancelled: {reason}")
}

/// The model's answers, one item a turn.
fn script() -> [MockTurn; 4] {
    let cancel = json!({"order": "A-17", "reason": "ordered twice"});
    [
        MockTurn::tool_call(
            "call_1",
            "cancel_order",
            json!({"order": "17", "reasons": "a duplicate"}),
        ),
        MockTurn::tool_call("call_2", "order_status", json!({"order": "A-17"})),
        MockTurn::tool_call("call_3", "cancel_order", cancel),
        MockTurn::text("A-17 is cancelled."),
    ]
}

/// Runs the agent with a reviewer who always gives the same answer, and returns what happened.
async fn run(decision: ReviewDecision) -> Result<String, callpact::ToolsetError> {
    let decide = move |_| std::future::ready(Ok(decision.clone()));
    let toolset = Toolset::builder().tool(OrderState).tool(CancelOrder);
    let tools = RigTools::new(toolset.build()?)
        .with_context(ToolContext::new().with_reviewer(review_fn(decide)));
    let agent = AgentBuilder::new(MockCompletionModel::from_turns(script()))
        .callpact(&tools)
        .default_max_turns(8)
        .build();
    Ok(
        match agent.prompt("Cancel order 17, I ordered it twice.").await {
            Ok(response) => transcript(response.messages()),
            Err(error) => format!("{error}\n{:?}\n", tools.take_halts()),
        },
    )
}

fn transcript(messages: &[Message]) -> String {
    let mut lines = Vec::new();
    for message in messages {
        match message {
            Message::User { content } => lines.extend(content.iter().filter_map(heard)),
            Message::Assistant(turn) => lines.extend(turn.content.iter().filter_map(said)),
            Message::System { .. } => {}
        }
    }
    lines.concat()
}

fn said(content: &AssistantContent) -> Option<String> {
    match content {
        AssistantContent::Text(text) => Some(format!("model: {text}\n")),
        AssistantContent::ToolCall(call) => {
            let (name, arguments) = (&call.function.name, call.function.arguments_value());
            Some(format!("model calls {name} {arguments}\n"))
        }
        _ => None,
    }
}

fn heard(content: &UserContent) -> Option<String> {
    match content {
        UserContent::Text(text) => Some(format!("user: {text}\n")),
        UserContent::ToolResult(result) => {
            let text = result.content.first()?.as_text()?;
            Some(format!("  {}\n", text.replace('\n', "\n  ")))
        }
        _ => None,
    }
}

/// Both runs, as text.
pub(crate) async fn both() -> Result<String, callpact::ToolsetError> {
    let approved = run(ReviewDecision::Continue).await?;
    let rejected = run(ReviewDecision::REJECT).await?;
    Ok(format!("approved\n{approved}\nrejected\n{rejected}"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", both().await?);
    Ok(())
}
