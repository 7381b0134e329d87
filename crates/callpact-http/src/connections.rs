//! The open connections, and which one gives way when there are too many.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use tokio_util::sync::CancellationToken;

/// The most connections at the same time. It stays below the limit of 1,024 open files that most
/// systems set for a process.
const CONNECTIONS: usize = 900;
/// The most connections from one address, so that the others always have room.
const CONNECTIONS_EACH: usize = 800;

/// The most event streams that clients may hold open without a call.
const STREAMS: usize = 400;
/// The most event streams to one address.
const STREAMS_EACH: usize = 350;

/// The most bytes of answers that wait to be written, over all connections.
const UNWRITTEN: usize = 256 << 20;

/// The open connections of a server.
#[derive(Clone, Default)]
pub(crate) struct OpenConnections(Arc<Mutex<ConnectionTable>>);

#[derive(Default)]
struct ConnectionTable {
    /// By number, so the oldest connection comes first.
    open: BTreeMap<u64, Arc<ConnectionState>>,
    next: u64,
}

/// One open connection. Dropping it takes it out of the table.
pub(crate) struct OpenConnection {
    table: OpenConnections,
    number: u64,
    state: Arc<ConnectionState>,
}

struct ConnectionState {
    peer: IpAddr,
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

impl ConnectionState {
    fn new(peer: IpAddr) -> Self {
        Self {
            peer,
            closed: CancellationToken::new(),
            requests: AtomicUsize::new(0),
            streams: AtomicUsize::new(0),
            unwritten: AtomicUsize::new(0),
            stalled: AtomicBool::new(false),
        }
    }

    /// Whether a call or its answer is under way, for a client that reads.
    fn is_working(&self) -> bool {
        self.requests.load(SeqCst) > 0 && !self.stalled.load(SeqCst)
    }
}

impl OpenConnections {
    fn table(&self) -> MutexGuard<'_, ConnectionTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a connection. If there are too many, closes an idle one. `None` if every connection
    /// works.
    pub(crate) fn open(&self, peer: IpAddr) -> Option<OpenConnection> {
        let peer = peer.to_canonical();
        let mut table = self.table();
        let own = table.open.values().filter(|state| state.peer == peer);
        let room = (own.count() < CONNECTIONS_EACH || table.close_one(Some(peer)))
            && (table.open.len() < CONNECTIONS || table.close_one(None));
        if !room {
            return None;
        }
        let number = table.next;
        table.next += 1;
        let state = Arc::new(ConnectionState::new(peer));
        table.open.insert(number, Arc::clone(&state));
        Some(OpenConnection {
            table: self.clone(),
            number,
            state,
        })
    }

    /// Closes an idle connection; `false` if there is none.
    pub(crate) fn close_one(&self) -> bool {
        self.table().close_one(None)
    }

    /// Whether there are not more event streams than allowed, in all and to an address.
    fn has_room_for_streams(&self, peer: IpAddr) -> bool {
        let table = self.table();
        let (mut all, mut own) = (0, 0);
        for state in table.open.values() {
            let streams = state.streams.load(SeqCst);
            all += streams;
            own += if state.peer == peer { streams } else { 0 };
        }
        all <= STREAMS && own <= STREAMS_EACH
    }

    /// Closes the connection with the most unread bytes, if too much is unread in all.
    fn limit_unwritten(&self) {
        let table = self.table();
        let unwritten = |state: &Arc<ConnectionState>| state.unwritten.load(SeqCst);
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

impl ConnectionTable {
    /// Closes an idle connection, perhaps only among those of one address. It is one of the address with the most,
    /// one without an event stream if there is one, and the oldest of these.
    fn close_one(&mut self, among: Option<IpAddr>) -> bool {
        let mut counts = HashMap::new();
        for state in self.open.values() {
            *counts.entry(state.peer).or_insert(0_usize) += 1;
        }
        let idle = self.open.iter().filter(|(_, state)| {
            !state.is_working() && among.is_none_or(|peer| state.peer == peer)
        });
        let Some((number, _)) = idle.min_by_key(|(number, state)| {
            let count = counts.get(&state.peer).copied();
            (Reverse(count), state.streams.load(SeqCst) > 0, **number)
        }) else {
            return false;
        };
        let number = *number;
        if let Some(state) = self.open.remove(&number) {
            state.closed.cancel();
        }
        true
    }
}

impl OpenConnection {
    /// Waits until the connection must give way.
    pub(crate) async fn closed(&self) {
        self.state.closed.cancelled().await;
    }

    /// The counters of this connection, for its parts.
    pub(crate) fn counters(&self) -> ConnectionCounters {
        ConnectionCounters {
            table: self.table.clone(),
            state: Arc::clone(&self.state),
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.table.table().open.remove(&self.number);
    }
}

/// Records what a connection does.
#[derive(Clone)]
pub(crate) struct ConnectionCounters {
    table: OpenConnections,
    state: Arc<ConnectionState>,
}

impl ConnectionCounters {
    /// Counts a request until the guard is dropped.
    pub(crate) fn request(&self) -> CountedUse {
        CountedUse::new(&self.state, |state| &state.requests)
    }

    /// Counts an event stream until the guard is dropped; `None` if there are too many.
    pub(crate) fn stream(&self) -> Option<CountedUse> {
        let counted = CountedUse::new(&self.state, |state| &state.streams);
        let room = self.table.has_room_for_streams(self.state.peer);
        room.then_some(counted)
    }

    /// Adds bytes that wait to be written.
    pub(crate) fn add_unwritten(&self, bytes: usize) {
        self.state.unwritten.fetch_add(bytes, SeqCst);
        self.table.limit_unwritten();
    }

    /// Subtracts written bytes. The head of an answer was never added, so this saturates.
    pub(crate) fn subtract_unwritten(&self, bytes: usize) {
        let left = |unwritten: usize| Some(unwritten.saturating_sub(bytes));
        let _ = self.state.unwritten.fetch_update(SeqCst, SeqCst, left);
    }

    /// Records whether the client has stopped reading.
    pub(crate) fn set_stalled(&self, stalled: bool) {
        self.state.stalled.store(stalled, SeqCst);
    }
}

/// A counted request or stream. Dropping it ends the count.
pub(crate) struct CountedUse {
    state: Arc<ConnectionState>,
    counter: fn(&ConnectionState) -> &AtomicUsize,
}

impl CountedUse {
    fn new(state: &Arc<ConnectionState>, counter: fn(&ConnectionState) -> &AtomicUsize) -> Self {
        counter(state).fetch_add(1, SeqCst);
        Self {
            state: Arc::clone(state),
            counter,
        }
    }
}

impl Drop for CountedUse {
    fn drop(&mut self) {
        (self.counter)(&self.state).fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::{
        CONNECTIONS, CONNECTIONS_EACH, OpenConnection, OpenConnections, STREAMS, STREAMS_EACH,
    };

    /// One of some addresses.
    fn peer(number: usize) -> IpAddr {
        Ipv4Addr::new(192, 0, 2, u8::try_from(number).expect("a small number")).into()
    }

    fn open(connections: &OpenConnections, from: usize, count: usize) -> Vec<OpenConnection> {
        let open = (0..count).map(|_| connections.open(peer(from)));
        open.map(|one| one.expect("there is room")).collect()
    }

    #[test]
    fn the_oldest_connection_without_work_gives_way() {
        let connections = OpenConnections::default();
        let mut all = open(&connections, 1, CONNECTIONS_EACH);
        let counters: Vec<_> = all.iter().map(OpenConnection::counters).collect();
        // The first works, the second holds a stream, and the third does nothing.
        let _request = counters[0].request();
        let _stream = counters[1].stream().expect("the first stream");
        all.extend(connections.open(peer(1)));
        assert!(all[2].state.closed.is_cancelled());
        assert!(!all[0].state.closed.is_cancelled() && !all[1].state.closed.is_cancelled());
        // A stalled connection does not work.
        counters[0].set_stalled(true);
        all.extend(connections.open(peer(1)));
        assert!(all[0].state.closed.is_cancelled());
        // If every connection works, there is no room.
        let _requests: Vec<_> = all.iter().map(|one| one.counters().request()).collect();
        assert!(connections.open(peer(1)).is_none());
        drop(all);
        assert!(connections.open(peer(1)).is_some());
    }

    #[test]
    fn the_address_with_most_connections_gives_way() {
        let connections = OpenConnections::default();
        let few = open(&connections, 2, CONNECTIONS - CONNECTIONS_EACH);
        let many = open(&connections, 1, CONNECTIONS_EACH);
        let _new = connections.open(peer(3)).expect("another gives way");
        assert!(few.iter().all(|one| !one.state.closed.is_cancelled()));
        assert!(many[0].state.closed.is_cancelled());
    }

    #[test]
    fn streams_have_a_bound_of_their_own() {
        let connections = OpenConnections::default();
        let many = &open(&connections, 1, 1)[0];
        let other = &open(&connections, 2, 1)[0];
        let stream = |one: &OpenConnection| one.counters().stream();
        let _own: Vec<_> = (0..STREAMS_EACH)
            .map(|_| stream(many).expect("there is room"))
            .collect();
        assert!(stream(many).is_none());
        let mut rest: Vec<_> = (STREAMS_EACH..STREAMS)
            .map(|_| stream(other).expect("there is room"))
            .collect();
        assert!(stream(other).is_none());
        rest.pop();
        assert!(stream(other).is_some());
    }
}
