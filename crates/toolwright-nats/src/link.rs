//! The connection to a server, and what is kept there.

use std::{sync::Arc, time::Duration};

use async_nats::{
    Client, ConnectOptions, Event, ServerAddr,
    jetstream::{
        self, Context,
        kv::{self, Store},
        stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType, Stream},
    },
};
use percent_encoding::percent_decode_str;
use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

use crate::{NatsError, Server, protocol::MAX_BYTES, records::Records, server::check_name};

/// How many calls may wait for workers.
const MAX_WAITING: i64 = 100_000;

/// How long the server remembers that a call was published. Within this time a call that is published
/// again is dropped.
const DUPLICATES: Duration = Duration::from_secs(120);

/// How long a worker counts as there after it last said so.
pub(crate) const PRESENCE: Duration = Duration::from_secs(8);

/// A connection to a server.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    pub(crate) prefix: Arc<str>,
    pub(crate) keep: Duration,
    connection: watch::Receiver<Connection>,
}

/// The state of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    pub(crate) up: bool,
    /// When it was last opened again after it had broken.
    back: Option<Instant>,
}

impl Connection {
    /// Whether it was opened again so lately that workers may not be back yet.
    pub(crate) fn is_fresh(&self) -> bool {
        self.back.is_some_and(|back| back.elapsed() < PRESENCE)
    }
}

impl Link {
    pub(crate) async fn open(server: Server) -> Result<Self, NatsError> {
        check_name(&server.prefix)?;
        let start = Connection {
            up: true,
            back: None,
        };
        let (changes, connection) = watch::channel(start);
        let options = with_user(server.options, &server.address);
        let options = options.event_callback(move |event| {
            let up = match &event {
                Event::Connected => Some(true),
                Event::Disconnected | Event::Closed => Some(false),
                _ => None,
            };
            if let Some(up) = up {
                tracing::info!(target: "toolwright", "NATS: {event}");
                changes.send_if_modified(|connection| {
                    let turned = connection.up != up;
                    if turned {
                        let back = up.then(Instant::now);
                        *connection = Connection { up, back };
                    }
                    turned
                });
            } else {
                tracing::warn!(target: "toolwright", "NATS: {event}");
            }
            std::future::ready(())
        });
        let addresses: Vec<&str> = server.address.split(',').map(str::trim).collect();
        let client = options
            .connect(addresses)
            .await
            .map_err(|error| NatsError::Connect(error.to_string()))?;
        if !client.is_server_compatible(2, 11, 0) {
            return Err(NatsError::TooOld(client.server_info().version));
        }
        Ok(Self {
            jetstream: jetstream::new(client.clone()),
            client,
            prefix: server.prefix.into(),
            keep: server.keep,
            connection,
        })
    }

    /// The most bytes of a message, with its headers.
    pub(crate) fn max_message(&self) -> usize {
        self.client.max_payload().min(MAX_BYTES)
    }

    pub(crate) fn connection(&self) -> Connection {
        *self.connection.borrow()
    }

    /// Is told about every change of the connection from now on.
    pub(crate) fn changes(&self) -> watch::Receiver<Connection> {
        let mut changes = self.connection.clone();
        changes.mark_unchanged();
        changes
    }

    /// Waits for a connection. Says whether there is one in time.
    pub(crate) async fn connected(&self, until: Instant) -> bool {
        let mut changes = self.connection.clone();
        let waiting = changes.wait_for(|connection| connection.up);
        matches!(timeout_at(until, waiting).await, Ok(Ok(_)))
    }

    /// The stream of calls that wait for a worker. It is made where it is missing.
    pub(crate) async fn calls(&self) -> Result<Stream, NatsError> {
        let config = StreamConfig {
            name: format!("{}-calls", self.prefix),
            description: Some("calls of tools that wait for a worker".to_owned()),
            subjects: vec![format!("{}.calls.*.*", self.prefix)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            // A call that does not fit is refused, and no older call is lost for it.
            discard: DiscardPolicy::New,
            max_messages: MAX_WAITING,
            max_age: self.keep / 2,
            duplicate_window: DUPLICATES.min(self.keep / 2),
            allow_message_ttl: true,
            ..StreamConfig::default()
        };
        let stream = self.jetstream.get_or_create_stream(config).await;
        stream.map_err(|error| NatsError::server("the stream of calls", &error))
    }

    /// What became of calls.
    pub(crate) async fn results(&self) -> Result<Records, NatsError> {
        self.bucket("results", self.keep, None).await
    }

    /// Which workers are there.
    pub(crate) async fn presence(&self) -> Result<Store, NatsError> {
        self.store("workers", PRESENCE, None).await
    }

    /// A bucket of records that stay for a time, or for ever where it is zero.
    pub(crate) async fn bucket(
        &self,
        name: &str,
        keep: Duration,
        markers: Option<Duration>,
    ) -> Result<Records, NatsError> {
        self.store(name, keep, markers).await.map(Records::new)
    }

    async fn store(
        &self,
        name: &str,
        max_age: Duration,
        limit_markers: Option<Duration>,
    ) -> Result<Store, NatsError> {
        let bucket = format!("{}-{name}", self.prefix);
        if let Ok(store) = self.jetstream.get_key_value(&bucket).await {
            return Ok(store);
        }
        let config = kv::Config {
            bucket,
            history: 1,
            max_age,
            storage: StorageType::File,
            limit_markers,
            ..kv::Config::default()
        };
        let made = self.jetstream.create_key_value(config).await;
        made.map_err(|error| NatsError::server(&format!("the bucket of {name}"), &error))
    }
}

/// Logs in with the name and the password of an address, which the client leaves out.
fn with_user(options: ConnectOptions, addresses: &str) -> ConnectOptions {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let addresses = addresses.split(',');
    let mut addresses = addresses.filter_map(|address| address.trim().parse::<ServerAddr>().ok());
    let user = addresses.find_map(|address| {
        let user = decoded(address.username()?);
        Some((user, decoded(address.password().unwrap_or_default())))
    });
    match user {
        Some((user, password)) => options.user_and_password(user, password),
        None => options,
    }
}
