//! The calls that were made, in the file of the store.

use callpact::{
    observe::{TraceStore, TracedCall},
    store::{StoreError, StoreFuture},
};
use rusqlite::params;

use crate::{
    SqliteStore,
    sqlite::{failed, to_json},
};

/// The most calls that are kept.
const CALLS: i64 = 10_000;

/// The latest 10,000 calls, for a desk that is started again.
///
/// ```
/// use callpact::{observe::{TraceStore, TracedCall}, store::Moment};
/// use callpact_store::SqliteStore;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let file = dir.path().join("calls.db");
/// SqliteStore::open(&file)?.record_call(&TracedCall::new("add", Moment(7))).await?;
/// assert_eq!(SqliteStore::open(&file)?.recent_calls(10).await?[0].tool, "add");
/// # Ok(())
/// # }
/// ```
impl TraceStore for SqliteStore {
    fn record_call<'a>(&'a self, call: &'a TracedCall) -> StoreFuture<'a, ()> {
        let call = to_json(call);
        self.write(move |step| {
            let insert = "INSERT INTO traced (call) VALUES (?1)";
            step.execute(insert, params![call?]).map_err(failed)?;
            let newest = step.last_insert_rowid();
            let bound = "DELETE FROM traced WHERE number <= ?1";
            step.execute(bound, params![newest - CALLS])
                .map_err(failed)?;
            Ok(())
        })
    }

    fn recent_calls(&self, most: usize) -> StoreFuture<'_, Vec<TracedCall>> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.read(move |file| {
            let sql = "SELECT call FROM traced ORDER BY number DESC LIMIT ?1";
            let mut select = file.prepare_cached(sql).map_err(failed)?;
            let rows = select.query_map([most], |row| row.get::<_, String>(0));
            let mut calls = Vec::new();
            for text in rows.map_err(failed)? {
                // A call that a newer version wrote is left out.
                calls.extend(serde_json::from_str::<TracedCall>(&text.map_err(failed)?));
            }
            calls.reverse();
            Ok::<_, StoreError>(calls)
        })
    }
}
