//! The outcomes of calls, on the server.

use std::time::Duration;

use async_nats::jetstream::kv::Store;

use crate::{
    NatsError,
    protocol::{WorkerRecord, parse},
    records::RecordBucket,
};

/// The records of calls. Nobody removes a record: it expires.
#[derive(Clone)]
pub(crate) struct CallResults {
    records: RecordBucket,
    keep: Duration,
}

/// The record under the key of a call.
pub(crate) enum KnownRecord {
    /// There is no record.
    Nothing,
    Record(Box<WorkerRecord>),
    /// Something other than a record of a call is in its place.
    Spoiled,
}

impl CallResults {
    /// The records of a bucket that keeps them for a time.
    pub(crate) fn new(store: Store, keep: Duration) -> Self {
        Self {
            records: RecordBucket::new(store),
            keep,
        }
    }

    /// The longest time of a call, so that its record does not expire first.
    pub(crate) fn longest_call(&self) -> Duration {
        self.keep / 2
    }

    /// The record of a call, with the revision that a change must name.
    pub(crate) async fn read(&self, key: &str) -> Result<(KnownRecord, u64), NatsError> {
        let entry = self.records.entry(key).await?;
        Ok(entry.map_or((KnownRecord::Nothing, 0), |entry| {
            // The mark of a removed record is read like any other bytes: it is not a valid record.
            let known = parse(&entry.value).map_or(KnownRecord::Spoiled, |record| {
                KnownRecord::Record(Box::new(record))
            });
            (known, entry.revision)
        }))
    }

    /// Writes a record over the revision that was read. `None` means that another writer was
    /// faster.
    pub(crate) async fn write(
        &self,
        key: &str,
        record: &WorkerRecord,
        revision: u64,
    ) -> Result<Option<u64>, NatsError> {
        self.records.write(key, record, revision).await
    }
}
