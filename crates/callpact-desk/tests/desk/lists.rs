//! The pages of the inbox and of the trace: their order, their counts and their searches.

use std::{sync::Arc, time::Duration};

use callpact::{Halt, PermissionMode, ReviewHandler, ReviewRequest, ToolCall, ToolContext};
use callpact_desk::Desk;
use callpact_store::SqliteStore;
use serde_json::{Value, json};

use crate::{
    kit::{Diary, Served, tools, wait_until},
    stored::{decide, defer},
};

#[test]
fn the_trace_is_there_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("calls.db");
    let tools = tools(&Diary::default());
    let desk = || {
        let trace = SqliteStore::open(&file).unwrap();
        Desk::new(tools.clone(), ToolContext::new()).with_trace(trace)
    };
    let served = Served::new(desk());
    let cx = served
        .desk
        .watch(ToolContext::new().with_run("Release 2.4.0").with_turn(3));
    for arguments in [r#"{"a": 1}"#, r#"{"a": "2"}"#] {
        let call = ToolCall::new("call", "add", arguments);
        served.runtime.block_on(tools.call(&call, &cx)).unwrap();
    }
    let stored = SqliteStore::open(&file).unwrap();
    wait_until("both are in the store", || {
        use callpact::observe::TraceStore;
        let calls = served.runtime.block_on(stored.recent_calls(10)).unwrap();
        (calls.len() == 2).then_some(())
    });
    drop(served);
    let served = Served::new(desk());
    let client = served.client();
    let body = r#"{"number": 1, "tool": "add", "arguments": "{\"a\": 3}"}"#;
    assert_eq!(client.call(body).status, 200);
    let page = |body: &str| client.post("calls", body).json();
    let all = page("{}");
    let runs: Vec<_> = all["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| &call["run"])
        .collect();
    assert_eq!(
        runs,
        [
            &Value::Null,
            &json!("Release 2.4.0"),
            &json!("Release 2.4.0")
        ]
    );
    let fixed = page(r#"{"kind": "fixed"}"#);
    assert_eq!((&fixed["found"], &fixed["total"]), (&json!(1), &json!(3)));
    let found = page(r#"{"search": "RELEASE 2.4"}"#);
    assert_eq!(found["found"], 2);
    let full = client.post(
        "trace",
        &json!({ "number": fixed["calls"][0]["n"] }).to_string(),
    );
    assert_eq!(full.json()["arguments"], r#"{"a": "2"}"#);
    assert_eq!(full.json()["turn"], 3);
}

#[test]
fn desk_pages_and_searches_long_inbox() {
    let tools = tools(&Diary::default());
    let (served, store) = Served::over_store(&tools);
    let client = served.client();
    for number in 0..120 {
        defer(&served, &tools, &store, &format!("line {number}"));
    }
    let first = client.post("inbox", "{}").json();
    let rows = |page: &Value| page["rows"].as_array().unwrap().len();
    assert_eq!(
        (rows(&first), &first["stored"], &first["more"]),
        (50, &json!(120), &json!(true))
    );
    // All of them, each once, however the pages are cut.
    let waiting = client.waiting();
    let ids: std::collections::BTreeSet<_> = waiting
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["id"].to_string())
        .collect();
    assert_eq!(ids.len(), 120);
    let found = client.post("inbox", r#"{"search": "LINE 11"}"#).json();
    assert_eq!((rows(&found), &found["found"]), (11, &json!(11)));
    let none = client
        .post("inbox", r#"{"permission": "destructive"}"#)
        .json();
    assert_eq!(rows(&none), 0);
}

#[test]
fn inbox_merges_program_and_store_in_order() {
    let tools = tools(&Diary::default());
    let (served, store) = Served::over_store(&tools);
    let client = served.client();
    for number in 0..40 {
        // Its turn in the list is the time at which it was asked.
        std::thread::sleep(Duration::from_millis(2));
        defer(&served, &tools, &store, &format!("stored {number}"));
        std::thread::sleep(Duration::from_millis(2));
        let reviewer = served.desk.reviewer();
        let request = ReviewRequest::new(format!("asked {number}"))
            .tool("diary")
            .timeout(None);
        served
            .runtime
            .spawn(async move { reviewer.review(&request).await });
        wait_until("it waits", || {
            (client.post("inbox", "{}").json()["live"] == number + 1).then_some(())
        });
    }
    let counts = |page: Value| json!([page["live"], page["stored"], page["found"]]);
    assert_eq!(
        counts(client.post("inbox", "{}").json()),
        json!([40, 40, 80])
    );
    let waiting = client.waiting();
    let cards = waiting.as_array().unwrap().iter();
    let from: Vec<_> = cards.map(|card| card["from"].as_str().unwrap()).collect();
    assert_eq!(from, ["store", "program"].repeat(40));
    // One of each is decided about.
    for _ in 0..2 {
        let refused = json!({ "decision": "refuse", "reason": "no" });
        assert_eq!(decide(&client, &refused).0, 200);
    }
    let asked = r#"{"search": "asked"}"#;
    assert_eq!(
        counts(client.post("inbox", asked).json()),
        json!([39, 39, 39])
    );
}

#[test]
fn trace_shows_stored_call_in_its_run() {
    let tools = tools(&Diary::default());
    let (served, store) = Served::over_store(&tools);
    let client = served.client();
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_store(Arc::clone(&store))
        .with_run("monday")
        .with_turn(3)
        .with_role("writer")
        .with_deferred_approval();
    let call = ToolCall::new("call-1", "diary", r#"{"text": "one"}"#);
    let made = served.runtime.block_on(tools.call(&call, &cx));
    assert!(matches!(made, Err(Halt::Pending(_))));
    let asked = client.waiting()[0]["since"].as_u64().unwrap();
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(decide(&client, &json!({ "decision": "continue" })).0, 200);
    let page = client.post("calls", r#"{"search": "monday"}"#).json();
    let call = &page["calls"][0];
    assert_eq!(
        json!([call["run"], call["turn"], call["role"], call["from"]]),
        json!(["monday", 3, "writer", "store"])
    );
    // It began when it was asked, and its time has both parts.
    let number = |name: &str| call[name].as_u64().unwrap();
    assert!(number("began").abs_diff(asked) < 15, "{call}, {asked}");
    assert!(number("waiting") >= 20_000, "{call}");
    assert!(
        number("micros") >= number("waiting") + number("running"),
        "{call}"
    );
}
