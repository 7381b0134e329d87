//! async-openai, the responses API.

use async_openai::{
    Client,
    config::OpenAIConfig,
    types::responses::{CreateResponseArgs, EasyInputMessage, InputItem},
};
use callpact::{Dialect, ReviewDecision, ToolContext};
use callpact_adapters::async_openai::{
    response_calls, response_replay, response_tools, response_turn,
};
use callpact_testing::RecordingReviewer;
use serde_json::{Value, json};

use crate::{
    server::{Server, http},
    tools::{SOUND, TWO_FAULTS, charts, toolset},
};

fn response(id: &str, output: &Value) -> Value {
    json!({
        "id": id, "object": "response", "created_at": 1, "status": "completed",
        "model": "scripted", "output": output, "tools": [], "tool_choice": "auto",
        "parallel_tool_calls": true,
    })
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!([
        {"type": "reasoning", "id": format!("rs_{id}"), "summary": []},
        {"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
         "arguments": arguments, "status": "completed"},
    ])
}

fn message(text: &str) -> Value {
    json!([{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]}])
}

/// A loop whose history is at the provider or in the program.
async fn ask(
    server: &Server,
    cx: &ToolContext,
    keep: bool,
) -> Result<String, Box<dyn std::error::Error>> {
    let config = OpenAIConfig::new()
        .with_api_key("none")
        .with_api_base(server.base().trim_end_matches('/'));
    let client = Client::build(http(), config);
    let tools = toolset();
    let mut input: Vec<InputItem> = vec![EasyInputMessage::from("Go on.").into()];
    let mut previous = None;
    for _ in 0..8 {
        let mut request = CreateResponseArgs::default();
        request
            .model("scripted")
            .input(input.clone())
            .tools(response_tools(&tools, Dialect::OpenAiResponses));
        if let Some(previous) = previous.take().filter(|_| !keep) {
            request.previous_response_id::<String>(previous);
        }
        let response = client.responses().create(request.build()?).await?;
        let items = response_turn(&tools, &response.output, cx).await?;
        if items.is_empty() {
            return Ok(response.output_text().unwrap_or_default());
        }
        if keep {
            input.extend(response_replay(&response.output)?);
            input.extend(items);
        } else {
            input = items;
        }
        previous = Some(response.id);
    }
    Err("too many turns".into())
}

fn script() -> [Value; 4] {
    [
        response(
            "resp_1",
            &call("call_1", "weather", r#"{"citty": "Bergen", "days": 9}"#),
        ),
        response("resp_2", &call("call_2", "weather", r#"{"city": "Ber"#)),
        response(
            "resp_3",
            &call("call_3", "weather", r#"{"city": "Bergen"}"#),
        ),
        response("resp_4", &message("7.5 degrees.")),
    ]
}

#[tokio::test]
async fn the_provider_keeps_the_history() {
    let server = Server::start(script()).await;
    let answer = ask(&server, &ToolContext::new(), false).await;
    assert_eq!(answer.expect("an answer"), "7.5 degrees.");
    let asked = server.asked();
    assert_eq!(asked[1]["previous_response_id"], "resp_1");
    assert_eq!(
        asked[1]["input"],
        json!([{"type": "function_call_output", "call_id": "call_1", "output": TWO_FAULTS}])
    );
    let broken = asked[2]["input"][0]["output"].as_str().expect("a text");
    assert!(broken.starts_with("Error: Invalid arguments"), "{broken}");
    assert_eq!(asked[3]["input"][0]["output"], r#"{"temperature":7.5}"#);
    let tool = &asked[0]["tools"][0];
    assert_eq!(
        (&tool["name"], &tool["strict"]),
        (&json!("weather"), &json!(false))
    );
    assert_eq!(tool["parameters"]["required"], json!(["city"]));
}

#[tokio::test]
async fn the_program_keeps_the_history() {
    let server = Server::start(script()).await;
    let answer = ask(&server, &ToolContext::new(), true).await;
    assert_eq!(answer.expect("an answer"), "7.5 degrees.");
    let asked = server.asked();
    let input = asked[2]["input"].as_array().expect("items");
    let kinds: Vec<&str> = input
        .iter()
        .map(|item| item["type"].as_str().unwrap_or("message"))
        .collect();
    assert_eq!(
        kinds,
        [
            "message",
            "reasoning",
            "function_call",
            "function_call_output",
            "reasoning",
            "function_call",
            "function_call_output"
        ]
    );
    assert_eq!(
        input[5]["arguments"],
        r#"{"invalid_arguments":"{\"city\": \"Ber"}"#
    );
}

#[tokio::test]
async fn a_rejected_call_ends_the_run() {
    let server = Server::start([
        response(
            "resp_1",
            &call("call_1", "delete_report", r#"{"name": "q3"}"#),
        ),
        response("resp_2", &message("Never said.")),
    ])
    .await;
    let cx = ToolContext::new().with_reviewer(RecordingReviewer::new([ReviewDecision::REJECT]));
    let error = ask(&server, &cx, false).await.expect_err("a halt");
    assert_eq!(
        error.to_string(),
        "the call of 'delete_report' was rejected by the reviewer"
    );
    assert_eq!(server.asked().len(), 1, "the model is not asked again");
}

#[tokio::test]
async fn skips_truncated_item() {
    let item = |id: &str, status: &str| {
        json!({"type": "function_call", "call_id": id, "name": "chart", "arguments": r#"{"input": "costs"}"#,
            "status": status})
    };
    let output: Vec<_> = serde_json::from_value(json!([
        item("call_1", "completed"),
        item("call_2", "incomplete"),
        item("call_3", "in_progress"),
    ]))
    .expect("an output");
    let items = response_turn(&charts(), &output, &ToolContext::new()).await;
    let items = serde_json::to_value(items.expect("items")).expect("JSON");
    assert_eq!(items[0]["output"][0]["text"], "a chart");
    for item in [&items[1], &items[2]] {
        let told = item["output"].as_str().expect("a text");
        assert!(
            told.contains("'chart' did not run: the response was cut off"),
            "{told}"
        );
    }
}

#[tokio::test]
async fn images_go_beside_the_text() {
    let output: Vec<_> = serde_json::from_value(call("call_1", "chart", r#"{"input": "costs"}"#))
        .expect("an output");
    assert_eq!(response_calls(&output).len(), 1);
    let items = response_turn(&charts(), &output, &ToolContext::new()).await;
    let items = serde_json::to_value(items.expect("items")).expect("JSON");
    let [text, picture, sound] = items[0]["output"].as_array().expect("blocks").as_slice() else {
        panic!("{items}");
    };
    assert_eq!(*text, json!({"type": "input_text", "text": "a chart"}));
    assert_eq!(picture["type"], "input_image");
    assert_eq!(picture["image_url"], "data:image/png;base64,iVBORw0KGgo=");
    assert_eq!(*sound, json!({"type": "input_text", "text": SOUND}));
}
