//! A decision that was made before the call was made again.

use std::{sync::Arc, time::Duration};

use crate::{
    observe::CallDecision,
    review::{Preview, ReviewDecision},
    store::{Decided, StoredCall},
    tool::{Halt, PendingCall},
    toolset::{UsedDecisions, read_id},
};

/// An earlier answer of a person about the call.
pub(super) enum PriorAnswer<'a> {
    Decided(Box<PriorDecision<'a>>),
    /// The person wrote this in place of the arguments, and has not seen its effect yet.
    Edited(&'a str),
}

/// A decision, the preview that it is about, and the edit behind that preview.
type UsedDecision = (ReviewDecision, Option<Preview>, Option<Box<str>>);

/// A decision about a waiting call that has not been used yet.
pub(super) struct PriorDecision<'a> {
    decision: ReviewDecision,
    /// The role for which somebody decided, as recorded in a store.
    pub(super) role: Option<String>,
    /// The key under which the call was stored.
    pub(super) key: Option<Arc<str>>,
    /// The preview that the decision is about.
    preview: Option<Preview>,
    /// What a person wrote in place of the arguments, and saw.
    pub(super) edited: Option<Box<str>>,
    id: u128,
    used: &'a UsedDecisions,
    /// How long the call waited in a store, and what was decided there.
    pub(super) waited: Option<Box<(Duration, CallDecision)>>,
}

impl<'a> PriorDecision<'a> {
    /// Gives `None` for an id that no list made.
    pub(super) fn new(
        decision: ReviewDecision,
        call: &PendingCall,
        used: &'a UsedDecisions,
    ) -> Option<Self> {
        Some(Self {
            decision,
            role: None,
            key: None,
            preview: call.preview.clone(),
            edited: call.edited.as_deref().map(Box::from),
            id: read_id(&call.id)?,
            used,
            waited: None,
        })
    }

    /// A stored decision, which lets a call run once.
    pub(super) fn stored(
        call: &StoredCall,
        decided: &Decided,
        used: &'a UsedDecisions,
    ) -> Option<Self> {
        // Somebody who edited a call and saw its effect has approved that effect.
        let decision = match (&decided.decision, &decided.edited) {
            (ReviewDecision::Edit(_), Some(_)) => ReviewDecision::Continue,
            (decision, _) => decision.clone(),
        };
        let new = Self::new(decision, decided.seen(&call.call), used)?;
        Some(Self {
            role: decided.role.clone(),
            key: Some(call.key.as_str().into()),
            waited: Some(Box::new(describe_wait(call, decided))),
            ..new
        })
    }

    /// Whether the decision lets the call go on.
    pub(super) fn goes_on(&self) -> bool {
        self.decision.goes_on()
    }

    /// The key of a call that waited in a store and may run.
    pub(super) fn settles(&self) -> Option<Arc<str>> {
        self.key.clone().filter(|_| self.goes_on())
    }

    /// Uses the decision. It can be used once, here or with the help of a store. Also gives the preview that it is
    /// about, and the edit behind that preview.
    pub(super) fn take(self, tool: &str) -> Result<UsedDecision, Halt> {
        if self.used.first(self.id) || self.key.is_some() {
            Ok((self.decision, self.preview, self.edited))
        } else {
            Err(Halt::Misconfigured(format!(
                "the call of '{tool}' was decided about already: a decision counts once"
            )))
        }
    }
}

fn describe_wait(call: &StoredCall, decided: &Decided) -> (Duration, CallDecision) {
    let waited = Duration::from_millis(decided.at.0.saturating_sub(call.since.0));
    let (pending, decision) = (&call.call, decided.decision.clone());
    let mut told = CallDecision::new(decision, pending.shown(), &pending.digest, decided.at);
    told.by = Some(decided.by.clone());
    (waited, told)
}
