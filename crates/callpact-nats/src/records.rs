//! Records that are written only if nothing has changed since they were read.

use std::time::Duration;

use async_nats::jetstream::kv::{Entry, Operation, Store, UpdateErrorKind};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    NatsError,
    protocol::{MAX_BYTES, parse},
};

/// How often to try a step that gets no answer.
const TRIES: usize = 3;

/// How often to repeat a step after somebody else changed the record at the same time. A record has few
/// changes.
pub(crate) const ROUNDS: usize = 100;

/// The error of a step that was repeated that often.
pub(crate) fn too_busy() -> NatsError {
    NatsError::Server("a record changes all the time".to_owned())
}

/// How long the server remembers that a record was removed.
pub(crate) const MARKER: Duration = Duration::from_secs(60);

/// How many records are read at the same time.
const AT_ONCE: usize = 32;

/// A bucket of JSON records.
#[derive(Clone)]
pub(crate) struct RecordBucket(Store);

/// A record as it was read, with the revision that a change must name.
pub(crate) struct FoundRecord<T> {
    pub(crate) value: Option<T>,
    pub(crate) revision: u64,
}

impl RecordBucket {
    pub(crate) fn new(store: Store) -> Self {
        Self(store)
    }

    pub(crate) async fn read<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<FoundRecord<T>, NatsError> {
        let (bytes, revision) = self.read_bytes(key).await?;
        let value = bytes.map(|bytes| parse(&bytes)).transpose();
        let value = value.map_err(|error| NatsError::Damaged(error.to_string()))?;
        Ok(FoundRecord { value, revision })
    }

    /// The entry under a key, even a mark that a record was removed.
    pub(crate) async fn entry(&self, key: &str) -> Result<Option<Entry>, NatsError> {
        let entry = self.0.entry(key).await;
        entry.map_err(|error| NatsError::server("a record cannot be read", &error))
    }

    /// The revision of an existing record, even of one that cannot be read.
    pub(crate) async fn revision(&self, key: &str) -> Result<Option<u64>, NatsError> {
        let (bytes, revision) = self.read_bytes(key).await?;
        Ok(bytes.map(|_| revision))
    }

    async fn read_bytes(&self, key: &str) -> Result<(Option<Bytes>, u64), NatsError> {
        Ok(match self.entry(key).await? {
            None => (None, 0),
            Some(entry) => {
                let is_there = entry.operation == Operation::Put;
                (is_there.then_some(entry.value), entry.revision)
            }
        })
    }

    /// Writes a record over the revision that was read. `None` means that another writer was
    /// faster.
    ///
    /// The value must be one that nobody else writes, so that a step whose answer was lost can be recognized.
    pub(crate) async fn write(
        &self,
        key: &str,
        value: &impl Serialize,
        revision: u64,
    ) -> Result<Option<u64>, NatsError> {
        let bytes = serde_json::to_vec(value)
            .map_err(|error| NatsError::server("a record cannot be written", &error))?;
        if bytes.len() > MAX_BYTES {
            let text = format!(
                "a record has {} bytes; {MAX_BYTES} are the most",
                bytes.len()
            );
            return Err(NatsError::Server(text));
        }
        let bytes = Bytes::from(bytes);
        let mut tried = 0;
        loop {
            let error = match self.0.update(key, bytes.clone(), revision).await {
                Ok(revision) => return Ok(Some(revision)),
                Err(error) => error,
            };
            if error.kind() == UpdateErrorKind::WrongLastRevision {
                if tried > 0 {
                    let (found, revision) = self.read_bytes(key).await?;
                    if found.as_ref() == Some(&bytes) {
                        return Ok(Some(revision));
                    }
                }
                return Ok(None);
            }
            tried += 1;
            if tried == TRIES {
                return Err(NatsError::server("a record cannot be written", &error));
            }
        }
    }

    /// Removes a record that has not changed since it was read. Returns whether it did.
    pub(crate) async fn remove(&self, key: &str, revision: u64) -> Result<bool, NatsError> {
        let purged = self
            .0
            .purge_expect_revision_with_ttl(key, revision, MARKER)
            .await;
        match purged {
            Ok(()) => Ok(true),
            Err(error) => match self.read_bytes(key).await? {
                (None, _) => Ok(true),
                (Some(_), now) if now != revision => Ok(false),
                _ => Err(NatsError::server("a record cannot be removed", &error)),
            },
        }
    }

    /// All readable records, with their keys. Somebody has to look at the others, but they must not block these.
    pub(crate) async fn all<T: DeserializeOwned>(
        &self,
    ) -> Result<Vec<(String, T, u64)>, NatsError> {
        let failed = |error: &(dyn std::error::Error + 'static)| {
            NatsError::server("the records cannot be listed", error)
        };
        let keys = self.0.keys().await.map_err(|error| failed(&error))?;
        let keys: Vec<String> = keys.try_collect().await.map_err(|error| failed(&error))?;
        let found: Vec<_> = stream::iter(keys)
            .map(|key| async move {
                let (Some(bytes), revision) = self.read_bytes(&key).await? else {
                    return Ok::<_, NatsError>(None);
                };
                let value = parse(&bytes).inspect_err(|error: &serde_json::Error| {
                    tracing::error!(target: "callpact", %key, "a record is damaged: {error}");
                });
                Ok(value.ok().map(|value| (key, value, revision)))
            })
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await?;
        Ok(found.into_iter().flatten().collect())
    }
}
