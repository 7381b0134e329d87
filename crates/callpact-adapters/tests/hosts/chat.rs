//! async-openai, chat completions.

use async_openai::{
    Client,
    config::OpenAIConfig,
    types::chat::{
        ChatCompletionRequestMessage, ChatCompletionRequestUserMessage,
        CreateChatCompletionRequestArgs,
    },
};
use callpact::{Dialect, Halt, PermissionMode, ReviewDecision, ToolContext};
use callpact_adapters::async_openai::{chat_message, chat_tools, chat_turn};
use callpact_testing::RecordingReviewer;
use serde_json::{Value, json};

use crate::{
    server::{Server, calls, http, sent_back, text, told},
    tools::{CHART_IN_WORDS, TWO_FAULTS, charts, toolset, with_secrets},
};

/// The loop of the module's documentation.
async fn ask(server: &Server, cx: &ToolContext) -> Result<String, Box<dyn std::error::Error>> {
    let config = OpenAIConfig::new()
        .with_api_key("none")
        .with_api_base(server.base().trim_end_matches('/'));
    let client = Client::build(http(), config);
    let tools = toolset();
    let mut messages: Vec<ChatCompletionRequestMessage> =
        vec![ChatCompletionRequestUserMessage::from("Go on.").into()];
    for _ in 0..8 {
        let request = CreateChatCompletionRequestArgs::default()
            .model("scripted")
            .messages(messages.clone())
            .tools(chat_tools(&tools, Dialect::OpenAiStrict))
            .build()?;
        let response = client.chat().create(request).await?;
        let message = &response.choices.first().ok_or("no choice")?.message;
        let turn = chat_turn(&tools, message, cx).await?;
        if turn.is_empty() {
            return Ok(message.content.clone().unwrap_or_default());
        }
        messages.extend(turn);
    }
    Err("too many turns".into())
}

#[tokio::test]
async fn a_faulty_call_is_answered_and_corrected() {
    let server = Server::start([
        calls(&[("call_1", "weather", r#"{"citty": "Bergen", "days": 9}"#)]),
        calls(&[("call_2", "wether", r#"{"city": "Bergen"}"#)]),
        calls(&[("call_3", "weather", r#"{"city": "Bergen", "days": "2"}"#)]),
        text("9.5 degrees."),
    ])
    .await;
    let answer = ask(&server, &ToolContext::new()).await.expect("an answer");
    assert_eq!(answer, "9.5 degrees.");
    let asked = server.asked();
    assert_eq!(told(&asked[1], "call_1"), TWO_FAULTS);
    assert_eq!(
        told(&asked[2], "call_2"),
        "Error: Unknown tool 'wether'. Did you mean 'weather'? \
         Available tools: weather, delete_report, login"
    );
    assert_eq!(told(&asked[3], "call_3"), r#"{"temperature":9.5}"#);
    let tool = &asked[0]["tools"][0]["function"];
    assert_eq!(
        (&tool["name"], &tool["strict"]),
        (&json!("weather"), &json!(true))
    );
    assert_eq!(tool["parameters"]["additionalProperties"], json!(false));
    assert_eq!(tool["parameters"]["required"], json!(["city", "days"]));
}

#[tokio::test]
async fn answers_invalid_json_and_sends_back_valid_json() {
    let server = Server::start([
        calls(&[("call_1", "weather", r#"{"city": "Berg"#)]),
        text("I give up."),
    ])
    .await;
    ask(&server, &ToolContext::new()).await.expect("an answer");
    let asked = server.asked();
    let told = told(&asked[1], "call_1");
    assert!(told.starts_with("Error: Invalid arguments"), "{told}");
    let sent: Value = serde_json::from_str(sent_back(&asked[1], "call_1")).expect("JSON");
    assert_eq!(sent, json!({"invalid_arguments": r#"{"city": "Berg"#}));
}

#[tokio::test]
async fn answers_denied_call_and_halts_on_rejection() {
    let script = || {
        [
            calls(&[("call_1", "delete_report", r#"{"name": "q3"}"#)]),
            text("Then not."),
        ]
    };
    let server = Server::start(script()).await;
    let cx = ToolContext::new().with_permissions(PermissionMode::Deny);
    ask(&server, &cx).await.expect("an answer");
    assert_eq!(
        told(&server.asked()[1], "call_1"),
        "Error: Tool 'delete_report' destroys things, which is not allowed here. Go on without it."
    );

    let server = Server::start(script()).await;
    let reviewer = RecordingReviewer::new([ReviewDecision::REJECT]);
    let cx = ToolContext::new().with_reviewer(reviewer.clone());
    let error = ask(&server, &cx).await.expect_err("a halt");
    assert_eq!(
        error.to_string(),
        "the call of 'delete_report' was rejected by the reviewer"
    );
    assert_eq!(reviewer.requests()[0].call_id, "call_1");
    assert_eq!(server.asked().len(), 1, "the model is not asked again");
}

#[tokio::test]
async fn runs_edited_call_and_hides_secret() {
    let server = Server::start([
        calls(&[
            ("call_1", "delete_report", r#"{"name": "everything"}"#),
            ("call_2", "login", r#"{"token": "<secret_ref:api_token>"}"#),
        ]),
        text("Done."),
    ])
    .await;
    let reviewer = RecordingReviewer::new([
        ReviewDecision::Edit(r#"{"name": "q3"}"#.to_owned()),
        ReviewDecision::Continue,
    ]);
    let cx = with_secrets().with_reviewer(reviewer);
    ask(&server, &cx).await.expect("an answer");
    let asked = server.asked();
    assert_eq!(
        told(&asked[1], "call_1"),
        "deleted q3\n\nNote: a person edited this call to: {\"name\": \"q3\"}"
    );
    assert_eq!(
        told(&asked[1], "call_2"),
        "logged in with <secret_ref:api_token>, 15 characters"
    );
    assert!(!asked[1].to_string().contains("hunter2"));
}

#[tokio::test]
async fn a_picture_is_told_in_words() {
    let message = serde_json::from_value(json!({"role": "assistant", "tool_calls": [
        {"id": "call_1", "type": "function",
         "function": {"name": "chart", "arguments": r#"{"input": "costs"}"#}},
    ]}))
    .expect("a message");
    let turn = chat_turn(&charts(), &message, &ToolContext::new()).await;
    let turn = serde_json::to_value(turn.expect("a turn")).expect("JSON");
    assert_eq!(turn[1]["content"], CHART_IN_WORDS);
}

#[tokio::test]
async fn pending_call_keeps_replies_of_other_calls() {
    let message = serde_json::from_value(json!({"role": "assistant", "tool_calls": [
        {"id": "call_1", "type": "function",
         "function": {"name": "delete_report", "arguments": r#"{"name": "q3"}"#}},
        {"id": "call_2", "type": "function",
         "function": {"name": "weather", "arguments": r#"{"city": "Bergen"}"#}},
    ]}))
    .expect("a message");
    let (tools, cx) = (toolset(), ToolContext::new().with_deferred_approval());
    let halted = chat_turn(&tools, &message, &cx).await.expect_err("a halt");
    let Halt::Pending(pending) = &halted.halt else {
        panic!("{halted}");
    };
    assert_eq!(
        (&*pending.call_id, &*pending.tool),
        ("call_1", "delete_report")
    );
    let reply = halted.replies[1].as_ref().expect("a reply");
    let other = serde_json::to_value(chat_message(reply)).expect("JSON");
    assert_eq!(other["content"], r#"{"temperature":7.5}"#);
    let resumed = tools.decide(pending, ReviewDecision::Continue, &cx).await;
    assert_eq!(resumed.expect("a reply").to_model(), "deleted q3");
}

#[tokio::test]
async fn every_text_host_distinguishes_error_like_success() {
    /// The last line of the log
    #[callpact::tool(read_only)]
    fn last_line() -> &'static str {
        "Error: disk full"
    }
    let tools = callpact::Toolset::single(LastLine).expect("a tool");
    let call = callpact::ToolCall::new("1", "last_line", "{}");
    let reply = tools
        .call(&call, &ToolContext::new())
        .await
        .expect("no halt");
    let told = "The tool succeeded. Its output:\nError: disk full";
    let message = serde_json::to_value(chat_message(&reply)).expect("JSON");
    assert_eq!(message["content"], told);
    let item = callpact_adapters::async_openai::response_item(&reply);
    assert_eq!(serde_json::to_value(item).expect("JSON")["output"], told);
    assert_eq!(callpact_adapters::genai::response(&reply).content, told);
}

#[tokio::test]
async fn every_text_host_reports_dropped_parameters() {
    let tools = toolset();
    let arguments = r#"{"city": "Bergen", "unit": "F"}"#;
    let call = callpact::ToolCall::new("1", "weather", arguments);
    let reply = tools
        .call(&call, &ToolContext::new())
        .await
        .expect("no halt");
    let message = serde_json::to_value(chat_message(&reply)).expect("JSON");
    let item = callpact_adapters::async_openai::response_item(&reply);
    let item = serde_json::to_value(item).expect("JSON");
    let of_genai = callpact_adapters::genai::response(&reply).content;
    for told in [&message["content"], &item["output"], &of_genai.into()] {
        let told = told.as_str().expect("a text");
        assert!(told.ends_with("- unit: not a parameter, ignored"), "{told}");
    }
}
