//! The messages between the program and its servers.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use callpact::store::Moment;
use serde::Serialize;
use serde_json::{Value, json};

use crate::events::DeskEvents;

/// How many messages are kept.
const KEPT: usize = 2_000;
/// The most bytes of one message that are kept.
const BODY: usize = 8_000;
/// The most requests without an answer that are remembered for their time.
const OPEN: usize = 1_000;

/// The latest messages.
pub(crate) struct LatestMessages {
    events: Arc<DeskEvents>,
    log: Mutex<LoggedMessages>,
}

#[derive(Default)]
struct LoggedMessages {
    count: u64,
    kept: VecDeque<LoggedMessage>,
    /// When a request was sent: by its server, its direction and its id.
    open: HashMap<(String, bool, String), (Instant, String)>,
}

/// One message.
#[derive(Clone, Serialize)]
struct LoggedMessage {
    n: u64,
    at: Moment,
    server: String,
    /// `out` to the server, or `in` from it.
    way: &'static str,
    /// Of an answer the method of its request.
    method: Option<String>,
    id: Option<String>,
    answer: bool,
    /// The direction of the request, which tells the ids of both sides apart.
    request: &'static str,
    error: bool,
    size: usize,
    /// Microseconds from the request to this answer.
    took: Option<u64>,
    body: String,
}

impl LatestMessages {
    pub(crate) fn new(events: Arc<DeskEvents>) -> Self {
        Self {
            events,
            log: Mutex::default(),
        }
    }

    fn log(&self) -> MutexGuard<'_, LoggedMessages> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn list(&self) -> Value {
        json!({ "messages": self.log().kept })
    }

    fn add(&self, server: &str, sent: bool, text: &str) {
        let whole: Value = serde_json::from_str(text).unwrap_or_default();
        let id = whole.get("id").filter(|id| !id.is_null());
        let id = id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        let method = whole.get("method").and_then(Value::as_str);
        let answer = method.is_none();
        let by_us = sent != answer;
        let way = |out: bool| if out { "out" } else { "in" };
        let message = {
            let mut log = self.log();
            let key = id.clone().map(|id| (server.to_owned(), by_us, id));
            let (mut took, mut named) = (None, method.map(str::to_owned));
            match (key, method) {
                (Some(key), Some(method)) if log.open.len() < OPEN => {
                    log.open.insert(key, (Instant::now(), method.to_owned()));
                }
                (Some(key), None) => {
                    if let Some((began, method)) = log.open.remove(&key) {
                        took = u64::try_from(began.elapsed().as_micros()).ok();
                        named = Some(method);
                    }
                }
                _ => {}
            }
            log.count += 1;
            let message = LoggedMessage {
                n: log.count,
                at: Moment::now(),
                server: server.to_owned(),
                way: way(sent),
                method: named,
                id,
                answer,
                request: way(by_us),
                error: whole.get("error").is_some(),
                size: text.len(),
                took,
                body: text.chars().take(BODY).collect(),
            };
            log.kept.push_back(message.clone());
            if log.kept.len() > KEPT {
                log.kept.pop_front();
            }
            message
        };
        self.events.send("message", &message);
    }
}

/// Takes the messages between a program and its servers, for the page of a desk.
#[derive(Clone)]
pub struct MessageLog(Arc<LatestMessages>);

impl MessageLog {
    pub(crate) fn new(messages: Arc<LatestMessages>) -> Self {
        Self(messages)
    }

    /// Adds a message that was sent to a server. Secrets must be masked in it already.
    pub fn sent(&self, server: &str, message: &str) {
        self.0.add(server, true, message);
    }

    /// Adds a message that came from a server. Secrets must be masked in it already.
    pub fn received(&self, server: &str, message: &str) {
        self.0.add(server, false, message);
    }
}

impl std::fmt::Debug for MessageLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MessageLog(..)")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{DeskEvents, LatestMessages};

    #[test]
    fn pairs_an_answer_with_its_request() {
        let messages = LatestMessages::new(Arc::new(DeskEvents::new()));
        messages.add("one", true, r#"{"id": 1, "method": "tools/call"}"#);
        // The server has ids of its own.
        messages.add("one", false, r#"{"id": 1, "method": "elicitation/create"}"#);
        messages.add("one", true, r#"{"id": 1, "result": {}}"#);
        messages.add("one", false, r#"{"id": 1, "error": {"code": 1}}"#);
        let list = messages.list();
        let of = |at: usize, name: &str| list["messages"][at][name].clone();
        assert_eq!(of(2, "method"), "elicitation/create");
        assert_eq!(of(3, "method"), "tools/call");
        assert_eq!(
            (of(0, "request"), of(3, "request")),
            ("out".into(), "out".into())
        );
        assert_eq!(
            (of(2, "request"), of(3, "error")),
            ("in".into(), true.into())
        );
        assert!(of(3, "took").is_u64() && of(0, "took").is_null());
    }
}
