//! Somebody at the server who knows the subjects and speaks NATS without this crate.

use std::fmt::Write;

use async_nats::{Client, Subscriber, jetstream};
use bytes::Bytes;
use callpact::pins;
use futures_util::StreamExt;
use hmac_sha256::Hash as Sha256;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::kit::{LONG, Nats};

pub(crate) struct Outsider {
    pub(crate) client: Client,
    pub(crate) jetstream: jetstream::Context,
}

impl Outsider {
    pub(crate) async fn at(nats: &Nats) -> Self {
        let client = async_nats::connect(nats.url()).await.unwrap();
        let jetstream = jetstream::new(client.clone());
        Self { client, jetstream }
    }

    pub(crate) async fn hear(&self, subject: &str) -> Subscriber {
        let heard = self.client.subscribe(subject.to_owned()).await.unwrap();
        // An answer says that the server has read what came before.
        self.jetstream.query_account().await.unwrap();
        heard
    }

    pub(crate) async fn say(&self, subject: &str, payload: impl Into<Bytes>) {
        let said = self.client.publish(subject.to_owned(), payload.into());
        said.await.unwrap();
        self.client.flush().await.unwrap();
    }

    pub(crate) async fn bucket(&self, name: &str) -> jetstream::kv::Store {
        self.jetstream.get_key_value(name).await.unwrap()
    }

    /// Announces a worker, as if it were there.
    pub(crate) async fn announce(&self, key: &str) {
        let presence = self.bucket("callpact-workers").await;
        presence.put(key, Bytes::new()).await.unwrap();
    }

    /// Sends a call, and waits for the record of its result.
    pub(crate) async fn make_call(&self, subject: &str, call: &Value) -> Value {
        let key = call["key"].as_str().unwrap();
        let mut notes = self.hear(&format!("callpact.reply.{key}")).await;
        self.say(subject, call.to_string()).await;
        loop {
            let note: Value = serde_json::from_slice(&next(&mut notes).await.1).unwrap();
            if !note["done"].is_null() {
                return note["done"].clone();
            }
        }
    }

    /// Answers every question for pages of a list.
    pub(crate) fn serve_pages(&self, mut questions: Subscriber, pages: Vec<Bytes>) {
        let client = self.client.clone();
        tokio::spawn(async move {
            while let Some(question) = questions.next().await {
                let page = std::str::from_utf8(&question.payload).unwrap_or_default();
                let page = page.parse::<usize>().unwrap_or_default();
                let page = pages[page.min(pages.len() - 1)].clone();
                if let Some(reply) = question.reply {
                    let _ = client.publish(reply, page).await;
                }
            }
        });
    }
}

/// The next message: its subject and its payload.
pub(crate) async fn next(heard: &mut Subscriber) -> (String, Bytes) {
    let message = timeout(LONG, heard.next()).await;
    let message = message.expect("a message arrives").unwrap();
    (message.subject.to_string(), message.payload)
}

/// The digest of texts, each with its length before it.
pub(crate) fn digest(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    }
    let bytes = hash.finalize();
    bytes.iter().fold(String::new(), |mut out, byte| {
        // Writing to a String does not fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The digest that belongs to a list of tools.
pub(crate) fn list_digest(tools: &[Value]) -> String {
    let prints: Vec<String> = tools.iter().map(pins::fingerprint).collect();
    let prints: Vec<&str> = prints.iter().map(String::as_str).collect();
    digest(&prints)[..32].to_owned()
}

/// A tool as a worker lists it.
pub(crate) fn listed(name: &str, parameters: &str) -> Value {
    json!({
        "name": name, "description": "Does a thing", "parameters": parameters,
        "permission": "read_only", "asks": false,
    })
}

pub(crate) fn page(pages: usize, tools: &[Value]) -> Bytes {
    json!({ "pages": pages, "tools": tools }).to_string().into()
}

/// A call that differs from another one in its key and in these fields. Its digest fits, unless it is given.
pub(crate) fn forge(call: &Value, key: &str, fields: &Value) -> Value {
    let mut forged = call.clone();
    forged["key"] = key.into();
    for (name, value) in fields.as_object().unwrap() {
        forged[name] = value.clone();
    }
    if fields["digest"].is_null() {
        let text = |name: &str| forged[name].as_str().unwrap_or_default().to_owned();
        forged["digest"] = digest(&[&text("fingerprint"), &text("arguments")]).into();
    }
    forged
}
