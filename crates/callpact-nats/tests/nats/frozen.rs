//! Workers that are frozen: they are announced for a while, and answer nothing.

use std::time::Duration;

use callpact::{Outcome, ToolCall, ToolContext, Toolset};
use callpact_nats::Workers;
use rustix::process::Signal;

use crate::{
    kit::{LONG, server},
    process::{Process, count_runs},
};

#[tokio::test]
async fn single_live_worker_suffices_for_discovery_and_calls() {
    let Some(nats) = server().await else { return };
    let (url, ledger) = (nats.url(), nats.dir().join("ledger"));
    let workers = [
        Process::start(&url, "tools", &ledger).await,
        Process::start(&url, "tools", &ledger).await,
    ];
    // Whichever is asked first, it is the frozen one once.
    for (round, frozen) in workers.iter().enumerate() {
        frozen.signal(Signal::STOP);
        let found = Workers::connect(&url).await.unwrap();
        let tools = Toolset::builder().tools(found.tools()).build().unwrap();
        assert!(tools.names().eq(["pay", "look"]), "round {round}");
        for call in 0..4 {
            let arguments = format!(r#"{{"id": "{round}-{call}", "millis": 1}}"#);
            let wanted = ToolCall::new("1", "pay", arguments);
            let cx = ToolContext::new().with_timeout(LONG);
            let reply = tools.call(&wanted, &cx).await.unwrap();
            assert_eq!(reply.outcome, Outcome::Success, "{}", reply.to_model());
        }
        frozen.signal(Signal::CONT);
    }
    let runs = count_runs(&ledger);
    assert_eq!(runs.len(), 8);
    assert!(runs.values().all(|&runs| runs == 1), "{runs:?}");
}

#[tokio::test]
async fn frozen_worker_hides_no_list_and_reappears() {
    let Some(nats) = server().await else { return };
    let (url, ledger) = (nats.url(), nats.dir().join("ledger"));
    let frozen = Process::start(&url, "frozen", &ledger).await;
    let _live = Process::start(&url, "live", &ledger).await;
    frozen.signal(Signal::STOP);
    let listed = |found: &Workers| -> Vec<String> {
        found.accept_all();
        let pins = found.pins();
        pins.iter().map(|(tool, _)| tool.to_owned()).collect()
    };
    let found = Workers::connect(&url).await.unwrap();
    assert_eq!(listed(&found), ["live/look", "live/pay"]);
    frozen.signal(Signal::CONT);
    let both = async {
        loop {
            found.refresh().await.unwrap();
            if listed(&found).len() == 4 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(LONG, both)
        .await
        .expect("the list of the woken worker is found");
}
