//! The same ten tools in three hosts.

use std::error::Error;

use async_openai::types::chat::ChatCompletionResponseMessage;
use callpact::{ReviewDecision, ToolCall, ToolContext, Toolset, review::review_fn};
use callpact_adapters::{
    async_openai::chat_turn,
    rig::{CallpactTools, RigTools},
};
use callpact_mcp::{
    client::{Elicited, McpConfig},
    server::AskClients,
    tool_server,
};
use rig_agent::AgentBuilder;
use rig_core::{
    message::{Message, UserContent},
    test_utils::{MockCompletionModel, MockTurn},
};
use serde_json::{Value, json};

/// A person who reads a question and says yes.
fn yes(cx: ToolContext) -> ToolContext {
    cx.with_reviewer(review_fn(|request| async move {
        println!("  a person allows: {}", request.action);
        Ok(ReviewDecision::Continue)
    }))
}

/// Messages of async-openai.
pub(crate) async fn async_openai(tools: &Toolset, cx: &ToolContext) -> Result<(), Box<dyn Error>> {
    println!("async-openai");
    for (name, arguments) in [
        ("status", r"{}"),
        // Two faults.
        (
            "next_version",
            r#"{"bump": {"preview": {"stage": "gamma", "number": 0}}}"#,
        ),
        (
            "next_version",
            r#"{"bump": {"preview": {"stage": "beta"}}}"#,
        ),
        ("log", r#"{"limit": 5}"#),
    ] {
        println!("{name} {arguments}");
        let call = json!({"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}});
        let message = json!({"role": "assistant", "tool_calls": [call]});
        let message: ChatCompletionResponseMessage = serde_json::from_value(message)?;
        let turn = serde_json::to_value(chat_turn(tools, &message, cx).await?)?;
        show(turn[1]["content"].as_str().unwrap_or_default());
    }
    Ok(())
}

/// An agent of rig.
pub(crate) async fn rig(tools: &Toolset, cx: &ToolContext) -> Result<(), Box<dyn Error>> {
    println!("\nrig");
    let version = "1.5.0-beta.1";
    let calls = [
        (
            "changelog",
            json!({"version": version, "entries": [{"kind": "added", "text": "The lamp dims"}]}),
        ),
        ("set_version", json!({"version": version})),
        ("commit", json!({"message": "Release 1.5.0-beta.1"})),
        (
            "publish",
            json!({"version": version, "token": "<secret_ref:registry>"}),
        ),
    ];
    let turns = calls
        .iter()
        .map(|(name, arguments)| MockTurn::tool_call("1", *name, arguments.clone()));
    let model = MockCompletionModel::from_turns(turns.chain([MockTurn::text("It is written.")]));
    let tools = RigTools::new(tools.clone()).with_context(yes(cx.clone()));
    let agent = AgentBuilder::new(model)
        .callpact(&tools)
        .default_max_turns(8)
        .build();
    let response = agent.prompt("Prepare the beta.").await?;
    for message in response.messages() {
        let Message::User { content } = message else {
            continue;
        };
        for content in content {
            if let UserContent::ToolResult(result) = content
                && let Some(text) = result.content.first().and_then(|part| part.as_text())
            {
                show(text);
            }
        }
    }
    Ok(())
}

/// A client of MCP, whose user the server asks.
pub(crate) async fn mcp(tools: &Toolset, cx: &ToolContext) -> Result<(), Box<dyn Error>> {
    println!("\nMCP");
    let ask = AskClients::new("an example, so that nobody else knows it")?;
    let server = tool_server!(tools.clone(), cx.clone()).ask_clients(ask);
    let http = server.bind(([127, 0, 0, 1], 0).into()).await?;
    let (url, stop) = (format!("http://{}/mcp", http.local_addr()?), http.stopper());
    let serving = tokio::spawn(http.run());
    let client = McpConfig::url(url)
        .trust_annotations()
        .on_elicitation(|asked| async move {
            let question = asked.message.lines().find(|line| !line.is_empty());
            println!("  the user allows: {}", question.unwrap_or_default());
            Elicited::Accept(json!({"decision": "approve"}))
        })
        .open()
        .await?;
    let tools = Toolset::builder().tools(client.tools()).build()?;
    let cx = ToolContext::new().with_progress(|done, total, text| {
        let (total, text) = (total.unwrap_or_default(), text.unwrap_or_default());
        println!("  {done} of {total}: {text}");
    });
    for (name, arguments) in [
        (
            "run_checks",
            json!({"checks": ["format", "tests", "licences"]}),
        ),
        ("tag", json!({"name": "v1.5.0-beta.1"})),
        (
            "announce",
            json!({"channel": {"by": "chat", "room": "#lamp", "mention": {"person": "ada"}}, "text": "Out!"}),
        ),
    ] {
        println!("{name} {arguments}");
        let call = ToolCall::new("1", name, arguments.to_string());
        let reply = tools.call(&call, &cx).await?;
        show(&reply.to_model());
        if let Some(structured) = reply.result.structured().filter(|it| !Value::is_null(it)) {
            println!("  as data: {structured}");
        }
    }
    client.close().await;
    stop.stop();
    Ok(serving.await??)
}

fn show(text: &str) {
    println!("  {}", text.replace('\n', "\n  "));
}
