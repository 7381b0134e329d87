//! The store in memory.

use std::{
    collections::{BTreeMap, HashMap},
    future::ready,
    sync::Mutex,
    time::Duration,
};

use super::{
    CallState, CallStore, Claim, ClaimRecord, ClaimToken, Decided, Moment, StoreError, StoreFuture,
    StoredCall, Taken,
};
use crate::crash::lock;

/// A store in memory: for tests, and for programs that keep one process.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<CallShelves>);

#[derive(Debug, Default)]
struct CallShelves {
    /// By time and order of arrival.
    calls: BTreeMap<(Moment, u64), StoredCall>,
    places: HashMap<String, (Moment, u64)>,
    arrivals: u64,
    claims: HashMap<String, StoredRun>,
}

#[derive(Debug)]
struct StoredRun {
    token: u64,
    record: ClaimRecord,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl CallShelves {
    fn put(&mut self, call: &StoredCall) -> Result<(), StoreError> {
        let id = &call.call.id;
        if self.places.contains_key(id) {
            return Err(StoreError::Duplicate { id: id.clone() });
        }
        let place = (call.since, self.arrivals);
        self.arrivals += 1;
        self.places.insert(id.clone(), place);
        self.calls.insert(place, call.clone());
        Ok(())
    }

    fn take(&mut self, id: &str, decision: &Decided) -> Taken {
        let place = self.places.get(id);
        let Some(call) = place.and_then(|place| self.calls.get_mut(place)) else {
            return Taken::Unknown;
        };
        match (&call.decision, call.state(decision.at)) {
            (Some(first), _) => Taken::Lost(first.clone()),
            (None, CallState::Expired) => Taken::Expired,
            (None, CallState::Waiting | CallState::Decided) => {
                call.decision = Some(decision.clone());
                Taken::Won(Box::new(call.clone()))
            }
        }
    }

    fn claim(&mut self, key: &str, lease: Duration, now: Moment) -> Claim {
        let until = now.after(lease);
        let Some(run) = self.claims.get_mut(key) else {
            let record = ClaimRecord::running(until);
            self.claims
                .insert(key.to_owned(), StoredRun { token: 1, record });
            return Claim::Held(ClaimToken(1));
        };
        if let Some((result, _)) = &run.record.result {
            return Claim::Finished(result.clone());
        }
        if run.record.until > now {
            return Claim::Busy {
                until: run.record.until,
            };
        }
        run.token += 1;
        run.record.until = until;
        Claim::Abandoned(ClaimToken(run.token))
    }

    fn held(&mut self, key: &str, token: ClaimToken) -> Result<&mut ClaimRecord, StoreError> {
        self.claims
            .get_mut(key)
            .filter(|run| run.token == token.0 && run.record.result.is_none())
            .map(|run| &mut run.record)
            .ok_or(StoreError::Fenced)
    }

    fn remove(&mut self, id: &str) -> bool {
        let place = self.places.remove(id);
        place.is_some_and(|place| self.calls.remove(&place).is_some())
    }

    fn is_settled(&self, call: &StoredCall) -> bool {
        let finished = || {
            let run = self.claims.get(&call.key);
            run.is_some_and(|run| run.record.result.is_some())
        };
        let decided = call.decision.as_ref();
        decided.is_some_and(|decided| !decided.decision.goes_on() || finished())
    }

    fn forget(&mut self, before: Moment) -> u64 {
        let is_old = |call: &&StoredCall| match &call.decision {
            Some(decided) => decided.at < before && self.is_settled(call),
            None => call.until.is_some_and(|until| until < before),
        };
        let old: Vec<_> = self.calls.values().filter(is_old).collect();
        let old: Vec<String> = old.iter().map(|call| call.call.id.clone()).collect();
        for id in &old {
            self.remove(id);
        }
        let count = self.claims.len();
        self.claims.retain(|_, run| {
            let finished = run.record.result.as_ref().map(|(_, at)| *at);
            finished.is_none_or(|at| at >= before)
        });
        (old.len() + count - self.claims.len()) as u64
    }
}

impl CallStore for MemoryStore {
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
        Box::pin(ready(lock(&self.0).put(call)))
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        let shelves = lock(&self.0);
        let place = shelves.places.get(id);
        let call = place.and_then(|place| shelves.calls.get(place)).cloned();
        Box::pin(ready(Ok(call)))
    }

    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        let shelves = lock(&self.0);
        let open = shelves.calls.values();
        let open = open.filter(|call| !shelves.is_settled(call));
        let open = open.cloned().collect();
        Box::pin(ready(Ok(open)))
    }

    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        Box::pin(ready(Ok(lock(&self.0).take(id, decision))))
    }

    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        let claim = lock(&self.0).claim(key, lease, now);
        Box::pin(ready(Ok(claim)))
    }

    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        let shelves = lock(&self.0);
        let record = shelves.claims.get(key).map(|run| run.record.clone());
        Box::pin(ready(Ok(record)))
    }

    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        let mut shelves = lock(&self.0);
        let renewed = shelves
            .held(key, token)
            .map(|record| record.until = now.after(lease));
        Box::pin(ready(renewed))
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        let mut shelves = lock(&self.0);
        let finished = shelves.held(key, token).map(|record| {
            record.result = Some((result.to_owned(), now));
        });
        Box::pin(ready(finished))
    }

    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        let forgotten = lock(&self.0).forget(before);
        Box::pin(ready(Ok(forgotten)))
    }

    fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
        let removed = lock(&self.0).remove(id);
        Box::pin(ready(Ok(removed)))
    }
}
