//! The store in a file.

use std::{
    error::Error,
    fmt::{self, Write},
    fs::OpenOptions,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use callpact::store::{
    CallState, CallStore, Claim, ClaimRecord, ClaimToken, Decided, ListedCall, Moment, StoreError,
    StoreFuture, StoredCall, Taken,
};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior,
    params,
};
use serde::Serialize;

use crate::{
    OpenError,
    row::{COLUMNS, DamagedCall, integer, moment, read_row},
    schema::{check, explain, is_busy, prepare},
    thread::{FileThread, StepCaller},
};

/// How long a step waits for the steps before it and for other processes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Calls and results in an SQLite file, which many processes may share.
///
/// A step that has returned is on disk. Steps run one after another on a thread of the store, in any executor. A step
/// that another process keeps from the file fails after 5 seconds, with the words "the store is busy".
///
/// ```
/// use callpact::ToolContext;
/// use callpact_store::SqliteStore;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let file = dir.path().join("calls.db");
/// // A call that needs approval is stored, and the run ends with `Halt::Pending` and its id.
/// let cx = ToolContext::new()
///     .with_store(SqliteStore::open(&file)?)
///     .with_deferred_approval();
/// # drop(cx);
/// # Ok(())
/// # }
/// ```
pub struct SqliteStore {
    thread: FileThread,
    path: Arc<Path>,
    patience: Duration,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens a file, or creates it for its owner only.
    ///
    /// # Errors
    /// When the file is damaged, belongs to another program or a newer version, is busy, or cannot be opened. Then
    /// the file is unchanged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let failed = |error| explain(error, path);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let file = as_file(path)?;
        create_private(&file);
        let mut connection = Connection::open_with_flags(file, flags).map_err(failed)?;
        connection.busy_timeout(PATIENCE).map_err(failed)?;
        // Reading the header detects a file that is not a database before anything is written.
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
        Self::start(connection, path)
    }

    /// Opens a file that this process may not or should not write: waiting calls are listed, and every step
    /// that changes something fails.
    ///
    /// # Errors
    /// Like [`open`](Self::open). Also when the file is missing or of an older version.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let failed = |error| explain(error, path);
        let file = as_file(path)?;
        let connect = |file: &Path, more: OpenFlags| {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(file, flags | more)?;
            connection.busy_timeout(PATIENCE)?;
            // The first read creates the file next to it with which processes coordinate.
            connection.query_row("PRAGMA user_version", [], |_| Ok(()))?;
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            Ok::<_, rusqlite::Error>(connection)
        };
        let connection = match connect(&file, OpenFlags::empty()) {
            // If that file cannot be created and nobody writes, there is nothing to coordinate.
            Err(error)
                if matches!(
                    error.sqlite_error_code(),
                    Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
                ) && file.exists()
                    && !beside(&file, "-wal").exists() =>
            {
                connect(&as_immutable(&file), OpenFlags::SQLITE_OPEN_URI)
            }
            connected => connected,
        };
        let connection = connection.map_err(failed)?;
        check(&connection, path)?;
        Self::start(connection, path)
    }

    fn start(connection: Connection, path: &Path) -> Result<Self, OpenError> {
        let thread = FileThread::start(connection).map_err(|error| OpenError::Failed {
            path: path.to_owned(),
            error: error.into(),
        })?;
        Ok(Self {
            thread,
            path: path.into(),
            patience: PATIENCE,
        })
    }

    /// Sets how long a step waits for the steps before it and for other processes; 5 seconds by default.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Reads the whole file and checks that it is intact. The time grows with the file.
    ///
    /// # Errors
    /// When the file is damaged or busy.
    pub async fn verify(&self) -> Result<(), OpenError> {
        let path = Arc::clone(&self.path);
        let until = Instant::now() + self.patience;
        let verified = self.thread.run(move |connection, _| {
            let verified = wait_until(connection, until).and_then(|()| check_pages(connection));
            verified
                .map_err(|error| explain(error, &path))?
                .map_or(Ok(()), |reason| {
                    Err(OpenError::NotAStore {
                        path: path.to_path_buf(),
                        reason,
                    })
                })
        });
        verified.await.unwrap_or_else(|_| {
            Err(OpenError::Failed {
                path: self.path.to_path_buf(),
                error: CRASHED.into(),
            })
        })
    }

    /// The calls that are not settled, the oldest first, as in [`CallStore::list`], and those that cannot be read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn open_calls(&self) -> Result<Vec<Result<StoredCall, DamagedCall>>, StoreError> {
        self.read(|file| list(file, OPEN)).await
    }

    /// All calls, the oldest first, including settled ones and those that cannot be read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub async fn all_calls(&self) -> Result<Vec<Result<StoredCall, DamagedCall>>, StoreError> {
        self.read(|file| list(file, "TRUE")).await
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs a step that reads.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        self.step(move |connection, _| step(connection))
    }

    /// Runs a step that writes: completely, or not at all. It also happens if its caller stops waiting.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        self.step(move |connection, _| {
            let transaction = begin(connection)?;
            let value = step(&transaction)?;
            transaction.commit().map_err(failed)?;
            Ok(value)
        })
    }

    /// Starts a step at once. Its future waits for the end.
    fn step<T: Send + 'static>(
        &self,
        step: impl FnOnce(&mut Connection, &StepCaller<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let until = Instant::now() + self.patience;
        let done = self.thread.run(move |connection, caller| {
            wait_until(connection, until).map_err(failed)?;
            step(connection, caller)
        });
        Box::pin(async move {
            let done = done.await;
            done.unwrap_or_else(|_| Err(StoreError::Failed(CRASHED.into())))
                .map_err(|error| self.name(error))
        })
    }

    fn named(&self, error: &dyn fmt::Display) -> Box<dyn Error + Send + Sync> {
        format!("{}: {error}", self.path.display()).into()
    }

    /// Names the file in a failure of the store.
    fn name(&self, error: StoreError) -> StoreError {
        match error {
            StoreError::Failed(error) => StoreError::Failed(self.named(&error)),
            StoreError::Damaged(error) => StoreError::Damaged(self.named(&error)),
            other => other,
        }
    }
}

const CRASHED: &str = "the step crashed";

/// Waits for other processes until a moment, and not at all after it.
fn wait_until(connection: &Connection, until: Instant) -> rusqlite::Result<()> {
    connection.busy_timeout(until.saturating_duration_since(Instant::now()))
}

fn begin(connection: &mut Connection) -> Result<Transaction<'_>, StoreError> {
    connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)
}

/// The fault of a file that is not intact.
fn check_pages(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        let fault = found.lines().last().unwrap_or_default();
        return Ok(Some(format!("it is damaged: {fault}")));
    }
    for columns in [
        "SELECT id, key, since, until, asked_by, call, decision, goes_on, decided_at FROM calls",
        "SELECT key, token, until, result, finished_at FROM claims",
        "SELECT number, call FROM traced",
    ] {
        connection.prepare(columns)?;
    }
    Ok(None)
}

pub(crate) fn failed(error: rusqlite::Error) -> StoreError {
    if is_busy(&error) {
        return StoreError::Failed("the store is busy: another process has locked the file".into());
    }
    match error {
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => StoreError::Damaged(error.into()),
        error => StoreError::Failed(error.into()),
    }
}

/// SQLite's integers have a sign. A moment beyond their range becomes the last one.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.into()))
}

/// The whole path. SQLite takes an empty path and `:memory:` for a database that ends with the process, and waits for a
/// writer at a pipe.
fn as_file(path: &Path) -> Result<PathBuf, OpenError> {
    if let Ok(data) = path.metadata()
        && !data.is_file()
    {
        let what = if data.is_dir() {
            "a directory"
        } else {
            "not a regular file"
        };
        return Err(OpenError::NotAStore {
            path: path.to_owned(),
            reason: format!("it is {what}"),
        });
    }
    let invalid = |_| explain(rusqlite::Error::InvalidPath(path.to_owned()), path);
    std::path::absolute(path).map_err(invalid)
}

/// Creates a missing file that only its owner reads; SQLite gives its mode to the files next to it. If that fails, SQLite
/// reports why.
fn create_private(file: &Path) {
    if file.exists() {
        return;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    // If this opened a file that SQLite has open in this process, closing it would release the locks of SQLite.
    options.create_new(!file.is_symlink());
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(file);
}

/// A file next to the file of the calls.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// The address of a file that nobody changes during the read.
fn as_immutable(path: &Path) -> PathBuf {
    let mut address = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                address.push(char::from(*byte));
            }
            // Writing to a String does not fail.
            _ => _ = write!(address, "%{byte:02X}"),
        }
    }
    (address + "?immutable=1").into()
}

fn find(connection: &Connection, id: &str) -> Result<Option<StoredCall>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM calls WHERE id = ?1");
    let mut find = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = find.query([id]).map_err(failed)?;
    let row = rows.next().map_err(failed)?;
    row.map(read_row)
        .transpose()
        .map_err(|damaged| StoreError::Damaged(damaged.into()))
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

/// The condition for calls that are not settled.
const OPEN: &str = "(decision IS NULL OR goes_on) AND NOT (decision IS NOT NULL AND EXISTS (
    SELECT 1 FROM claims WHERE claims.key = calls.key AND result IS NOT NULL))";

fn list(
    connection: &Connection,
    which: &str,
) -> Result<Vec<Result<StoredCall, DamagedCall>>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM calls WHERE {which} ORDER BY since, arrival");
    let mut select = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = select.query([]).map_err(failed)?;
    let mut calls = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        calls.push(read_row(row));
    }
    Ok(calls)
}

/// The calls that can be read. Somebody has to look at the others, but they must not block these.
fn readable(path: &Path, calls: Vec<Result<StoredCall, DamagedCall>>) -> Vec<StoredCall> {
    let read = calls.into_iter().filter_map(|call| {
        call.inspect_err(|damaged| {
            tracing::error!(target: "callpact", file = %path.display(), "{damaged}");
        })
        .ok()
    });
    read.collect()
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
        let call = call.clone();
        self.write(move |step| put(step, &call))
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        let id = id.to_owned();
        self.read(move |file| find(file, &id))
    }

    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        let path = Arc::clone(&self.path);
        self.read(move |file| Ok(readable(&path, list(file, OPEN)?)))
    }

    fn list_ids(&self) -> StoreFuture<'_, Option<Vec<ListedCall>>> {
        self.read(|file| {
            let sql = format!(
                "SELECT id, decision IS NOT NULL FROM calls WHERE {OPEN} ORDER BY since, arrival"
            );
            let mut select = file.prepare_cached(&sql).map_err(failed)?;
            let read = |row: &Row<'_>| {
                let (id, is_decided) = (row.get(0)?, row.get(1)?);
                Ok(ListedCall { id, is_decided })
            };
            let rows = select.query_map([], read).map_err(failed)?;
            let listed = rows.collect::<Result<_, _>>().map_err(failed)?;
            Ok(Some(listed))
        })
    }

    fn version(&self) -> StoreFuture<'_, Option<u64>> {
        self.read(|file| {
            let number = |sql| file.query_row(sql, [], |row| row.get::<_, u32>(0));
            // The first one counts the changes of other processes, the second one those of this one.
            let others = number("PRAGMA data_version").map_err(failed)?;
            let own = number("SELECT total_changes() & 0xffffffff").map_err(failed)?;
            Ok(Some(u64::from(others) << 32 | u64::from(own)))
        })
    }

    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        let (id, decision) = (id.to_owned(), decision.clone());
        self.write(move |step| take(step, &id, &decision))
    }

    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        let key = key.to_owned();
        self.step(move |connection, caller| {
            let transaction = begin(connection)?;
            let claim = claim(&transaction, &key, lease, now)?;
            // Nobody would run the call under this claim.
            if caller.is_gone() {
                return Err(StoreError::Failed("nobody waits for the claim".into()));
            }
            transaction.commit().map_err(failed)?;
            Ok(claim)
        })
    }

    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        let key = key.to_owned();
        self.read(move |file| claim_record(file, &key))
    }

    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        let key = key.to_owned();
        self.write(move |step| {
            change(step.execute(
                "UPDATE claims SET until = ?3 WHERE key = ?1 AND token = ?2 AND result IS NULL",
                params![key, i64::try_from(token.0).ok(), integer(now.after(lease))],
            ))
        })
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        let (key, result) = (key.to_owned(), result.to_owned());
        self.write(move |step| {
            change(step.execute(
                "UPDATE claims SET result = ?3, finished_at = ?4
                 WHERE key = ?1 AND token = ?2 AND result IS NULL",
                params![key, i64::try_from(token.0).ok(), result, integer(now)],
            ))
        })
    }

    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        self.write(move |step| forget(step, before))
    }

    fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
        let id = id.to_owned();
        self.write(move |step| {
            let removed = step.execute("DELETE FROM calls WHERE id = ?1", [id]);
            Ok(removed.map_err(failed)? > 0)
        })
    }
}
