//! The tables of the file, and the upgrade of an older file.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use crate::OpenError;

/// Marks a file as a call store: "CPCS".
const APPLICATION_ID: i64 = 0x4350_4353;

/// Marks a call store of a version before 0.1.0. The keys of its calls were made in another way, so that a call could
/// run twice.
const EARLIER_ID: i64 = 0x5457_4353;

/// The steps from one version to the next. The number of steps is the latest version.
const STEPS: &[&str] = &[
    "
    CREATE TABLE calls (
        arrival INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        key TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER,
        asked_by TEXT,
        call TEXT NOT NULL,
        decision TEXT,
        goes_on INTEGER,
        decided_at INTEGER
    ) STRICT;
    CREATE INDEX open_calls ON calls (since, arrival) WHERE decision IS NULL OR goes_on;
    CREATE TABLE claims (
        key TEXT PRIMARY KEY NOT NULL,
        token INTEGER NOT NULL,
        until INTEGER NOT NULL,
        result TEXT,
        finished_at INTEGER
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE traced (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        call TEXT NOT NULL
    ) STRICT;
",
];

/// The version of a file. A file of another program or of a newer version is an error.
fn version_of(connection: &Connection, path: &Path) -> Result<i64, OpenError> {
    let failed = |error| explain(error, path);
    let number =
        |name| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let (application, version) = (
        number("application_id").map_err(failed)?,
        number("user_version").map_err(failed)?,
    );
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(failed)?;
    if application == EARLIER_ID {
        return Err(OpenError::NotAStore {
            path: path.to_owned(),
            reason: "it was made by a version before 0.1.0; settle its calls with that version, or use a new file"
                .to_owned(),
        });
    }
    if application != APPLICATION_ID && (application != 0 || version != 0 || tables != 0) {
        return Err(OpenError::NotAStore {
            path: path.to_owned(),
            reason: "it is the database of another program".to_owned(),
        });
    }
    if version > latest() {
        return Err(OpenError::Newer {
            path: path.to_owned(),
            found: version,
            known: latest(),
        });
    }
    Ok(version)
}

/// The latest version.
fn latest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// Checks a file that cannot be upgraded: it must have the latest version.
pub(crate) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    if version_of(connection, path)? == latest() {
        return Ok(());
    }
    Err(OpenError::NotAStore {
        path: path.to_owned(),
        reason: "a program that may write to it has to open it first".to_owned(),
    })
}

/// Creates the tables, or upgrades them to the latest version. A file that has it is not locked.
pub(crate) fn prepare(connection: &mut Connection, path: &Path) -> Result<(), OpenError> {
    let failed = |error| explain(error, path);
    if version_of(connection, path)? == latest() {
        return Ok(());
    }
    let step = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)?;
    let version = version_of(&step, path)?;
    migrate(&step, version, latest()).map_err(failed)?;
    step.commit().map_err(failed)
}

fn migrate(step: &Transaction<'_>, version: i64, known: i64) -> rusqlite::Result<()> {
    let done = usize::try_from(version).unwrap_or_default();
    for sql in STEPS.iter().skip(done) {
        step.execute_batch(sql)?;
    }
    if version < known {
        step.pragma_update(None, "application_id", APPLICATION_ID)?;
        step.pragma_update(None, "user_version", known)?;
    }
    Ok(())
}

/// Distinguishes a damaged file, a busy one, and one that cannot be reached.
pub(crate) fn explain(error: rusqlite::Error, path: &Path) -> OpenError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => OpenError::NotAStore {
            path,
            reason: error.to_string(),
        },
        _ if is_busy(&error) => OpenError::Busy { path },
        _ => OpenError::Failed {
            path,
            error: error.into(),
        },
    }
}

/// Whether another process keeps a step from the file.
pub(crate) fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
