//! Somebody who may publish to the results tries to remove or spoil the record of a running call, so that the call
//! runs again when its worker dies.

use std::{pin::Pin, sync::atomic::Ordering::SeqCst, time::Duration};

use async_nats::{
    HeaderMap,
    jetstream::{consumer::PullConsumer, kv},
};
use callpact::{Outcome, ToolCall, ToolContext, Toolset};
use callpact_nats::{Serving, Worker, worker};
use futures_util::StreamExt;
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    kit::{LONG, server},
    outsider::Outsider,
    scene::{Scene, end, garbage},
};

const BUCKET: &str = "callpact-results";

/// A further worker of the list of a scene.
fn heir(scene: &Scene) -> Worker {
    let tools = Toolset::builder().tools(scene.counted.clone());
    let heir = worker(tools.build().unwrap(), ToolContext::new()).connect(scene.nats.url());
    heir.lease(Duration::from_secs(1))
}

/// An action on the record of a call: by its key, while it runs and another worker waits.
type Deed = for<'a> fn(&'a Scene, &'a str, &'a Serving) -> Pin<Box<dyn Future<Output = ()> + 'a>>;

/// The worker of a call that may run only once dies after a deed, and another one is there.
fn never_runs_twice(deed: Deed) -> Pin<Box<impl Future<Output = ()>>> {
    Box::pin(async move {
        let Some(scene) = Scene::set().await else {
            return;
        };
        let (key, calling) = scene.begin(600).await;
        let begun = scene.runs();
        let heir = heir(&scene).start().await.unwrap();
        deed(&scene, &key, &heir).await;
        drop(scene.serving);
        scene.counted.gate.add_permits(9);
        let reply = end(calling).await;
        assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
        assert_eq!(scene.counted.runs.load(SeqCst), begun, "it ran once");
    })
}

/// Publishes on the key of a record, with headers. Says whether the server took it.
async fn publish(scene: &Scene, key: &str, headers: &[(&str, &str)]) -> bool {
    let mut all = HeaderMap::new();
    for (name, value) in headers {
        all.insert(*name, *value);
    }
    let subject = format!("$KV.{BUCKET}.{key}");
    let jetstream = &scene.outsider.jetstream;
    let sent = jetstream.publish_with_headers(subject, all, "".into());
    sent.await.unwrap().await.is_ok()
}

#[tokio::test]
async fn rejects_rollup_and_expiring_record() {
    let deeds: [Deed; 3] = [
        |scene, _, _| {
            Box::pin(async { assert!(!publish(scene, "other", &[("Nats-Rollup", "all")]).await) })
        },
        |scene, key, _| {
            Box::pin(async move { assert!(!publish(scene, key, &[("Nats-Rollup", "sub")]).await) })
        },
        |scene, key, _| {
            Box::pin(async move { assert!(!publish(scene, key, &[("Nats-TTL", "1")]).await) })
        },
    ];
    for deed in deeds {
        never_runs_twice(deed).await;
    }
}

#[tokio::test]
async fn a_purge_of_records_is_refused() {
    let deed: Deed = |scene, key, _| {
        Box::pin(async move {
            let results = scene.outsider.bucket(BUCKET).await;
            let record = results.entry(key).await.unwrap().unwrap();
            assert!(results.purge(key).await.is_err());
            assert!(results.stream.purge().await.is_err());
            assert!(
                results
                    .stream
                    .delete_message(record.revision)
                    .await
                    .is_err()
            );
        })
    };
    never_runs_twice(deed).await;
}

#[tokio::test]
async fn deletion_mark_does_not_free_call() {
    let deed: Deed = |scene, key, _| {
        Box::pin(async move {
            let results = scene.outsider.bucket(BUCKET).await;
            results.delete(key).await.unwrap();
        })
    };
    never_runs_twice(deed).await;
    let deed: Deed = |scene, key, _| {
        Box::pin(async move {
            assert!(publish(scene, key, &[("Nats-Marker-Reason", "MaxAge")]).await);
        })
    };
    never_runs_twice(deed).await;
}

#[tokio::test]
async fn garbage_does_not_free_a_call() {
    let deed: Deed = |scene, key, _| {
        Box::pin(async move {
            let results = scene.outsider.bucket(BUCKET).await;
            // Each over the one before.
            for bytes in garbage(&scene.call).into_iter().take(9).rev() {
                results.put(key, bytes).await.unwrap();
            }
        })
    };
    never_runs_twice(deed).await;
}

#[tokio::test]
async fn forged_claim_of_next_worker_frees_no_call() {
    let deed: Deed = |scene, key, heir| {
        Box::pin(async move {
            let results = scene.outsider.bucket(BUCKET).await;
            let record = results.get(key).await.unwrap().unwrap();
            let mut record: Value = serde_json::from_slice(&record).unwrap();
            assert_eq!(record["count"], 1, "{record}");
            record["worker"] = heir.id().into();
            record["count"] = 2.into();
            results.put(key, record.to_string().into()).await.unwrap();
        })
    };
    never_runs_twice(deed).await;
}

#[tokio::test]
async fn host_reports_spoiled_call_as_unknown() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let results = scene.outsider.bucket(BUCKET).await;
    for spoil in [true, false] {
        let (key, calling) = scene.begin(3).await;
        if spoil {
            results.delete(&key).await.unwrap();
        } else {
            results.put(&key, "{".into()).await.unwrap();
        }
        let reply = end(calling).await;
        assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
    }
}

#[tokio::test]
async fn reading_call_reruns_over_spoiled_record() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let results = scene.outsider.bucket(BUCKET).await;
    let mut call = scene.call.clone();
    call["key"] = "again".into();
    results.put("again", "{".into()).await.unwrap();
    let done = scene.outsider.make_call(&scene.subject, &call).await;
    assert_eq!(done["output"], "42", "{done}");
}

#[tokio::test]
async fn runs_call_returned_by_closing_worker() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let announced = format!("{}.1.other", scene.group());
    let group = scene.group().replace('.', "-");
    let further = heir(&scene);
    drop(scene.serving);
    let outsider = &scene.outsider;
    let stream = outsider.jetstream.get_stream("callpact-calls").await;
    let consumer: PullConsumer = stream.unwrap().get_consumer(&group).await.unwrap();
    let tools = scene.tools.clone();
    let cx = ToolContext::new().with_timeout(LONG);
    let calling = tokio::spawn(async move {
        let wanted = ToolCall::new("call-1", "pay", "{}");
        tools.call(&wanted, &cx).await.unwrap()
    });
    let mut calls = consumer.messages().await.unwrap();
    let handed = timeout(LONG, calls.next()).await.unwrap();
    let handed = handed.unwrap().unwrap();
    // A worker that closes reports a call that it has not started.
    let back = async_nats::jetstream::AckKind::Nak(None);
    handed.ack_with(back).await.unwrap();
    drop(calls);
    outsider.announce(&announced).await;
    scene.counted.gate.add_permits(1);
    let _further = further.start().await.unwrap();
    let reply = end(calling).await;
    assert_eq!(&*reply.to_model(), "paid in run 2");
}

#[tokio::test]
async fn a_bucket_of_an_older_version_is_changed() {
    let Some(nats) = server().await else { return };
    let outsider = Outsider::at(&nats).await;
    let older = kv::Config {
        bucket: BUCKET.to_owned(),
        history: 1,
        max_age: Duration::from_secs(3600),
        ..kv::Config::default()
    };
    let older = outsider.jetstream.create_key_value(older).await.unwrap();
    let kept = older.put("kept", "{".into()).await.unwrap();
    let tools = Toolset::builder().build().unwrap();
    let worker = worker(tools, ToolContext::new()).connect(nats.url());
    let _serving = worker.start().await.unwrap();
    let newer = outsider.bucket(BUCKET).await;
    let config = &newer.stream.cached_info().config;
    assert!(!config.allow_rollup && config.deny_purge && config.deny_delete);
    assert_eq!(config.max_age, Duration::from_secs(3600));
    assert_eq!(newer.entry("kept").await.unwrap().unwrap().revision, kept);
    assert!(newer.purge("kept").await.is_err());
}
