//! What all tasks of a worker know.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use bytes::Bytes;
use toolwright::{Cancellation, ToolContext, Toolset};

use crate::{
    NatsError,
    link::Link,
    protocol::{Listed, Page, list_digest, new_id},
    server::Group,
};

/// How many calls of a list the workers may hold together, and how many may ask for one at once.
const MAX_HELD: i64 = 100_000;

/// How long a list that no worker serves is remembered by the server.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// The most bytes of a page of the list of tools.
const PAGE: usize = 256 << 10;

/// What a call is checked against.
pub(super) struct Served {
    pub(super) fingerprint: String,
    pub(super) repeatable: bool,
}

pub(super) struct Shared {
    pub(super) link: Link,
    pub(super) tools: Toolset,
    pub(super) cx: ToolContext,
    /// Whether the worker decides a second time about calls that their host approved.
    pub(super) decides: bool,
    pub(super) group: Group,
    pub(super) version: u64,
    /// The name of this worker in records.
    pub(super) id: String,
    pub(super) served: HashMap<String, Served>,
    /// The list of tools, as hosts get it.
    pub(super) pages: Vec<Bytes>,
    lease: Duration,
    running: Mutex<HashMap<String, Cancellation>>,
}

impl Shared {
    pub(super) fn new(
        link: Link,
        tools: Toolset,
        cx: ToolContext,
        decides: bool,
        toolset: String,
        version: u64,
        lease: Duration,
    ) -> Result<Self, NatsError> {
        let listed = Listed::all(&tools);
        let fingerprints: Vec<String> = listed.iter().map(Listed::fingerprint).collect();
        let digest = list_digest(fingerprints.iter().map(String::as_str));
        let pages = make_pages(&listed, link.client.max_payload())?;
        let served = listed.iter().zip(fingerprints).map(|(tool, fingerprint)| {
            let repeatable = tool.is_repeatable();
            let served = Served {
                fingerprint,
                repeatable,
            };
            (tool.name.clone(), served)
        });
        Ok(Self {
            served: served.collect(),
            group: Group { toolset, digest },
            link,
            tools,
            cx,
            decides,
            version,
            id: new_id(),
            pages,
            lease,
            running: Mutex::default(),
        })
    }

    /// The consumer that hands calls to the workers of this list. It is made where it is missing.
    pub(super) async fn consumer(&self) -> Result<Consumer<pull::Config>, NatsError> {
        let name = self.group.consumer();
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: self.group.calls(&self.link.prefix),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.lease,
            max_deliver: -1,
            max_ack_pending: MAX_HELD,
            max_waiting: MAX_HELD,
            inactive_threshold: FORGOTTEN,
            ..pull::Config::default()
        };
        let stream = self.link.calls().await?;
        let consumer = stream.get_or_create_consumer(&name, config).await;
        consumer.map_err(|error| NatsError::server("the consumer of calls", &error))
    }

    /// The calls that run here, with what stops them.
    pub(super) fn running(&self) -> MutexGuard<'_, HashMap<String, Cancellation>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parts a list into pages that fit in messages.
fn make_pages(tools: &[Listed], max_payload: usize) -> Result<Vec<Bytes>, NatsError> {
    let mut pages: Vec<Vec<Listed>> = vec![Vec::new()];
    let mut size = 0;
    for tool in tools {
        let bytes = serde_json::to_vec(tool).unwrap_or_default().len();
        if bytes + 1024 > max_payload {
            return Err(NatsError::Server(format!(
                "the description and the schema of the tool '{}' have {bytes} bytes, and a message may have {max_payload}",
                tool.name
            )));
        }
        if size + bytes > PAGE.min(max_payload / 2) && size > 0 {
            pages.push(Vec::new());
            size = 0;
        }
        size += bytes;
        if let Some(page) = pages.last_mut() {
            page.push(tool.clone());
        }
    }
    let count = pages.len();
    let pages = pages.into_iter().map(|tools| {
        let page = Page {
            pages: count,
            tools,
        };
        serde_json::to_vec(&page).map(Bytes::from)
    });
    pages
        .collect::<Result<_, _>>()
        .map_err(|error| NatsError::server("the list of tools cannot be written", &error))
}
