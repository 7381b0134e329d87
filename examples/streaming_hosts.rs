//! The same line that grows, from the typed stream items of async-openai, rig and genai. The items are written here, so
//! this runs offline; in a program they come from the stream of the host.
//!
//! `cargo run --example streaming_hosts -p callpact-examples`

use std::error::Error;

use async_openai::types::chat::CreateChatCompletionStreamResponse;
use callpact::{
    ToolContext, ToolInput, Toolset,
    stream::{AssembledTurn, TurnAssembler, TurnEvent},
    tool,
};
use genai::chat::{ChatStreamEvent, MessageContent, StopReason, StreamEnd, ToolCall, ToolChunk};
use rig_core::streaming::StreamEvent;
use serde::Serialize;
use serde_json::{Value, from_value, json};

#[derive(ToolInput)]
#[tool_input(partial)]
struct Mail {
    to: String,
    text: String,
}

/// Drafts a mail
#[tool(read_only)]
fn draft(#[tool_param(flatten)] mail: Mail) -> String {
    format!("a draft of {} letters to {}", mail.text.len(), mail.to)
}

const PIECES: [&str; 3] = [
    "{\"to\": \"Ada\", \"text\": \"Dear A",
    "da, the lamp",
    " is on.\"}",
];

/// Takes the items of any host, and shows the call while it arrives.
fn assemble(
    host: &str,
    items: impl IntoIterator<Item = impl Serialize>,
) -> Result<AssembledTurn, Box<dyn Error>> {
    println!("{host}");
    let mut turn = TurnAssembler::new();
    for item in items {
        for event in turn.push_item(&item)? {
            if let TurnEvent::Arguments { position, .. } = event
                && let Some(mail) = turn.partial_of::<Mail>(position)
            {
                let (to, text) = (mail.to.unwrap_or_default(), mail.text.unwrap_or_default());
                print!("\rTo {to}: {text}");
            }
        }
    }
    println!();
    Ok(turn.finish())
}

fn async_openai_items() -> Result<Vec<CreateChatCompletionStreamResponse>, serde_json::Error> {
    let chunk = |delta: Value, reason: Option<&str>| {
        from_value(
            json!({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}),
        )
    };
    let call =
        |function: Value| json!({"tool_calls": [{"index": 0, "id": "c1", "function": function}]});
    let pieces = PIECES.map(|text| chunk(call(json!({"name": "draft", "arguments": text})), None));
    let end = chunk(json!({}), Some("tool_calls"));
    pieces.into_iter().chain([end]).collect()
}

fn rig_items() -> Result<Vec<StreamEvent>, serde_json::Error> {
    let start = json!({"event": "start", "part": 0, "kind": "tool_call", "name": "draft"});
    let pieces = PIECES.map(|text| json!({"event": "arguments", "part": 0, "json": text}));
    let arguments: Value = serde_json::from_str(&PIECES.concat())?;
    let end = json!({"event": "end", "part": 0, "content": {"type": "toolcall",
        "id": {"provider": "c1"}, "function": {"name": "draft", "arguments": arguments}}});
    let items = [start].into_iter().chain(pieces).chain([end]);
    items.map(from_value).collect()
}

/// The stream captures its calls (`ChatOptions::with_capture_tool_calls`): each chunk has the arguments so far.
fn genai_items() -> Result<Vec<ChatStreamEvent>, serde_json::Error> {
    let call = |fn_arguments: Value| ToolCall {
        call_id: "c1".to_owned(),
        fn_name: "draft".to_owned(),
        fn_arguments,
        thought_signatures: None,
    };
    let mut so_far = String::new();
    let chunks = PIECES.map(|text| {
        so_far += text;
        let tool_call = call(so_far.as_str().into());
        ChatStreamEvent::ToolCallChunk(ToolChunk { tool_call })
    });
    let captured = vec![call(serde_json::from_str(&PIECES.concat())?)];
    let end = ChatStreamEvent::End(StreamEnd {
        captured_content: Some(MessageContent::from(captured)),
        captured_stop_reason: Some(StopReason::ToolCall("tool_calls".to_owned())),
        ..StreamEnd::default()
    });
    Ok(chunks.into_iter().chain([end]).collect())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let tools = Toolset::builder().tool(Draft).build()?;
    for turn in [
        assemble("async-openai", async_openai_items()?)?,
        assemble("rig", rig_items()?)?,
        assemble("genai", genai_items()?)?,
    ] {
        for reply in tools.call_all(&turn.calls, &ToolContext::new()).await {
            println!("{}", reply?.to_model());
        }
    }
    Ok(())
}
