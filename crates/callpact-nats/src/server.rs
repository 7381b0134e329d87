//! The server and the names on it.

use std::{fmt, time::Duration};

use async_nats::ConnectOptions;

use crate::NatsError;

/// A NATS server, with the options of the connection and the prefix of all names.
///
/// Wherever a server is expected, its address as text works too.
///
/// ```
/// use callpact_nats::{ConnectOptions, Server};
///
/// let server = Server::new("tls://nats.example.com:4222")
///     .prefix("billing")
///     .options(ConnectOptions::with_user_and_password("worker".into(), "secret".into()));
/// # let _ = server;
/// ```
#[derive(Clone)]
pub struct Server {
    pub(crate) address: String,
    pub(crate) prefix: String,
    pub(crate) options: ConnectOptions,
    pub(crate) keep: Duration,
}

impl Server {
    /// A server by its address, such as `nats://127.0.0.1:4222`. Separate several with commas.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            prefix: "callpact".to_owned(),
            options: ConnectOptions::new(),
            keep: Duration::from_secs(24 * 3600),
        }
    }

    /// Sets the prefix for the names of streams, buckets and subjects. Hosts and workers find each other
    /// only under the same prefix. The default is `callpact`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets the options of the connection, such as TLS, credentials and nkeys. Their callback for events is
    /// replaced.
    #[must_use]
    pub fn options(mut self, options: ConnectOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets how long the server keeps the result of a call: one day by default. During that time, a call
    /// with the same key gets that result. The setting takes effect when the first worker or host creates
    /// the bucket, and a call may take at most half of the time. It is at least one minute and at most
    /// ten years.
    #[must_use]
    pub fn keep_results(mut self, time: Duration) -> Self {
        self.keep = time.clamp(
            Duration::from_secs(60),
            Duration::from_secs(10 * 365 * 86400),
        );
        self
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An address or the options may hold a password.
        f.debug_struct("Server")
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

impl From<&str> for Server {
    fn from(address: &str) -> Self {
        Self::new(address)
    }
}

impl From<String> for Server {
    fn from(address: String) -> Self {
        Self::new(address)
    }
}

impl From<&String> for Server {
    fn from(address: &String) -> Self {
        Self::new(address)
    }
}

/// Checks a name that becomes a part of subjects and names of streams.
pub(crate) fn check_name(name: &str) -> Result<(), NatsError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if (1..=32).contains(&name.len()) && name.bytes().all(allowed) {
        Ok(())
    } else {
        Err(NatsError::Name(name.chars().take(40).collect()))
    }
}

/// The workers that serve the same list of tools: the name of their toolset, and the digest of the list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorkerGroup {
    pub(crate) toolset: String,
    pub(crate) digest: String,
}

impl WorkerGroup {
    /// The subject on which calls for the group are published.
    pub(crate) fn calls(&self, prefix: &str) -> String {
        format!("{prefix}.calls.{}.{}", self.toolset, self.digest)
    }

    /// The subject on which hosts stop calls.
    pub(crate) fn stop(&self, prefix: &str) -> String {
        format!("{prefix}.stop.{}.{}", self.toolset, self.digest)
    }

    /// The subject on which hosts ask one of the workers for the list of tools.
    pub(crate) fn list(&self, prefix: &str, worker: &str) -> String {
        format!("{prefix}.list.{}.{}.{worker}", self.toolset, self.digest)
    }

    /// The name of the consumer that hands calls to the workers.
    pub(crate) fn consumer(&self) -> String {
        format!("{}-{}", self.toolset, self.digest)
    }
}
