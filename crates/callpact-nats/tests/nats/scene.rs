//! A server with a worker and a host, and somebody else who may publish there.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

use bytes::Bytes;
use callpact::{Outcome, ToolCall, ToolContext, ToolReply, Toolset, tools};
use callpact_nats::{Serving, Workers, worker};
use serde_json::{Value, json};
use tokio::{sync::Semaphore, time::timeout};

use crate::{
    kit::{LONG, Nats, server},
    outsider::{Outsider, forge, next},
};

/// Tools that count their runs.
#[derive(Clone)]
pub(crate) struct Counted {
    pub(crate) runs: Arc<AtomicU32>,
    pub(crate) gate: Arc<Semaphore>,
}

#[tools]
impl Counted {
    /// Adds two numbers
    #[tool(read_only)]
    fn add(&self, a: i64, #[tool_param(min = 0, max = 100)] b: i64) -> i64 {
        self.runs.fetch_add(1, SeqCst);
        a.saturating_add(b)
    }

    /// Pays, which must not happen twice
    #[tool(destructive)]
    async fn pay(&self) -> String {
        let run = self.runs.fetch_add(1, SeqCst) + 1;
        self.gate.acquire().await.unwrap().forget();
        format!("paid in run {run}")
    }
}

/// A server with a worker and a host, and an outsider.
pub(crate) struct Scene {
    pub(crate) nats: Nats,
    pub(crate) counted: Counted,
    pub(crate) serving: Serving,
    pub(crate) tools: Toolset,
    pub(crate) outsider: Outsider,
    /// The subject of calls, and a call of `add` that the outsider overheard.
    pub(crate) subject: String,
    pub(crate) call: Value,
}

impl Scene {
    pub(crate) async fn set() -> Option<Self> {
        let nats = server().await?;
        let counted = Counted {
            runs: Arc::default(),
            gate: Arc::new(Semaphore::new(0)),
        };
        let tools = Toolset::builder().tools(counted.clone()).build().unwrap();
        let worker = worker(tools, ToolContext::new()).connect(nats.url());
        let serving = worker.lease(Duration::from_secs(1)).start().await.unwrap();
        let tools = host(&nats).await;
        let outsider = Outsider::at(&nats).await;
        let mut calls = outsider.hear("callpact.calls.>").await;
        let (outcome, text) = add(&tools).await;
        assert_eq!((outcome, &*text), (Outcome::Success, "42"));
        let (subject, call) = next(&mut calls).await;
        Some(Self {
            call: serde_json::from_slice(&call).unwrap(),
            subject,
            nats,
            counted,
            serving,
            tools,
            outsider,
        })
    }

    pub(crate) fn runs(&self) -> u32 {
        self.counted.runs.load(SeqCst)
    }

    /// The toolset and the digest of the list, as they are in subjects and keys.
    pub(crate) fn group(&self) -> &str {
        self.subject.strip_prefix("callpact.calls.").unwrap()
    }

    /// Begins a call of `pay` with so many seconds. Gives its key and its end.
    pub(crate) async fn begin(&self, seconds: u64) -> (String, tokio::task::JoinHandle<ToolReply>) {
        let before = self.runs();
        let mut calls = self.outsider.hear("callpact.calls.>").await;
        let tools = self.tools.clone();
        let cx = ToolContext::new().with_timeout(Duration::from_secs(seconds));
        let wanted = ToolCall::new("call-1", "pay", "{}");
        let calling = tokio::spawn(async move { tools.call(&wanted, &cx).await.unwrap() });
        let call: Value = serde_json::from_slice(&next(&mut calls).await.1).unwrap();
        while self.runs() == before {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        (call["key"].as_str().unwrap().to_owned(), calling)
    }
}

pub(crate) async fn host(nats: &Nats) -> Toolset {
    let workers = timeout(LONG, Workers::connect(nats.url())).await;
    let workers = workers.expect("a host opens").unwrap();
    Toolset::builder().tools(workers.tools()).build().unwrap()
}

pub(crate) async fn add(tools: &Toolset) -> (Outcome, String) {
    let wanted = ToolCall::new("call-1", "add", r#"{"a": 40, "b": 2}"#);
    let cx = ToolContext::new();
    let reply = timeout(LONG, tools.call(&wanted, &cx)).await;
    let reply = reply.expect("the call ends").unwrap();
    (reply.outcome, reply.to_model().into_owned())
}

/// The end of a call, which must come.
pub(crate) async fn end(calling: tokio::task::JoinHandle<ToolReply>) -> ToolReply {
    let ended = timeout(LONG, calling).await;
    ended.expect("the call ends").unwrap()
}

/// Bytes that are none of the messages.
pub(crate) fn garbage(real: &Value) -> Vec<Bytes> {
    let text = real.to_string();
    let doubled = text.replacen('{', r#"{"key": "abc", "digest": "def", "#, 1);
    let mut all: Vec<Bytes> = vec![
        Bytes::new(),
        "{".into(),
        "null".into(),
        "[1, 2".into(),
        "\u{0}\u{1b}[2J".into(),
        Bytes::from_static(&[0xff, 0xfe, 0x00, 0xc3]),
        "[".repeat(500_000).into(),
        " ".repeat(1_000_000).into(),
        text[..text.len() / 2].to_owned().into(),
        doubled.into(),
    ];
    let long = "k".repeat(65);
    for key in ["", "a.b", "*", ">", "a b", "../x", "ключ", &*long] {
        all.push(forge(real, key, &json!({})).to_string().into());
    }
    for (field, value) in [
        ("timeout", json!(-1)),
        ("timeout", json!("soon")),
        ("arguments", json!({"a": 1})),
        ("tool", Value::Null),
        ("role", json!(["ops"])),
    ] {
        let fields = json!({field: value, "digest": "0"});
        all.push(forge(real, "k1", &fields).to_string().into());
    }
    all
}
