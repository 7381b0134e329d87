//! Calls that wait in a file: `pending`, `show`, `approve`, `reject`, `refuse`, `resume` and `forget`.

pub mod decide;
pub mod forget;
pub mod list;
pub mod resume;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use serde_json::{Value, json};
use toolwright::{
    Outcome, ReviewDecision,
    adapter::CallRecord,
    identity::Identity,
    store::{CallState, CallStore, ClaimRecord, Moment, StoreError, StoredCall},
};
use toolwright_store::{DamagedCall, OpenError, SqliteStore};

use crate::{exit::Failure, system::user_name};

/// The file of the calls.
#[derive(Clone, Debug, Args)]
pub struct StoreFile {
    /// The file with the waiting calls
    #[arg(long, value_name = "FILE")]
    pub store: PathBuf,
}

impl StoreFile {
    /// Opens the file, which must be there.
    fn open(&self) -> Result<Arc<SqliteStore>, Failure> {
        self.check()?;
        open(&self.store)
    }

    /// Opens the file to look at it, also where it cannot be written.
    fn open_to_read(&self) -> Result<SqliteStore, Failure> {
        self.check()?;
        let opened = match SqliteStore::open(&self.store) {
            Err(OpenError::Failed { .. }) => SqliteStore::open_read_only(&self.store),
            opened => opened,
        };
        opened.map_err(Failure::failed)
    }

    fn check(&self) -> Result<(), Failure> {
        if self.store.exists() {
            return Ok(());
        }
        let shown = self.store.display();
        Err(Failure::failed(format!("{shown}: no such file")))
    }
}

/// Opens a file of calls, or makes it.
pub(crate) fn open(path: &Path) -> Result<Arc<SqliteStore>, Failure> {
    let store = SqliteStore::open(path).map_err(Failure::failed)?;
    Ok(Arc::new(store))
}

fn store_failed(error: StoreError) -> Failure {
    Failure::failed(error)
}

async fn find(store: &SqliteStore, id: &str) -> Result<StoredCall, Failure> {
    let found = store.get(id).await.map_err(store_failed)?;
    found.ok_or_else(|| not_found(id))
}

fn not_found(id: &str) -> Failure {
    let id: String = id.chars().take(64).collect();
    Failure::failed(format!("no call waits under the id `{id}`"))
}

/// Who decides, if the command line does not say it: the user of the system.
fn user() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].into_iter();
    let names = names.filter_map(|name| std::env::var(name).ok());
    names
        .chain([user_name()])
        .find(|name| Identity::is_name(name))
        .unwrap_or_else(|| "somebody at the command line".to_owned())
}

/// The decision in one word.
fn name_decision(decision: &ReviewDecision) -> &'static str {
    match decision {
        ReviewDecision::Continue => "approved",
        ReviewDecision::Edit(_) => "edited",
        ReviewDecision::Refuse(_) => "refused",
        ReviewDecision::ExitEarly { .. } => "rejected",
    }
}

/// How far a call has come, in one word.
fn state(call: &StoredCall, run: Option<&ClaimRecord>, now: Moment) -> &'static str {
    let decided = match (call.state(now), &call.decision) {
        (_, Some(decided)) => decided,
        (CallState::Expired, None) => return "expired",
        (_, None) => return "waiting",
    };
    match run {
        _ if !decided.decision.goes_on() => name_decision(&decided.decision),
        None => "approved",
        Some(run) if run.result.is_some() => match record_of(run) {
            Some(record) if record.outcome == Outcome::Unknown => "unknown",
            _ => "finished",
        },
        Some(run) if run.until > now => "running",
        // Somebody began it, and its lease is over.
        Some(_) => "unknown",
    }
}

/// The result of a run, if it has one. A result of another program may have another form.
fn record_of(run: &ClaimRecord) -> Option<CallRecord> {
    let (text, _) = run.result.as_ref()?;
    serde_json::from_str(text).ok()
}

/// A damaged call as JSON.
fn describe_damaged(damaged: &DamagedCall) -> Value {
    json!({"id": damaged.id, "state": "damaged", "error": damaged.to_string()})
}

/// A stored call as JSON.
async fn describe(store: &SqliteStore, call: &StoredCall, now: Moment) -> Result<Value, Failure> {
    let run = store.claim_record(&call.key).await.map_err(store_failed)?;
    let pending = &call.call;
    Ok(json!({
        "id": pending.id,
        "state": state(call, run.as_ref(), now),
        "tool": pending.tool,
        "arguments": pending.arguments,
        "changes": pending.changes,
        "preview": pending.preview,
        "permission": pending.permission,
        "required_role": pending.required_role,
        "workspace": pending.workspace,
        "call_id": pending.call_id,
        "asked_by": call.asked_by,
        "since": call.since,
        "until": call.until,
        "decision": call.decision,
        "result": run.as_ref().and_then(record_of),
    }))
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
    use toolwright::store::Moment;

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
