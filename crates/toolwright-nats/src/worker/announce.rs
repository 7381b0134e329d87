//! Says that a worker is there, hands out its list of tools, and hears which calls shall stop.

use std::{sync::Arc, time::Duration};

use async_nats::{Subscriber, jetstream::kv::Store};
use bytes::Bytes;
use futures_util::StreamExt;

use super::shared::Shared;
use crate::{NatsError, link::PRESENCE};

/// The subscriptions and the key of a worker.
pub(super) struct Announcement {
    lists: Subscriber,
    stops: Subscriber,
    presence: Store,
    key: String,
}

impl Announcement {
    pub(super) async fn open(shared: &Shared) -> Result<Self, NatsError> {
        let (link, group) = (&shared.link, &shared.group);
        let failed = |error: async_nats::SubscribeError| NatsError::server("a subject", &error);
        let lists = group.list(&link.prefix);
        let lists = link.client.queue_subscribe(lists, group.consumer()).await;
        let stops = link.client.subscribe(group.stop(&link.prefix)).await;
        let key = format!(
            "{}.{}.{}.{}",
            group.toolset, group.digest, shared.version, shared.id
        );
        let announcement = Self {
            lists: lists.map_err(failed)?,
            stops: stops.map_err(failed)?,
            presence: link.presence().await?,
            key,
        };
        announcement.renew().await?;
        Ok(announcement)
    }

    async fn renew(&self) -> Result<(), NatsError> {
        let put = self.presence.put(&self.key, Bytes::new()).await;
        put.map(|_| ())
            .map_err(|error| NatsError::server("the worker cannot announce itself", &error))
    }

    /// Says that the worker is gone.
    pub(super) async fn remove(presence: &Store, key: &str) {
        if let Err(error) = presence.delete(key).await {
            tracing::warn!(target: "toolwright", "the worker is still announced: {error}");
        }
    }

    pub(super) fn place(&self) -> (Store, String) {
        (self.presence.clone(), self.key.clone())
    }

    /// Runs until the task is aborted.
    pub(super) async fn run(mut self, shared: Arc<Shared>) {
        let mut changes = shared.link.changes();
        let mut beat = tokio::time::interval(PRESENCE / 4);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                Some(request) = self.lists.next() => {
                    let page = std::str::from_utf8(&request.payload).ok();
                    let page = page.and_then(|page| page.parse::<usize>().ok());
                    let page = page.and_then(|page| shared.pages.get(page)).cloned();
                    if let (Some(reply), Some(page)) = (request.reply, page) {
                        let _ = shared.link.client.publish(reply, page).await;
                    }
                }
                Some(stop) = self.stops.next() => {
                    let key = std::str::from_utf8(&stop.payload).unwrap_or_default();
                    let running = shared.running().get(key).cloned();
                    if let Some(running) = running {
                        running.cancel();
                    }
                }
                _ = beat.tick() => self.renew_or_make(&shared).await,
                Ok(()) = changes.changed() => beat.reset_after(Duration::from_millis(1)),
                else => return,
            }
        }
    }

    async fn renew_or_make(&mut self, shared: &Shared) {
        if !shared.link.connection().up {
            return;
        }
        let Err(error) = self.renew().await else {
            return;
        };
        tracing::warn!(target: "toolwright", "{error}");
        // A server that lost its data has no bucket.
        if let Ok(presence) = shared.link.presence().await {
            self.presence = presence;
        }
    }
}
