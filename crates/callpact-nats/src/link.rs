//! The connection to a server, and the data kept there.

use std::{error::Error, sync::Arc, time::Duration};

use async_nats::{
    Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr,
    jetstream::{
        self, Context,
        kv::{self, Store},
        stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType, Stream},
    },
};
use callpact::store::BoxFuture;
use percent_encoding::percent_decode_str;
use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

use crate::{
    NatsError, Server, protocol::MAX_BYTES, records::RecordBucket, results::CallResults,
    rights::RightsWatch, server::check_name,
};

/// How many calls may wait for workers.
const MAX_WAITING: i64 = 100_000;

/// How long the server remembers that a call was published. Within this time, a repeated call is
/// dropped.
const DUPLICATES: Duration = Duration::from_secs(120);

/// How long a worker counts as present after its last announcement.
pub(crate) const PRESENCE: Duration = Duration::from_secs(8);

/// A connection to a server.
#[derive(Clone)]
pub(crate) struct ServerLink {
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    pub(crate) prefix: Arc<str>,
    pub(crate) keep: Duration,
    connection: watch::Receiver<ConnectionState>,
    pub(crate) rights: RightsWatch,
}

/// The state of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionState {
    pub(crate) up: bool,
    /// When it was last reopened after a break.
    back: Option<Instant>,
}

impl ConnectionState {
    /// Whether it was reopened so recently that workers may not be back yet.
    pub(crate) fn is_fresh(&self) -> bool {
        self.back.is_some_and(|back| back.elapsed() < PRESENCE)
    }
}

impl ServerLink {
    pub(crate) async fn open(server: Server) -> Result<Self, NatsError> {
        check_name(&server.prefix)?;
        let start = ConnectionState {
            up: true,
            back: None,
        };
        let (changes, connection) = watch::channel(start);
        let addresses = read_addresses(&server.address)?;
        let options = with_user(server.options, &addresses);
        let rights = RightsWatch::new();
        let told = rights.clone();
        let options = options.event_callback(move |event| {
            let up = match &event {
                Event::Connected => Some(true),
                Event::Disconnected | Event::Closed => Some(false),
                _ => None,
            };
            if let Some(up) = up {
                tracing::info!(target: "callpact", "NATS: {event}");
                changes.send_if_modified(|connection| {
                    let turned = connection.up != up;
                    if turned {
                        let back = up.then(Instant::now);
                        *connection = ConnectionState { up, back };
                    }
                    turned
                });
            } else if !matches!(&event, Event::ServerError(error) if told.tell(error)) {
                tracing::warn!(target: "callpact", "NATS: {event}");
            }
            std::future::ready(())
        });
        let client = options.connect(addresses).await;
        let client = client.map_err(|error| NatsError::Connect(explain_connect(&error)))?;
        if !client.is_server_compatible(2, 11, 0) {
            return Err(NatsError::TooOld(client.server_info().version));
        }
        if !client.server_info().jetstream {
            return Err(NatsError::NoJetStream);
        }
        Ok(Self {
            jetstream: jetstream::new(client.clone()),
            client,
            prefix: server.prefix.into(),
            keep: server.keep,
            connection,
            rights,
        })
    }

    /// Makes a request about a stream.
    pub(crate) fn ask<'a, T: 'a, E: Error + 'static>(
        &self,
        stream: &'a str,
        what: &'a str,
        question: impl Future<Output = Result<T, E>> + Send + 'a,
    ) -> BoxFuture<'a, Result<T, NatsError>> {
        let concerns =
            move |subject: &str| subject.starts_with("$JS.API.") && subject.contains(stream);
        let answer = async move {
            question
                .await
                .map_err(|error| NatsError::server(what, &error))
        };
        self.rights.ask(concerns, answer)
    }

    /// The most bytes of a message, with its headers.
    pub(crate) fn max_message(&self) -> usize {
        self.client.max_payload().min(MAX_BYTES)
    }

    pub(crate) fn connection(&self) -> ConnectionState {
        *self.connection.borrow()
    }

    /// A receiver that is notified of every change of the connection from now on.
    pub(crate) fn changes(&self) -> watch::Receiver<ConnectionState> {
        let mut changes = self.connection.clone();
        changes.mark_unchanged();
        changes
    }

    /// Waits for a connection. Returns whether there is one in time.
    pub(crate) async fn connected(&self, until: Instant) -> bool {
        let mut changes = self.connection.clone();
        let waiting = changes.wait_for(|connection| connection.up);
        matches!(timeout_at(until, waiting).await, Ok(Ok(_)))
    }

    /// The stream of calls that wait for a worker. It is created if it is missing.
    pub(crate) async fn calls(&self) -> Result<Stream, NatsError> {
        let config = StreamConfig {
            name: format!("{}-calls", self.prefix),
            description: Some("calls of tools that wait for a worker".to_owned()),
            subjects: vec![format!("{}.calls.*.*", self.prefix)],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            // A call that does not fit is refused, and never pushes out an older one.
            discard: DiscardPolicy::New,
            max_messages: MAX_WAITING,
            max_age: self.keep / 2,
            duplicate_window: DUPLICATES.min(self.keep / 2),
            allow_message_ttl: true,
            ..StreamConfig::default()
        };
        let name = config.name.clone();
        let made = self.jetstream.get_or_create_stream(config);
        self.ask(&name, "the stream of calls", made).await
    }

    /// The outcomes of calls: a bucket whose records can be overwritten, but not removed. Without its
    /// record, a call could be started again by another worker.
    pub(crate) async fn results(&self) -> Result<CallResults, NatsError> {
        let bucket = format!("{}-results", self.prefix);
        let what = "the bucket of results";
        let made = StreamConfig {
            name: format!("KV_{bucket}"),
            description: Some("what became of calls of tools".to_owned()),
            subjects: vec![format!("$KV.{bucket}.>")],
            max_messages_per_subject: 1,
            max_age: self.keep,
            storage: StorageType::File,
            discard: DiscardPolicy::New,
            allow_direct: true,
            ..lasting(StreamConfig::default())
        };
        let made = self.jetstream.get_or_create_stream(made);
        let stream = self.ask(&bucket, what, made).await?;
        let found = &stream.cached_info().config;
        let wanted = lasting(found.clone());
        if *found != wanted {
            let changed = self.jetstream.update_stream(wanted).await;
            changed.map_err(|error| {
                NatsError::Server(format!(
                    "the records of the stream KV_{bucket} can be removed, so a call could run twice, and that \
                     cannot be changed ({error}). Set its allow_rollup_hdrs and allow_msg_ttl to false, and its \
                     deny_delete and deny_purge to true"
                ))
            })?;
        }
        let keep = match found.max_age {
            Duration::ZERO => self.keep,
            keep => keep,
        };
        let store = self.jetstream.get_key_value(&bucket);
        let store = self.ask(&bucket, what, store).await?;
        Ok(CallResults::new(store, keep))
    }

    /// The workers that are present.
    pub(crate) async fn presence(&self) -> Result<Store, NatsError> {
        self.store("workers", PRESENCE, None).await
    }

    /// A bucket of records that stay for a time, or for ever if it is zero.
    pub(crate) async fn bucket(
        &self,
        name: &str,
        keep: Duration,
        markers: Option<Duration>,
    ) -> Result<RecordBucket, NatsError> {
        self.store(name, keep, markers).await.map(RecordBucket::new)
    }

    async fn store(
        &self,
        name: &str,
        max_age: Duration,
        limit_markers: Option<Duration>,
    ) -> Result<Store, NatsError> {
        let bucket = format!("{}-{name}", self.prefix);
        let what = format!("the bucket of {name}");
        let found = self.jetstream.get_key_value(&bucket);
        match self.ask(&bucket, &what, found).await {
            Ok(store) => return Ok(store),
            Err(error @ NatsError::Right(_)) => return Err(error),
            Err(_) => {}
        }
        let config = kv::Config {
            bucket: bucket.clone(),
            history: 1,
            max_age,
            storage: StorageType::File,
            limit_markers,
            ..kv::Config::default()
        };
        let made = self.jetstream.create_key_value(config);
        self.ask(&bucket, &what, made).await
    }
}

/// A stream whose messages cannot be removed with only the right to publish to it, or to ask for their
/// deletion.
fn lasting(stream: StreamConfig) -> StreamConfig {
    StreamConfig {
        allow_rollup: false,
        allow_message_ttl: false,
        subject_delete_marker_ttl: None,
        deny_delete: true,
        deny_purge: true,
        ..stream
    }
}

/// Reads addresses that are separated by commas. An address may hold a password, so no error repeats it.
fn read_addresses(addresses: &str) -> Result<Vec<ServerAddr>, NatsError> {
    let read = |address: &str| {
        let (scheme, rest) = address.split_once("://").unwrap_or(("nats", address));
        if !["nats", "tls"].contains(&&*scheme.to_ascii_lowercase()) {
            return Err("it begins with neither nats:// nor tls://".to_owned());
        }
        // Such a character ends the part with the name, the password and the host.
        if let Some((authority, after)) = rest.split_once(['/', '?', '#'])
            && after.contains('@')
            && !authority.contains('@')
        {
            let why =
                "in its name and its password a / is written as %2F, a ? as %3F and a # as %23";
            return Err(why.to_owned());
        }
        match address.parse::<ServerAddr>() {
            Ok(address) if address.host().is_empty() => Err("it names no host".to_owned()),
            Ok(address) => Ok(address),
            Err(error) => {
                let text = error.to_string();
                // The beginning only repeats that it is about the address.
                let (_, why) = text.rsplit_once(": ").unwrap_or(("", &text));
                Err(why.to_owned())
            }
        }
    };
    let addresses = addresses.split(',').map(|address| read(address.trim()));
    addresses
        .collect::<Result<_, _>>()
        .map_err(NatsError::Address)
}

/// Why there is no connection. The client puts the kind before a reason that already says it.
fn explain_connect(error: &ConnectError) -> String {
    match (error.kind(), error.source()) {
        (ConnectErrorKind::Io | ConnectErrorKind::Dns, Some(reason)) => reason.to_string(),
        _ => error.to_string(),
    }
}

/// Logs in with the name and the password of an address, which the client ignores.
fn with_user(options: ConnectOptions, addresses: &[ServerAddr]) -> ConnectOptions {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let user = addresses.iter().find_map(|address| {
        let user = decoded(address.username()?);
        Some((user, decoded(address.password().unwrap_or_default())))
    });
    match user {
        Some((user, password)) => options.user_and_password(user, password),
        None => options,
    }
}
