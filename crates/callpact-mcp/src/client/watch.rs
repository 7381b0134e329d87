//! What a program may watch of its connection to a server, without secrets: the messages, and the server's last words.

use std::{
    collections::{BTreeMap, VecDeque},
    io::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use callpact::secret::Redactor;
use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde::Serialize;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::watch,
};

use super::progress::ProgressCalls;

/// A message between this program and a server.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WireMessage<'a> {
    /// Whether this program sent it.
    pub sent: bool,
    /// Its JSON, with placeholders for the secrets of calls and of the configuration.
    pub text: &'a str,
}

pub(super) type OnMessage = Arc<dyn Fn(WireMessage<'_>) + Send + Sync>;

/// The calls that have ended and whose secrets are still removed, since a message about them may come late.
const ENDED: usize = 32;

/// Passes on the messages of a connection, without secrets.
#[derive(Clone)]
pub(super) struct MessageTap {
    hear: OnMessage,
    fixed: Redactor,
    calls: Arc<Mutex<CallMasks>>,
}

/// The redactors of calls.
#[derive(Default)]
struct CallMasks {
    count: u64,
    running: BTreeMap<u64, Redactor>,
    /// Those of the last calls that ended, the oldest first.
    ended: VecDeque<Redactor>,
}

/// Hides the secrets of a call until it is dropped, and a while longer.
pub(super) struct HiddenCall {
    tap: MessageTap,
    number: u64,
}

impl MessageTap {
    pub(super) fn new(hear: OnMessage, fixed: Redactor) -> Self {
        Self {
            hear,
            fixed,
            calls: Arc::default(),
        }
    }

    fn calls(&self) -> MutexGuard<'_, CallMasks> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hides the secrets of a call from now on.
    pub(super) fn hide(&self, redactor: Redactor) -> HiddenCall {
        let mut calls = self.calls();
        calls.count += 1;
        let number = calls.count;
        calls.running.insert(number, redactor);
        HiddenCall {
            tap: self.clone(),
            number,
        }
    }

    fn report(&self, sent: bool, message: &impl Serialize) {
        let Ok(mut value) = serde_json::to_value(message) else {
            return;
        };
        let calls: Vec<Redactor> = {
            let calls = self.calls();
            let all = calls.running.values().chain(&calls.ended);
            all.cloned().collect()
        };
        for redactor in calls.iter().chain([&self.fixed]) {
            value = redactor.redact_value(&value);
        }
        let text = value.to_string();
        // This is the program's own code, which must not end the connection.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            (self.hear)(WireMessage { sent, text: &text });
        }));
    }
}

impl Drop for HiddenCall {
    fn drop(&mut self) {
        let mut calls = self.tap.calls();
        let ended = calls.running.remove(&self.number);
        calls.ended.extend(ended);
        if calls.ended.len() > ENDED {
            calls.ended.pop_front();
        }
    }
}

/// A transport whose messages are passed on.
pub(super) struct TappedTransport<T> {
    pub(super) inner: T,
    pub(super) tap: Option<MessageTap>,
    pub(super) progress: ProgressCalls,
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for TappedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let Some(tap) = &self.tap {
            tap.report(true, &message);
        }
        self.progress.note_sent(&message);
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.inner.receive().await?;
        if let Some(tap) = &self.tap {
            tap.report(false, &message);
        }
        self.progress.note_heard(&message);
        Some(message)
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}

/// The most bytes of last words.
const WORDS: usize = 4_000;

/// The end of what a started server wrote to its standard error, for
/// [`McpConfig::keep_last_words`](super::McpConfig::keep_last_words).
#[derive(Clone, Default)]
pub struct LastWords(Arc<KeptWords>);

struct KeptWords {
    text: Mutex<Vec<u8>>,
    /// The number of servers that may still write.
    writing: watch::Sender<usize>,
}

impl Default for KeptWords {
    fn default() -> Self {
        Self {
            text: Mutex::default(),
            writing: watch::Sender::new(0),
        }
    }
}

impl LastWords {
    /// The last 4,000 bytes, with placeholders for the variables that the server was given.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept()).into_owned()
    }

    fn kept(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.text.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, bytes: &[u8]) {
        let mut kept = self.kept();
        kept.extend_from_slice(bytes);
        let surplus = kept.len().saturating_sub(WORDS);
        kept.drain(..surplus);
    }

    /// Reads what a server writes, until it closes its standard error.
    pub(super) fn listen(
        &self,
        mut errors: impl AsyncRead + Unpin + Send + 'static,
        redactor: &Redactor,
        shown: bool,
    ) {
        let (words, mut stream) = (self.clone(), redactor.stream());
        self.kept().clear();
        self.0.writing.send_modify(|count| *count += 1);
        tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = errors.read(&mut bytes).await {
                let read = bytes.get(..count).unwrap_or_default();
                if shown {
                    let _ = std::io::stderr().write_all(read);
                }
                words.keep(&stream.push_bytes(read));
            }
            words.keep(&stream.finish_bytes());
            words.0.writing.send_modify(|count| *count -= 1);
        });
    }

    /// Waits for a moment until a server that has ended has said everything.
    pub(super) async fn wait(&self) {
        let mut writing = self.0.writing.subscribe();
        let silent = writing.wait_for(|count| *count == 0);
        let _ = tokio::time::timeout(Duration::from_millis(500), silent).await;
    }
}

impl std::fmt::Debug for LastWords {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LastWords(..)")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ENDED, MessageTap, Redactor};

    #[test]
    fn a_long_call_keeps_few_ended_ones() {
        let tap = MessageTap::new(Arc::new(|_| {}), Redactor::default());
        let long = tap.hide(Redactor::default());
        for _ in 0..10 * ENDED {
            drop(tap.hide(Redactor::default()));
        }
        assert_eq!(tap.calls().running.len(), 1);
        assert_eq!(tap.calls().ended.len(), ENDED);
        drop(long);
        assert!(tap.calls().running.is_empty());
    }
}
