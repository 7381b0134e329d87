//! A host with its connection: it looks for workers and fetches their lists.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::{
    sync::watch,
    task::AbortHandle,
    time::{Instant, timeout},
};

use super::{
    catalog::{PresentGroup, WorkerCatalog},
    lists::fetch,
};
use crate::{
    NatsError,
    link::{PRESENCE, ServerLink},
    protocol::is_name,
    results::CallResults,
    server::{WorkerGroup, check_name},
};

/// The most groups of workers that a host knows.
const MAX_GROUPS: usize = 1_000;

/// How long the server may take to list the present workers.
const LISTING: Duration = Duration::from_secs(10);

/// How long all new lists together may take.
const LISTS: Duration = Duration::from_secs(30);

/// How many lists are fetched at the same time.
const AT_ONCE: usize = 16;

/// A host with its connection.
pub(super) struct HostConnection {
    pub(super) link: ServerLink,
    pub(super) results: CallResults,
    pub(super) timeout: Duration,
    pub(super) toolset: Option<String>,
    pub(super) catalog: Mutex<WorkerCatalog>,
    /// Notified when workers offer other lists.
    pub(super) changes: watch::Sender<()>,
    /// Notified of every look.
    pub(super) looks: watch::Sender<()>,
    /// When the last look started, and how it ended.
    pub(super) last_look: tokio::sync::Mutex<Option<(Instant, Result<(), NatsError>)>>,
    pub(super) looking: Mutex<Option<AbortHandle>>,
    /// Whether the program closes the connection. Each listener has a call under way.
    pub(super) closing: watch::Sender<ConnectionClosing>,
}

/// Whether the program closes its connection to the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConnectionClosing {
    /// It stays open.
    No,
    /// Calls are interrupted, and wait for the reports of their workers.
    Ending,
    /// Nobody waits any longer.
    Over,
}

impl HostConnection {
    pub(super) fn catalog(&self) -> MutexGuard<'_, WorkerCatalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn looking(&self) -> MutexGuard<'_, Option<AbortHandle>> {
        self.looking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the present workers, and fetches new lists. A look that another task starts in the meantime is
    /// enough.
    pub(super) async fn look(&self) -> Result<(), NatsError> {
        let asked = Instant::now();
        let mut last = self.last_look.lock().await;
        if let Some((_, found)) = last.as_ref().filter(|(began, _)| *began > asked) {
            return found.clone();
        }
        let began = Instant::now();
        let found = self.find_workers().await;
        *last = Some((began, found.clone()));
        self.looks.send_replace(());
        found
    }

    async fn find_workers(&self) -> Result<(), NatsError> {
        let Ok(announced) = timeout(LISTING, self.announced()).await else {
            let text = "the workers cannot be listed: no answer in time";
            return Err(NatsError::Server(text.to_owned()));
        };
        let mut announced = announced?;
        let mut known = BTreeMap::new();
        announced.retain(|group, there| {
            let offers = self.catalog().offers(group);
            let version = there.version;
            let is_new = offers.is_none();
            known.extend(offers.map(|offers| (group.clone(), PresentGroup { version, offers })));
            is_new
        });
        if self.catalog().replace(known) {
            self.changes.send_replace(());
        }
        // A group that does not answer must not delay the others.
        let end = Instant::now() + LISTS;
        let mut lists = stream::iter(announced)
            .map(|(group, there)| async move {
                (
                    fetch(&self.link, &group, &there.workers, end).await,
                    group,
                    there.version,
                )
            })
            .buffer_unordered(AT_ONCE);
        while let Some((list, group, version)) = lists.next().await {
            match list {
                Ok(offers) => {
                    self.catalog().add(group, PresentGroup { version, offers });
                    self.changes.send_replace(());
                }
                Err(error @ NatsError::Right(_)) => return Err(error),
                Err(error) => {
                    let toolset = &group.toolset;
                    tracing::warn!(target: "callpact", %toolset, "the list of a worker is not used: {error}");
                }
            }
        }
        Ok(())
    }

    /// The groups that announce themselves, with their workers.
    async fn announced(&self) -> Result<BTreeMap<WorkerGroup, GroupAnnouncement>, NatsError> {
        let presence = self.link.presence().await?;
        let what = "the workers cannot be listed";
        let keys = self.link.ask(&presence.name, what, presence.keys()).await?;
        let keys = keys.take(MAX_GROUPS * 100).try_collect();
        let keys: Vec<String> = self.link.ask(&presence.name, what, keys).await?;
        let mut groups: BTreeMap<WorkerGroup, GroupAnnouncement> = BTreeMap::new();
        // The latest announcement is listed last, and asked first.
        for (group, version, worker) in keys.iter().rev().filter_map(|key| parse_presence(key)) {
            let wanted = self
                .toolset
                .as_ref()
                .is_none_or(|name| *name == group.toolset);
            if wanted && (groups.len() < MAX_GROUPS || groups.contains_key(&group)) {
                let there = groups.entry(group).or_default();
                there.version = version.max(there.version);
                there.workers.push(worker.to_owned());
            }
        }
        Ok(groups)
    }
}

/// The announcement of the workers of a group.
#[derive(Default)]
struct GroupAnnouncement {
    version: u64,
    workers: Vec<String>,
}

impl Drop for HostConnection {
    fn drop(&mut self) {
        if let Some(task) = self.looking().take() {
            task.abort();
        }
    }
}

/// Looks for workers until the host is dropped.
pub(super) async fn keep_looking(host: Weak<HostConnection>) {
    loop {
        tokio::time::sleep(PRESENCE / 4).await;
        let Some(host) = host.upgrade() else {
            return;
        };
        if host.link.connection().up
            && let Err(error) = host.look().await
        {
            tracing::debug!(target: "callpact", "{error}");
        }
    }
}

/// Reads a worker's announcement: the toolset, the digest of the list, its version, and the worker.
fn parse_presence(key: &str) -> Option<(WorkerGroup, u64, &str)> {
    let mut parts = key.split('.');
    let mut part = || parts.next();
    let (toolset, digest, version, worker) = (part()?, part()?, part()?, part()?);
    check_name(toolset).ok()?;
    let is_digest = digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let group = WorkerGroup {
        toolset: toolset.to_owned(),
        digest: digest.to_owned(),
    };
    (is_digest && is_name(worker)).then_some((group, version.parse().ok()?, worker))
}
