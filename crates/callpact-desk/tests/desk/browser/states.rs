//! What a person sees of a call that somebody else decided about, that expired, whose store is busy or full, while the
//! program is away, and after it started anew.

use std::{sync::Arc, time::Duration};

use callpact::{
    ToolContext,
    store::{CallStore, MemoryStore, Moment},
};
use callpact_desk::Desk;
use callpact_store::SqliteStore;
use serde_json::json;

use super::driver::Browser;
use crate::{
    kit::{Diary, Served, tools},
    stored::{decide, defer},
};

fn named(diary: &Diary) -> Desk {
    Desk::new(tools(diary), ToolContext::new()).named("release-bot")
}

#[test]
fn each_state_of_a_call_is_told_on_the_page() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file).unwrap();
    let store = Arc::new(store.with_patience(Duration::from_millis(50)));
    let desk = named(&diary).with_store(Arc::clone(&store));
    let served = Served::new(desk);
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.resize(1280, 800);
    let says = |words: &str| {
        browser.wait_for(&format!(
            "document.querySelector('#inbox .detail').textContent.includes('{words}')"
        ));
    };
    let show = |id: &str| {
        let link = format!("[data-id=\"{id}\"], [data-id$=\"{id}\"]");
        browser.wait_for(&format!("document.querySelector('{link}')"));
        browser.run(
            "document.querySelector(arguments[0]).click()",
            &json!([link]),
        );
    };
    // Somebody else decides.
    let id = defer(&served, &tools(&diary), &store, "first");
    show(&id);
    browser.wait_for(&Browser::button("Approve"));
    let other = served.client();
    let refused = json!({ "decision": "refuse", "reason": "I was faster" });
    assert_eq!(decide(&other, &refused).0, 200);
    says("refused this call");
    browser.keep("state-decided");
    // Its time ends.
    let aside = Arc::new(MemoryStore::new());
    let id = defer(&served, &tools(&diary), &aside, "second");
    let soon = served.runtime.block_on(async {
        let call = aside.get(&id).await.unwrap().unwrap();
        let soon = call.until(Moment(Moment::now().0 + 4_000));
        store.put(&soon).await.unwrap();
        soon
    });
    show(&soon.call.id);
    says("The time for this call ended");
    browser.keep("state-expired");
    // The store is busy.
    let id = defer(&served, &tools(&diary), &store, "third");
    show(&id);
    browser.wait_for(&Browser::button("Approve"));
    let lock = rusqlite::Connection::open(&file).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    browser.push("Approve");
    says("The store cannot be used now. Your decision was not recorded.");
    browser.keep("state-busy");
    assert!(diary.0.lock().unwrap().is_empty());
    drop(lock);
    browser.push("Try now");
    crate::kit::wait_until("it is carried out", || {
        (*diary.0.lock().unwrap() == ["third"]).then_some(())
    });
    // The disk of the store is full: the words are those of SQLite.
    let id = defer(&served, &tools(&diary), &store, "while full");
    show(&id);
    browser.wait_for(&Browser::button("Approve"));
    let disk = rusqlite::Connection::open(&file).unwrap();
    disk.execute_batch(
        "CREATE TRIGGER full BEFORE UPDATE ON calls BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END;",
    )
    .unwrap();
    browser.push("Approve");
    says("The store cannot be used now. Your decision was not recorded.");
    says("database or disk is full");
    says("The call still waits; nothing ran.");
    browser.keep("state-full");
    assert_eq!(diary.0.lock().unwrap().len(), 1);
    // It is tried again by itself.
    disk.execute_batch("DROP TRIGGER full").unwrap();
    crate::kit::wait_until("it is carried out once there is room", || {
        (diary.0.lock().unwrap().len() == 2).then_some(())
    });
    // The program is away, and comes back.
    let id = defer(&served, &tools(&diary), &store, "fourth");
    show(&id);
    browser.wait_for(&Browser::button("Approve"));
    served.stop();
    says("No connection to the program");
    browser.keep("state-lost");
    let again = served.desk.clone().bind(served.address);
    let again = served.runtime.block_on(again).unwrap();
    let stop = again.stopper();
    served.runtime.spawn(again.run());
    browser.wait_until_connected();
    browser.push("Approve");
    crate::kit::wait_until("it is carried out too", || {
        (diary.0.lock().unwrap().len() == 3).then_some(())
    });
    // The program starts anew: its calls are there, and the page needs a new address.
    defer(&served, &tools(&diary), &store, "fifth");
    stop.stop();
    browser.wait_for("document.querySelector('#link').textContent !== 'connected'");
    let anew = named(&diary).with_store(store);
    let server = served.runtime.block_on(anew.clone().bind(served.address));
    served.runtime.spawn(server.unwrap().run());
    browser.wait_for("document.querySelector('#printed').checkVisibility()");
    // What the ended program said is gone.
    assert_eq!(
        browser.value("[document.title, document.querySelector('#who').textContent, document.querySelector('#count').hidden]"),
        json!(["Inbox · Callpact desk", "", true])
    );
    browser.keep("state-restart");
    let token = anew.token().unwrap();
    browser.open(&format!("http://{}/#token={token}", served.address));
    browser.wait_for("document.querySelectorAll('#waiting-list .item:not(.done)').length === 1");
}
