//! Shows a call while the model writes it: a line that grows on the screen, over plain HTTP.
//!
//! A thread stands in for the provider, so this runs offline.
//!
//! `cargo run --example streaming -p callpact-examples`

use std::{
    error::Error,
    io::{BufRead, BufReader, Write, stdout},
    net::{TcpListener, TcpStream},
    thread,
};

use callpact::{
    ToolContext, ToolInput, Toolset,
    stream::{TurnAssembler, TurnEvent},
    tool,
};
use serde_json::json;

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

/// What a provider sends: a call in pieces.
fn provide(mut stream: TcpStream) -> Result<(), Box<dyn Error>> {
    let mut request = BufReader::new(stream.try_clone()?).lines();
    while request.next().transpose()?.is_some_and(|it| !it.is_empty()) {}
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
    )?;
    let first = json!({"index": 0, "id": "c1", "type": "function",
        "function": {"name": "draft", "arguments": ""}});
    let pieces = [
        "{\"to\": \"Ada\", \"text\"",
        ": \"Dear A",
        "da, the lamp",
        " is on.\"}",
    ];
    let pieces = pieces.map(|text| json!({"index": 0, "function": {"arguments": text}}));
    for piece in [first].iter().chain(&pieces) {
        let chunk = json!({"choices": [{"index": 0, "delta": {"tool_calls": [piece]}}]});
        write!(stream, "data: {chunk}\n\n")?;
    }
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
    write!(stream, "data: {end}\n\ndata: [DONE]\n\n")?;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut stream = TcpStream::connect(listener.local_addr()?)?;
    thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a connection");
        provide(stream).expect("the client reads");
    });
    write!(
        stream,
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    )?;

    let mut turn = TurnAssembler::new();
    for line in BufReader::new(stream).lines() {
        let line = line?;
        let Some(data) = line.strip_prefix("data: ").filter(|it| *it != "[DONE]") else {
            continue;
        };
        for event in turn.push(&serde_json::from_str(data)?) {
            if let TurnEvent::Arguments { position, .. } = event
                && let Some(mail) = turn.partial_of::<Mail>(position)
            {
                // A return without a newline writes over the line.
                let (to, text) = (mail.to.unwrap_or_default(), mail.text.unwrap_or_default());
                print!("\rTo {to}: {text}");
                stdout().flush()?;
            }
        }
    }
    println!();
    let tools = Toolset::builder().tool(Draft).build()?;
    for reply in tools
        .call_all(&turn.finish().calls, &ToolContext::new())
        .await
    {
        println!("{}", reply?.to_model());
    }
    Ok(())
}
