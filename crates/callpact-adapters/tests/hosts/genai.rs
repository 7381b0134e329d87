//! genai.

use callpact::{Dialect, ReviewDecision, ToolContext};
use callpact_adapters::genai::{responses, tools, turn, turn_streamed};
use callpact_testing::RecordingReviewer;
use genai::{
    Client, ModelIden, ServiceTarget,
    adapter::AdapterKind,
    chat::{ChatOptions, ChatRequest, ChatStreamEvent},
    resolver::{AuthData, Endpoint, ServiceTargetResolver},
};
use serde_json::{Value, json};

use crate::{
    server::{Answer, Server, calls, http, sent_back, text, told},
    tools::{CHART_IN_WORDS, TWO_FAULTS, charts, toolset, with_secrets},
};

fn client(server: &Server) -> Client {
    let base = server.base().to_owned();
    let resolver = ServiceTargetResolver::from_resolver_fn(
        move |target: ServiceTarget| -> Result<ServiceTarget, genai::resolver::Error> {
            Ok(ServiceTarget {
                endpoint: Endpoint::from_owned(base.clone()),
                auth: AuthData::from_single("none"),
                model: ModelIden::new(AdapterKind::OpenAI, target.model.model_name),
            })
        },
    );
    let client = Client::builder().with_reqwest(http());
    client
        .with_service_target_resolver(resolver)
        .build()
        .expect("a client")
}

/// The loop of the module's documentation.
async fn ask(server: &Server, cx: &ToolContext) -> Result<String, Box<dyn std::error::Error>> {
    let (client, toolset) = (client(server), toolset());
    let mut request = ChatRequest::from_user("Go on.").with_tools(tools(&toolset, Dialect::OpenAi));
    for _ in 0..8 {
        let response = client.exec_chat("scripted", request.clone(), None).await?;
        let messages = turn(&toolset, &response, cx).await?;
        if messages.is_empty() {
            return Ok(response.into_first_text().unwrap_or_default());
        }
        request = request.append_messages(messages);
    }
    Err("too many turns".into())
}

/// The loop with streams.
async fn ask_streaming(server: &Server) -> Result<String, Box<dyn std::error::Error>> {
    use futures_util::StreamExt;

    let (client, toolset, cx) = (client(server), toolset(), ToolContext::new());
    let options = ChatOptions::default()
        .with_capture_content(true)
        .with_capture_tool_calls(true);
    let mut request = ChatRequest::from_user("Go on.").with_tools(tools(&toolset, Dialect::OpenAi));
    for _ in 0..8 {
        let response = client
            .exec_chat_stream("scripted", request.clone(), Some(&options))
            .await?;
        let mut stream = response.stream;
        let mut end = None;
        while let Some(event) = stream.next().await {
            if let ChatStreamEvent::End(last) = event? {
                end = Some(last);
            }
        }
        let end = end.ok_or("the stream has no end")?;
        let messages = turn_streamed(&toolset, &end, &cx).await?;
        if messages.is_empty() {
            return Ok(end.captured_into_first_text().unwrap_or_default());
        }
        request = request.append_messages(messages);
    }
    Err("too many turns".into())
}

#[tokio::test]
async fn a_faulty_call_is_answered_and_corrected() {
    let server = Server::start([
        calls(&[("call_1", "weather", r#"{"citty": "Bergen", "days": 9}"#)]),
        calls(&[
            ("call_2", "wether", r#"{"city": "Bergen"}"#),
            ("call_3", "weather", r#"{"city": "Bergen", "days": "2"}"#),
        ]),
        text("9.5 degrees."),
    ])
    .await;
    let answer = ask(&server, &ToolContext::new()).await.expect("an answer");
    assert_eq!(answer, "9.5 degrees.");
    let asked = server.asked();
    assert_eq!(told(&asked[1], "call_1"), TWO_FAULTS);
    let unknown = told(&asked[2], "call_2");
    assert!(unknown.contains("Did you mean 'weather'?"), "{unknown}");
    assert_eq!(told(&asked[2], "call_3"), r#"{"temperature":9.5}"#);
    let tool = &asked[0]["tools"][0]["function"];
    assert_eq!(tool["name"], "weather");
    assert_eq!(tool["parameters"]["required"], json!(["city"]));
}

#[tokio::test]
async fn hides_secret_and_halts_on_rejection() {
    let server = Server::start([
        calls(&[("call_1", "login", r#"{"token": "<secret_ref:api_token>"}"#)]),
        calls(&[("call_2", "delete_report", r#"{"name": "q3"}"#)]),
        text("Never said."),
    ])
    .await;
    let answers = [ReviewDecision::Continue, ReviewDecision::REJECT];
    let cx = with_secrets().with_reviewer(RecordingReviewer::new(answers));
    let error = ask(&server, &cx).await.expect_err("a halt");
    assert_eq!(
        error.to_string(),
        "the call of 'delete_report' was rejected by the reviewer"
    );
    let asked = server.asked();
    assert_eq!(asked.len(), 2, "the model is not asked again");
    assert_eq!(
        told(&asked[1], "call_1"),
        "logged in with <secret_ref:api_token>, 15 characters"
    );
}

#[tokio::test]
async fn skips_last_call_of_truncated_response() {
    let both = [
        ("call_1", "weather", r#"{"city": "Bergen"}"#),
        ("call_2", "weather", r#"{"city": "Oslo"}"#),
    ];
    let mut cut = calls(&both);
    cut["choices"][0]["finish_reason"] = json!("length");
    for (response, runs) in [(calls(&both), true), (cut, false)] {
        let server = Server::start([response, text("Done.")]).await;
        let answer = ask(&server, &ToolContext::new()).await;
        assert_eq!(answer.expect("an answer"), "Done.");
        let asked = server.asked();
        let first = told(&asked[1], "call_1");
        assert!(!first.starts_with("Error"), "{first}");
        let last = told(&asked[1], "call_2");
        let refused = last.contains("'weather' did not run: the response was cut off");
        assert_eq!(refused, !runs, "{last}");
    }
}

#[tokio::test]
async fn a_picture_is_told_in_words() {
    let call = genai::chat::ToolCall {
        call_id: "call_1".to_owned(),
        fn_name: "chart".to_owned(),
        fn_arguments: json!({"input": "costs"}),
        thought_signatures: None,
    };
    let responses = responses(&charts(), &[call], &ToolContext::new()).await;
    assert_eq!(responses.expect("responses")[0].content, CHART_IN_WORDS);
}

fn broken() -> (Value, Vec<Value>) {
    let whole = calls(&[("call_1", "weather", r#"{"city": "Berg"#)]);
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1,
            "model": "scripted",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        })
    };
    let call = json!({"index": 0, "id": "call_1", "type": "function",
        "function": {"name": "weather", "arguments": ""}});
    let part = json!({"index": 0, "function": {"arguments": r#"{"city": "Berg"#}});
    let events = vec![
        chunk(
            json!({"role": "assistant", "tool_calls": [call]}),
            Value::Null,
        ),
        chunk(json!({"tool_calls": [part]}), Value::Null),
        chunk(json!({}), json!("tool_calls")),
    ];
    (whole, events)
}

#[tokio::test]
async fn invalid_json_fails_in_genai_except_in_streams() {
    let (whole, events) = broken();
    let server = Server::start([whole]).await;
    // genai parses the arguments itself. If this succeeds, the page on hosts has to change.
    ask(&server, &ToolContext::new())
        .await
        .expect_err("genai does not take it");

    let answer = json!({
        "id": "chatcmpl-2", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "delta": {"content": "I give up."}, "finish_reason": "stop"}],
    });
    let server = Server::start([Answer::Events(events), Answer::Events(vec![answer])]).await;
    let answer = ask_streaming(&server).await.expect("an answer");
    assert_eq!(answer, "I give up.");
    let asked = server.asked();
    let told = told(&asked[1], "call_1");
    assert!(told.starts_with("Error: Invalid arguments"), "{told}");
    let sent: Value = serde_json::from_str(sent_back(&asked[1], "call_1")).expect("JSON");
    assert_eq!(sent, json!({"invalid_arguments": r#"{"city": "Berg"#}));
}
