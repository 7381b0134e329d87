//! What the desk reads of a store in which many calls wait.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use callpact::{
    ToolContext,
    store::{
        CallStore, Claim, ClaimRecord, ClaimToken, Decided, ListedCall, Moment, StoreFuture,
        StoredCall, Taken,
    },
};
use callpact_desk::Desk;
use callpact_store::SqliteStore;
use serde_json::json;

use crate::{
    kit::{Diary, Served, tools},
    stored::defer,
};

/// A store that counts the calls that are read.
struct ReadStore {
    store: SqliteStore,
    read: AtomicUsize,
}

impl CallStore for ReadStore {
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
        self.store.put(call)
    }
    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        self.read.fetch_add(1, Relaxed);
        self.store.get(id)
    }
    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        Box::pin(async {
            let calls = self.store.list().await?;
            self.read.fetch_add(calls.len(), Relaxed);
            Ok(calls)
        })
    }
    fn list_ids(&self) -> StoreFuture<'_, Option<Vec<ListedCall>>> {
        self.store.list_ids()
    }
    fn version(&self) -> StoreFuture<'_, Option<u64>> {
        self.store.version()
    }
    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        self.store.take(id, decision)
    }
    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        self.store.claim(key, lease, now)
    }
    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        self.store.claim_record(key)
    }
    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        self.store.renew(key, token, lease, now)
    }
    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        self.store.finish(key, token, result, now)
    }
    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        self.store.forget(before)
    }
}

#[test]
fn a_decision_reads_no_other_waiting_calls() {
    const CALLS: usize = 200;
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(ReadStore {
        store: SqliteStore::open(dir.path().join("calls.db")).unwrap(),
        read: AtomicUsize::new(0),
    });
    let tools = tools(&Diary::default());
    let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(Arc::clone(&store));
    let served = Served::new(desk);
    for number in 0..CALLS {
        defer(&served, &tools, &store, &format!("line {number}"));
    }
    let client = served.client();
    let page = client.post("inbox", "{}").json();
    assert_eq!(page["stored"], CALLS);
    let mut last = store.read.load(Relaxed);
    assert!(last >= CALLS, "{last}");
    for left in (CALLS - 5..CALLS).rev() {
        let first = client.post("inbox", "{}").json()["rows"][0]["id"].clone();
        let card = client.post("waiting", &json!({ "id": first }).to_string());
        let body = json!({
            "id": first, "digest": card.json()["digest"], "decision": { "decision": "continue" },
        });
        let answer = client.settle("decide", &body.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        let page = client.post("inbox", "{}").json();
        assert_eq!(page["stored"], left);
        let read = store.read.load(Relaxed);
        assert!(read - last < 12, "{} calls were read", read - last);
        last = read;
    }
    // Another process decides, and a new call comes.
    let other = Arc::new(SqliteStore::open(dir.path().join("calls.db")).unwrap());
    let id = client.post("inbox", "{}").json()["rows"][0]["id"].clone();
    let no = Decided::new(callpact::ReviewDecision::REJECT, "grace", Moment::now());
    let taken = served
        .runtime
        .block_on(other.take(id.as_str().unwrap(), &no));
    assert!(matches!(taken, Ok(Taken::Won(_))), "{taken:?}");
    let new = defer(&served, &tools, &other, "a new line");
    let page = client.post("inbox", r#"{"search": "a new line"}"#).json();
    assert_eq!(page["rows"][0]["id"], new);
    assert_eq!(page["stored"], CALLS - 5);
    assert!(store.read.load(Relaxed) - last < 12);
}
