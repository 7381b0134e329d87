//! The state that all tasks of a worker share.

use std::{collections::HashMap, ops::RangeInclusive, time::Duration};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use bytes::Bytes;
use callpact::{ToolContext, Toolset};

use super::{context::WorkerContext, running::RunningCalls};
use crate::{
    NatsError,
    link::ServerLink,
    protocol::{ToolPage, WorkerTool, check_list, list_digest, new_id},
    server::{WorkerGroup, check_name},
};

/// The shortest and the longest lease.
const LEASES: RangeInclusive<Duration> = Duration::from_millis(500)..=Duration::from_secs(86_400);

/// How many calls of a list the workers may hold together, and how many requests may wait at once.
const MAX_HELD: i64 = 100_000;

/// How long the server remembers a list that no worker serves.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// The most bytes of a page of the list of tools.
const PAGE: usize = 256 << 10;

/// The data for checking a call.
pub(super) struct ServedCall {
    pub(super) fingerprint: String,
    pub(super) repeatable: bool,
}

/// The list that a worker serves, and its settings.
pub(super) struct ServedList {
    pub(super) tools: Toolset,
    pub(super) toolset: String,
    pub(super) version: u64,
    pub(super) lease: Duration,
}

impl ServedList {
    /// Checks the settings. The server would take some invalid ones, and then hosts would not find
    /// the worker.
    pub(super) fn check(&self) -> Result<(), NatsError> {
        check_name(&self.toolset)?;
        if self.version == 0 {
            return Err(NatsError::Setting(
                "the lowest version of a list is 1".to_owned(),
            ));
        }
        if !LEASES.contains(&self.lease) {
            let text = format!(
                "a lease is at least half a second and at most one day, and this one is {:?}",
                self.lease
            );
            return Err(NatsError::Setting(text));
        }
        Ok(())
    }
}

pub(super) struct SharedWorker {
    pub(super) link: ServerLink,
    pub(super) tools: Toolset,
    pub(super) cx: WorkerContext,
    pub(super) group: WorkerGroup,
    pub(super) version: u64,
    /// The name of this worker in records.
    pub(super) id: String,
    pub(super) served: HashMap<String, ServedCall>,
    /// The list of tools, as sent to hosts.
    pub(super) pages: Vec<Bytes>,
    pub(super) running: RunningCalls,
    lease: Duration,
}

impl SharedWorker {
    pub(super) fn new(
        link: ServerLink,
        list: ServedList,
        cx: ToolContext,
    ) -> Result<Self, NatsError> {
        let id = new_id();
        let listed = WorkerTool::all(&list.tools);
        let fingerprints: Vec<String> = listed.iter().map(WorkerTool::fingerprint).collect();
        let digest = list_digest(fingerprints.iter().map(String::as_str));
        let pages = make_pages(&listed, link.max_message())?;
        check_list(listed.len(), pages.iter().map(Bytes::len).sum())?;
        let served = listed.iter().zip(fingerprints).map(|(tool, fingerprint)| {
            let repeatable = tool.is_repeatable();
            let served = ServedCall {
                fingerprint,
                repeatable,
            };
            (tool.name.clone(), served)
        });
        Ok(Self {
            served: served.collect(),
            group: WorkerGroup {
                toolset: list.toolset,
                digest,
            },
            link,
            tools: list.tools,
            cx: WorkerContext::new(cx.with_worker(&id)),
            version: list.version,
            id,
            pages,
            running: RunningCalls::default(),
            lease: list.lease,
        })
    }

    /// The consumer that gives calls to the workers of this list. It is created if it is missing.
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
        let made = stream.get_or_create_consumer(&name, config);
        let link = &self.link;
        link.ask(&name, "the consumer of calls", made).await
    }
}

/// Splits a list into pages that fit in messages.
fn make_pages(tools: &[WorkerTool], max_message: usize) -> Result<Vec<Bytes>, NatsError> {
    let mut pages: Vec<Vec<WorkerTool>> = vec![Vec::new()];
    let mut size = 0;
    for tool in tools {
        let bytes = serde_json::to_vec(tool).unwrap_or_default().len();
        if bytes + 1024 > max_message {
            return Err(NatsError::Server(format!(
                "the description and the schema of the tool '{}' have {bytes} bytes, and a message may have {max_message}",
                tool.name
            )));
        }
        if size + bytes > PAGE.min(max_message / 2) && size > 0 {
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
        let page = ToolPage {
            pages: count,
            tools,
        };
        serde_json::to_vec(&page).map(Bytes::from)
    });
    pages
        .collect::<Result<_, _>>()
        .map_err(|error| NatsError::server("the list of tools cannot be written", &error))
}
