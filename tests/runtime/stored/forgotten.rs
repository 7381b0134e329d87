//! A call is removed from its store by somebody who gives it up.

use std::{sync::Arc, time::Duration};

use super::{Desk, Ledger, lines, once::Broken, pays, wait};
use callpact::{
    ReviewDecision, ToolContext, Toolset,
    call::{ResumeError, forget_stored},
    store::{CallStore, Decided, Moment},
};

fn list(ledger: &Ledger) -> Toolset {
    Toolset::single(pays(ledger)).unwrap()
}

async fn decide(desk: &Desk, id: &str, decision: ReviewDecision) {
    let decided = Decided::new(decision, "grace", Moment(0));
    desk.store.take(id, &decided).await.unwrap();
}

#[tokio::test]
async fn removed_stuck_call_can_be_made_again() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let (tools, cx) = (list(&ledger), desk.deferring().with_run("run-7"));
    let id = wait(&tools, "pay", "rent", &cx).await.id;
    let refused = forget_stored(&id, &cx).await;
    assert!(matches!(refused, Err(ResumeError::Waiting)), "{refused:?}");
    assert_eq!(desk.ids().await, [&*id], "somebody may still decide");

    decide(&desk, &id, ReviewDecision::Continue).await;
    let empty = Toolset::builder().build().unwrap();
    let missing = empty.resume(&id, &cx).await;
    assert!(
        matches!(missing, Err(ResumeError::Missing { .. })),
        "{missing:?}"
    );
    forget_stored(&id, &cx).await.unwrap();
    assert!(desk.store.get(&id).await.unwrap().is_none());
    let resumed = tools.resume(&id, &cx).await;
    assert!(matches!(resumed, Err(ResumeError::NotFound)), "{resumed:?}");
    assert!(lines(&ledger).is_empty());
    // Somebody decides anew about a call that is made again.
    let again = wait(&tools, "pay", "rent", &cx).await;
    let yes = ReviewDecision::Continue;
    let reply = tools.decide(&again.id, yes, &cx).await.unwrap();
    assert_eq!(reply.to_model(), "paid rent");
}

#[tokio::test]
async fn claimed_call_is_removed_after_claim_expires() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let (tools, cx) = (list(&ledger), desk.deferring());
    let id = wait(&tools, "pay", "rent", &cx).await.id;
    decide(&desk, &id, ReviewDecision::Continue).await;
    let key = desk.store.get(&id).await.unwrap().unwrap().key;
    let lease = Duration::from_millis(100);
    desk.store.claim(&key, lease, Moment(0)).await.unwrap();
    let busy = forget_stored(&id, &cx).await;
    let until = Moment(100);
    assert!(matches!(busy, Err(ResumeError::Busy { until: at }) if at == until));
    assert_eq!(desk.ids().await, [&*id]);

    desk.clock.set(until);
    forget_stored(&id, &cx).await.unwrap();
    assert!(desk.ids().await.is_empty());
    // The effect of that process is unknown, and the record of the run stays.
    let record = desk.store.claim_record(&key).await.unwrap();
    assert!(record.is_some_and(|record| record.result.is_none()));
}

#[tokio::test]
async fn removes_settled_or_expired_calls_and_names_unknown() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let (tools, cx) = (list(&ledger), desk.deferring());
    let paid = wait(&tools, "pay", "a", &cx).await.id;
    let yes = ReviewDecision::Continue;
    tools.decide(&paid, yes, &cx).await.unwrap();
    let rejected = wait(&tools, "pay", "b", &cx).await.id;
    decide(&desk, &rejected, ReviewDecision::REJECT).await;
    let brief = cx.clone().with_waiting_time(Duration::from_millis(1));
    let expired = wait(&tools, "pay", "c", &brief).await.id;
    desk.clock.set(Moment(5));
    for id in [paid, rejected, expired] {
        forget_stored(&id, &cx).await.unwrap();
        assert!(desk.store.get(&id).await.unwrap().is_none());
        let again = forget_stored(&id, &cx).await;
        assert!(matches!(again, Err(ResumeError::NotFound)), "{again:?}");
    }
    assert_eq!(lines(&ledger), ["a"]);
}

#[tokio::test]
async fn reports_store_without_single_call_removal() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = list(&ledger);
    let id = wait(&tools, "pay", "a", &desk.deferring()).await.id;
    decide(&desk, &id, ReviewDecision::REJECT).await;
    // This one does not implement the step.
    let cx = ToolContext::new().with_store(Broken(Arc::clone(&desk.store), "none"));
    let error = forget_stored(&id, &cx).await.unwrap_err();
    let words = "the call store failed: this store cannot remove a single call";
    assert_eq!(error.to_string(), words);
    assert!(desk.store.get(&id).await.unwrap().is_some());
}
