//! The tools of a server, offered to a model.

use std::{collections::BTreeSet, ffi::OsStr, fmt, sync::Arc};

use callpact::{
    DynamicTool,
    names::provider_name,
    pins::{CHANGED, Drift, DriftKind, Pins, Unusable},
    schema::ForeignSchema,
    toolset::Tools,
};
use rmcp::model::{JsonObject, Tool};
use serde_json::Value;
use tokio::sync::watch;

use super::{
    catalog::{CatalogTool, DESCRIPTION},
    config::{McpConfig, ServerTarget},
    error::{ClientError, cut, one_line},
    link::{OfferedTool, ServerLink},
};

/// An MCP server whose tools can be used as tools of a [`Toolset`](callpact::Toolset).
///
/// A broken connection is opened again by the next call. A call during which the connection broke is
/// repeated if the tool only reads; otherwise the model is told that nobody knows whether the call was
/// carried out.
///
/// ```no_run
/// use callpact::{ToolCall, ToolContext, Toolset, review};
/// use callpact_mcp::client::McpClient;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let files = McpClient::spawn("file-server", ["--root", "docs"]).await?;
/// let search = McpClient::connect("http://127.0.0.1:8080/mcp").await?;
/// let tools = Toolset::builder().tools(files.tools()).tools(search.tools()).build()?;
/// // These tools count as destructive, so the reviewer is asked about every call.
/// let cx = ToolContext::new().with_reviewer(review::auto_approve());
/// let reply = tools.call(&ToolCall::new("1", "read_file", r#"{"path":"a.md"}"#), &cx).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpClient(Arc<ServerLink>);

impl McpConfig {
    /// Connects and lists the tools.
    ///
    /// # Errors
    /// If a setting does not belong to the server's transport, or the server cannot be started or
    /// reached, or does not speak the protocol.
    pub async fn open(self) -> Result<McpClient, ClientError> {
        self.check()?;
        let accepts_all = self.pins.is_none();
        let words = match &self.target {
            ServerTarget::Command(program) => program.words.clone(),
            ServerTarget::Url(_) => None,
        };
        let link = ServerLink::new(self);
        if let Err(error) = link.running().await {
            if let Some(words) = words {
                words.wait().await;
            }
            return Err(error);
        }
        if accepts_all {
            link.catalog().accept_all();
        }
        Ok(McpClient(Arc::new(link)))
    }
}

impl McpClient {
    /// Starts a server as a child process, with a few harmless variables of the environment.
    ///
    /// [`McpConfig`] sets a prefix, permissions, time limits, and previously accepted tools.
    ///
    /// # Errors
    /// If the server cannot be started or does not speak the protocol.
    pub async fn spawn<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = A>,
    ) -> Result<Self, ClientError> {
        McpConfig::command(program, args).open().await
    }

    /// Connects to a server over streamable HTTP.
    ///
    /// # Errors
    /// If the server cannot be reached or does not speak the protocol.
    pub async fn connect(url: impl Into<String>) -> Result<Self, ClientError> {
        McpConfig::url(url).open().await
    }

    /// The tools in the server's last list, with their prefix, for
    /// [`ToolsetBuilder::tools`](callpact::ToolsetBuilder::tools).
    ///
    /// A tool that was never accepted is left out. A tool that has changed keeps its name, shows
    /// nothing of the new listing, and refuses every call until the change is accepted and this list
    /// is built again.
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
        let mut taken = BTreeSet::new();
        for listed in &catalog.listed {
            let original = &*listed.tool.name;
            let drift = catalog.drift_of(listed);
            if drift == Some(DriftKind::New) {
                continue;
            }
            let name = provider_name(&format!("{}{original}", self.0.config.prefix));
            let made = if taken.insert(name.clone()) {
                self.make_tool(name, listed, drift)
            } else {
                Err(format!("another tool of the server is called '{name}' too"))
            };
            match made {
                Ok(tool) => tools.push(tool),
                Err(reason) => unusable.push(Unusable::new(original, &reason)),
            }
        }
        let repeated = "the server lists it more than once; the first is used";
        let repeated = catalog
            .repeated
            .iter()
            .map(|name| Unusable::new(name, repeated));
        unusable.extend(repeated);
        let malformed = catalog.malformed.iter();
        unusable.extend(malformed.map(|(name, reason)| Unusable::new(name, reason)));
        (tools, unusable)
    }

    fn make_tool(
        &self,
        name: String,
        listed: &CatalogTool,
        drift: Option<DriftKind>,
    ) -> Result<DynamicTool, String> {
        let tool = &listed.tool;
        let (schema, description) = if drift.is_some() {
            (None, CHANGED.to_owned())
        } else {
            if !takes_an_object(&tool.input_schema) {
                return Err(
                    "its schema takes no object, and the protocol sends nothing else".into(),
                );
            }
            let input = Value::Object((*tool.input_schema).clone());
            // The server gets arguments that fit its own schema.
            let schema = ForeignSchema::from_server(input).map_err(|faults| faults.to_string())?;
            let schema = if self.0.config.checks_formats {
                schema
            } else {
                schema.without_format_checks()
            };
            (Some(schema), description_of(tool))
        };
        let offered = OfferedTool {
            name: tool.name.clone().into_owned(),
            fingerprint: listed.fingerprint.clone(),
            permission: self.0.permission(tool),
            output: output_of(tool).map(Arc::new),
        };
        let (link, permission) = (Arc::clone(&self.0), offered.permission);
        let made = DynamicTool::with_schema(name, description, schema, move |arguments, cx| {
            let (link, offered) = (Arc::clone(&link), offered.clone());
            async move { link.call(&offered, arguments, &cx).await }
        });
        Ok(made
            .map_err(|error| error.to_string())?
            .with_permission(permission)
            .with_hints(self.0.hints(tool)))
    }

    /// The tools that differ from the accepted ones.
    pub fn drift(&self) -> Vec<Drift> {
        self.0.catalog().drift()
    }

    /// Accepts a tool as the server lists it now, by the server's name for it. A tool that is gone is
    /// forgotten. Returns whether there was such a tool.
    pub fn accept(&self, tool: &str) -> bool {
        self.0.catalog().accept(tool)
    }

    /// Accepts all tools as the server lists them now.
    pub fn accept_all(&self) {
        self.0.catalog().accept_all();
    }

    /// The accepted tools, to save and to give to [`McpConfig::pins`] next time.
    pub fn pins(&self) -> Pins {
        self.0.catalog().pins.clone()
    }

    /// A receiver that is notified when the server says that its list of tools changed, and at once if it said
    /// so since the list was fetched.
    ///
    /// ```no_run
    /// # async fn example(client: callpact_mcp::client::McpClient) -> Result<(), Box<dyn std::error::Error>> {
    /// let mut changes = client.changes();
    /// while changes.changed().await.is_ok() {
    ///     client.refresh().await?;
    ///     println!("{} tools differ from the accepted ones", client.drift().len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn changes(&self) -> watch::Receiver<()> {
        self.0.changes()
    }

    /// Lists the tools again.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub async fn refresh(&self) -> Result<(), ClientError> {
        let running = self.0.running().await?;
        self.0.refresh(&running).await
    }

    /// The revision of the protocol that the connection speaks; `None` if the connection is not open.
    pub fn revision(&self) -> Option<String> {
        self.0.revision()
    }

    /// Ends the connection, and the server if it was started here. The next call would start it again.
    pub async fn close(&self) {
        self.0.close().await;
    }
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpClient")
            .field("config", &self.0.config)
            .finish_non_exhaustive()
    }
}

/// Whether the `type` of a schema allows an object.
fn takes_an_object(schema: &JsonObject) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name.eq_ignore_ascii_case("object"),
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        _ => true,
    }
}

/// The schema of a tool's structured results, if it is valid.
fn output_of(tool: &Tool) -> Option<ForeignSchema> {
    let schema = Value::Object((**tool.output_schema.as_ref()?).clone());
    ForeignSchema::from_value(schema).ok()
}

/// The description that the model reads: the server's, or the title, or the name.
fn description_of(tool: &Tool) -> String {
    let description = tool.description.as_deref();
    let text = [description, tool.title.as_deref()]
        .into_iter()
        .flatten()
        .find(|text| !text.trim().is_empty());
    match text {
        Some(text) => cut(text, DESCRIPTION),
        None => format!("The tool '{}'.", one_line(&tool.name, 64)),
    }
}
