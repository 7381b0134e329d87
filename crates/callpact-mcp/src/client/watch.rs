//! What a program may watch of its connection to a server, without secrets: the messages, and the server's last words.

use std::{
    collections::VecDeque,
    io::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use callpact::secret::{Redactor, ResolvedSecrets, SecretRef, SecretValue};
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

/// A redactor for settings that may be secrets, each with its name. Short ones are in too many words to be removed.
pub(super) fn redactor_of<'a>(settings: impl Iterator<Item = (String, &'a str)>) -> Redactor {
    let secret = |(name, value): (String, &str)| {
        let named = SecretRef::new(&name).or_else(|_| SecretRef::new("setting"));
        let pair = (named.ok()?, SecretValue::new(value));
        ResolvedSecrets::new([pair.clone()]).ok().map(|_| pair)
    };
    ResolvedSecrets::new(settings.filter_map(secret))
        .map(|secrets| secrets.redactor())
        .unwrap_or_default()
}

/// Passes on the messages of a connection, without secrets.
#[derive(Clone)]
pub(super) struct MessageTap {
    hear: OnMessage,
    fixed: Redactor,
    calls: Arc<Mutex<VecDeque<CallMask>>>,
}

struct CallMask {
    number: u64,
    redactor: Redactor,
    ended: bool,
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

    fn calls(&self) -> MutexGuard<'_, VecDeque<CallMask>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hides the secrets of a call from now on.
    pub(super) fn hide(&self, redactor: Redactor) -> HiddenCall {
        let mut calls = self.calls();
        let number = calls.back().map_or(0, |last| last.number + 1);
        calls.push_back(CallMask {
            number,
            redactor,
            ended: false,
        });
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
            calls.iter().map(|call| call.redactor.clone()).collect()
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
        let at = calls.binary_search_by_key(&self.number, |call| call.number);
        if let Some(call) = at.ok().and_then(|at| calls.get_mut(at)) {
            call.ended = true;
        }
        while calls.len() > ENDED && calls.front().is_some_and(|call| call.ended) {
            calls.pop_front();
        }
    }
}

/// A transport whose messages are passed on.
pub(super) struct TappedTransport<T> {
    pub(super) inner: T,
    pub(super) tap: Option<MessageTap>,
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
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.inner.receive().await;
        if let (Some(tap), Some(message)) = (&self.tap, &message) {
            tap.report(false, message);
        }
        message
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
