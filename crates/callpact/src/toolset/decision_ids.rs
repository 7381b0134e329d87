//! The ids of waiting calls: a decision about a call counts once.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::crash::lock;

/// Makes an id that no other waiting call has, in this process or in another.
pub(crate) fn new_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Every `RandomState` has its own random keys.
    let random = || RandomState::new().hash_one(count);
    format!("{:016x}{:016x}", random(), random())
}

/// Reads an id that a list made.
pub(crate) fn read_id(id: &str) -> Option<u128> {
    let written = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    u128::from_str_radix(id, 16).ok().filter(|_| written)
}

/// The ids of waiting calls that got their decision. People make decisions, so there are few.
#[derive(Default)]
pub(crate) struct UsedDecisions(Mutex<HashSet<u128>>);

impl UsedDecisions {
    /// Whether this is the first decision about the call.
    pub(crate) fn first(&self, id: u128) -> bool {
        lock(&self.0).insert(id)
    }
}

#[cfg(test)]
mod tests {
    use super::{UsedDecisions, new_id, read_id};

    #[test]
    fn ids_are_unique_and_malformed_ids_are_rejected() {
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
