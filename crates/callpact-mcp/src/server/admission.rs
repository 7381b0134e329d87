//! Who may open a session, and which session gives way when there are too many.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use rmcp::transport::streamable_http_server::session::SessionId;

use super::limit::{CallerKey, CallerTurns, RateLimit};

/// The most sessions at the same time.
const SESSIONS: usize = 1_000;

/// The most sessions of one owner, so that the others always have room.
const EACH: usize = 750;

/// How long a session that was opened waits for the next message of its client. Until then it gives way to no other
/// owner. With the default rate, an owner has at most 250 such sessions.
const GRACE: Duration = Duration::from_secs(3);

/// The longest time that a client waits for its turn to open a session.
const TURN: Duration = Duration::from_secs(2);

/// The sessions of a server, with their owners and last uses.
#[derive(Clone)]
pub(super) struct SessionAdmission(Arc<AdmissionState>);

struct AdmissionState {
    turns: CallerTurns,
    table: Mutex<SessionTable>,
}

#[derive(Default)]
struct SessionTable {
    sessions: HashMap<SessionId, SessionUse>,
    /// Counts the uses of all sessions.
    uses: u64,
}

struct SessionUse {
    owner: CallerKey,
    opened: Instant,
    last: u64,
    stage: SessionStage,
    /// Calls and event streams.
    open: usize,
}

/// How far the client of a session has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SessionStage {
    /// No message followed the first one.
    Opened,
    /// No request followed the first one.
    Begun,
    Used,
}

/// Why no session can be opened now.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AdmissionRefusal {
    /// The owner opens sessions too fast.
    TooFast,
    /// Every session is in use.
    Full,
}

/// A call or an event stream of a session. Until this is dropped, the session does not give way.
pub(super) struct HeldSession {
    admission: SessionAdmission,
    session: SessionId,
}

impl SessionAdmission {
    pub(super) fn new(rate: RateLimit) -> Self {
        Self(Arc::new(AdmissionState {
            turns: CallerTurns::new(rate),
            table: Mutex::default(),
        }))
    }

    fn table(&self) -> MutexGuard<'_, SessionTable> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the owner's next turn to open a session, and returns how long the client has to wait for it.
    pub(super) fn reserve(&self, owner: &CallerKey) -> Result<Duration, AdmissionRefusal> {
        let turn = self.0.turns.take(owner, TURN);
        turn.map_err(|_| AdmissionRefusal::TooFast)
    }

    /// Removes and returns the sessions that give way to a new one of an owner.
    pub(super) fn make_room(&self, owner: &CallerKey) -> Result<Vec<SessionId>, AdmissionRefusal> {
        self.table().make_room(owner, Instant::now())
    }

    pub(super) fn begin(&self, session: SessionId, owner: CallerKey) {
        self.table().begin(session, owner, Instant::now());
    }

    pub(super) fn end(&self, session: &SessionId) {
        self.table().sessions.remove(session);
    }

    /// Removes a session if no message followed the first one. Returns whether it did.
    pub(super) fn end_unused(&self, session: &SessionId) -> bool {
        let mut table = self.table();
        let used = table.sessions.get(session);
        let is_unused = used.is_some_and(|used| used.stage == SessionStage::Opened);
        is_unused && table.sessions.remove(session).is_some()
    }

    /// Whether a session has this owner.
    pub(super) fn belongs_to(&self, session: &str, owner: &CallerKey) -> bool {
        let table = self.table();
        let used = table.sessions.get(session);
        used.is_some_and(|used| used.owner == *owner)
    }

    /// Records a message of a session that is not a request.
    pub(super) fn touch(&self, session: &SessionId) {
        self.table().change(session, |used| {
            used.stage = used.stage.max(SessionStage::Begun);
        });
    }

    /// Records a request of a session, which is open until the guard is dropped.
    pub(super) fn hold(&self, session: &SessionId) -> HeldSession {
        self.table().change(session, |used| {
            used.stage = SessionStage::Used;
            used.open += 1;
        });
        HeldSession {
            admission: self.clone(),
            session: session.clone(),
        }
    }
}

impl SessionTable {
    fn make_room(
        &mut self,
        owner: &CallerKey,
        now: Instant,
    ) -> Result<Vec<SessionId>, AdmissionRefusal> {
        let mut removed = Vec::new();
        if self.count(owner) >= EACH {
            removed.push(self.remove_one(owner, Some(owner), now)?);
        }
        if self.sessions.len() >= SESSIONS {
            removed.push(self.remove_one(owner, None, now)?);
        }
        Ok(removed)
    }

    fn count(&self, owner: &CallerKey) -> usize {
        let owners = self.sessions.values().map(|used| &used.owner);
        owners.filter(|other| *other == owner).count()
    }

    /// Removes the session without a call or a stream that gives way, perhaps only among those of one owner. A session
    /// that its client abandoned goes first; then the least used one of the owner with the most sessions; and at last
    /// one that the newcomer itself has just opened.
    fn remove_one(
        &mut self,
        newcomer: &CallerKey,
        among: Option<&CallerKey>,
        now: Instant,
    ) -> Result<SessionId, AdmissionRefusal> {
        let mut counts = HashMap::new();
        for used in self.sessions.values() {
            *counts.entry(&used.owner).or_insert(0_usize) += 1;
        }
        let idle = self
            .sessions
            .iter()
            .filter(|(_, used)| used.open == 0 && among.is_none_or(|owner| used.owner == *owner));
        let waits = |used: &SessionUse| {
            used.stage != SessionStage::Used && now.saturating_duration_since(used.opened) < GRACE
        };
        let candidates = idle.filter(|(_, used)| !waits(used) || used.owner == *newcomer);
        let (session, _) = candidates
            .min_by_key(|(_, used)| {
                let waits = waits(used);
                // Of those that wait for their first use, the oldest.
                let stage = if waits {
                    SessionStage::Used
                } else {
                    used.stage
                };
                (
                    waits,
                    stage != SessionStage::Opened,
                    Reverse(counts.get(&used.owner).copied()),
                    stage,
                    used.last,
                )
            })
            .ok_or(AdmissionRefusal::Full)?;
        let session = session.clone();
        self.sessions.remove(&session);
        Ok(session)
    }

    fn begin(&mut self, session: SessionId, owner: CallerKey, now: Instant) {
        self.uses += 1;
        let new = SessionUse {
            owner,
            opened: now,
            last: self.uses,
            stage: SessionStage::Opened,
            open: 0,
        };
        self.sessions.insert(session, new);
    }

    fn change(&mut self, session: &SessionId, change: impl FnOnce(&mut SessionUse)) {
        self.uses += 1;
        if let Some(used) = self.sessions.get_mut(session) {
            used.last = self.uses;
            change(used);
        }
    }
}

impl Drop for HeldSession {
    fn drop(&mut self) {
        self.admission.table().change(&self.session, |used| {
            used.open = used.open.saturating_sub(1);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(name: &str) -> CallerKey {
        CallerKey::Identity(name.to_owned())
    }

    fn open(admission: &SessionAdmission, name: &str, who: &str, now: Instant) -> SessionId {
        let session = SessionId::from(name);
        admission.table().begin(session.clone(), owner(who), now);
        session
    }

    /// Removes one session for a newcomer.
    fn remove(admission: &SessionAdmission, who: &str, now: Instant) -> Option<SessionId> {
        let newcomer = owner(who);
        admission.table().remove_one(&newcomer, None, now).ok()
    }

    #[test]
    fn abandoned_sessions_give_way_first() {
        let admission = SessionAdmission::new(RateLimit::default());
        let (start, soon) = (Instant::now(), Instant::now() + GRACE / 2);
        let old = open(&admission, "old", "ada", start);
        let [called, used, begun] =
            ["called", "used", "begun"].map(|name| open(&admission, name, "ada", start));
        let call = admission.hold(&called);
        drop(admission.hold(&used));
        admission.touch(&begun);
        let young = open(&admission, "young", "ada", soon);
        let later = start + GRACE;
        assert_eq!(remove(&admission, "eve", later), Some(old));
        assert_eq!(remove(&admission, "eve", later), Some(begun));
        assert_eq!(remove(&admission, "eve", later), Some(used));
        // What was just opened gives way to its owner only, and what is open to nobody.
        assert_eq!(remove(&admission, "eve", later), None);
        assert_eq!(remove(&admission, "ada", later), Some(young));
        assert_eq!(remove(&admission, "ada", later), None);
        drop(call);
        assert_eq!(remove(&admission, "eve", later), Some(called));
    }

    #[test]
    fn whoever_has_most_gives_way() {
        let admission = SessionAdmission::new(RateLimit::default());
        let now = Instant::now();
        for (name, who) in [("1", "grace"), ("2", "ada"), ("3", "ada")] {
            admission.touch(&open(&admission, name, who, now));
        }
        // Until their first use they are left to others for a while.
        assert_eq!(remove(&admission, "eve", now), None);
        let later = now + GRACE;
        assert_eq!(remove(&admission, "eve", later), Some("2".into()));
    }

    #[test]
    fn one_owner_leaves_room_for_others() {
        let admission = SessionAdmission::new(RateLimit::default());
        let now = Instant::now();
        for number in 0..EACH {
            admission.touch(&open(&admission, &number.to_string(), "ada", now));
        }
        let room = |who| admission.table().make_room(&owner(who), now);
        assert_eq!(room("grace"), Ok(Vec::new()));
        assert_eq!(room("ada"), Ok(vec!["0".into()]));
    }
}
