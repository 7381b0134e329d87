//! Rights that are missing, according to the server.

use std::sync::Arc;

use async_nats::ServerError;
use callpact::store::BoxFuture;
use tokio::sync::broadcast::{self, error::RecvError};

use crate::NatsError;

/// How many of them are kept for a request while it is not polled.
const HELD: usize = 64;

/// Tells requests about missing rights. The server does not answer a request that it refuses, so only the time-out
/// would end the request.
#[derive(Clone)]
pub(crate) struct RightsWatch(broadcast::Sender<MissingRight>);

/// A right that is missing, according to the server.
#[derive(Clone)]
struct MissingRight {
    /// The denied action: `publish to`, or `subscribe to`.
    what: &'static str,
    subject: Arc<str>,
}

impl RightsWatch {
    pub(crate) fn new() -> Self {
        Self(broadcast::channel(HELD).0)
    }

    /// Reports a missing right, if the error is about one. Returns whether it is.
    pub(crate) fn tell(&self, error: &ServerError) -> bool {
        let ServerError::Other(text) = error else {
            return false;
        };
        let Some(missing) = read_missing(text) else {
            return false;
        };
        tracing::warn!(target: "callpact", "{}", missing.explain());
        // There may be no request at the moment.
        let _ = self.0.send(missing);
        true
    }

    /// Waits for an answer, but stops when the server reports a missing right for a subject of the request.
    pub(crate) fn ask<'a, T: 'a>(
        &self,
        concerns: impl Fn(&str) -> bool + Send + Sync + 'a,
        question: impl Future<Output = Result<T, NatsError>> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, NatsError>> {
        let mut told = self.0.subscribe();
        Box::pin(async move {
            let missing = async {
                loop {
                    match told.recv().await {
                        Ok(missing) if concerns(&missing.subject) => return missing.explain(),
                        Ok(_) | Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => std::future::pending().await,
                    }
                }
            };
            tokio::select! {
                biased;
                answer = question => answer,
                error = missing => Err(error),
            }
        })
    }
}

impl MissingRight {
    fn explain(&self) -> NatsError {
        NatsError::Right(format!("{} `{}`", self.what, self.subject))
    }
}

/// Reads the server's words: `Permissions Violation for Publish to "a.b"`, for a subscription perhaps with a queue.
fn read_missing(text: &str) -> Option<MissingRight> {
    let (kind, rest) = text.split_once('"')?;
    let (subject, _) = rest.split_once('"')?;
    let what = match &*kind.trim().to_ascii_lowercase() {
        "permissions violation for publish to" => "publish to",
        "permissions violation for subscription to" => "subscribe to",
        _ => return None,
    };
    Some(MissingRight {
        what,
        subject: subject.into(),
    })
}
