//! Which session gives way when there are too many.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::transport::streamable_http_server::session::SessionId;

/// The sessions of a server, with their last use.
#[derive(Clone, Default)]
pub(super) struct Uses(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    sessions: HashMap<SessionId, Use>,
    /// Counts the uses of all sessions.
    time: u64,
}

#[derive(Default)]
struct Use {
    last: u64,
    /// Whether another message followed the first one.
    begun: bool,
    /// Calls and event streams.
    open: usize,
}

/// A call or an event stream of a session. Until this is dropped, the session does not give way.
pub(super) struct Held {
    uses: Uses,
    session: SessionId,
}

impl Uses {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn count(&self) -> usize {
        self.table().sessions.len()
    }

    pub(super) fn begin(&self, session: SessionId) {
        let mut table = self.table();
        table.time += 1;
        let last = table.time;
        let new = Use {
            last,
            ..Use::default()
        };
        table.sessions.insert(session, new);
    }

    pub(super) fn end(&self, session: &SessionId) {
        self.table().sessions.remove(session);
    }

    /// Records a message of a session.
    pub(super) fn touch(&self, session: &SessionId) {
        self.change(session, |used| used.begun = true);
    }

    pub(super) fn hold(&self, session: &SessionId) -> Held {
        self.change(session, |used| {
            used.begun = true;
            used.open += 1;
        });
        Held {
            uses: self.clone(),
            session: session.clone(),
        }
    }

    fn change(&self, session: &SessionId, change: impl FnOnce(&mut Use)) {
        let mut table = self.table();
        table.time += 1;
        let time = table.time;
        if let Some(used) = table.sessions.get_mut(session) {
            used.last = time;
            change(used);
        }
    }

    /// Removes the session that gives way. It has no call or event stream. A session that its client never
    /// continued comes first, then the least recently used one.
    pub(super) fn take_idle(&self) -> Option<SessionId> {
        let mut table = self.table();
        let idle = table.sessions.iter().filter(|(_, used)| used.open == 0);
        let (session, _) = idle.min_by_key(|(_, used)| (used.begun, used.last))?;
        let session = session.clone();
        table.sessions.remove(&session);
        Some(session)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.uses.change(&self.session, |used| {
            used.open = used.open.saturating_sub(1);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_that_is_needed_least_gives_way() {
        let uses = Uses::default();
        let [called, old, young, never] = ["called", "old", "young", "never"].map(SessionId::from);
        for session in [&called, &old, &young, &never] {
            uses.begin(session.clone());
        }
        let call = uses.hold(&called);
        uses.touch(&old);
        uses.touch(&young);
        assert_eq!(uses.take_idle(), Some(never));
        assert_eq!(uses.take_idle(), Some(old));
        uses.end(&young);
        assert_eq!(uses.take_idle(), None);
        assert_eq!(uses.count(), 1);
        drop(call);
        assert_eq!(uses.take_idle(), Some(called));
    }
}
