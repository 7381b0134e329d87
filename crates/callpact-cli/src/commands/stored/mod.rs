//! Calls that wait in a file: `pending`, `show`, `approve`, `reject`, `refuse`, `resume` and `forget`.

pub mod decide;
mod edit;
pub mod forget;
pub mod list;
pub mod resume;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use callpact::{
    Outcome,
    adapter::CallRecord,
    identity::Identity,
    store::{CallState, CallStore, Moment, StoreError, StoredCall},
};
use callpact_store::{DamagedCall, OpenError, SqliteStore};
use clap::Args;
use serde_json::{Value, json};

use crate::{exit::Failure, session::Session, system::user_name};

/// The file of the calls.
#[derive(Clone, Debug, Args)]
pub struct StoreFile {
    /// The file with the waiting calls; else `CALLPACT_STORE`, or `store` of the settings
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

impl StoreFile {
    /// Opens the file, which must exist.
    async fn open(&self, session: &Session) -> Result<(Arc<SqliteStore>, PathBuf), Failure> {
        let file = self.find(session)?;
        Ok((open(&file).await?, file))
    }

    /// Opens the file for reading, even if it cannot be written.
    fn open_to_read(&self, session: &Session) -> Result<(SqliteStore, PathBuf), Failure> {
        let file = self.find(session)?;
        let opened = match SqliteStore::open(&file) {
            Err(OpenError::Failed { .. }) => SqliteStore::open_read_only(&file),
            opened => opened,
        };
        Ok((opened.map_err(Failure::failed)?, file))
    }

    fn find(&self, session: &Session) -> Result<PathBuf, Failure> {
        let file = session.need_store(self.store.as_deref(), "this command")?;
        if file.exists() {
            return Ok(file);
        }
        let shown = file.display();
        Err(Failure::failed(format!("{shown}: no such file")))
    }
}

/// Opens a file of calls, or creates it. A damaged file is an error before anything runs.
pub(crate) async fn open(path: &Path) -> Result<Arc<SqliteStore>, Failure> {
    let store = SqliteStore::open(path).map_err(Failure::failed)?;
    store.verify().await.map_err(Failure::failed)?;
    Ok(Arc::new(store))
}

fn store_failed(error: StoreError) -> Failure {
    Failure::failed(error)
}

/// The call with an id, or with the only id that begins so.
async fn find(store: &SqliteStore, id: &str) -> Result<StoredCall, Failure> {
    let id = find_id(store, id).await?;
    let found = store.get(&id).await.map_err(store_failed)?;
    found.ok_or_else(|| not_found(&id))
}

/// The id of a call: the given one, or the only one that begins so.
async fn find_id(store: &SqliteStore, given: &str) -> Result<String, Failure> {
    let calls = store.all_calls().await.map_err(store_failed)?;
    let ids = calls.into_iter().map(|call| match call {
        Ok(call) => call.call.id,
        Err(damaged) => damaged.id,
    });
    let mut ids: Vec<String> = ids.filter(|id| id.starts_with(given)).collect();
    if given.is_empty() || ids.iter().any(|id| id == given) {
        return Ok(given.to_owned());
    }
    match (ids.pop(), ids.len()) {
        (None, _) => Err(not_found(given)),
        (Some(id), 0) => Ok(id),
        (Some(_), others) => Err(Failure::failed(format!(
            "{} calls have an id that begins with `{given}`: write more of it",
            others + 1
        ))),
    }
}

fn not_found(id: &str) -> Failure {
    let id: String = id.chars().take(64).collect();
    Failure::failed(format!("no call waits under the id `{id}`"))
}

/// Who decides by default: the user of the system.
fn user() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].into_iter();
    let names = names.filter_map(|name| std::env::var(name).ok());
    names
        .chain([user_name()])
        .find(|name| Identity::is_name(name))
        .unwrap_or_else(|| "somebody at the command line".to_owned())
}

/// The known state of a call's run.
enum RunState {
    /// No process has started it.
    None,
    /// A process has claimed it until a moment.
    Claimed(Moment),
    /// A process started it and ended without a result.
    Abandoned,
    /// It has a result.
    Ended(Box<CallRecord>),
    /// It has a result that cannot be read.
    Damaged(DamagedCall),
}

impl RunState {
    /// The state of a call's run in the file.
    async fn find(store: &SqliteStore, call: &StoredCall, now: Moment) -> Result<Self, Failure> {
        let damaged = |reason: String| Self::Damaged(DamagedCall::new(&call.call.id, &reason));
        let claim = match store.claim_record(&call.key).await {
            Ok(Some(claim)) => claim,
            Ok(None) => return Ok(Self::None),
            Err(StoreError::Damaged(error)) => return Ok(damaged(error.to_string())),
            Err(error) => return Err(store_failed(error)),
        };
        Ok(match claim.result {
            Some((text, _)) => serde_json::from_str(&text).map_or_else(
                |error| damaged(format!("its result cannot be read: {error}")),
                Self::Ended,
            ),
            None if claim.until > now => Self::Claimed(claim.until),
            None => Self::Abandoned,
        })
    }

    fn record(&self) -> Option<&CallRecord> {
        match self {
            Self::Ended(record) => Some(record),
            _ => None,
        }
    }
}

/// A call of the file with its run, or a call that cannot be read.
type ListedCall = Result<(StoredCall, RunState), DamagedCall>;

/// The calls of the file, the oldest first: all, or those that are not settled.
async fn list_calls(
    store: &SqliteStore,
    all: bool,
    now: Moment,
) -> Result<Vec<ListedCall>, Failure> {
    let mut listed = Vec::new();
    for call in store.all_calls().await.map_err(store_failed)? {
        let call = match call {
            Ok(call) => call,
            Err(damaged) => {
                listed.push(Err(damaged));
                continue;
            }
        };
        let run = RunState::find(store, &call, now).await?;
        let allowed = call
            .decision
            .as_ref()
            .map(|decided| decided.decision.goes_on());
        let is_settled = allowed == Some(false) || (allowed.is_some() && run.record().is_some());
        if all || !is_settled {
            listed.push(Ok((call, run)));
        }
    }
    Ok(listed)
}

/// The progress of a call, in one word.
fn state(call: &StoredCall, run: &RunState, now: Moment) -> &'static str {
    let decided = match (call.state(now), &call.decision) {
        (_, Some(decided)) => decided,
        (CallState::Expired, None) => return "expired",
        (_, None) => return "waiting",
    };
    match run {
        _ if !decided.decision.goes_on() => decided.decision.name(),
        RunState::None => "approved",
        RunState::Claimed(_) => "running",
        RunState::Damaged(_) => "damaged",
        RunState::Ended(record) if record.outcome != Outcome::Unknown => "finished",
        RunState::Ended(_) | RunState::Abandoned => "unknown",
    }
}

/// A damaged call as JSON.
fn describe_damaged(damaged: &DamagedCall) -> Value {
    json!({"id": damaged.id, "state": "damaged", "error": damaged.to_string()})
}

/// A stored call as JSON.
fn describe(call: &StoredCall, run: &RunState, now: Moment) -> Value {
    let pending = &call.call;
    let mut data = json!({
        "id": pending.id,
        "state": state(call, run, now),
        "tool": pending.tool,
        "arguments": pending.shown(),
        "changes": pending.changes,
        "preview": pending.preview.as_deref(),
        "permission": pending.permission,
        "required_role": pending.required_role,
        "workspace": pending.workspace,
        "call_id": pending.call_id,
        "asked_by": call.asked_by,
        "since": call.since,
        "until": call.until,
        "decision": call.decision,
        "result": run.record(),
    });
    match run {
        RunState::Claimed(until) => data["claimed_until"] = json!(until),
        RunState::Damaged(damaged) => data["error"] = damaged.to_string().into(),
        RunState::None | RunState::Abandoned | RunState::Ended(_) => {}
    }
    data
}

/// How long ago a moment was.
fn age(moment: Moment, now: Moment) -> String {
    let seconds = now.0.saturating_sub(moment.0) / 1000;
    match seconds {
        0..60 => format!("{seconds} s ago"),
        60..3600 => format!("{} min ago", seconds / 60),
        3600..86_400 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::age;
    use callpact::store::Moment;

    #[test]
    fn an_age_has_one_unit() {
        for (seconds, text) in [
            (0, "0 s ago"),
            (59, "59 s ago"),
            (60, "1 min ago"),
            (7199, "1 h ago"),
            (172_800, "2 days ago"),
        ] {
            assert_eq!(age(Moment(1000), Moment(1000 + seconds * 1000)), text);
        }
        assert_eq!(
            age(Moment(9), Moment(1)),
            "0 s ago",
            "a clock that went back"
        );
    }
}
