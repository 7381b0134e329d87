//! Keeps calls that wait for a decision, and records which calls ran.
//!
//! A [`CallStore`] answers two questions that one process cannot answer alone: who decided about a call,
//! and whether a call was carried out. [`MemoryStore`] keeps both for one process; the crate
//! `callpact-store` keeps them in a file, for many.
//!
//! ```text
//!      put              take (one winner)               claim (one holder)           finish
//!  ─────────▶ waiting ──────────────────▶ decided ───────────────────────▶ claimed ────────▶ finished
//!                │                                                            │
//!                └─ its time is over: expired                                 └─ the lease ends: abandoned
//! ```
//!
//! Times are parameters, so that a test can move the clock and all processes use the same clock.

mod memory;

use std::{error::Error, fmt, future::ready, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

pub use self::memory::MemoryStore;
pub use crate::crash::BoxFuture;
use crate::{review::ReviewDecision, tool::PendingCall};

/// A point in time: milliseconds since 1970, UTC.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Moment(pub u64);

impl Moment {
    /// The system's clock.
    pub fn now() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self(since.map_or(0, millis))
    }

    /// This moment plus a duration.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(millis(duration)))
    }
}

impl fmt::Display for Moment {
    /// The date and the time in UTC, to the second: `2026-11-23 18:05:42 UTC`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        // Years that begin in March end with the leap day; 400 of them have the same number of days each.
        let days = seconds / 86_400 + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 {
            (month + 3, 0)
        } else {
            (month - 9, 1)
        };
        let year = era * 400 + year + next;
        let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"
        )
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A call in a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StoredCall {
    /// The call, with the id under which it waits.
    pub call: PendingCall,
    /// The idempotency key under which it will run.
    pub key: String,
    /// When it was put into the store.
    pub since: Moment,
    /// When nobody may decide about it any more; `None` for never.
    pub until: Option<Moment>,
    /// Who asked for it, such as the identity behind a request.
    #[serde(default)]
    pub asked_by: Option<String>,
    /// The decision, once somebody has taken the call.
    #[serde(default)]
    pub decision: Option<Decided>,
}

impl StoredCall {
    /// A call that waits from `since` on, and runs under an idempotency key.
    pub fn new(call: PendingCall, key: impl Into<String>, since: Moment) -> Self {
        Self {
            call,
            key: key.into(),
            since,
            until: None,
            asked_by: None,
            decision: None,
        }
    }

    /// Ends the wait at `until`.
    #[must_use]
    pub fn until(mut self, until: Moment) -> Self {
        self.until = Some(until);
        self
    }

    /// Names who asked for the call.
    #[must_use]
    pub fn asked_by(mut self, who: impl Into<String>) -> Self {
        self.asked_by = Some(who.into());
        self
    }

    /// The call that the decision is about: after an edit the edited one, if the decider saw what it does.
    pub fn seen(&self) -> &PendingCall {
        match &self.decision {
            Some(decided) => decided.seen(&self.call),
            None => &self.call,
        }
    }

    /// What may still happen to the call.
    pub fn state(&self, now: Moment) -> CallState {
        match (&self.decision, self.until) {
            (Some(_), _) => CallState::Decided,
            (None, Some(until)) if until <= now => CallState::Expired,
            (None, _) => CallState::Waiting,
        }
    }
}

/// What may still happen to a stored call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallState {
    /// Somebody may decide.
    Waiting,
    /// Somebody has decided.
    Decided,
    /// Its time is over, and nobody has decided.
    Expired,
}

/// Who decided what, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The decision.
    pub decision: ReviewDecision,
    /// Who decided.
    pub by: String,
    /// The role that they acted for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// When.
    pub at: Moment,
    /// After an edit: the edited call as the decider saw it, with its preview. It is compared with the call right
    /// before it runs. Without it, an edited call runs only if its arguments are all there is to see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<Box<PendingCall>>,
}

impl Decided {
    /// A decision by somebody, at a moment.
    pub fn new(decision: ReviewDecision, by: impl Into<String>, at: Moment) -> Self {
        Self {
            decision,
            by: by.into(),
            role: None,
            at,
            edited: None,
        }
    }

    /// Adds the edited call as the decider saw it, which
    /// [`Toolset::preview_edit`](crate::Toolset::preview_edit) makes.
    #[must_use]
    pub fn showing(mut self, edited: PendingCall) -> Self {
        self.edited = Some(Box::new(edited));
        self
    }

    /// The call that the decider saw.
    pub(crate) fn seen<'a>(&'a self, call: &'a PendingCall) -> &'a PendingCall {
        match (&self.decision, &self.edited) {
            (ReviewDecision::Edit(_), Some(edited)) => edited,
            _ => call,
        }
    }

    /// Names the role that the decider acted for. Calls that demand a role run only with a decision for it.
    #[must_use]
    pub fn acting_for(mut self, role: impl Into<String>) -> Self {
        self.role = Some(role.into());
        self
    }
}

/// The answer to [`CallStore::take`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a caller must handle each answer")]
pub enum Taken {
    /// This decision counts. The caller carries out the call.
    Won(Box<StoredCall>),
    /// Another decision counts.
    Lost(Decided),
    /// Nobody decided in time.
    Expired,
    /// The store does not have the call.
    Unknown,
}

/// The answer to [`CallStore::claim`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a caller must handle each answer")]
pub enum Claim {
    /// The caller holds the call until the lease ends, and finishes it with this token.
    Held(ClaimToken),
    /// Somebody else holds the call.
    Busy {
        /// When the lease ends.
        until: Moment,
    },
    /// The caller holds the call now, but the lease of an earlier holder ended without a result. Nobody
    /// knows whether the call was carried out.
    Abandoned(ClaimToken),
    /// The call was carried out.
    Finished(String),
}

/// The state of a call's run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClaimRecord {
    /// When the lease of the latest claim ends.
    pub until: Moment,
    /// The result and the time at which it came, once there is one.
    pub result: Option<(String, Moment)>,
}

impl ClaimRecord {
    /// A run without a result, whose lease ends at a moment.
    pub fn running(until: Moment) -> Self {
        Self {
            until,
            result: None,
        }
    }

    /// A run with a result.
    pub fn finished(until: Moment, result: impl Into<String>, at: Moment) -> Self {
        Self {
            until,
            result: Some((result.into(), at)),
        }
    }
}

/// Proves that its holder made the latest claim of a call. A later claim makes it worthless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClaimToken(pub u64);

/// A store that failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// A call with this id is in the store already.
    Duplicate {
        /// The id.
        id: String,
    },
    /// The claim is no longer the latest one, so its result does not count.
    Fenced,
    /// The call is in the store and cannot be read. Nobody can decide about it or run it.
    Damaged(Box<dyn Error + Send + Sync>),
    /// The store itself failed.
    Failed(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { id } => write!(f, "the store already has a call with the id `{id}`"),
            Self::Fenced => f.write_str("another claim of this call replaced this one"),
            Self::Damaged(error) => error.fmt(f),
            Self::Failed(error) => write!(f, "the call store failed: {error}"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Damaged(error) | Self::Failed(error) => Some(&**error),
            Self::Duplicate { .. } | Self::Fenced => None,
        }
    }
}

/// A call in the list of a store, without what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCall {
    /// The id under which it waits.
    pub id: String,
    /// Whether somebody has decided about it.
    pub is_decided: bool,
}

/// The future of a store's answer.
pub type StoreFuture<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Keeps waiting calls and the record of calls that ran.
///
/// Every method is one step: it happens completely or not at all, even if the process ends. Of several
/// callers, in one process or in many, exactly one wins a [`take`](Self::take) or holds a
/// [`claim`](Self::claim).
///
/// ```
/// use std::time::Duration;
/// use callpact::store::{CallStore, Claim, MemoryStore, Moment};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), callpact::store::StoreError> {
/// let store = MemoryStore::new();
/// let (now, lease) = (Moment(0), Duration::from_secs(30));
/// let Claim::Held(token) = store.claim("run-1/call-1", lease, now).await? else {
///     unreachable!("nobody else claims it");
/// };
/// store.finish("run-1/call-1", token, "42", now).await?;
/// let again = store.claim("run-1/call-1", lease, now).await?;
/// assert_eq!(again, Claim::Finished("42".to_owned()));
/// # Ok(())
/// # }
/// ```
pub trait CallStore: Send + Sync {
    /// Adds a waiting call.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] when the id is taken, or when the store fails.
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()>;

    /// The call with an id, decided or not.
    ///
    /// # Errors
    /// When the store fails.
    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>>;

    /// The calls that are not settled, the oldest first: calls without a decision, including expired ones,
    /// and allowed calls without a result.
    ///
    /// # Errors
    /// When the store fails.
    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>>;

    /// The calls of [`list`](Self::list) without what is in them, so that whoever knows most of them reads only the
    /// others. `None` if the store has to read each call for this.
    ///
    /// # Errors
    /// When the store fails.
    fn list_ids(&self) -> StoreFuture<'_, Option<Vec<ListedCall>>> {
        Box::pin(ready(Ok(None)))
    }

    /// A number that is another one after each change by any process, so that nobody reads the same list twice.
    /// `None` if the store does not count changes.
    ///
    /// # Errors
    /// When the store fails.
    fn version(&self) -> StoreFuture<'_, Option<u64>> {
        Box::pin(ready(Ok(None)))
    }

    /// Records a decision about a waiting call. The first decision counts, and no other ever does.
    ///
    /// # Errors
    /// When the store fails. Then no decision was recorded.
    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken>;

    /// Claims a call for running it, by its idempotency key.
    ///
    /// # Errors
    /// When the store fails. Then nobody holds the call by this claim.
    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim>;

    /// The state of a call's run, by its idempotency key. This claims nothing.
    ///
    /// # Errors
    /// When the store fails.
    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>>;

    /// Extends a claim to `now` and a lease.
    ///
    /// # Errors
    /// [`StoreError::Fenced`] when the token is not that of the latest claim or the call is finished, or
    /// when the store fails.
    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()>;

    /// Records the result of a claimed call. An expired lease does not matter if nobody claimed the call
    /// since.
    ///
    /// # Errors
    /// [`StoreError::Fenced`] when the token is not that of the latest claim or the call is finished, or
    /// when the store fails.
    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()>;

    /// Removes settled and expired calls, and results, from before a moment. Returns the number of
    /// removed entries.
    ///
    /// # Errors
    /// When the store fails.
    fn forget(&self, before: Moment) -> StoreFuture<'_, u64>;

    /// Removes the call with an id, even if it waits or cannot be read, and keeps the record of its run. Returns
    /// whether it was there. [`forget_stored`](crate::call::forget_stored) first checks whether the call may be
    /// removed.
    ///
    /// # Errors
    /// When the store fails or does not implement this method.
    fn remove<'a>(&'a self, _id: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(ready(Err(StoreError::Failed(
            "this store cannot remove a single call".into(),
        ))))
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<S: CallStore + ?Sized> CallStore for $pointer {
            fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
                (**self).put(call)
            }
            fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
                (**self).get(id)
            }
            fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
                (**self).list()
            }
            fn list_ids(&self) -> StoreFuture<'_, Option<Vec<ListedCall>>> {
                (**self).list_ids()
            }
            fn version(&self) -> StoreFuture<'_, Option<u64>> {
                (**self).version()
            }
            fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
                (**self).take(id, decision)
            }
            fn claim<'a>(
                &'a self,
                key: &'a str,
                lease: Duration,
                now: Moment,
            ) -> StoreFuture<'a, Claim> {
                (**self).claim(key, lease, now)
            }
            fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
                (**self).claim_record(key)
            }
            fn renew<'a>(
                &'a self,
                key: &'a str,
                token: ClaimToken,
                lease: Duration,
                now: Moment,
            ) -> StoreFuture<'a, ()> {
                (**self).renew(key, token, lease, now)
            }
            fn finish<'a>(
                &'a self,
                key: &'a str,
                token: ClaimToken,
                result: &'a str,
                now: Moment,
            ) -> StoreFuture<'a, ()> {
                (**self).finish(key, token, result, now)
            }
            fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
                (**self).forget(before)
            }
            fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
                (**self).remove(id)
            }
        }
    )*};
}

forward!(&S, Box<S>, Arc<S>);

#[cfg(test)]
mod tests {
    use super::Moment;

    #[test]
    fn a_moment_is_shown_as_date_and_time() {
        for (millis, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399_999, "2000-02-28 23:59:59 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (951_868_800_000, "2000-03-01 00:00:00 UTC"),
            (1_735_689_599_000, "2024-12-31 23:59:59 UTC"),
            (1_735_689_600_000, "2025-01-01 00:00:00 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(Moment(millis).to_string(), text);
        }
        assert!(Moment(u64::MAX).to_string().ends_with(" UTC"));
    }
}
