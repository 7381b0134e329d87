//! The outcomes of calls, on the server.

use std::time::Duration;

use async_nats::jetstream::kv::Store;

use crate::{
    NatsError,
    protocol::{Record, parse},
    records::Records,
};

/// The records of calls. Nobody removes a record: it expires.
#[derive(Clone)]
pub(crate) struct Results {
    records: Records,
    keep: Duration,
}

/// The record under the key of a call.
pub(crate) enum Known {
    /// There is no record.
    Nothing,
    Record(Box<Record>),
    /// Something other than a record of a call is in its place.
    Spoiled,
}

impl Results {
    /// The records of a bucket that keeps them for a time.
    pub(crate) fn new(store: Store, keep: Duration) -> Self {
        Self {
            records: Records::new(store),
            keep,
        }
    }

    /// The longest time of a call, so that its record does not expire first.
    pub(crate) fn longest_call(&self) -> Duration {
        self.keep / 2
    }

    /// The record of a call, with the revision that a change must name.
    pub(crate) async fn read(&self, key: &str) -> Result<(Known, u64), NatsError> {
        let entry = self.records.entry(key).await?;
        Ok(entry.map_or((Known::Nothing, 0), |entry| {
            // The mark of a removed record is read like any other bytes: it is not a valid record.
            let known = parse(&entry.value)
                .map_or(Known::Spoiled, |record| Known::Record(Box::new(record)));
            (known, entry.revision)
        }))
    }

    /// Writes a record over the revision that was read. `None` means that another writer was
    /// faster.
    pub(crate) async fn write(
        &self,
        key: &str,
        record: &Record,
        revision: u64,
    ) -> Result<Option<u64>, NatsError> {
        self.records.write(key, record, revision).await
    }
}
