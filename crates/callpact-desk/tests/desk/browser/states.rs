//! What a person sees of a call that somebody else decided about, that expired, whose store is busy, or while the program
//! is away. `CALLPACT_PICTURES=FOLDER` keeps a picture of each state.

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

/// Keeps a picture of the page, if somebody wants it.
fn keep(browser: &Browser, name: &str) {
    let Some(folder) = std::env::var_os("CALLPACT_PICTURES") else {
        return;
    };
    let folder = std::path::Path::new(&folder);
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(format!("desk-{name}.png")), browser.picture()).unwrap();
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
    let desk = Desk::new(tools(&diary), ToolContext::new()).with_store(Arc::clone(&store));
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
    keep(&browser, "decided");
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
    keep(&browser, "expired");
    // The store is busy.
    let id = defer(&served, &tools(&diary), &store, "third");
    show(&id);
    browser.wait_for(&Browser::button("Approve"));
    let lock = rusqlite::Connection::open(&file).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    browser.push("Approve");
    says("The store cannot be used now. Your decision was not recorded.");
    keep(&browser, "busy");
    assert!(diary.0.lock().unwrap().is_empty());
    drop(lock);
    browser.push("Try now");
    crate::kit::wait_until("it is carried out", || {
        (*diary.0.lock().unwrap() == ["third"]).then_some(())
    });
    // The program is away, and comes back.
    let id = defer(&served, &tools(&diary), &store, "fourth");
    show(&id);
    browser.wait_for(&Browser::button("Approve"));
    served.stop();
    says("No connection to the program");
    keep(&browser, "lost");
    let again = served.desk.clone().bind(served.address);
    let again = served.runtime.block_on(again).unwrap();
    served.runtime.spawn(again.run());
    browser.wait_until_connected();
    browser.push("Approve");
    crate::kit::wait_until("it is carried out too", || {
        (diary.0.lock().unwrap().len() == 2).then_some(())
    });
}
