//! Between the question at the desk and the yes a file changes: nothing is written.

use std::sync::Arc;

use callpact::{Halt, ToolContext, store::MemoryStore};
use callpact_desk::Desk;
use serde_json::json;

use crate::{
    changed_files::ChangeCase,
    kit::{Client, Served, wait_until},
};

/// Says yes to the one call that waits, after a change, and returns the answer.
fn say_yes(client: &Client, change: impl Fn()) -> (u16, serde_json::Value) {
    let card = wait_until("a call waits", || {
        let waiting = client.waiting();
        waiting.as_array().unwrap().first().cloned()
    });
    change();
    let decision = json!({ "decision": "continue" });
    let body = json!({ "id": card["id"], "digest": card["digest"], "decision": decision });
    let answer = client.settle("decide", &body.to_string());
    (answer.status, answer.json())
}

#[test]
fn running_call_writes_nothing_after_change() {
    for case in ChangeCase::all() {
        let (tools, call) = case.tool();
        let served = Served::new(Desk::new(tools.clone(), ToolContext::new()));
        let cx = ToolContext::new().with_reviewer(served.desk.reviewer());
        let made = served
            .runtime
            .spawn(async move { tools.call(&call, &cx).await });
        let (status, _) = say_yes(&served.client(), case.change());
        assert_eq!(status, 200);
        let reply = served.runtime.block_on(made).unwrap().unwrap();
        case.check("a running call", reply.is_success(), &reply.to_model());
    }
}

#[test]
fn stored_call_writes_nothing_after_change() {
    for case in ChangeCase::all() {
        let (tools, call) = case.tool();
        let store = Arc::new(MemoryStore::new());
        let later = ToolContext::new()
            .with_store(Arc::clone(&store))
            .with_deferred_approval();
        let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(store);
        let served = Served::new(desk);
        let waits = served.runtime.block_on(tools.call(&call, &later));
        assert!(matches!(waits, Err(Halt::Pending(_))), "{waits:?}");
        let (status, answer) = say_yes(&served.client(), case.change());
        let is_success = status == 200 && answer["reply"]["ok"] == true;
        case.check("a stored call", is_success, &answer.to_string());
    }
}
