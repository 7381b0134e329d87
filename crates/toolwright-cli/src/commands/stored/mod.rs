//! Calls that wait in a file: `pending`, `show`, `approve`, `reject`, `refuse` and `resume`.

pub mod decide;
pub mod list;
pub mod resume;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use serde_json::{Value, json};
use toolwright::{
    adapter::CallRecord,
    store::{CallState, CallStore, ClaimRecord, Moment, StoreError, StoredCall},
};
use toolwright_store::SqliteStore;

use crate::exit::Failure;

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
        if self.store.exists() {
            open(&self.store)
        } else {
            let shown = self.store.display();
            Err(Failure::failed(format!("{shown}: no such file")))
        }
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
    found.ok_or_else(|| {
        let id: String = id.chars().take(64).collect();
        Failure::failed(format!("no call waits under the id `{id}`"))
    })
}

/// Who decides, if the command line does not say it: the user of the system.
fn user() -> String {
    let names = ["USER", "USERNAME"].into_iter();
    let mut names = names.filter_map(|name| std::env::var(name).ok());
    names
        .find(|name| !name.trim().is_empty())
        .unwrap_or_else(|| "somebody at the command line".to_owned())
}

/// How far a call has come, in one word.
fn state(call: &StoredCall, run: Option<&ClaimRecord>, now: Moment) -> &'static str {
    let decided = match (call.state(now), &call.decision) {
        (_, Some(decided)) => decided,
        (CallState::Expired, None) => return "expired",
        (_, None) => return "waiting",
    };
    match run {
        _ if !decided.decision.goes_on() => "rejected",
        None => "approved",
        Some(run) if run.result.is_some() => "finished",
        Some(run) if run.until > now => "running",
        // Somebody began it, and its lease is over.
        Some(_) => "unknown",
    }
}

/// A stored call as JSON.
async fn describe(store: &SqliteStore, call: &StoredCall, now: Moment) -> Result<Value, Failure> {
    let run = store.claim_record(&call.key).await.map_err(store_failed)?;
    let pending = &call.call;
    let result = run.as_ref().and_then(|run| run.result.as_ref());
    // A result of another program may have another form.
    let record = result.map(|(text, _)| serde_json::from_str::<CallRecord>(text).ok());
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
        "result": record,
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
