//! What became of calls, at the server.

use std::time::Duration;

use async_nats::jetstream::kv::Store;

use crate::{
    NatsError,
    protocol::{Record, parse},
    records::Records,
};

/// The records of calls. Nobody removes one: it goes when its time is up.
#[derive(Clone)]
pub(crate) struct Results {
    records: Records,
    keep: Duration,
}

/// What stands under the key of a call.
pub(crate) enum Known {
    /// Nobody has written a record.
    Nothing,
    Record(Box<Record>),
    /// Something that is no record of a call: somebody put it in the place of one.
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

    /// How long a call may take: its record must not go before it.
    pub(crate) fn longest_call(&self) -> Duration {
        self.keep / 2
    }

    /// What is known of a call, with the revision that a change has to name.
    pub(crate) async fn read(&self, key: &str) -> Result<(Known, u64), NatsError> {
        let entry = self.records.entry(key).await?;
        Ok(entry.map_or((Known::Nothing, 0), |entry| {
            // A mark that a record was removed is read like any other bytes: it is not one of ours.
            let known = parse(&entry.value)
                .map_or(Known::Spoiled, |record| Known::Record(Box::new(record)));
            (known, entry.revision)
        }))
    }

    /// Writes a record over the revision that was read. `None` says that somebody else was faster.
    pub(crate) async fn write(
        &self,
        key: &str,
        record: &Record,
        revision: u64,
    ) -> Result<Option<u64>, NatsError> {
        self.records.write(key, record, revision).await
    }
}
