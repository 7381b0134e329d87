//! A worker that takes calls.

use std::{fmt, sync::Arc, time::Duration};

use tokio::{sync::watch, task::JoinSet};

use super::{
    announce::{HostQuestions, WorkerAnnouncement},
    lane::run_lane,
    shared::SharedWorker,
};
use crate::NatsError;

/// A worker that takes calls, made by [`Worker::start`](super::Worker::start). Dropping it stops it at
/// once, as if its process had ended.
pub struct Serving {
    shared: Arc<SharedWorker>,
    lanes: JoinSet<()>,
    announcing: JoinSet<()>,
    stopping: watch::Sender<bool>,
    presence: (async_nats::jetstream::kv::Store, String),
}

impl Serving {
    pub(super) async fn start(shared: Arc<SharedWorker>, lanes: usize) -> Result<Self, NatsError> {
        let (link, group) = (&shared.link, &shared.group);
        let own = [
            group.list(&link.prefix, &shared.id),
            group.stop(&link.prefix),
            format!("$KV.{}-workers.", link.prefix),
        ];
        let opened = async {
            // The server only reports a right to listen if it is missing, and does so during the next requests.
            let questions = HostQuestions::open(&shared).await?;
            // Whatever is missing on the server is created, or reported as missing, before a host can see the worker.
            shared.consumer().await?;
            link.results().await?;
            let announcement = WorkerAnnouncement::open(&shared).await?;
            announcement.renew().await?;
            Ok((announcement, questions))
        };
        let concerns = |subject: &str| own.iter().any(|own| subject.starts_with(own));
        let (announcement, questions) = link.rights.ask(concerns, opened).await?;
        let presence = announcement.place();
        let (stopping, stop) = watch::channel(false);
        let mut all = JoinSet::new();
        for _ in 0..lanes {
            all.spawn(run_lane(Arc::clone(&shared), stop.clone()));
        }
        let mut announcing = JoinSet::new();
        announcing.spawn(announcement.run(Arc::clone(&shared)));
        announcing.spawn(questions.answer(Arc::clone(&shared)));
        Ok(Self {
            shared,
            lanes: all,
            announcing,
            stopping,
            presence,
        })
    }

    /// The name of this worker in records and logs.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// How many calls run here now.
    pub fn in_flight(&self) -> usize {
        self.shared.running.len()
    }

    /// Takes no more calls, waits for the running ones for at most `patience`, and announces that the
    /// worker is gone. Returns whether all calls ended; one that did not ends as if the worker had died.
    pub async fn stop(mut self, patience: Duration) -> bool {
        self.stopping.send_replace(true);
        self.announcing.shutdown().await;
        let (store, key) = &self.presence;
        WorkerAnnouncement::remove(store, key).await;
        let all = async { while self.lanes.join_next().await.is_some() {} };
        let ended = tokio::time::timeout(patience, all).await.is_ok();
        self.lanes.shutdown().await;
        let _ = self.shared.link.client.flush().await;
        ended
    }
}

impl fmt::Debug for Serving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving")
            .field("id", &self.shared.id)
            .finish_non_exhaustive()
    }
}
