//! A decision about a waiting call counts once.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::{
    review::ReviewDecision,
    store::{Decided, StoredCall},
    tool::{Halt, PendingCall},
};

/// Makes an id that no other waiting call has, in this process or in another.
pub(super) fn new_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Every `RandomState` has its own random keys.
    let random = || RandomState::new().hash_one(count);
    format!("{:016x}{:016x}", random(), random())
}

/// Reads an id that a list made.
fn read_id(id: &str) -> Option<u128> {
    let written = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    u128::from_str_radix(id, 16).ok().filter(|_| written)
}

/// The ids of waiting calls that got their decision. People make decisions, so there are few.
#[derive(Default)]
pub(crate) struct UsedDecisions(Mutex<HashSet<u128>>);

impl UsedDecisions {
    /// Whether this is the first decision about the call.
    fn first(&self, id: u128) -> bool {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.insert(id)
    }
}

/// A decision, the preview that it is about, and the edit behind that preview.
type Used = (ReviewDecision, Option<String>, Option<Box<str>>);

/// A decision about a waiting call that has not been used yet.
pub(super) struct Resuming<'a> {
    decision: ReviewDecision,
    /// The role for which somebody decided, as recorded in a store.
    role: Option<String>,
    /// The key under which the call was stored.
    key: Option<Arc<str>>,
    /// The preview that the decision is about.
    preview: Option<String>,
    /// What a person wrote in place of the arguments.
    edited: Option<Box<str>>,
    id: u128,
    used: &'a UsedDecisions,
}

impl<'a> Resuming<'a> {
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
            ..new
        })
    }

    /// Whether the decision lets the call go on.
    pub(super) fn goes_on(&self) -> bool {
        self.decision.goes_on()
    }

    pub(super) fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }

    /// The key of a call that waited in a store and may run.
    pub(super) fn settles(&self) -> Option<Arc<str>> {
        self.key.clone().filter(|_| self.goes_on())
    }

    /// What a person wrote in place of the arguments, and saw.
    pub(super) fn edited(&self) -> Option<&str> {
        self.edited.as_deref()
    }

    pub(super) fn key(&self) -> Option<&Arc<str>> {
        self.key.as_ref()
    }

    /// Uses the decision. It can be used once, here or with the help of a store. Also gives the preview that it is
    /// about, and the edit behind that preview.
    pub(super) fn take(self, tool: &str) -> Result<Used, Halt> {
        if self.used.first(self.id) || self.key.is_some() {
            Ok((self.decision, self.preview, self.edited))
        } else {
            Err(Halt::Misconfigured(format!(
                "the call of '{tool}' was decided about already: a decision counts once"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{UsedDecisions, new_id, read_id};

    #[test]
    fn every_id_is_another_and_only_ids_are_taken() {
        let used = UsedDecisions::default();
        let (one, other) = (new_id(), new_id());
        assert_ne!(one, other);
        let first = |id: &str| read_id(id).is_some_and(|id| used.first(id));
        assert!(first(&one) && !first(&one) && first(&other));
        for none in ["", "1", "+0000000000000000000000000000001", &"g".repeat(32)] {
            assert!(read_id(none).is_none(), "{none}");
        }
    }
}
