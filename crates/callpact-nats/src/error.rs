//! Why a server, or the workers at it, cannot be used.

use std::{error::Error, fmt};

/// Why a server, or the workers at it, cannot be used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NatsError {
    /// The prefix or the name of a toolset is not 1 to 32 letters, digits, `_` and `-`.
    Name(String),
    /// An address is not one of a NATS server.
    Address(String),
    /// The lease or the version of a worker is out of range.
    Setting(String),
    /// The server cannot be reached, or it refused the connection.
    Connect(String),
    /// The server is older than version 2.11.
    TooOld(String),
    /// The server has no `JetStream`.
    NoJetStream,
    /// The server denies the user a required right: to publish or subscribe to a subject.
    Right(String),
    /// A record at the server cannot be read.
    Damaged(String),
    /// The server refused a request.
    Server(String),
}

impl NatsError {
    /// The error about a request that the server refused or did not answer.
    pub(crate) fn server(what: &str, error: &(dyn Error + 'static)) -> Self {
        let mut text = format!("{what}: {error}");
        if let Some(source) = error.source() {
            let source = source.to_string();
            if !text.contains(&source) {
                text = format!("{text}: {source}");
            }
        }
        Self::Server(text)
    }
}

impl fmt::Display for NatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "invalid name {name:?}: a prefix or a toolset has 1 to 32 letters, digits, `_` and `-`"
            ),
            Self::Address(why) => write!(
                f,
                "the address of the NATS server cannot be used: {why}; write it as nats://HOST:PORT"
            ),
            Self::Setting(why) => f.write_str(why),
            Self::Connect(why) => write!(f, "no connection to the NATS server: {why}"),
            Self::TooOld(version) => write!(
                f,
                "the NATS server has version {version}, and workers need 2.11 or later"
            ),
            Self::NoJetStream => f.write_str(
                "the NATS server has no JetStream, which workers need; start it with `nats-server --jetstream`",
            ),
            Self::Right(what) => write!(f, "the NATS server does not let this user {what}"),
            Self::Damaged(why) => write!(f, "a record at the NATS server cannot be read: {why}"),
            Self::Server(why) => write!(f, "the NATS server: {why}"),
        }
    }
}

impl Error for NatsError {}
