//! The calls that a worker has taken, and how they are stopped.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use callpact::Cancellation;

/// The calls that a worker has taken: their keys, by the sequence number of their message and its
/// delivery. A worker that was frozen may have a call twice.
#[derive(Clone, Default)]
pub(super) struct RunningCalls(Arc<Mutex<HashMap<(u64, i64), StoppableCall>>>);

struct StoppableCall {
    key: String,
    stop: Cancellation,
}

/// A running call, until it is dropped.
pub(super) struct TakenCall {
    running: RunningCalls,
    place: (u64, i64),
    pub(super) stop: Cancellation,
}

impl RunningCalls {
    fn calls(&self) -> MutexGuard<'_, HashMap<(u64, i64), StoppableCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn len(&self) -> usize {
        self.calls().len()
    }

    /// Adds a call by its key and the delivery of its message.
    pub(super) fn take(&self, key: &str, place: (u64, i64)) -> TakenCall {
        let stop = Cancellation::new();
        let call = StoppableCall {
            key: key.to_owned(),
            stop: stop.clone(),
        };
        self.calls().insert(place, call);
        TakenCall {
            running: self.clone(),
            place,
            stop,
        }
    }

    /// Stops a call by its key, if it is running here.
    pub(super) fn stop(&self, key: &[u8]) {
        for call in self.calls().values() {
            if call.key.as_bytes() == key {
                call.stop.cancel();
            }
        }
    }
}

impl Drop for TakenCall {
    fn drop(&mut self) {
        self.running.calls().remove(&self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_every_run_of_same_key() {
        let running = RunningCalls::default();
        let first = running.take("a", (7, 1));
        let again = running.take("a", (7, 2));
        let other = running.take("b", (8, 1));
        drop(first);
        assert_eq!(running.len(), 2);
        running.stop(b"a");
        running.stop(b"none");
        assert!(again.stop.is_cancelled() && !other.stop.is_cancelled());
        drop((again, other));
        assert_eq!(running.len(), 0);
    }
}
