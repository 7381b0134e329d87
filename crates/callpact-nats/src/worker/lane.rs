//! Takes one call after the other. A worker has as many lanes as calls that may run at the same
//! time.

use std::{sync::Arc, time::Duration};

use async_nats::{
    StatusCode, Subject,
    jetstream::{self, AckKind, consumer::pull::BatchConfig},
};
use futures_util::StreamExt;
use tokio::sync::watch;

use super::{run::take_call, shared::SharedWorker};
use crate::NatsError;

/// The longest time that a request for a call waits at the server. A frozen worker is given calls for
/// this long, so it is never longer than a lease.
const QUESTION: Duration = Duration::from_secs(30);

/// How long a lane pauses after a fault.
const PAUSE: Duration = Duration::from_millis(250);

/// Runs until `stopping` is true, and finishes a call that is then running.
pub(super) async fn run_lane(shared: Arc<SharedWorker>, mut stopping: watch::Receiver<bool>) {
    loop {
        match take_calls(&shared, &mut stopping).await {
            Ok(()) => return,
            Err(error) => tracing::warn!(target: "callpact", "{error}"),
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = stopped(&mut stopping) => return,
        }
    }
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // A sender that is gone means the same.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

async fn take_calls(
    shared: &SharedWorker,
    stopping: &mut watch::Receiver<bool>,
) -> Result<(), NatsError> {
    let link = &shared.link;
    let mut changes = link.changes();
    let consumer = shared.consumer().await?;
    let results = link.results().await?;
    let lease = consumer.cached_info().config.ack_wait;
    let question = QUESTION.min(lease);
    let inbox = Subject::from(link.client.new_inbox());
    let calls = link.client.subscribe(inbox.clone()).await;
    let mut calls = calls.map_err(|error| NatsError::server("an inbox", &error))?;
    loop {
        // One at a time, since a call that waits here would use up its lease.
        let one = BatchConfig {
            batch: 1,
            expires: Some(question),
            ..BatchConfig::default()
        };
        let asked = consumer.request_batch(one, inbox.clone()).await;
        asked.map_err(|error| NatsError::server("no question for a call", &error))?;
        let message = tokio::select! {
            biased;
            () = stopped(stopping) => {
                let _ = calls.unsubscribe().await;
                while let Some(message) = calls.next().await {
                    if message.status.is_none() {
                        let _ = with_context(message, link).ack_with(AckKind::Nak(None)).await;
                    }
                }
                return Ok(());
            }
            message = calls.next() => message,
            // The server forgets requests when the connection breaks.
            told = changes.changed() => {
                let up = told.is_ok() && changes.wait_for(|connection| connection.up).await.is_ok();
                if !up {
                    return Err(NatsError::Server("the connection was closed".to_owned()));
                }
                continue;
            }
            () = tokio::time::sleep(question + QUESTION / 6) => continue,
        };
        let Some(message) = message else {
            return Err(NatsError::Server("the inbox was closed".to_owned()));
        };
        match message.status {
            None | Some(StatusCode::OK) => {
                take_call(shared, &results, lease, with_context(message, link)).await;
            }
            Some(StatusCode::TIMEOUT | StatusCode::NOT_FOUND | StatusCode::IDLE_HEARTBEAT) => {}
            Some(status) => {
                let why = message.description.unwrap_or_default();
                return Err(NatsError::Server(format!("no calls: {status} {why}")));
            }
        }
    }
}

fn with_context(
    message: async_nats::Message,
    link: &crate::link::ServerLink,
) -> jetstream::Message {
    jetstream::Message {
        message,
        context: link.jetstream.clone(),
    }
}
