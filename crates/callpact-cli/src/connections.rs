//! The MCP servers of a desk: opened and closed while it serves, with what it shows of each.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use callpact::{Toolset, review::BoxFuture, toolset::Tools};
use callpact_desk::{Connection, ConnectionState, Connections, Desk, NewConnection};
use callpact_mcp::client::{LastWords, McpClient, McpConfig};
use serde_json::{Map, Value};

use crate::{
    exit::Failure,
    screen::Ink,
    servers::{WAIT, open},
    session::Session,
};

/// The shortest time between two listings of a server that changes its list.
const BETWEEN_LISTS: Duration = Duration::from_millis(250);
/// How often the state of the connections is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// The most servers of a desk.
const MOST: usize = 64;
/// What a started server gets, which is often why it ends.
const RULE: &str = "A started server gets PATH, HOME and a few other harmless variables, and those of its settings: \
                    `env` in a file of servers, or Environment on this page. A key that the server needs must be among \
                    them.";

/// The servers of a desk.
#[derive(Clone)]
pub(crate) struct ServerList(Arc<SharedList>);

struct SharedList {
    desk: Desk,
    session: Session,
    /// The tools that come from no server.
    own: Option<Toolset>,
    allows: bool,
    servers: Mutex<Vec<ListedServer>>,
}

/// A server, whether it can be used or not.
struct ListedServer {
    name: String,
    how: String,
    is_started: bool,
    trusted: bool,
    /// Whether it has been opened, or why not; `None` while it is being opened.
    opened: Option<Result<McpClient, String>>,
    words: LastWords,
    removable: bool,
}

/// A server to open.
pub(crate) struct WantedServer {
    pub(crate) name: String,
    pub(crate) config: McpConfig,
    pub(crate) trusted: bool,
    pub(crate) removable: bool,
}

impl ServerList {
    pub(crate) fn new(desk: Desk, session: &Session, own: Option<Toolset>, allows: bool) -> Self {
        Self(Arc::new(SharedList {
            desk,
            session: session.clone(),
            own,
            allows,
            servers: Mutex::default(),
        }))
    }

    fn servers(&self) -> MutexGuard<'_, Vec<ListedServer>> {
        let servers = self.0.servers.lock();
        servers.unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a server and shows its tools.
    ///
    /// # Errors
    /// Why it cannot be used. It stays in the list.
    pub(crate) async fn open(&self, wanted: WantedServer) -> Result<(), Failure> {
        let WantedServer {
            name,
            config,
            trusted,
            removable,
        } = wanted;
        let (log, words) = (self.0.desk.messages(), LastWords::default());
        {
            let mut servers = self.servers();
            if servers.len() >= MOST {
                return Err(Failure::invalid("there are too many servers"));
            }
            if servers.iter().any(|one| one.name == name) {
                return Err(Failure::invalid(format!("there is a server `{name}`")));
            }
            servers.push(ListedServer {
                name: name.clone(),
                how: config.target(),
                is_started: config.is_started(),
                trusted,
                opened: None,
                words: words.clone(),
                removable,
            });
        }
        let of = name.clone();
        let config = config
            .timeout(Duration::from_secs(
                self.0.session.config.limits.timeout_seconds,
            ))
            .open_timeout(WAIT)
            .keep_last_words(&words)
            .on_message(move |message| {
                if message.sent {
                    log.sent(&of, message.text);
                } else {
                    log.received(&of, message.text);
                }
            });
        let config = if trusted {
            config.trust_annotations()
        } else {
            config
        };
        let opened = open(&name, config, WAIT, &self.0.session.screen).await;
        let (ended, failure) = match opened {
            Ok(client) => {
                for left in client.unusable() {
                    let text = format!("{}: {}", left.tool, left.reason);
                    self.0.session.screen.say(Ink::Yellow, "left out", &text);
                }
                self.follow(client.clone());
                (Ok(client), None)
            }
            Err(failure) => (Err(failure.message.clone()), Some(failure)),
        };
        if let Some(server) = self.servers().iter_mut().find(|one| one.name == name) {
            server.opened = Some(ended);
        }
        self.show();
        failure.map_or(Ok(()), Err)
    }

    /// Lists a server's tools again whenever it says that they changed.
    fn follow(&self, client: McpClient) {
        let (list, mut changes) = (self.clone(), client.changes());
        tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                match client.refresh().await {
                    Ok(()) => {
                        // People see the current tools; no model here has an outdated description.
                        client.accept_all();
                        list.show();
                    }
                    Err(error) => list.say(&error.to_string()),
                }
                // A server that reports changes without end is not listed without end.
                tokio::time::sleep(BETWEEN_LISTS).await;
            }
        });
    }

    fn say(&self, text: &str) {
        self.0.session.screen.say(Ink::Yellow, "server", text);
    }

    /// The tools of all servers, and those that come from no server.
    fn tools(&self) -> Result<Toolset, Failure> {
        let mut tools = self.0.session.bounded();
        if let Some(own) = &self.0.own {
            tools = tools.tools(own.clone());
        }
        let servers = self.servers();
        let clients = servers.iter().filter_map(ListedServer::client);
        let all: Vec<Tools> = clients.map(McpClient::tools).collect();
        drop(servers);
        let tools = all.into_iter().fold(tools, callpact::ToolsetBuilder::tools);
        tools.build().map_err(Failure::failed)
    }

    /// Shows the current tools and servers.
    fn show(&self) {
        match self.tools() {
            Ok(tools) => self.0.desk.replace_tools(tools),
            Err(failure) => self.say(&failure.message),
        }
        self.0.desk.servers_changed();
    }

    /// Whether a server could be opened.
    pub(crate) fn has_any(&self) -> bool {
        self.servers().iter().any(|one| one.client().is_some())
    }

    /// Tells the pages when a server goes or comes back. It never ends.
    pub(crate) async fn watch(&self) {
        let mut before = self.working();
        loop {
            tokio::time::sleep(LOOK).await;
            let now = self.working();
            if now != before {
                self.0.desk.servers_changed();
                before = now;
            }
        }
    }

    fn working(&self) -> BTreeSet<String> {
        let servers = self.servers();
        let working = servers.iter().filter(|one| {
            let client = one.client();
            client.is_some_and(|client| client.revision().is_some())
        });
        working.map(|one| one.name.clone()).collect()
    }

    /// Ends all connections.
    pub(crate) async fn close(&self) {
        let servers = std::mem::take(&mut *self.servers());
        for server in servers {
            if let Some(client) = server.client() {
                client.close().await;
            }
        }
    }
}

impl ListedServer {
    fn client(&self) -> Option<&McpClient> {
        self.opened.as_ref()?.as_ref().ok()
    }

    fn last_words(&self) -> Option<String> {
        let words = self.words.text();
        let words = words.trim();
        (!words.is_empty()).then(|| words.to_owned())
    }

    fn describe(&self) -> Option<Connection> {
        let opened = self.opened.as_ref()?;
        let revision = self.client().and_then(McpClient::revision);
        let state = if revision.is_some() {
            ConnectionState::Connected
        } else {
            ConnectionState::Failed
        };
        let mut shown = Connection::new(&self.name, &self.how, state);
        shown.trusted = self.trusted;
        shown.removable = self.removable;
        match opened {
            Ok(client) => {
                shown.tools = client.tools().len();
                if revision.is_none() {
                    let gone =
                        "The server has ended. The next call of one of its tools starts it again.";
                    shown.error = Some(gone.to_owned());
                }
                shown.protocol = revision;
            }
            Err(why) => shown.error = Some(why.clone()),
        }
        if state == ConnectionState::Failed && self.is_started {
            shown.last_words = self.last_words();
            shown.rule = Some(RULE.to_owned());
        }
        Some(shown)
    }
}

impl Connections for ServerList {
    fn list(&self) -> Vec<Connection> {
        let servers = self.servers();
        servers.iter().filter_map(ListedServer::describe).collect()
    }

    fn allows(&self) -> bool {
        self.0.allows
    }

    fn connect(&self, wanted: NewConnection) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let wanted = read_wanted(wanted)?;
            let name = wanted.name.clone();
            let opened = self.open(wanted).await;
            opened.map_err(|failure| {
                // The person corrects the settings and tries again under the same name.
                let words = {
                    let mut servers = self.servers();
                    let at = servers
                        .iter()
                        .position(|one| one.name == name && one.client().is_none());
                    at.and_then(|at| servers.remove(at).last_words())
                };
                self.0.desk.servers_changed();
                match words {
                    Some(words) => {
                        format!("{}\n\nIts last words:\n{words}\n\n{RULE}", failure.message)
                    }
                    None => failure.message,
                }
            })
        })
    }

    fn disconnect<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let server = {
                let mut servers = self.servers();
                let at = servers
                    .iter()
                    .position(|one| one.name == name && one.removable);
                let at = at.ok_or("it is not a server that was connected on this page")?;
                servers.remove(at)
            };
            self.show();
            if let Some(client) = server.client() {
                client.close().await;
            }
            Ok(())
        })
    }
}

/// Reads the settings that a person wrote: the keys of the page as those of a file of servers.
fn read_wanted(wanted: NewConnection) -> Result<WantedServer, String> {
    let name = wanted.name;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > 32 || !name.chars().all(is_name) {
        return Err("the name has 1 to 32 letters, digits, `_` and `-`".to_owned());
    }
    let key = |key: &str| match key {
        "arguments" => "args".to_owned(),
        "environment" => "env".to_owned(),
        "folder" => "cwd".to_owned(),
        other => other.to_owned(),
    };
    let settings = wanted.settings.into_iter();
    let entry: Map<String, Value> = settings.map(|(name, value)| (key(&name), value)).collect();
    if !entry.contains_key(&wanted.kind) {
        return Err(format!("`{}` is missing", wanted.kind));
    }
    entry.values().try_for_each(refuse_variables)?;
    let file = serde_json::json!({ "mcpServers": { &name: entry } });
    let mut servers = McpConfig::from_json(&file.to_string()).map_err(|error| error.to_string())?;
    let config = servers.remove(&name).ok_or("the server is disabled")?;
    Ok(WantedServer {
        config: config.prefix(format!("{name}_")).show_errors(),
        trusted: wanted.trusted,
        removable: true,
        name,
    })
}

/// A file of servers replaces `${NAME}`. On the page that would send a variable of this program to any address.
fn refuse_variables(value: &Value) -> Result<(), String> {
    let mut texts = vec![value];
    while let Some(value) = texts.pop() {
        match value {
            Value::String(text) if text.contains("${") => {
                return Err("variables such as `${NAME}` are for files of servers".to_owned());
            }
            Value::Array(items) => texts.extend(items),
            Value::Object(fields) => texts.extend(fields.values()),
            _ => {}
        }
    }
    Ok(())
}
