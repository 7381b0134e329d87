//! A host with its connection: it looks for workers and fetches their lists.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use futures_util::{StreamExt, TryStreamExt};
use tokio::{sync::watch, task::AbortHandle};

use super::catalog::{Catalog, Offer, Offers, Present};
use crate::{
    NatsError,
    link::{Link, PRESENCE},
    protocol::{Listed, MAX_BYTES, MAX_TOOLS, Page, list_digest},
    records::Records,
    server::{Group, check_name},
};

/// How many groups of workers a host knows.
const MAX_GROUPS: usize = 1_000;

/// How long a worker may take to hand out a page of its list.
const PAGE: Duration = Duration::from_secs(5);

/// A host with its connection.
pub(super) struct Host {
    pub(super) link: Link,
    pub(super) results: Records,
    pub(super) timeout: Duration,
    pub(super) toolset: Option<String>,
    pub(super) catalog: Mutex<Catalog>,
    /// Is told when workers offer other lists.
    pub(super) changes: watch::Sender<()>,
    /// Is told about every look.
    pub(super) looks: watch::Sender<()>,
    pub(super) looking: Mutex<Option<AbortHandle>>,
}

impl Host {
    pub(super) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn looking(&self) -> MutexGuard<'_, Option<AbortHandle>> {
        self.looking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the workers that are there, and fetches the lists that are new.
    pub(super) async fn look(&self) -> Result<(), NatsError> {
        let failed = |error: &(dyn std::error::Error + 'static)| {
            NatsError::server("the workers cannot be listed", error)
        };
        let presence = self.link.presence().await?;
        let keys = presence.keys().await.map_err(|error| failed(&error))?;
        let keys = keys.take(MAX_GROUPS * 100);
        let keys: Vec<String> = keys.try_collect().await.map_err(|error| failed(&error))?;
        let mut versions: BTreeMap<Group, u64> = BTreeMap::new();
        for (group, version) in keys.iter().filter_map(|key| parse_presence(key)) {
            let wanted = self
                .toolset
                .as_ref()
                .is_none_or(|name| *name == group.toolset);
            if wanted && (versions.len() < MAX_GROUPS || versions.contains_key(&group)) {
                let highest = versions.entry(group).or_default();
                *highest = version.max(*highest);
            }
        }
        let mut groups = BTreeMap::new();
        for (group, version) in versions {
            let known = self.catalog().offers(&group);
            let offers = match known {
                Some(offers) => offers,
                None => match self.fetch(&group).await {
                    Ok(offers) => offers,
                    Err(error) => {
                        let toolset = &group.toolset;
                        tracing::warn!(target: "toolwright", %toolset, "the list of a worker is not used: {error}");
                        continue;
                    }
                },
            };
            groups.insert(group, Present { version, offers });
        }
        if self.catalog().replace(groups) {
            self.changes.send_replace(());
        }
        self.looks.send_replace(());
        Ok(())
    }

    /// Fetches the list of a group page by page, and checks that it is the one with this digest.
    async fn fetch(&self, group: &Group) -> Result<Offers, NatsError> {
        let mut listed: Vec<Listed> = Vec::new();
        let mut page = 0;
        loop {
            let asked = self
                .link
                .client
                .request(group.list(&self.link.prefix), page.to_string().into());
            let answer = match tokio::time::timeout(PAGE, asked).await {
                Ok(answer) => answer.map_err(|error| NatsError::server("no answer", &error))?,
                Err(_) => return Err(NatsError::Server(format!("no answer within {PAGE:?}"))),
            };
            if answer.payload.len() > MAX_BYTES {
                return Err(NatsError::Server(
                    "a page of the list is too large".to_owned(),
                ));
            }
            let answer: Page = serde_json::from_slice(&answer.payload)
                .map_err(|error| NatsError::server("a page that is none", &error))?;
            let is_last = page + 1 >= answer.pages || answer.tools.is_empty();
            listed.extend(answer.tools);
            page += 1;
            if listed.len() > MAX_TOOLS {
                return Err(NatsError::Server(format!("more than {MAX_TOOLS} tools")));
            }
            if is_last {
                break;
            }
        }
        let offers: Offers = listed
            .into_iter()
            .map(|listed| Offer {
                fingerprint: listed.fingerprint(),
                listed,
            })
            .collect();
        let digest = list_digest(offers.iter().map(|offer| &*offer.fingerprint));
        if digest != group.digest {
            return Err(NatsError::Server(
                "the list is not the announced one".to_owned(),
            ));
        }
        Ok(offers)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(task) = self.looking().take() {
            task.abort();
        }
    }
}

/// Looks for workers until the host is dropped.
pub(super) async fn keep_looking(host: Weak<Host>) {
    loop {
        tokio::time::sleep(PRESENCE / 4).await;
        let Some(host) = host.upgrade() else {
            return;
        };
        if host.link.connection().up
            && let Err(error) = host.look().await
        {
            tracing::debug!(target: "toolwright", "{error}");
        }
    }
}

/// Reads what a worker announces: the toolset, the digest of the list, its version, and the worker.
fn parse_presence(key: &str) -> Option<(Group, u64)> {
    let mut parts = key.split('.');
    let (toolset, digest, version) = (parts.next()?, parts.next()?, parts.next()?);
    check_name(toolset).ok()?;
    let is_digest = digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let group = Group {
        toolset: toolset.to_owned(),
        digest: digest.to_owned(),
    };
    Some((group, version.parse().ok()?)).filter(|_| is_digest)
}
