//! The clients with a session, which are told that the list of tools has changed.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rmcp::{Peer, RoleServer};
use tokio::{task::JoinSet, time::timeout};

/// How long a client has to take the news.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
pub(super) struct ClientTable(Mutex<Vec<Peer<RoleServer>>>);

impl ClientTable {
    /// Adds a client that has begun a session, and forgets those that are gone.
    pub(super) fn add(&self, peer: Peer<RoleServer>) {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        clients.retain(|client| !client.is_transport_closed());
        clients.push(peer);
    }

    /// Tells every client that the list of tools has changed.
    pub(super) async fn tell_of_tools(&self) {
        let clients = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let mut told = JoinSet::new();
        for client in clients {
            // A client that misses it asks again when its list is too old.
            told.spawn(timeout(PATIENCE, async move {
                let _ = client.notify_tool_list_changed().await;
            }));
        }
        told.join_all().await;
    }
}
