//! A provider on loopback that answers from a script and keeps the requests.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// More than any request of these tests.
const LONGEST: usize = 1 << 20;

/// An answer of the script.
pub(crate) enum Answer {
    /// A whole response.
    Whole(Value),
    /// A stream of events.
    Events(Vec<Value>),
}

impl From<Value> for Answer {
    fn from(value: Value) -> Self {
        Self::Whole(value)
    }
}

/// The server. It takes as many requests as it has answers, and ends when this is dropped.
pub(crate) struct Server {
    base: String,
    asked: Arc<Mutex<Vec<Value>>>,
    task: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start<A: Into<Answer>>(script: impl IntoIterator<Item = A>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let mut script: VecDeque<Answer> = script.into_iter().map(Into::into).collect();
        let kept = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Some(answer) = script.pop_front() {
                let Ok((stream, _)) = listener.accept().await else {
                    return;
                };
                match serve(stream, &answer).await {
                    Ok(body) => lock(&kept).push(body),
                    // A connection without a request takes no answer.
                    Err(_) => script.push_front(answer),
                }
            }
        });
        Self {
            base: format!("http://127.0.0.1:{port}/v1/"),
            asked,
            task,
        }
    }

    /// The address, up to and with `/v1/`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The bodies of the requests so far.
    pub(crate) fn asked(&self) -> Vec<Value> {
        lock(&self.asked).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(asked: &Mutex<Vec<Value>>) -> std::sync::MutexGuard<'_, Vec<Value>> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(mut stream: TcpStream, answer: &Answer) -> io::Result<Value> {
    let body = request(&mut stream).await?;
    let (kind, text) = match answer {
        Answer::Whole(value) => ("application/json", value.to_string()),
        Answer::Events(events) => {
            let lines = events.iter().map(|event| format!("data: {event}\n\n"));
            let text: String = lines.chain(["data: [DONE]\n\n".to_owned()]).collect();
            ("text/event-stream", text)
        }
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    Ok(body)
}

/// The body of a request.
async fn request(stream: &mut TcpStream) -> io::Result<Value> {
    let mut bytes = Vec::new();
    let broken = || io::Error::from(io::ErrorKind::InvalidData);
    loop {
        let head = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = head {
            let text = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default());
            let length = text.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let ours = name.eq_ignore_ascii_case("content-length");
                ours.then(|| value.trim().parse::<usize>().ok()).flatten()
            });
            let body = bytes.get(end + 4..).unwrap_or_default();
            if body.len() >= length.ok_or_else(broken)? {
                return serde_json::from_slice(body).map_err(|_| broken());
            }
        }
        if bytes.len() > LONGEST || stream.read_buf(&mut bytes).await? == 0 {
            return Err(broken());
        }
    }
}

/// Sets the crypto provider of the hosts' HTTP client. In a build of the whole workspace there is more
/// than one provider, and the client does not start without a choice.
pub(crate) fn http() -> reqwest::Client {
    static PROVIDER: LazyLock<()> = LazyLock::new(|| {
        // Another test may have chosen one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    LazyLock::force(&PROVIDER);
    let client = reqwest::Client::builder().no_proxy();
    client.build().expect("a client")
}

/// A chat completion that calls tools: id, name, arguments.
pub(crate) fn calls(calls: &[(&str, &str, &str)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| {
            json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    completion(
        &json!({"role": "assistant", "content": null, "tool_calls": calls}),
        "tool_calls",
    )
}

/// A chat completion that answers.
pub(crate) fn text(text: &str) -> Value {
    completion(&json!({"role": "assistant", "content": text}), "stop")
}

fn completion(message: &Value, finish: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    })
}

/// The reply to a call in a request of the chat API.
pub(crate) fn told<'a>(request: &'a Value, id: &str) -> &'a str {
    let messages = request["messages"].as_array().expect("messages");
    let message = messages
        .iter()
        .find(|message| message["tool_call_id"] == id);
    let content = &message.unwrap_or_else(|| panic!("no result of {id} in {request}"))["content"];
    content
        .as_str()
        .or_else(|| content[0]["text"].as_str())
        .unwrap_or_else(|| panic!("no text in {content}"))
}

/// The arguments of a call in a request of the chat API.
pub(crate) fn sent_back<'a>(request: &'a Value, id: &str) -> &'a str {
    let messages = request["messages"].as_array().expect("messages");
    let mut calls = messages
        .iter()
        .filter_map(|message| message["tool_calls"].as_array())
        .flatten();
    let call = calls.find(|call| call["id"] == id);
    let call = call.unwrap_or_else(|| panic!("no call {id} in {request}"));
    call["function"]["arguments"].as_str().expect("arguments")
}
