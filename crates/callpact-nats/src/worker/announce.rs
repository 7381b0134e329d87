//! Announces a worker, sends its list of tools, and receives requests to stop calls.

use std::{sync::Arc, time::Duration};

use async_nats::{Message, Subscriber, jetstream::kv::Store};
use bytes::Bytes;
use futures_util::StreamExt;

use super::shared::SharedWorker;
use crate::{NatsError, link::PRESENCE};

/// The key that shows hosts that a worker is present.
pub(super) struct WorkerAnnouncement {
    presence: Store,
    key: String,
}

impl WorkerAnnouncement {
    pub(super) async fn open(shared: &SharedWorker) -> Result<Self, NatsError> {
        let group = &shared.group;
        let key = format!(
            "{}.{}.{}.{}",
            group.toolset, group.digest, shared.version, shared.id
        );
        let presence = shared.link.presence().await?;
        Ok(Self { presence, key })
    }

    pub(super) async fn renew(&self) -> Result<(), NatsError> {
        let put = self.presence.put(&self.key, Bytes::new()).await;
        put.map(|_| ())
            .map_err(|error| NatsError::server("the worker cannot announce itself", &error))
    }

    /// Announces that the worker is gone.
    pub(super) async fn remove(presence: &Store, key: &str) {
        if let Err(error) = presence.delete(key).await {
            tracing::warn!(target: "callpact", "the worker is still announced: {error}");
        }
    }

    pub(super) fn place(&self) -> (Store, String) {
        (self.presence.clone(), self.key.clone())
    }

    /// Runs until the task is aborted.
    pub(super) async fn run(mut self, shared: Arc<SharedWorker>) {
        let mut changes = shared.link.changes();
        let mut beat = tokio::time::interval(PRESENCE / 4);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = beat.tick() => self.renew_or_make(&shared).await,
                Ok(()) = changes.changed() => beat.reset_after(Duration::from_millis(1)),
                else => return,
            }
        }
    }

    async fn renew_or_make(&mut self, shared: &SharedWorker) {
        if !shared.link.connection().up {
            return;
        }
        let Err(error) = self.renew().await else {
            return;
        };
        tracing::warn!(target: "callpact", "{error}");
        // A server that lost its data has no bucket.
        if let Ok(presence) = shared.link.presence().await {
            self.presence = presence;
        }
    }
}

/// The requests of hosts to this worker.
pub(super) struct HostQuestions {
    lists: Subscriber,
    stops: Subscriber,
}

impl HostQuestions {
    pub(super) async fn open(shared: &SharedWorker) -> Result<Self, NatsError> {
        let (link, group) = (&shared.link, &shared.group);
        let failed = |error: async_nats::SubscribeError| NatsError::server("a subject", &error);
        let lists = group.list(&link.prefix, &shared.id);
        let lists = link.client.subscribe(lists).await.map_err(failed)?;
        let stops = group.stop(&link.prefix);
        let stops = link.client.subscribe(stops).await.map_err(failed)?;
        Ok(Self { lists, stops })
    }

    /// Runs until the task is aborted.
    pub(super) async fn answer(mut self, shared: Arc<SharedWorker>) {
        loop {
            tokio::select! {
                Some(stop) = self.stops.next() => shared.running.stop(&stop.payload),
                Some(request) = self.lists.next() => hand_out(&shared, request).await,
                else => return,
            }
        }
    }
}

/// Answers a request for a page of the list of tools.
async fn hand_out(shared: &SharedWorker, request: Message) {
    let page = std::str::from_utf8(&request.payload).ok();
    let page = page.and_then(|page| page.parse::<usize>().ok());
    let page = page.and_then(|page| shared.pages.get(page)).cloned();
    // Nobody can make a worker write to its own subjects, or to those of the server.
    let own = format!("{}.", shared.link.prefix);
    let reply = request
        .reply
        .filter(|reply| !reply.starts_with('$') && !reply.starts_with(&own));
    if let (Some(reply), Some(page)) = (reply, page) {
        let _ = shared.link.client.publish(reply, page).await;
    }
}
