//! The store in a file.

use std::{
    fmt,
    future::ready,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};
use serde::{Serialize, de::DeserializeOwned};
use toolwright::store::{
    CallState, CallStore, Claim, ClaimRecord, ClaimToken, Decided, Moment, StoreError, StoreFuture,
    StoredCall, Taken,
};

use crate::{
    OpenError,
    schema::{explain, prepare},
};

/// How long a step waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Calls and results in an SQLite file, which many processes may share.
///
/// A step that has returned is on disk. A step is short, so it runs on the calling thread.
pub struct SqliteStore {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// When the file is damaged, is the file of another program or of a newer version, or cannot be
    /// opened. The file is unchanged then.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let failed = |error| explain(error, path);
        let mut connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        // Reading the header finds a file that is no database before anything is written.
        connection
            .query_row("PRAGMA schema_version", [], |row| row.get::<_, i64>(0))
            .map_err(failed)?;
        prepare(&mut connection, path)?;
        // Readers do not wait for the writer, and a step that has returned survives a loss of power.
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .map_err(failed)?;
        connection
            .pragma_update(None, "synchronous", "FULL")
            .map_err(failed)?;
        Ok(Self {
            connection: Mutex::new(connection),
            path: path.to_owned(),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic interrupts is rolled back when it is dropped.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a step that reads.
    fn read<T>(
        &self,
        step: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        step(&self.connection()).map_err(|error| self.name(error))
    }

    /// Runs a step that writes: completely, or not at all.
    fn write<T>(
        &self,
        step: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let written = || {
            let mut connection = self.connection();
            let transaction = connection
                .transaction_with_behavior(TransactionBehavior::Immediate)
                .map_err(failed)?;
            let value = step(&transaction)?;
            transaction.commit().map_err(failed)?;
            Ok(value)
        };
        written().map_err(|error| self.name(error))
    }

    /// Names the file in a failure of the store.
    fn name(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Failed(error) => {
                StoreError::Failed(format!("{}: {error}", self.path.display()).into())
            }
            other => other,
        }
    }
}

fn failed(error: rusqlite::Error) -> StoreError {
    StoreError::Failed(error.into())
}

/// SQLite's integers have a sign. A moment beyond their end is the end of time.
fn integer(moment: Moment) -> i64 {
    i64::try_from(moment.0).unwrap_or(i64::MAX)
}

fn moment(integer: i64) -> Moment {
    Moment(u64::try_from(integer).unwrap_or_default())
}

fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.into()))
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Failed(error.into()))
}

const COLUMNS: &str = "call, key, since, until, asked_by, decision";

/// Reads a row of [`COLUMNS`]. The texts are parsed where SQLite has them, without a copy.
fn read_call(row: &Row<'_>) -> Result<StoredCall, StoreError> {
    let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?));
    let integer = |column| row.get::<_, Option<i64>>(column).map_err(failed);
    let key = row.get::<_, String>(1).map_err(failed)?;
    let since = moment(integer(2)?.unwrap_or_default());
    let mut call = StoredCall::new(from_json(text(0).map_err(failed)?)?, key, since);
    call.until = integer(3)?.map(moment);
    call.asked_by = row.get(4).map_err(failed)?;
    let decision = row.get_ref(5).map_err(failed)?.as_str_or_null();
    let decision = decision.map_err(|error| failed(error.into()))?;
    call.decision = decision.map(from_json).transpose()?;
    Ok(call)
}

fn find(connection: &Connection, id: &str) -> Result<Option<StoredCall>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM calls WHERE id = ?1");
    let mut find = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = find.query([id]).map_err(failed)?;
    rows.next().map_err(failed)?.map(read_call).transpose()
}

fn put(step: &Transaction<'_>, call: &StoredCall) -> Result<(), StoreError> {
    let id = &call.call.id;
    let sql =
        "INSERT INTO calls (id, key, since, until, asked_by, call) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let inserted = step.prepare_cached(sql).map_err(failed)?.execute(params![
        id,
        call.key,
        integer(call.since),
        call.until.map(integer),
        call.asked_by,
        to_json(&call.call)?,
    ]);
    match inserted {
        Ok(_) => Ok(()),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            Err(StoreError::Duplicate { id: id.clone() })
        }
        Err(error) => Err(failed(error)),
    }
}

fn list(connection: &Connection) -> Result<Vec<StoredCall>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM calls WHERE (decision IS NULL OR goes_on) AND NOT (
             decision IS NOT NULL AND EXISTS (
                 SELECT 1 FROM claims WHERE claims.key = calls.key AND result IS NOT NULL))
         ORDER BY since, arrival"
    );
    let mut select = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = select.query([]).map_err(failed)?;
    let mut calls = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        calls.push(read_call(row)?);
    }
    Ok(calls)
}

fn take(step: &Transaction<'_>, id: &str, decision: &Decided) -> Result<Taken, StoreError> {
    let Some(mut call) = find(step, id)? else {
        return Ok(Taken::Unknown);
    };
    if let Some(first) = call.decision {
        return Ok(Taken::Lost(first));
    }
    if call.state(decision.at) == CallState::Expired {
        return Ok(Taken::Expired);
    }
    let text = to_json(decision)?;
    let sql = "UPDATE calls SET decision = ?2, goes_on = ?3, decided_at = ?4 WHERE id = ?1";
    step.prepare_cached(sql)
        .and_then(|mut update| {
            update.execute(params![
                id,
                text,
                decision.decision.goes_on(),
                integer(decision.at)
            ])
        })
        .map_err(failed)?;
    call.decision = Some(decision.clone());
    Ok(Taken::Won(Box::new(call)))
}

fn claim(
    step: &Transaction<'_>,
    key: &str,
    lease: Duration,
    now: Moment,
) -> Result<Claim, StoreError> {
    let found = step
        .query_row(
            "SELECT token, until, result FROM claims WHERE key = ?1",
            [key],
            |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, Option<String>>(2)?,
                ))
            },
        )
        .optional()
        .map_err(failed)?;
    let token = match found {
        Some((.., Some(result))) => return Ok(Claim::Finished(result)),
        Some((_, until, None)) if moment(until) > now => {
            return Ok(Claim::Busy {
                until: moment(until),
            });
        }
        Some((token, ..)) => token + 1,
        None => 1,
    };
    step.execute(
        "INSERT INTO claims (key, token, until) VALUES (?1, ?2, ?3)
         ON CONFLICT (key) DO UPDATE SET token = excluded.token, until = excluded.until",
        params![key, token, integer(now.after(lease))],
    )
    .map_err(failed)?;
    let proof = ClaimToken(u64::try_from(token).unwrap_or_default());
    Ok(if token == 1 {
        Claim::Held(proof)
    } else {
        Claim::Abandoned(proof)
    })
}

fn claim_record(connection: &Connection, key: &str) -> Result<Option<ClaimRecord>, StoreError> {
    let row = connection
        .prepare_cached("SELECT until, result, finished_at FROM claims WHERE key = ?1")
        .and_then(|mut find| {
            find.query_row([key], |row| {
                let (until, at) = (moment(row.get(0)?), row.get::<_, Option<i64>>(2)?);
                Ok(match row.get::<_, Option<String>>(1)? {
                    Some(result) => ClaimRecord::finished(until, result, moment(at.unwrap_or(0))),
                    None => ClaimRecord::running(until),
                })
            })
            .optional()
        });
    row.map_err(failed)
}

/// Changes a claim that is the latest one and has no result.
fn change(changed: rusqlite::Result<usize>) -> Result<(), StoreError> {
    match changed.map_err(failed)? {
        0 => Err(StoreError::Fenced),
        _ => Ok(()),
    }
}

fn forget(step: &Transaction<'_>, before: Moment) -> Result<u64, StoreError> {
    let before = integer(before);
    let calls = step
        .execute(
            "DELETE FROM calls WHERE (decision IS NULL AND until < ?1) OR (decided_at < ?1 AND (
                 NOT goes_on OR EXISTS (
                     SELECT 1 FROM claims WHERE claims.key = calls.key AND result IS NOT NULL)))",
            [before],
        )
        .map_err(failed)?;
    let results = step
        .execute(
            "DELETE FROM claims WHERE result IS NOT NULL AND finished_at < ?1",
            [before],
        )
        .map_err(failed)?;
    Ok((calls + results) as u64)
}

impl CallStore for SqliteStore {
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
        Box::pin(ready(self.write(|step| put(step, call))))
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        Box::pin(ready(self.read(|file| find(file, id))))
    }

    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        Box::pin(ready(self.read(list)))
    }

    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        Box::pin(ready(self.write(|step| take(step, id, decision))))
    }

    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        Box::pin(ready(self.write(|step| claim(step, key, lease, now))))
    }

    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        Box::pin(ready(self.read(|file| claim_record(file, key))))
    }

    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        Box::pin(ready(self.write(|step| {
            change(step.execute(
                "UPDATE claims SET until = ?3 WHERE key = ?1 AND token = ?2 AND result IS NULL",
                params![key, i64::try_from(token.0).ok(), integer(now.after(lease))],
            ))
        })))
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        Box::pin(ready(self.write(|step| {
            change(step.execute(
                "UPDATE claims SET result = ?3, finished_at = ?4
                 WHERE key = ?1 AND token = ?2 AND result IS NULL",
                params![key, i64::try_from(token.0).ok(), result, integer(now)],
            ))
        })))
    }

    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        Box::pin(ready(self.write(|step| forget(step, before))))
    }
}
