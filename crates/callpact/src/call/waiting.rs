//! Puts a waiting call into the store, or resumes it with its decision.

use super::prior_decision::PriorDecision;
use crate::{
    schema::cut,
    store::{CallState, CallStore, Decided, StoreError, StoredCall},
    tool::{Halt, PendingCall, ToolContext},
    toolset::ToolEntry,
};

/// Puts a call into the store and ends the run. A call that is already in the store resumes with its
/// decision, if there is one, and with the arguments that were decided about.
pub(super) async fn wait_in_store<'a>(
    entry: &'a ToolEntry,
    pending: PendingCall,
    key: &str,
    store: &dyn CallStore,
    cx: &ToolContext,
) -> Result<(String, PriorDecision<'a>), Halt> {
    let now = cx.now();
    let mut call = StoredCall::new(pending, key, now);
    call.until = cx.waits_until(now);
    call.asked_by = cx.caller().map(str::to_owned);
    let stored = match store.put(&call).await {
        Ok(()) => return Err(Halt::Pending(Box::new(call.call))),
        Err(StoreError::Duplicate { id }) => store.get(&id).await?,
        Err(error) => return Err(error.into()),
    };
    let Some(stored) = stored.filter(|stored| stored.key == key) else {
        let text = "the call store has lost a call that it had".to_owned();
        return Err(Halt::StoreFailed(text));
    };
    match (stored.state(now), &stored.decision) {
        (CallState::Expired, _) => Err(Halt::ExitEarly {
            message: format!("nobody decided about the call of '{}'", entry.name),
            timed_out: true,
        }),
        (_, Some(decided)) => {
            let Some(resuming) = use_decision(entry, &stored, decided) else {
                return Err(explain_change(&entry.name));
            };
            if decided.decision.goes_on() {
                // The role that was demanded when the call was stored, and the role demanded now.
                let demanded = [&stored.call.required_role, &call.call.required_role];
                for required in demanded.into_iter().flatten() {
                    check_role(&entry.name, required, decided.role.as_deref())?;
                }
            }
            Ok((decided.seen(&stored.call).arguments.clone(), resuming))
        }
        (_, None) => Err(Halt::Pending(Box::new(stored.call))),
    }
}

/// The decision about a stored call, if the call and the subject of the decision are unchanged.
pub(super) fn use_decision<'a>(
    entry: &'a ToolEntry,
    stored: &StoredCall,
    decided: &Decided,
) -> Option<PriorDecision<'a>> {
    let (call, seen) = (&stored.call, decided.seen(&stored.call));
    let is_whole =
        entry.is_unchanged(call) && entry.is_unchanged(seen) && seen.workspace == call.workspace;
    is_whole
        .then(|| PriorDecision::stored(stored, decided, &entry.used))
        .flatten()
}

/// Refuses a decision that was not made for the required role. Anybody may reject a call.
pub(super) fn check_role(tool: &str, required: &str, acting: Option<&str>) -> Result<(), Halt> {
    if acting == Some(required) {
        return Ok(());
    }
    Err(Halt::Misconfigured(format!(
        "a decision about '{tool}' must come from the role {required:?}: \
         give the context the reviewer who made it, acting for that role"
    )))
}

/// Why a call that was made in one workspace does not resume in another.
pub(super) fn explain_workspace(made_in: Option<&str>, here: Option<&str>) -> String {
    let name = |place: Option<&str>| {
        place.map_or_else(
            || "no named workspace".to_owned(),
            |place| format!("the workspace `{}`", cut(place, 500)),
        )
    };
    format!(
        "the call was made in {}, and this is {}",
        name(made_in),
        name(here)
    )
}

pub(super) fn explain_change(tool: &str) -> Halt {
    Halt::Misconfigured(describe_change(tool))
}

/// What is wrong with a call whose digest has changed.
pub(super) fn describe_change(tool: &str) -> String {
    format!(
        "the call of '{}' is not the one that was shown for a decision: \
         its text, the tool, its parameters or its permission have changed since",
        cut(tool, 64)
    )
}
