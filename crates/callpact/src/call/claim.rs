//! A call runs once: its claim in a store around the run of its tool.

use std::{
    error::Error,
    future::Future,
    pin::pin,
    sync::{Arc, Mutex},
};

use super::{
    finished::{EarlyEnd, FinishedCall},
    found::FoundCall,
};
use crate::{
    adapter::{CallRecord, Outcome},
    crash::lock,
    review::wait_for,
    store::{CallStore, Claim, ClaimToken, StoreError},
    tool::{Halt, Permission, RunState, ToolContext, ToolResult},
    toolset::ToolEntry,
};

/// The claim and the key that a call needs. A call that only reads is not claimed, unless a decision in the store
/// lets it run once. A call made by a claimed call belongs to that claim.
pub(super) fn needs_claim<'a>(
    entry: &ToolEntry,
    is_stored: bool,
    state: &RunState,
    cx: &'a ToolContext,
) -> Option<(&'a dyn CallStore, Arc<str>)> {
    let (store, key) = (cx.store()?, state.key()?);
    let is_free = only_reads(entry) && !is_stored || cx.run_state().claimed;
    (!is_free).then(|| (store, Arc::clone(key)))
}

fn only_reads(entry: &ToolEntry) -> bool {
    entry.tool.permission() == Permission::ReadOnly
}

/// Claims a call in the store of the context, so that it runs here and nowhere else. A call does not run if its result
/// is known, or if an earlier run ended without one.
pub(super) async fn start<'a>(
    entry: &ToolEntry,
    state: &mut RunState,
    (store, key): (&'a dyn CallStore, Arc<str>),
    cx: &'a ToolContext,
) -> Result<HeldClaim<'a>, EarlyEnd> {
    state.claimed = true;
    let (token, again) = match store.claim(&key, cx.lease(), cx.now()).await {
        Ok(Claim::Held(token)) => (token, false),
        // A call that only reads has changed nothing.
        Ok(Claim::Abandoned(token)) => (token, !only_reads(entry)),
        Ok(Claim::Busy { .. }) => return Err(running_elsewhere(entry).into()),
        Ok(Claim::Finished(record)) => return Err(replay(entry, &record).into()),
        Err(StoreError::Damaged(error)) => return Err(damaged(entry, &*error).into()),
        Err(error) => return Err(Halt::from(error).into()),
    };
    let held = HeldClaim {
        store,
        key,
        token,
        again,
        cx,
    };
    if again && entry.tool.hints().idempotent != Some(true) {
        held.finish(entry, None).await;
        return Err(not_known(entry).into());
    }
    Ok(held)
}

/// The end of a call that ran before, so that nobody is asked about it.
pub(super) async fn find_result(
    entry: &ToolEntry,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<Option<FinishedCall>, Halt> {
    let (Some(store), Some(key)) = (cx.store(), key) else {
        return Ok(None);
    };
    match store.claim_record(key).await {
        Ok(record) => Ok(record
            .and_then(|record| record.result)
            .map(|(result, _)| replay(entry, &result))),
        Err(StoreError::Damaged(error)) => Ok(Some(damaged(entry, &*error))),
        Err(error) => Err(error.into()),
    }
}

/// The end of a call that cannot be read. If only its tool refuses it, it may have run before, and what it did then may
/// be why.
pub(super) async fn end_unread(found: FoundCall<'_>, finished: Box<FinishedCall>) -> EarlyEnd {
    let is_refused = finished.outcome == Outcome::Refused;
    let key = is_refused.then(|| found.key_of_refused()).flatten();
    match find_result(found.entry, key.as_deref(), found.cx).await {
        Ok(Some(known)) => known.into(),
        Ok(None) => finished.into(),
        Err(halt) => halt.into(),
    }
}

/// Records the end of a call that a stored decision lets run and that cannot run, so that it does not run later.
pub(super) async fn settle(
    entry: &ToolEntry,
    key: Arc<str>,
    finished: Box<FinishedCall>,
    cx: &ToolContext,
) -> EarlyEnd {
    let Some(store) = cx.store() else {
        return EarlyEnd::Finished(finished);
    };
    match start(entry, &mut RunState::default(), (store, key), cx).await {
        Ok(held) => {
            held.finish(entry, Some(&finished)).await;
            EarlyEnd::Finished(finished)
        }
        Err(stop) => stop,
    }
}

/// The claim of a call whose tool runs inside layers. They, or the end of their time, may stop its run midway.
#[derive(Default)]
pub(super) struct OpenClaim<'a>(Mutex<Option<HeldClaim<'a>>>);

impl<'a> OpenClaim<'a> {
    fn set(&self, held: Option<HeldClaim<'a>>) {
        *lock(&self.0) = held;
    }

    /// Records the end of a call whose run was stopped. Without an finished nobody knows its effect.
    pub(super) async fn close(self, entry: &ToolEntry, finished: Option<&FinishedCall>) {
        let held = lock(&self.0).take();
        if let Some(held) = held {
            held.finish(entry, finished).await;
        }
    }
}

/// A call that runs here and nowhere else, until its lease ends.
#[derive(Clone)]
pub(super) struct HeldClaim<'a> {
    store: &'a dyn CallStore,
    key: Arc<str>,
    token: ClaimToken,
    /// Whether the call started before and ended without a result.
    pub(super) again: bool,
    cx: &'a ToolContext,
}

impl<'a> HeldClaim<'a> {
    /// Renews the claim while the tool runs. Layers can end it meanwhile.
    pub(super) async fn while_running<T>(
        &self,
        open: Option<&OpenClaim<'a>>,
        work: impl Future<Output = T>,
    ) -> T {
        if let Some(open) = open {
            open.set(Some(self.clone()));
        }
        let done = self.renewing(work).await;
        if let Some(open) = open {
            open.set(None);
        }
        done
    }

    async fn renewing<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        let lease = self.cx.lease();
        loop {
            match wait_for(work.as_mut(), lease / 3).await {
                Ok(Some(done)) => return done,
                Ok(None) => {}
                // Without a clock the claim ends with its lease.
                Err(_) => return work.await,
            }
            let renewed = self
                .store
                .renew(&self.key, self.token, lease, self.cx.now());
            if let Err(error) = renewed.await {
                let tool = self.cx.tool_name();
                tracing::warn!(target: "callpact", %tool, "the claim of the call was not renewed: {error}");
            }
        }
    }

    /// Records how the call ended. `None` means that the run was stopped: nobody knows its effect.
    pub(super) async fn finish(&self, entry: &ToolEntry, finished: Option<&FinishedCall>) {
        let record = finished.map_or_else(|| not_known(entry).to_stored(), FinishedCall::to_stored);
        let finished = self
            .store
            .finish(&self.key, self.token, &record, self.cx.now());
        if let Err(error) = finished.await {
            let tool = &entry.name;
            tracing::error!(target: "callpact", %tool, "the result of the call was not stored: {error}");
        }
    }
}

pub(super) fn not_known(entry: &ToolEntry) -> FinishedCall {
    FinishedCall::new(Outcome::Unknown, ToolResult::unknown(&entry.name))
}

/// The end of a call that ran before.
fn replay(entry: &ToolEntry, record: &str) -> FinishedCall {
    match serde_json::from_str::<CallRecord>(record) {
        Ok(record) => FinishedCall::of_record(record),
        Err(error) => damaged(entry, &error),
    }
}

/// A call that ran before and whose result cannot be read.
fn damaged(entry: &ToolEntry, error: &dyn Error) -> FinishedCall {
    let tool = &entry.name;
    tracing::error!(target: "callpact", %tool, "the result of the call in the store cannot be read: {error}");
    FinishedCall {
        replayed: true,
        ..not_known(entry)
    }
}

fn running_elsewhere(entry: &ToolEntry) -> FinishedCall {
    let text = format!(
        "Tool '{}' is running for this call elsewhere, and its result is not known yet. Do not make \
         the call again",
        entry.name
    );
    FinishedCall {
        replayed: true,
        runs_elsewhere: true,
        ..FinishedCall::refused(Outcome::Unknown, text)
    }
}
