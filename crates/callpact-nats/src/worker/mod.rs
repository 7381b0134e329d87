//! A worker: it takes calls from the server and runs them.

mod announce;
mod claim;
mod context;
mod decided;
mod lane;
mod run;
mod running;
mod serving;
mod shared;

use std::{sync::Arc, time::Duration};

use callpact::{ToolContext, Toolset};

use crate::{NatsError, Server, link::ServerLink};

pub use serving::Serving;
use shared::{ServedList, SharedWorker};

/// A worker that serves a list of tools; [`connect`](Worker::connect) names the server.
///
/// The context is used for every call: its secrets are looked up here, and placeholders in arguments become
/// values only here. Calls were approved by their host. So a context without a reviewer and without a mode
/// allows everything; one that has them decides again, and a tool that its mode denies is not listed.
pub fn worker(tools: Toolset, cx: ToolContext) -> Worker {
    Worker {
        list: ServedList {
            tools,
            toolset: "tools".to_owned(),
            version: 1,
            lease: Duration::from_secs(30),
        },
        cx,
        server: Server::new("nats://127.0.0.1:4222"),
        max_in_flight: 16,
    }
}

/// A worker that is configured but not started, made by [`worker`].
///
/// ```no_run
/// use std::time::Duration;
///
/// use callpact::{ToolContext, Toolset};
/// use callpact_nats::worker;
///
/// # async fn example(tools: Toolset) -> Result<(), Box<dyn std::error::Error>> {
/// let serving = worker(tools, ToolContext::new())
///     .connect("nats://127.0.0.1:4222")
///     .toolset("reports")
///     .version(2)
///     .max_in_flight(4)
///     .start()
///     .await?;
/// // … until the program is to end: it takes no new calls then, and gives those that run ten seconds.
/// serving.stop(Duration::from_secs(10)).await;
/// # Ok(())
/// # }
/// ```
#[must_use = "it serves nothing before it is started"]
pub struct Worker {
    list: ServedList,
    cx: ToolContext,
    server: Server,
    max_in_flight: usize,
}

impl Worker {
    /// Sets the server: its address, or a [`Server`] with options. The default is `nats://127.0.0.1:4222`.
    pub fn connect(mut self, server: impl Into<Server>) -> Self {
        self.server = server.into();
        self
    }

    /// Names the list of tools, so that several lists can be served side by side. The default is `tools`.
    pub fn toolset(mut self, name: impl Into<String>) -> Self {
        self.list.toolset = name.into();
        self
    }

    /// Sets the version of the list. Hosts offer the highest version to a model; a tool that is equal in two
    /// versions is called at either. The default is 1, which is the lowest.
    pub fn version(mut self, version: u64) -> Self {
        self.list.version = version;
        self
    }

    /// Sets how many calls run at the same time. The others wait at the server. The default is 16.
    pub fn max_in_flight(mut self, calls: usize) -> Self {
        self.max_in_flight = calls.clamp(1, 10_000);
        self
    }

    /// Sets how long a silent worker keeps a call. While a call runs, its worker renews the lease. The first
    /// worker of a list decides; the default is 30 seconds. It is at least half a second and at most one day.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.list.lease = lease;
        self
    }

    /// Connects and starts to take calls.
    ///
    /// # Errors
    /// If a name, the version or the lease is invalid, the server cannot be reached, is too old or has no
    /// `JetStream`, or a tool does not fit in a message.
    pub async fn start(mut self) -> Result<Serving, NatsError> {
        self.list.check()?;
        if let Some(mode) = self.cx.permissions() {
            // A tool whose calls are all refused here is not offered to a model.
            let tools = &self.list.tools;
            let runs = |name: &str| tools.permission(name).is_some_and(|it| !mode.denies(it));
            self.list.tools = tools.filter(runs);
        }
        let link = ServerLink::open(self.server).await?;
        let shared = SharedWorker::new(link, self.list, self.cx)?;
        Serving::start(Arc::new(shared), self.max_in_flight).await
    }

    /// Connects and takes calls for ever.
    ///
    /// # Errors
    /// Like [`start`](Self::start). A connection that breaks later is reopened.
    pub async fn serve(self) -> Result<(), NatsError> {
        let serving = self.start().await?;
        std::future::pending::<()>().await;
        drop(serving);
        Ok(())
    }
}
