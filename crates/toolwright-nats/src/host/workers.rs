//! The tools of all workers, offered to a model.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use futures_util::{StreamExt, TryStreamExt};
use tokio::{sync::watch, task::AbortHandle};
use toolwright::{
    DynamicTool,
    pins::{Drift, Pins},
    schema::ForeignSchema,
    toolset::Tools,
};

use super::{
    call::{Offered, call_worker},
    catalog::{Catalog, Offer, Offers, Present},
};
use crate::{
    NatsError, Server,
    link::{Link, PRESENCE},
    protocol::{Listed, MAX_BYTES, MAX_TOOLS, Page, list_digest},
    records::Records,
    server::{Group, check_name},
};

/// How many groups of workers a host knows.
const MAX_GROUPS: usize = 1_000;

/// How long a worker may take to hand out a page of its list.
const PAGE: Duration = Duration::from_secs(5);

/// How a host finds workers; [`open`](Self::open) connects.
#[must_use = "it is not connected before it is opened"]
pub struct WorkersConfig {
    server: Server,
    toolset: Option<String>,
    pins: Option<Pins>,
    timeout: Duration,
}

impl WorkersConfig {
    /// A host of a server.
    pub fn new(server: impl Into<Server>) -> Self {
        Self {
            server: server.into(),
            toolset: None,
            pins: None,
            timeout: Duration::from_secs(600),
        }
    }

    /// Uses the tools of one toolset alone.
    pub fn toolset(mut self, name: impl Into<String>) -> Self {
        self.toolset = Some(name.into());
        self
    }

    /// Offers only tools that were accepted before. Without this all tools that are there are accepted.
    pub fn pins(mut self, pins: Pins) -> Self {
        self.pins = Some(pins);
        self
    }

    /// Sets how long a call takes at most, where its context has no deadline. The default is ten minutes.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Connects, and finds the workers that are there.
    ///
    /// # Errors
    /// If a name is not one, or the server cannot be reached, is too old or has no `JetStream`.
    pub async fn open(self) -> Result<Workers, NatsError> {
        if let Some(toolset) = &self.toolset {
            check_name(toolset)?;
        }
        let link = Link::open(self.server).await?;
        let accepts_all = self.pins.is_none();
        let (looks, _) = watch::channel(());
        link.calls().await?;
        let host = Arc::new(Host {
            results: link.results().await?,
            timeout: self.timeout.min(link.keep / 2),
            link,
            toolset: self.toolset,
            catalog: Mutex::new(Catalog::new(self.pins.unwrap_or_default())),
            looks,
            looking: Mutex::default(),
        });
        host.look().await?;
        if accepts_all {
            host.catalog().accept_all();
        }
        let task = tokio::spawn(keep_looking(Arc::downgrade(&host)));
        *host.looking() = Some(task.abort_handle());
        Ok(Workers(host))
    }
}

/// The workers at a server, whose tools can be used as tools of a [`Toolset`](toolwright::Toolset).
///
/// The permissions that workers state are believed: whoever may publish under the prefix of the server is
/// part of the program. A tool that differs from the one that was accepted is not called.
#[derive(Clone)]
pub struct Workers(Arc<Host>);

/// A tool of a worker that cannot be offered to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// The toolset and the name of the tool.
    pub tool: String,
    /// Why it cannot be offered.
    pub reason: String,
}

impl Workers {
    /// Connects, finds the workers that are there, and accepts their tools.
    ///
    /// # Errors
    /// If the server cannot be reached, is too old, or has no `JetStream`.
    pub async fn connect(server: impl Into<Server>) -> Result<Self, NatsError> {
        WorkersConfig::new(server).open().await
    }

    /// The tools of the workers that are there, for
    /// [`ToolsetBuilder::tools`](toolwright::ToolsetBuilder::tools).
    ///
    /// A tool that was never accepted is left out. A tool that has changed since then keeps its name, shows
    /// nothing new, and refuses every call until the change is accepted and this list is built again; where
    /// workers that are there still have the accepted one, that is the one that is offered.
    pub fn tools(&self) -> Tools {
        self.offer().0
    }

    /// The tools that [`tools`](Self::tools) leaves out because no model could use them.
    pub fn unusable(&self) -> Vec<Unusable> {
        self.offer().1
    }

    fn offer(&self) -> (Tools, Vec<Unusable>) {
        let catalog = self.0.catalog();
        let (mut tools, mut unusable) = (Tools::new(), Vec::new());
        let (mut taken, mut asking) = (BTreeSet::new(), BTreeSet::new());
        for (toolset, newest) in catalog.listed() {
            let name = &newest.listed.name;
            if catalog
                .pins
                .get(&super::catalog::pin(toolset, name))
                .is_none()
            {
                continue;
            }
            let made = if taken.insert(name.clone()) {
                let offer = catalog.accepted(toolset, name);
                if offer.is_some_and(|offer| offer.listed.asks) {
                    asking.insert(name.clone());
                }
                self.make_tool(toolset, name, offer)
            } else {
                Err("a tool of another toolset has this name too".to_owned())
            };
            match made {
                Ok(tool) => tools.push(tool),
                Err(reason) => unusable.push(Unusable {
                    tool: super::catalog::pin(toolset, name),
                    reason,
                }),
            }
        }
        (
            tools.require_approval(|name| asking.contains(name)),
            unusable,
        )
    }

    /// Makes the tool in its accepted form; without one, a tool that refuses every call.
    fn make_tool(
        &self,
        toolset: &str,
        name: &str,
        offer: Option<&Offer>,
    ) -> Result<DynamicTool, String> {
        let Some(Offer {
            listed,
            fingerprint,
        }) = offer
        else {
            let text = "This tool has changed since it was accepted. It cannot be used until a person accepts the change.";
            let tool = DynamicTool::new(name, text, None, move |_, _| async move {
                toolwright::ToolResult::failure(text)
            });
            return tool.map_err(|error| error.to_string());
        };
        // One that accepts nothing or contains itself cannot be shown to a model.
        ForeignSchema::normalized(listed.parameters.clone())
            .map_err(|faults| faults.to_string())?;
        let schema = ForeignSchema::from_value(listed.parameters.clone())
            .map_err(|faults| faults.to_string())?;
        let offered = Arc::new(Offered {
            toolset: toolset.to_owned(),
            name: name.to_owned(),
            fingerprint: fingerprint.clone(),
            repeatable: listed.is_repeatable(),
        });
        let host = Arc::clone(&self.0);
        let made = DynamicTool::with_schema(
            name,
            &*listed.description,
            Some(schema),
            move |arguments, cx| {
                let (host, offered) = (Arc::clone(&host), Arc::clone(&offered));
                async move { call_worker(&host, &offered, &arguments, &cx).await }
            },
        );
        let made = made
            .map_err(|error| error.to_string())?
            .with_permission(listed.permission)
            .with_hints(listed.hints())
            .passing_secrets(&listed.secrets);
        made.map_err(|error| error.to_string())
    }

    /// The tools that differ from the accepted ones, each as `toolset/tool`.
    pub fn drift(&self) -> Vec<Drift> {
        self.0.catalog().drift()
    }

    /// Accepts a tool, written as `toolset/tool`, as it is listed now. A tool that is gone is forgotten.
    /// Returns whether there was such a tool.
    pub fn accept(&self, tool: &str) -> bool {
        self.0.catalog().accept(tool)
    }

    /// Accepts all tools as they are listed now.
    pub fn accept_all(&self) {
        self.0.catalog().accept_all();
    }

    /// The accepted tools, to save and to give to [`WorkersConfig::pins`] next time.
    pub fn pins(&self) -> Pins {
        self.0.catalog().pins.clone()
    }

    /// Looks for workers now. A host looks every two seconds by itself.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn refresh(&self) -> Result<(), NatsError> {
        self.0.look().await
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Workers").field(&self.pins()).finish()
    }
}

/// A host with its connection.
pub(super) struct Host {
    pub(super) link: Link,
    pub(super) results: Records,
    pub(super) timeout: Duration,
    toolset: Option<String>,
    catalog: Mutex<Catalog>,
    /// Is told about every look.
    pub(super) looks: watch::Sender<()>,
    looking: Mutex<Option<AbortHandle>>,
}

impl Host {
    pub(super) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn looking(&self) -> MutexGuard<'_, Option<AbortHandle>> {
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
        self.catalog().replace(groups);
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

async fn keep_looking(host: Weak<Host>) {
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
