//! The tools of all workers, offered to a model.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{Arc, Mutex},
    time::Duration,
};

use callpact::{
    DynamicTool,
    pins::{CHANGED, Drift, Pins, Unusable},
    schema::ForeignSchema,
    toolset::Tools,
};
use tokio::{sync::watch, time::timeout};

use super::{
    call::call_worker,
    catalog::{ToolOffer, WorkerCatalog},
    connection::{ConnectionClosing, HostConnection, keep_looking},
    offered::OfferedTool,
};
use crate::{NatsError, Server, link::ServerLink, server::check_name};

/// How long calls have to end once they no longer wait for their workers.
const MOMENT: Duration = Duration::from_millis(500);

/// How a host finds workers. [`open`](Self::open) connects.
///
/// ```no_run
/// use std::time::Duration;
///
/// use callpact::pins::Pins;
/// use callpact_nats::WorkersConfig;
///
/// # async fn example(accepted: Pins) -> Result<(), Box<dyn std::error::Error>> {
/// let workers = WorkersConfig::new("nats://127.0.0.1:4222")
///     .toolset("reports")
///     .pins(accepted)
///     .timeout(Duration::from_secs(60))
///     .open()
///     .await?;
/// # Ok(())
/// # }
/// ```
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

    /// Uses the tools of only one toolset.
    pub fn toolset(mut self, name: impl Into<String>) -> Self {
        self.toolset = Some(name.into());
        self
    }

    /// Offers only previously accepted tools. Without this, all present tools are accepted.
    pub fn pins(mut self, pins: Pins) -> Self {
        self.pins = Some(pins);
        self
    }

    /// Sets the longest time of a call whose context has no deadline. The default is ten minutes.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Connects, and finds the present workers.
    ///
    /// # Errors
    /// If a name is invalid, or the server cannot be reached, is too old or has no `JetStream`.
    pub async fn open(self) -> Result<Workers, NatsError> {
        if let Some(toolset) = &self.toolset {
            check_name(toolset)?;
        }
        let link = ServerLink::open(self.server).await?;
        let accepts_all = self.pins.is_none();
        let (looks, _) = watch::channel(());
        link.calls().await?;
        let results = link.results().await?;
        let host = Arc::new(HostConnection {
            timeout: self.timeout.min(results.longest_call()),
            results,
            link,
            toolset: self.toolset,
            catalog: Mutex::new(WorkerCatalog::new(self.pins.unwrap_or_default())),
            changes: watch::channel(()).0,
            looks,
            last_look: tokio::sync::Mutex::default(),
            looking: Mutex::default(),
            closing: watch::channel(ConnectionClosing::No).0,
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

/// The workers at a server, whose tools can be used as tools of a [`Toolset`](callpact::Toolset).
///
/// The stated permissions of workers are trusted: whoever may publish under the prefix of the server is
/// part of the program. A tool that differs from its accepted form is not called.
///
/// ```no_run
/// use callpact::Toolset;
/// use callpact_nats::Workers;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let workers = Workers::connect("nats://127.0.0.1:4222").await?;
/// let tools = Toolset::builder().tools(workers.tools()).build()?;
/// for drift in workers.drift() {
///     println!("{} differs: {:?}", drift.tool, drift.kind);
/// }
/// # drop(tools);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Workers(Arc<HostConnection>);

impl Workers {
    /// Connects, finds the present workers, and accepts their tools.
    ///
    /// # Errors
    /// If the server cannot be reached, is too old, or has no `JetStream`.
    pub async fn connect(server: impl Into<Server>) -> Result<Self, NatsError> {
        WorkersConfig::new(server).open().await
    }

    /// The tools of the present workers, for
    /// [`ToolsetBuilder::tools`](callpact::ToolsetBuilder::tools).
    ///
    /// A tool that was never accepted is left out. A tool that has changed keeps its name, shows nothing
    /// new, and refuses every call until the change is accepted and this list is built again. If present
    /// workers still have the accepted form, that form is offered.
    pub fn tools(&self) -> Tools {
        self.offer().0
    }

    /// The tools that [`tools`](Self::tools) leaves out because no model could use them, each as
    /// `toolset/tool`.
    pub fn unusable(&self) -> Vec<Unusable> {
        self.offer().1
    }

    fn offer(&self) -> (Tools, Vec<Unusable>) {
        let catalog = self.0.catalog();
        let (mut tools, mut unusable) = (Tools::new(), Vec::new());
        let (mut taken, mut asking) = (BTreeSet::new(), BTreeMap::new());
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
                if let Some(ToolOffer { listed, .. }) = offer.filter(|offer| offer.listed.asks) {
                    asking.insert(name.clone(), listed.required_role.clone());
                }
                self.make_tool(toolset, name, offer)
            } else {
                Err("a tool of another toolset has this name too".to_owned())
            };
            match made {
                Ok(tool) => tools.push(tool),
                Err(reason) => {
                    let tool = super::catalog::pin(toolset, name);
                    unusable.push(Unusable::new(&tool, &reason));
                }
            }
        }
        (
            tools
                .require_approval(|name| asking.contains_key(name))
                .require_approval_by(|name| asking.get(name).cloned().flatten()),
            unusable,
        )
    }

    /// Makes the tool in its accepted form; without one, a tool that refuses every call.
    fn make_tool(
        &self,
        toolset: &str,
        name: &str,
        offer: Option<&ToolOffer>,
    ) -> Result<DynamicTool, String> {
        let Some(ToolOffer {
            listed,
            fingerprint,
        }) = offer
        else {
            let tool = DynamicTool::new(name, CHANGED, None, move |_, _| async move {
                callpact::ToolResult::failure(CHANGED)
            });
            return tool.map_err(|error| error.to_string());
        };
        let value = serde_json::from_str(&listed.parameters).map_err(|error| error.to_string())?;
        // A schema that accepts nothing cannot be shown to a model.
        ForeignSchema::from_server(value).map_err(|faults| faults.to_string())?;
        let parse = |text: &str| ForeignSchema::parse(text).map_err(|faults| faults.to_string());
        let schema = parse(&listed.parameters)?;
        let output = listed.output.as_deref().map(parse).transpose()?;
        let offered = Arc::new(OfferedTool {
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
            .with_hints(listed.hints());
        let made = match output {
            Some(output) => made.with_output(output),
            None => made,
        };
        let made = made.passing_secrets(&listed.secrets);
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

    /// A receiver that is notified when workers come or go and the list of tools may change.
    ///
    /// ```no_run
    /// # async fn example(workers: callpact_nats::Workers) -> Result<(), Box<dyn std::error::Error>> {
    /// let mut changes = workers.changes();
    /// while changes.changed().await.is_ok() {
    ///     workers.accept_all();
    ///     let tools = callpact::Toolset::builder().tools(workers.tools()).build()?;
    ///     println!("{} tools", tools.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn changes(&self) -> watch::Receiver<()> {
        self.0.changes.subscribe()
    }

    /// Ends the calls under way, including dropped ones: withdraws them, or makes their workers stop them. Waits
    /// for at most `patience`, and returns whether that was enough.
    ///
    /// A call that is still awaited ends with its worker's report. It halts with
    /// [`Halt::Cancelled`](callpact::Halt::Cancelled) if no worker took it, or if it may be repeated. If it may not
    /// be repeated and its end is not known, it is [`Outcome::Unknown`](callpact::Outcome::Unknown).
    ///
    /// Call this before the program ends. The runtime withdraws a dropped call afterwards, and a runtime that
    /// shuts down may not get to that.
    pub async fn close(&self, patience: Duration) -> bool {
        let closing = &self.0.closing;
        closing.send_replace(ConnectionClosing::Ending);
        let ended = timeout(patience, closing.closed()).await.is_ok();
        if !ended {
            closing.send_replace(ConnectionClosing::Over);
            // Every awaited call ends at once now.
            let _ = timeout(MOMENT, closing.closed()).await;
        }
        ended
    }

    /// Looks for workers now. A host also looks every two seconds by itself.
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
