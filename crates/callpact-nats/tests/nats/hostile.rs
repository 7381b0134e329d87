//! The powers of somebody who may publish on the subjects: nothing panics, nothing hangs, and hosts believe
//! what the page says.

use std::time::Duration;

use async_nats::jetstream::kv::UpdateErrorKind;
use bytes::Bytes;
use callpact::{
    Outcome, ReviewDecision, ToolContext, Toolset,
    store::{CallStore, Decided, Moment},
};
use callpact_nats::{NatsError, NatsStore, Workers, worker};
use callpact_testing::waiting_call;
use futures_util::{FutureExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    kit::{LONG, server},
    outsider::{Outsider, digest, forge, list_digest, listed, next, page},
    scene::{Scene, add, end, garbage, host},
};

#[tokio::test]
async fn what_is_not_a_call_is_dropped() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let garbage = garbage(&scene.call);
    let sent = garbage.len();
    for bytes in garbage {
        let kept = scene
            .outsider
            .jetstream
            .publish(scene.subject.clone(), bytes);
        kept.await.unwrap().await.unwrap();
    }
    assert_eq!(add(&scene.tools).await.1, "42");
    // No call is delivered again.
    let stream = scene.outsider.jetstream.get_stream("callpact-calls").await;
    let mut stream = stream.unwrap();
    let empty = async {
        while stream.info().await.unwrap().state.messages > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let emptied = timeout(LONG, empty).await;
    emptied.unwrap_or_else(|_| panic!("some of {sent} messages stay"));
    assert_eq!(scene.runs(), 2);
}

#[tokio::test]
async fn worker_rejects_unapproved_or_unfit_calls() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let real = &scene.call;
    let long = "x".repeat(100_000);
    for (number, (fields, outcome, why)) in [
        (
            json!({"arguments": "{\"a\":1,\"b\":1}", "digest": real["digest"]}),
            "refused",
            "not the one that was approved",
        ),
        (
            json!({"tool": "pay"}),
            "refused",
            "it has changed since the list",
        ),
        (
            json!({"tool": long}),
            "refused",
            "this worker does not have it",
        ),
        (
            json!({"fingerprint": "00"}),
            "refused",
            "it has changed since the list",
        ),
        (
            json!({"arguments": "{\"a\": 1, \"b\": 101}"}),
            "invalid_arguments",
            "b: expected",
        ),
        // A form that a host repairs is refused by a worker, since nobody approved the repaired
        // form.
        (
            json!({"arguments": "{\"a\": \"1\", \"b\": 1}"}),
            "invalid_arguments",
            "a: expected",
        ),
        (
            json!({"arguments": "{\"a\": 1, \"b\": 1,}"}),
            "invalid_arguments",
            "expected",
        ),
        (
            json!({"arguments": "{\"a\": 1, \"a\": 2, \"b\": 1}"}),
            "invalid_arguments",
            "a: ",
        ),
        (
            json!({"arguments": "[".repeat(50_000)}),
            "invalid_arguments",
            "",
        ),
        (json!({"arguments": ""}), "invalid_arguments", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let forged = forge(real, &format!("forged{number}"), &fields);
        let done = scene.outsider.make_call(&scene.subject, &forged).await;
        let text = done["error"].as_str().unwrap_or_default();
        assert!(
            done["outcome"] == outcome && text.contains(why),
            "{number}: {done}"
        );
        assert!(text.len() < 2_000, "{number}: {} bytes", text.len());
    }
    assert_eq!(scene.runs(), 1);
    // Whoever may publish calls can make one, as the page says. No number in it is too large.
    let wild = json!({"timeout": u64::MAX, "id": "\u{1b}[2J", "trace": "\u{0}", "caller": long, "role": long});
    let done = scene
        .outsider
        .make_call(&scene.subject, &forge(real, "wild", &wild))
        .await;
    assert_eq!(
        (&done["outcome"], &done["output"]),
        (&json!("success"), &json!("42"))
    );
    // A key is for one call: another call under it does not run.
    let other = json!({"arguments": "{\"a\": 1, \"b\": 1}"});
    let done = scene
        .outsider
        .make_call(&scene.subject, &forge(real, "wild", &other))
        .await;
    assert_eq!(done["outcome"], "refused");
    assert_eq!(scene.runs(), 2);
}

#[tokio::test]
async fn notes_that_are_none_change_nothing() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let (key, calling) = scene.begin(600).await;
    let reply = format!("callpact.reply.{key}");
    for bytes in garbage(&scene.call) {
        scene.outsider.say(&reply, bytes).await;
    }
    for note in [
        json!({"done": {}}),
        json!({"done": {"outcome": "splendid", "output": "paid"}}),
        json!({"progress": {"done": "1e999"}}),
        json!({"started": {}}),
    ] {
        scene.outsider.say(&reply, note.to_string()).await;
    }
    let twice = r#"{"done": {"outcome": "success", "outcome": "failure"}}"#;
    scene.outsider.say(&reply, twice).await;
    let endless = r#"{"progress": {"done": 1e999, "total": null, "message": null}}"#;
    scene.outsider.say(&reply, endless).await;
    scene.counted.gate.add_permits(1);
    let reply = end(calling).await;
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Success, "paid in run 2")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn note_flood_does_not_delay_end_of_call() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    // The worker is gone with the call, so that only the host can end it.
    let (key, calling) = scene.begin(3).await;
    drop(scene.serving);
    let client = scene.outsider.client.clone();
    let flood = tokio::spawn(async move {
        let note = r#"{"progress": {"done": 1.0, "total": null, "message": null}}"#;
        loop {
            let subject = format!("callpact.reply.{key}");
            if client.publish(subject, note.into()).await.is_err() {
                return;
            }
        }
    });
    let reply = end(calling).await;
    flood.abort();
    assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
}

#[tokio::test]
async fn believes_forged_result_but_not_late_result() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let (key, calling) = scene.begin(600).await;
    let results = scene.outsider.bucket("callpact-results").await;
    let claimed = results.entry(&key).await.unwrap().unwrap();
    let forged =
        json!({"done": {"outcome": "success", "error": "both", "output": "paid by nobody"}});
    scene
        .outsider
        .say(&format!("callpact.reply.{key}"), forged.to_string())
        .await;
    // As the page says, whoever may publish on the subject of results decides what a host believes.
    let reply = end(calling).await;
    assert_eq!(reply.result.error(), Some("both"));
    scene.counted.gate.add_permits(1);
    let finished = async {
        loop {
            let entry = results.entry(&key).await.unwrap().unwrap();
            if entry.revision > claimed.revision {
                return entry;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let finished = timeout(LONG, finished).await.expect("the worker finishes");
    // A result by the revision of the claim comes too late.
    let late = results.update(&key, claimed.value, claimed.revision).await;
    assert_eq!(late.unwrap_err().kind(), UpdateErrorKind::WrongLastRevision);
    let kept = results.entry(&key).await.unwrap().unwrap();
    assert_eq!(kept.value, finished.value);
}

#[tokio::test]
async fn invalid_record_ends_call_as_unknown_without_rerun() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let results = scene.outsider.bucket("callpact-results").await;
    let mut forged = garbage(&scene.call).into_iter().take(9).collect::<Vec<_>>();
    forged.push(r#"{"digest": "0", "digest": "0", "state": "withdrawn", "by": "x"}"#.into());
    let begun = scene.runs();
    let mut calls = Vec::new();
    for bytes in &forged {
        let (key, calling) = scene.begin(4).await;
        results.put(&key, bytes.clone()).await.unwrap();
        calls.push(calling);
    }
    for calling in calls {
        let reply = end(calling).await;
        assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
    }
    assert_eq!(scene.runs() - begun, u32::try_from(forged.len()).unwrap());
    // A record of another call under the key of this one.
    let (key, calling) = scene.begin(600).await;
    let other = json!({"digest": "0", "state": "withdrawn", "by": "x"});
    results.put(&key, other.to_string().into()).await.unwrap();
    let reply = end(calling).await;
    assert_eq!(reply.outcome, Outcome::Refused, "{}", reply.to_model());
    assert_eq!(add(&scene.tools).await.1, "42");
}

#[tokio::test]
async fn a_stop_needs_the_key_of_the_call() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let (key, calling) = scene.begin(600).await;
    let subject = format!("callpact.stop.{}", scene.group());
    for bytes in garbage(&scene.call) {
        scene.outsider.say(&subject, bytes).await;
    }
    scene
        .outsider
        .say(&subject, key[..key.len() - 1].to_owned())
        .await;
    // A later question that the worker answers says that it has read these.
    assert_eq!(add(&scene.tools).await.1, "42");
    assert_eq!(scene.serving.in_flight(), 1);
    scene.outsider.say(&subject, key).await;
    let reply = end(calling).await;
    assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
}

#[tokio::test]
async fn worker_ignores_questions_on_own_subjects() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let questions = format!("callpact.list.{}.{}", scene.group(), scene.serving.id());
    let mut own = scene.outsider.hear("callpact.reply.>").await;
    let mut inbox = scene.outsider.hear("_INBOX.outsider.>").await;
    let client = &scene.outsider.client;
    for bytes in garbage(&scene.call) {
        let asked = client.publish_with_reply(questions.clone(), "_INBOX.outsider.a", bytes);
        asked.await.unwrap();
    }
    for (reply, page) in [
        ("callpact.reply.abc", "0"),
        ("$KV.callpact-results.abc", "0"),
        ("_INBOX.outsider.b", "18446744073709551616"),
        ("_INBOX.outsider.c", "0"),
    ] {
        let asked = client.publish_with_reply(questions.clone(), reply, page.into());
        asked.await.unwrap();
    }
    let (subject, page) = next(&mut inbox).await;
    assert_eq!(subject, "_INBOX.outsider.c");
    let page: Value = serde_json::from_slice(&page).unwrap();
    assert_eq!(page["tools"][0]["name"], "add");
    // The worker sent what it sent in this order.
    client.flush().await.unwrap();
    assert!(own.next().now_or_never().is_none());
    let results = scene.outsider.bucket("callpact-results").await;
    assert!(results.entry("abc").await.unwrap().is_none());
}

#[tokio::test]
async fn announcements_that_are_forged_hide_no_worker() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let (group, none) = (scene.group(), "0".repeat(32));
    let _silent = scene
        .outsider
        .hear(&format!("callpact.list.silent.{none}.*"))
        .await;
    let lies = scene
        .outsider
        .hear(&format!("callpact.list.{group}.liar"))
        .await;
    scene
        .outsider
        .serve_pages(lies, vec![page(1, &[listed("add", "{}")])]);
    let _mute = scene
        .outsider
        .hear(&format!("callpact.list.{group}.mute"))
        .await;
    for key in [
        format!("silent.{none}.1.x"),
        format!("nobody.{none}.1.x"),
        format!("{group}.1.nobody"),
        // The last ones are asked first.
        format!("{group}.1.mute"),
        format!("{group}.1.liar"),
        format!("{group}.18446744073709551616.x"),
        format!("{group}.1.x/y=z"),
        format!("{group}.1"),
        format!("{group}.-1.x"),
        "x".to_owned(),
        format!("tools.{}.1.x", "g".repeat(32)),
        format!("{}.{none}.1.x", "t".repeat(33)),
    ] {
        scene.outsider.announce(&key).await;
    }
    for number in 0..200 {
        scene
            .outsider
            .announce(&format!("list{number}.{none}.1.x"))
            .await;
    }
    let tools = host(&scene.nats).await;
    assert!(tools.names().eq(["add", "pay"]));
    assert_eq!(add(&tools).await.1, "42");
}

#[tokio::test]
async fn offers_only_usable_tools_of_hostile_list() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let object = r#"{"type": "object", "properties": {"a": {"type": "integer"}}}"#;
    let itself = r##"{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}"##;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let long = "n".repeat(5_000);
    let mut tools: Vec<Value> = [
        ("good", object),
        // A second tool of one name.
        ("good", "{}"),
        ("", object),
        ("a.b", object),
        ("a b", object),
        ("a/b", object),
        ("callpact.calls.>", object),
        ("\u{1b}[2J", object),
        (&*long, object),
        ("no_json", "{"),
        ("no_schema", "7"),
        ("nothing", "false"),
        ("itself", itself),
        ("deep", &*deep),
        ("doubled", r#"{"type": "object", "type": "string"}"#),
    ]
    .map(|(name, parameters)| listed(name, parameters))
    .into();
    tools[0]["description"] = "Reads. \u{1b}[2J\u{202e}".into();
    let digest = list_digest(&tools);
    let lies = scene
        .outsider
        .hear(&format!("callpact.list.lies.{digest}.*"))
        .await;
    scene.outsider.serve_pages(lies, vec![page(1, &tools)]);
    scene
        .outsider
        .announce(&format!("lies.{digest}.1.liar"))
        .await;
    let workers = Workers::connect(scene.nats.url()).await.unwrap();
    let offered = Toolset::builder().tools(workers.tools()).build().unwrap();
    let mut names: Vec<&str> = offered.names().collect();
    names.sort_unstable();
    println!("offered: {names:?}; unusable: {:#?}", workers.unusable());
    for name in ["add", "good"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    for name in names {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        assert!(name.len() <= 128 && name.bytes().all(plain), "{name:?}");
    }
    let bad: Vec<_> = workers
        .unusable()
        .into_iter()
        .map(|left| left.tool)
        .collect();
    for name in ["lies/", "lies/a b", "lies/no_json", "lies/no_schema"] {
        assert!(bad.iter().any(|tool| tool == name), "{name}: {bad:?}");
    }
}

#[tokio::test]
async fn ignores_invalid_pages_and_endless_lists() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let tool = listed("good", "{}");
    let doubled = r#"{"pages": 1, "pages": 1, "tools": []}"#;
    let mut unknown = tool.clone();
    unknown["permission"] = "everything".into();
    let many: Vec<Value> = (0..5_000).map(|_| tool.clone()).collect();
    for (number, pages) in [
        vec![Bytes::from_static(b"\xff"), page(1, &[])],
        vec![doubled.into()],
        vec![page(1, &[unknown])],
        vec![page(usize::MAX, &[])],
        vec!["[".repeat(900_000).into()],
        // The last page comes again and again.
        vec![page(usize::MAX, &many)],
    ]
    .into_iter()
    .enumerate()
    {
        let (name, digest) = (format!("bad{number}"), digest(&[&number.to_string()]));
        let digest = &digest[..32];
        let questions = scene
            .outsider
            .hear(&format!("callpact.list.{name}.{digest}.*"))
            .await;
        scene.outsider.serve_pages(questions, pages);
        scene
            .outsider
            .announce(&format!("{name}.{digest}.1.x"))
            .await;
    }
    let tools = host(&scene.nats).await;
    assert!(tools.names().eq(["add", "pay"]));
}

#[tokio::test]
async fn accepts_ten_thousand_tools_and_checks_toolset_names() {
    let Some(scene) = Scene::set().await else {
        return;
    };
    let tools: Vec<Value> = (0..10_000)
        .map(|number| listed(&format!("tool_{number}"), "{}"))
        .collect();
    let digest = list_digest(&tools);
    let questions = scene
        .outsider
        .hear(&format!("callpact.list.many.{digest}.*"))
        .await;
    let pages = tools.chunks(1_000).map(|tools| page(10, tools)).collect();
    scene.outsider.serve_pages(questions, pages);
    scene.outsider.announce(&format!("many.{digest}.1.x")).await;
    assert_eq!(host(&scene.nats).await.len(), 10_002);
    for name in ["a.b", "a b", "", ">", "*", "a/b", "ü"] {
        let tools = Toolset::builder()
            .tools(scene.counted.clone())
            .build()
            .unwrap();
        let worker = worker(tools, ToolContext::new()).connect(scene.nats.url());
        let refused = worker.toolset(name).start().await;
        assert!(matches!(refused, Err(NatsError::Name(_))), "{name:?}");
    }
}

#[tokio::test]
async fn invalid_record_hides_no_waiting_call() {
    let Some(nats) = server().await else { return };
    let (store, outsider) = (
        NatsStore::open(nats.url()).await.unwrap(),
        Outsider::at(&nats).await,
    );
    store.put(&waiting_call("call-1", Moment(1))).await.unwrap();
    let waiting = outsider.bucket("callpact-waiting").await;
    for (number, bytes) in garbage(&json!({})).into_iter().take(9).enumerate() {
        waiting.put(format!("odd.{number}"), bytes).await.unwrap();
    }
    let open = store.list().await.unwrap();
    assert_eq!(open.len(), 1);
    // A broken record of a call is an error of that call, and never a decision.
    waiting.put(digest(&["call-1"]), "{".into()).await.unwrap();
    assert!(store.get("call-1").await.is_err());
    let decided = Decided::new(ReviewDecision::Continue, "ada", Moment(2));
    assert!(store.take("call-1", &decided).await.is_err());
    store.forget(Moment(9)).await.unwrap();
}
