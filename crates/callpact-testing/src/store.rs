//! A suite of checks that every call store must pass.

use std::time::Duration;

use serde_json::json;

use callpact::{
    review::ReviewDecision,
    store::{
        CallState, CallStore, Claim, ClaimRecord, Decided, Moment, StoreError, StoredCall, Taken,
    },
    tool::PendingCall,
};

/// A waiting call of `file_write`, for tests of stores.
///
/// # Panics
/// This never fails: the call is well formed.
pub fn waiting_call(id: &str, since: Moment) -> StoredCall {
    let call: PendingCall = serde_json::from_value(json!({
        "id": id,
        "call_id": format!("call of {id}"),
        "tool": "file_write",
        "arguments": "{\"path\": \"a \u{1F980}.txt\", \"text\": \"\\u0000\"}",
        "permission": "write",
        "required_role": "ops",
        "digest": "9f86d081",
    }))
    .expect("a waiting call");
    StoredCall::new(call, format!("key of {id}"), since)
}

fn decision(decision: ReviewDecision, by: &str, at: u64) -> Decided {
    Decided::new(decision, by, Moment(at)).acting_for("ops")
}

const LEASE: Duration = Duration::from_millis(100);

/// Asserts that a store keeps the promises of [`CallStore`]. It expects an empty store.
///
/// # Panics
/// With the first promise that is broken.
pub async fn assert_store(store: &dyn CallStore) {
    waits(store).await.expect("waiting calls");
    decides_once(store).await.expect("decisions");
    runs_once(store).await.expect("claims");
    forgets(store).await.expect("old calls");
}

/// The calls that are not settled, listed in both ways.
async fn list(store: &dyn CallStore) -> Result<Vec<StoredCall>, StoreError> {
    let calls = store.list().await?;
    if let Some(listed) = store.list_ids().await? {
        let listed: Vec<_> = listed.iter().map(|it| (&*it.id, it.is_decided)).collect();
        let expected = calls.iter();
        let expected = expected.map(|call| (&*call.call.id, call.decision.is_some()));
        assert_eq!(listed, expected.collect::<Vec<_>>(), "both lists");
    }
    Ok(calls)
}

async fn waits(store: &dyn CallStore) -> Result<(), StoreError> {
    assert!(list(store).await?.is_empty(), "the store is empty");
    assert_eq!(store.get("none").await?, None);
    let late = waiting_call("late", Moment(20)).asked_by("ada");
    let early = waiting_call("early", Moment(10)).until(Moment(500));
    let twin = waiting_call("twin", Moment(20));
    for call in [&late, &early, &twin] {
        store.put(call).await?;
    }
    let again = store.put(&early).await;
    assert!(matches!(again, Err(StoreError::Duplicate { id }) if id == "early"));
    assert_eq!(store.get("early").await?.as_ref(), Some(&early));
    let listed = list(store).await?;
    assert_eq!(
        listed,
        [early, late, twin],
        "the oldest first, then by arrival"
    );
    let states = [499, 500].map(|now| listed[0].state(Moment(now)));
    assert_eq!(states, [CallState::Waiting, CallState::Expired]);
    Ok(())
}

async fn decides_once(store: &dyn CallStore) -> Result<(), StoreError> {
    let text = "{\"path\": \"b\"}";
    let mut shown = waiting_call("late", Moment(20)).call;
    shown.edited = Some(text.to_owned());
    shown.preview = Some("-a \u{1F980}\n+\u{0}".into());
    let edit = decision(ReviewDecision::Edit(text.to_owned()), "grace", 30).showing(shown);
    let Taken::Won(won) = store.take("late", &edit).await? else {
        panic!("the first decision counts");
    };
    assert_eq!(won.decision.as_ref(), Some(&edit));
    let kept = store.get("late").await?;
    assert_eq!(
        kept.as_ref().map(StoredCall::seen),
        edit.edited.as_deref(),
        "what was shown of an edit is kept"
    );
    assert_eq!(won.state(Moment(99)), CallState::Decided);
    let second = decision(ReviewDecision::Continue, "eve", 31);
    assert_eq!(
        store.take("late", &second).await?,
        Taken::Lost(edit.clone())
    );
    assert_eq!(store.take("late", &edit).await?, Taken::Lost(edit));
    assert_eq!(store.take("none", &second).await?, Taken::Unknown);
    let too_late = decision(ReviewDecision::Continue, "eve", 500);
    assert_eq!(store.take("early", &too_late).await?, Taken::Expired);
    let no = decision(ReviewDecision::REJECT, "grace", 32);
    assert!(matches!(store.take("twin", &no).await?, Taken::Won(_)));
    let ids: Vec<String> = list(store)
        .await?
        .into_iter()
        .map(|call| call.call.id)
        .collect();
    // A rejected call is settled. An allowed one has no result yet.
    assert_eq!(ids, ["early", "late"]);
    Ok(())
}

async fn runs_once(store: &dyn CallStore) -> Result<(), StoreError> {
    let key = "key of late";
    assert_eq!(store.claim_record(key).await?, None);
    let Claim::Held(first) = store.claim(key, LEASE, Moment(1000)).await? else {
        panic!("the first claim holds the call");
    };
    let busy = Claim::Busy {
        until: Moment(1100),
    };
    assert_eq!(store.claim(key, LEASE, Moment(1099)).await?, busy);
    store.renew(key, first, LEASE, Moment(1050)).await?;
    let record = store.claim_record(key).await?;
    assert_eq!(record, Some(ClaimRecord::running(Moment(1150))));
    let busy = Claim::Busy {
        until: Moment(1150),
    };
    assert_eq!(store.claim(key, LEASE, Moment(1149)).await?, busy);
    let Claim::Abandoned(second) = store.claim(key, LEASE, Moment(1150)).await? else {
        panic!("the lease of the first holder is over");
    };
    assert_ne!(first, second);
    let late = store.finish(key, first, "late", Moment(1151)).await;
    assert!(matches!(late, Err(StoreError::Fenced)), "{late:?}");
    let late = store.renew(key, first, LEASE, Moment(1151)).await;
    assert!(matches!(late, Err(StoreError::Fenced)), "{late:?}");
    // Nobody else claimed the call, so the ended lease does not matter.
    store
        .finish(key, second, "done \u{1F980}", Moment(9000))
        .await?;
    let record = store.claim_record(key).await?;
    let finished = ClaimRecord::finished(Moment(1250), "done \u{1F980}", Moment(9000));
    assert_eq!(record, Some(finished));
    let done = Claim::Finished("done \u{1F980}".to_owned());
    assert_eq!(store.claim(key, LEASE, Moment(9001)).await?, done);
    let twice = store.finish(key, second, "twice", Moment(9002)).await;
    assert!(matches!(twice, Err(StoreError::Fenced)), "{twice:?}");
    let unclaimed = store.finish("no key", second, "x", Moment(9002)).await;
    assert!(
        matches!(unclaimed, Err(StoreError::Fenced)),
        "{unclaimed:?}"
    );
    let ids: Vec<String> = list(store)
        .await?
        .into_iter()
        .map(|call| call.call.id)
        .collect();
    assert_eq!(ids, ["early"], "a call with a result is settled");
    Ok(())
}

async fn forgets(store: &dyn CallStore) -> Result<(), StoreError> {
    store.put(&waiting_call("open", Moment(40))).await?;
    let Claim::Held(_) = store.claim("running", LEASE, Moment(50)).await? else {
        panic!("a new key is free");
    };
    // Rejected at 32, allowed at 30 and finished at 9000, expired at 500.
    assert_eq!(store.forget(Moment(30)).await?, 0);
    assert_eq!(store.forget(Moment(33)).await?, 2, "`late` and `twin`");
    assert_eq!(store.forget(Moment(500)).await?, 0);
    assert_eq!(store.forget(Moment(501)).await?, 1, "`early`");
    let done = store.claim("key of late", LEASE, Moment(9001)).await?;
    assert!(
        matches!(done, Claim::Finished(_)),
        "the result is still known"
    );
    assert_eq!(store.forget(Moment(9001)).await?, 1, "the result");
    assert_eq!(store.get("late").await?, None);
    let ids: Vec<String> = list(store)
        .await?
        .into_iter()
        .map(|call| call.call.id)
        .collect();
    assert_eq!(ids, ["open"], "a waiting call without an end stays");
    let running = store.claim("running", LEASE, Moment(60)).await?;
    assert!(
        matches!(running, Claim::Busy { .. }),
        "a claim without a result stays"
    );
    assert!(!store.remove("late").await?, "it was forgotten");
    assert!(store.remove("open").await?);
    assert_eq!(store.get("open").await?, None);
    store.put(&waiting_call("open", Moment(70))).await?;
    assert!(store.get("open").await?.is_some(), "its id is free again");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        future::Future,
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use callpact::store::MemoryStore;

    #[test]
    fn the_store_in_memory_keeps_the_promises() {
        let store = MemoryStore::new();
        let checks = pin!(super::assert_store(&store));
        let polled = checks.poll(&mut Context::from_waker(Waker::noop()));
        assert!(
            matches!(polled, Poll::Ready(())),
            "a store in memory never waits"
        );
    }
}
