//! The call store in key-value buckets.

use std::{sync::Arc, time::Duration};

use callpact::{
    Halt, Outcome, ReviewDecision, ToolCall, ToolContext, Toolset,
    call::forget_stored,
    store::{CallStore, Claim, Decided, Moment, StoreError, Taken},
    tool,
};
use callpact_nats::NatsStore;
use callpact_testing::{assert_store, waiting_call};

use crate::{
    kit::server,
    outsider::{Outsider, digest},
};

#[tokio::test]
async fn store_keeps_call_store_contract() {
    let Some(nats) = server().await else { return };
    let store = NatsStore::open(nats.url()).await.unwrap();
    assert_store(&store).await;
}

#[tokio::test]
async fn a_damaged_record_does_not_stop_the_others() {
    let Some(nats) = server().await else { return };
    let store = NatsStore::open(nats.url()).await.unwrap();
    store.put(&waiting_call("good", Moment(1))).await.unwrap();
    let client = async_nats::connect(nats.url()).await.unwrap();
    let writer = async_nats::jetstream::new(client);
    for record in ["no JSON", "{}"] {
        let key = format!("$KV.callpact-waiting.damaged-{}", record.len());
        let written = writer.publish(key, record.into()).await.unwrap();
        written.await.unwrap();
    }
    let ids: Vec<_> = store.list().await.unwrap();
    let ids: Vec<_> = ids.iter().map(|call| &*call.call.id).collect();
    assert_eq!(ids, ["good"]);
    assert_eq!(store.forget(Moment(9)).await.unwrap(), 0);
}

#[tokio::test]
async fn names_damaged_records_and_allows_removal() {
    let Some(nats) = server().await else { return };
    let store = NatsStore::open(nats.url()).await.unwrap();
    let outsider = Outsider::at(&nats).await;
    let waiting = outsider.bucket("callpact-waiting").await;
    let decided = Decided::new(ReviewDecision::Continue, "ada", Moment(2));
    store.put(&waiting_call("other", Moment(1))).await.unwrap();
    let other = waiting.get(digest(&["other"])).await.unwrap().unwrap();
    for record in ["no JSON".into(), "{}".into(), other] {
        waiting.put(digest(&["a"]), record).await.unwrap();
        let got = store.get("a").await.map(|_| ());
        let taken = store.take("a", &decided).await.map(|_| ());
        for damaged in [got, taken] {
            let error = damaged.unwrap_err();
            assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
            let error = error.to_string();
            assert!(error.contains("the call `a` cannot be read"), "{error}");
        }
        let cx = ToolContext::new().with_store(NatsStore::open(nats.url()).await.unwrap());
        forget_stored("a", &cx).await.unwrap();
        assert!(store.get("a").await.unwrap().is_none());
    }
    // A call whose result is damaged stays in the list, and holds up no other.
    store.take("other", &decided).await.unwrap();
    let key = store.get("other").await.unwrap().unwrap().key;
    let claims = outsider.bucket("callpact-claims").await;
    claims.put(digest(&[&key]), "no JSON".into()).await.unwrap();
    assert_eq!(store.list().await.unwrap().len(), 1);
    let error = store.claim_record(&key).await.unwrap_err();
    assert!(matches!(error, StoreError::Damaged(_)), "{error:?}");
    let claimed = store.claim(&key, Duration::ZERO, Moment(3)).await;
    assert!(matches!(claimed, Err(StoreError::Damaged(_))));
    let cx = ToolContext::new().with_store(store);
    forget_stored("other", &cx).await.unwrap();
}

#[tokio::test]
async fn of_many_connections_one_wins() {
    let Some(nats) = server().await else { return };
    let mut stores = Vec::new();
    for _ in 0..4 {
        stores.push(Arc::new(NatsStore::open(nats.url()).await.unwrap()));
    }
    for round in 0..20 {
        let id = format!("call {round}");
        let call = waiting_call(&id, Moment(1));
        stores[0].put(&call).await.unwrap();
        let mut racing = tokio::task::JoinSet::new();
        for (by, store) in stores.iter().enumerate() {
            let (store, id) = (Arc::clone(store), id.clone());
            racing.spawn(async move {
                let decided = Decided::new(ReviewDecision::Continue, by.to_string(), Moment(2));
                let won = matches!(store.take(&id, &decided).await, Ok(Taken::Won(_)));
                let lease = Duration::from_secs(9);
                let held = matches!(store.claim(&id, lease, Moment(3)).await, Ok(Claim::Held(_)));
                (won, held)
            });
        }
        let all = racing.join_all().await;
        let won = all.iter().filter(|(won, _)| *won).count();
        let held = all.iter().filter(|(_, held)| *held).count();
        assert_eq!((won, held), (1, 1), "{id}");
    }
}

/// The page's claim about somebody who may publish there.
#[tokio::test]
async fn claim_publisher_can_rerun_call() {
    let Some(nats) = server().await else { return };
    let store = NatsStore::open(nats.url()).await.unwrap();
    let lease = Duration::from_secs(9);
    let Claim::Held(token) = store.claim("key", lease, Moment(1)).await.unwrap() else {
        panic!("it is free");
    };
    store.finish("key", token, "{}", Moment(2)).await.unwrap();
    let again = store.claim("key", lease, Moment(3)).await.unwrap();
    assert!(matches!(again, Claim::Finished(_)));
    let claims = Outsider::at(&nats).await.bucket("callpact-claims").await;
    claims.purge(digest(&["key"])).await.unwrap();
    let again = store.claim("key", lease, Moment(4)).await.unwrap();
    assert!(matches!(again, Claim::Held(_)));
}

/// Pays a bill
#[tool(destructive)]
fn pay(euros: u32) -> String {
    format!("paid {euros} EUR")
}

#[tokio::test]
async fn decides_waiting_call_over_other_connection() {
    let Some(nats) = server().await else { return };
    let tools = Toolset::single(Pay).unwrap();
    let context = |store| {
        ToolContext::new()
            .with_store(store)
            .with_deferred_approval()
            .with_run("run-7")
    };
    let asking = context(NatsStore::open(nats.url()).await.unwrap());
    let call = ToolCall::new("call-1", "pay", r#"{"euros": 90}"#);
    let Err(Halt::Pending(pending)) = tools.call(&call, &asking).await else {
        panic!("it waits");
    };
    let deciding = context(NatsStore::open(nats.url()).await.unwrap());
    let reply = tools
        .decide(&pending.id, ReviewDecision::Continue, &deciding)
        .await;
    assert_eq!(reply.unwrap().to_model(), "paid 90 EUR");
    let again = tools.call(&call, &asking).await.unwrap();
    assert_eq!(
        (again.outcome, &*again.to_model()),
        (Outcome::Success, "paid 90 EUR")
    );
}
