//! The servers that the program is connected to.

use std::collections::BTreeMap;

use callpact::{Permission, review::BoxFuture};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Desk,
    answer::{DeskAnswer, fault, json},
    rights::is_denied,
    sessions::EnteredBrowser,
};

/// A server that the program is or was connected to.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Connection {
    /// Its name.
    pub name: String,
    /// How it is reached: a command or an address, without secrets.
    pub how: String,
    /// Whether it can be used.
    pub state: ConnectionState,
    /// The number of its tools.
    pub tools: usize,
    /// The revision of the protocol.
    pub protocol: Option<String>,
    /// Whether the program trusts what it says about its tools.
    pub trusted: bool,
    /// Why it cannot be used.
    pub error: Option<String>,
    /// The end of what it wrote to its standard error.
    pub last_words: Option<String>,
    /// A rule of the program that may be the cause, such as the environment that servers get.
    pub rule: Option<String>,
    /// Whether a person may disconnect it.
    pub removable: bool,
}

impl Connection {
    /// A server by its name and how it is reached.
    pub fn new(name: impl Into<String>, how: impl Into<String>, state: ConnectionState) -> Self {
        Self {
            name: name.into(),
            how: how.into(),
            state,
            tools: 0,
            protocol: None,
            trusted: false,
            error: None,
            last_words: None,
            rule: None,
            removable: false,
        }
    }
}

/// Whether a server can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ConnectionState {
    /// It answers.
    Connected,
    /// It could not be connected, or is gone.
    Failed,
}

/// A server that a person wants to connect to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NewConnection {
    /// Its name.
    pub name: String,
    /// `command` or `url`.
    pub kind: String,
    /// Its settings: `command`, `arguments`, `environment` and `folder`, or `url` and `headers`.
    pub settings: BTreeMap<String, Value>,
    /// Whether the person trusts what it says about its tools.
    #[serde(default)]
    pub trusted: bool,
}

/// The servers of a program, for [`Desk::with_connections`].
pub trait Connections: Send + Sync {
    /// The servers.
    fn list(&self) -> Vec<Connection>;

    /// Whether people may connect to servers, if their mode allows calls that destroy. Whoever may do that may run any
    /// program on this machine, so the default is no.
    fn allows(&self) -> bool {
        false
    }

    /// Connects to a server. The error is shown to the person.
    fn connect(&self, wanted: NewConnection) -> BoxFuture<'_, Result<(), String>> {
        let _ = wanted;
        Box::pin(std::future::ready(Err("not allowed".to_owned())))
    }

    /// Ends the connection to a server.
    fn disconnect<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        let _ = name;
        Box::pin(std::future::ready(Err("not allowed".to_owned())))
    }
}

pub(crate) fn list(desk: &Desk, browser: &EnteredBrowser) -> Value {
    let connections = desk.0.connections.as_deref();
    json!({
        "servers": connections.map(Connections::list).unwrap_or_default(),
        "allowed": allowed(desk, browser).is_ok(),
    })
}

fn allowed<'a>(
    desk: &'a Desk,
    browser: &EnteredBrowser,
) -> Result<&'a dyn Connections, DeskAnswer> {
    let connections = desk.0.connections.as_deref().filter(|it| it.allows());
    let refuse = |text| fault(StatusCode::FORBIDDEN, text);
    let connections =
        connections.ok_or_else(|| refuse("the program does not let people connect to servers"))?;
    if is_denied(desk, browser, Permission::Destructive) {
        return Err(refuse(
            "You may not connect to servers: it needs somebody who may make calls that destroy.",
        ));
    }
    Ok(connections)
}

pub(crate) async fn connect(
    desk: &Desk,
    wanted: NewConnection,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let connected = allowed(desk, browser)?.connect(wanted).await;
    connected.map_err(|error| fault(StatusCode::UNPROCESSABLE_ENTITY, &error))?;
    desk.servers_changed();
    Ok(json(&json!({})))
}

pub(crate) async fn disconnect(
    desk: &Desk,
    name: &str,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let ended = allowed(desk, browser)?.disconnect(name).await;
    ended.map_err(|error| fault(StatusCode::UNPROCESSABLE_ENTITY, &error))?;
    desk.servers_changed();
    Ok(json(&json!({})))
}
