//! The open connections, and which one gives way when there are too many.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use tokio_util::sync::CancellationToken;

/// The most connections at the same time. It stays below the limit of 1,024 open files that most
/// systems set for a process.
const CONNECTIONS: usize = 900;

/// The most event streams that clients may hold open without a call.
const STREAMS: usize = 400;

/// The most bytes of answers that wait to be written, over all connections.
const UNWRITTEN: usize = 256 << 20;

/// The open connections of a server.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    /// By number, so the oldest connection comes first.
    open: BTreeMap<u64, Arc<State>>,
    next: u64,
}

/// One open connection. Dropping it takes it out of the table.
pub(super) struct Connection {
    table: Connections,
    number: u64,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Cancelled when the connection must give way.
    closed: CancellationToken,
    /// Requests whose answers are not complete.
    requests: AtomicUsize,
    /// Event streams without a call.
    streams: AtomicUsize,
    /// Bytes of answers that were not written yet.
    unwritten: AtomicUsize,
    /// Whether the client has stopped reading.
    stalled: AtomicBool,
}

impl State {
    /// Whether a call or its answer is under way, for a client that reads.
    fn is_working(&self) -> bool {
        self.requests.load(SeqCst) > 0 && !self.stalled.load(SeqCst)
    }
}

impl Connections {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a connection. If there are too many, closes an idle one. `None` if every connection
    /// works.
    pub(super) fn open(&self) -> Option<Connection> {
        let mut table = self.table();
        if table.open.len() >= CONNECTIONS && !table.close_one() {
            return None;
        }
        let number = table.next;
        table.next += 1;
        let state = Arc::new(State::default());
        table.open.insert(number, Arc::clone(&state));
        Some(Connection {
            table: self.clone(),
            number,
            state,
        })
    }

    /// Closes an idle connection; `false` if there is none.
    pub(super) fn close_one(&self) -> bool {
        self.table().close_one()
    }

    fn streams(&self) -> usize {
        let table = self.table();
        let streams = table.open.values().map(|state| state.streams.load(SeqCst));
        streams.sum()
    }

    /// Closes the connection with the most unread bytes, if too much is unread in all.
    fn limit_unwritten(&self) {
        let table = self.table();
        let unwritten = |state: &Arc<State>| state.unwritten.load(SeqCst);
        if table.open.values().map(unwritten).sum::<usize>() <= UNWRITTEN {
            return;
        }
        let stalled = table
            .open
            .values()
            .filter(|state| state.stalled.load(SeqCst) && !state.closed.is_cancelled());
        if let Some(state) = stalled.max_by_key(|state| unwritten(state)) {
            state.closed.cancel();
        }
    }
}

impl Table {
    /// Closes the oldest idle connection, one without an event stream if there is one.
    fn close_one(&mut self) -> bool {
        let idle = self.open.iter().filter(|(_, state)| !state.is_working());
        let Some((number, _)) =
            idle.min_by_key(|(number, state)| (state.streams.load(SeqCst) > 0, **number))
        else {
            return false;
        };
        let number = *number;
        if let Some(state) = self.open.remove(&number) {
            state.closed.cancel();
        }
        true
    }
}

impl Connection {
    /// Waits until the connection must give way.
    pub(super) async fn closed(&self) {
        self.state.closed.cancelled().await;
    }

    /// The counters of this connection, for its parts.
    pub(super) fn counters(&self) -> Counters {
        Counters {
            table: self.table.clone(),
            state: Arc::clone(&self.state),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.table.table().open.remove(&self.number);
    }
}

/// Records what a connection does.
#[derive(Clone)]
pub(super) struct Counters {
    table: Connections,
    state: Arc<State>,
}

impl Counters {
    /// Counts a request until the guard is dropped.
    pub(super) fn request(&self) -> Counted {
        Counted::new(&self.state, |state| &state.requests)
    }

    /// Counts an event stream until the guard is dropped; `None` if there are too many.
    pub(super) fn stream(&self) -> Option<Counted> {
        let counted = Counted::new(&self.state, |state| &state.streams);
        (self.table.streams() <= STREAMS).then_some(counted)
    }

    /// Adds bytes that wait to be written.
    pub(super) fn add_unwritten(&self, bytes: usize) {
        self.state.unwritten.fetch_add(bytes, SeqCst);
        self.table.limit_unwritten();
    }

    /// Subtracts written bytes. The head of an answer was never added, so this saturates.
    pub(super) fn subtract_unwritten(&self, bytes: usize) {
        let left = |unwritten: usize| Some(unwritten.saturating_sub(bytes));
        let _ = self.state.unwritten.fetch_update(SeqCst, SeqCst, left);
    }

    /// Records whether the client has stopped reading.
    pub(super) fn set_stalled(&self, stalled: bool) {
        self.state.stalled.store(stalled, SeqCst);
    }
}

/// A counted request or stream. Dropping it ends the count.
pub(super) struct Counted {
    state: Arc<State>,
    counter: fn(&State) -> &AtomicUsize,
}

impl Counted {
    fn new(state: &Arc<State>, counter: fn(&State) -> &AtomicUsize) -> Self {
        counter(state).fetch_add(1, SeqCst);
        Self {
            state: Arc::clone(state),
            counter,
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.counter)(&self.state).fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::{CONNECTIONS, Connections, STREAMS};

    #[test]
    fn the_oldest_connection_without_work_gives_way() {
        let connections = Connections::default();
        let mut open: Vec<_> = (0..CONNECTIONS)
            .map(|_| connections.open().expect("there is room"))
            .collect();
        let counters: Vec<_> = open.iter().map(super::Connection::counters).collect();
        // The first works, the second holds a stream, and the third does nothing.
        let _request = counters[0].request();
        let _stream = counters[1].stream().expect("the first stream");
        open.push(connections.open().expect("another gives way"));
        assert!(open[2].state.closed.is_cancelled());
        assert!(!open[0].state.closed.is_cancelled() && !open[1].state.closed.is_cancelled());
        // A stalled connection does not work.
        counters[0].set_stalled(true);
        open.push(connections.open().expect("another gives way"));
        assert!(open[0].state.closed.is_cancelled());
        // If every connection works, there is no room.
        let _requests: Vec<_> = open.iter().map(|one| one.counters().request()).collect();
        assert!(connections.open().is_none());
        drop(open);
        assert!(connections.open().is_some());
    }

    #[test]
    fn streams_have_a_bound_of_their_own() {
        let connections = Connections::default();
        let (one, other) = (connections.open(), connections.open());
        let (one, other) = (one.expect("there is room"), other.expect("there is room"));
        let mut streams: Vec<_> = (0..STREAMS)
            .map(|_| one.counters().stream().expect("there is room"))
            .collect();
        assert!(other.counters().stream().is_none());
        streams.pop();
        assert!(other.counters().stream().is_some());
    }
}
