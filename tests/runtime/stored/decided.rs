//! A decision in a store holds as much as one that is made at once: for the role that is demanded now, once, and for
//! the call that was shown.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::{Desk, Ledger, lines, pays, wait};
use crate::kit::{Files, call, reads};
use callpact::{
    Halt, Outcome, ReviewDecision, ToolResult, Toolset,
    call::ResumeError,
    review::review_fn,
    store::{CallStore, Claim, Decided, Moment, Taken},
};

async fn approve(desk: &Desk, id: &str, role: Option<&str>) {
    let mut decided = Decided::new(ReviewDecision::Continue, "eve", Moment(1));
    decided.role = role.map(str::to_owned);
    let taken = desk.store.take(id, &decided).await.unwrap();
    assert!(matches!(taken, Taken::Won(_)), "{taken:?}");
}

#[tokio::test]
async fn resumed_run_enforces_current_role_requirement() {
    for (role, runs) in [(None, false), (Some("sales"), false), (Some("ops"), true)] {
        let (desk, ledger) = (Desk::default(), Ledger::default());
        let cx = desk.deferring().with_run("run-7");
        let open = Toolset::single(pays(&ledger)).unwrap();
        let closed = Toolset::builder()
            .tool(pays(&ledger))
            .require_approval_by("pay", "ops")
            .build()
            .unwrap();
        let pending = wait(&open, "pay", "rent", &cx).await;
        approve(&desk, &pending.id, role).await;
        let reply = closed.call(&call("pay", "rent"), &cx).await;
        if runs {
            assert_eq!(reply.unwrap().to_model(), "paid rent");
        } else {
            assert!(matches!(reply, Err(Halt::Misconfigured(_))), "{reply:?}");
        }
        assert_eq!(!lines(&ledger).is_empty(), runs, "{role:?}");
    }
}

/// A list with a tool that only reads, and about which somebody has to be asked.
fn looks(ledger: &Ledger) -> Toolset {
    let ledger = Arc::clone(ledger);
    let tool = reads("look", move |input, _| {
        ledger.lock().unwrap().push(input.to_owned());
        ToolResult::success(format!("saw {input}"))
    });
    let list = Toolset::builder().tool(tool).require_approval("look");
    list.build().unwrap()
}

#[tokio::test]
async fn approval_of_read_only_call_counts_once() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.deferring().with_run("run-7");
    let tools = looks(&ledger);
    let pending = wait(&tools, "look", "here", &cx).await;
    approve(&desk, &pending.id, None).await;
    for _ in 0..2 {
        let reply = tools.resume(&pending.id, &cx).await.unwrap();
        assert_eq!(reply.to_model(), "saw here");
        let reply = tools.call(&call("look", "here"), &cx).await.unwrap();
        assert_eq!(reply.to_model(), "saw here");
    }
    assert_eq!(lines(&ledger), ["here"]);
    assert!(desk.ids().await.is_empty(), "the call is settled");
}

#[tokio::test]
async fn read_only_call_runs_again_after_lost_run() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.deferring().with_run("run-7");
    let tools = looks(&ledger);
    let pending = wait(&tools, "look", "here", &cx).await;
    approve(&desk, &pending.id, None).await;
    let stored = desk.store.get(&pending.id).await.unwrap().unwrap();
    let lost = desk
        .store
        .claim(&stored.key, std::time::Duration::ZERO, Moment(1));
    assert!(matches!(lost.await.unwrap(), Claim::Held(_)));
    desk.clock.set(Moment(2));
    let reply = tools.resume(&pending.id, &cx).await.unwrap();
    assert_eq!(
        (&*reply.to_model(), reply.outcome),
        ("saw here", Outcome::Success)
    );
    assert_eq!(lines(&ledger), ["here"]);
}

#[tokio::test]
async fn a_change_cannot_be_taken_for_a_workspace() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = Toolset::single(pays(&ledger)).unwrap();
    let here = desk.deferring().with_workspace("ada");
    let mut pending = wait(&tools, "pay", "rent", &here).await;
    assert!(pending.changes.is_empty());
    pending.changes = vec!["workspace".to_owned(), "ada".to_owned()];
    pending.workspace = None;
    let cx = desk.cx();
    let reply = tools.decide(&pending, ReviewDecision::Continue, &cx).await;
    assert!(
        matches!(reply, Err(ResumeError::Halt(Halt::Misconfigured(_)))),
        "{reply:?}"
    );
    assert!(lines(&ledger).is_empty());
}

#[tokio::test]
async fn approved_and_refused_call_never_runs_later() {
    const SAVE: &str = r#"{"path": "a", "text": "new"}"#;
    const EDIT: &str = r#"{"path": "b", "text": "new"}"#;
    for edited in [false, true] {
        for goes_on in [false, true] {
            let desk = Desk::default();
            let files = Files::with([("a", "old a"), ("b", "old b")]);
            let tools = files.list();
            let cx = desk.deferring().with_run("run-7");
            let pending = wait(&tools, "save", SAVE, &cx).await;
            let mut decided = Decided::new(ReviewDecision::Continue, "grace", Moment(1));
            if edited {
                decided.decision = ReviewDecision::Edit(EDIT.to_owned());
                decided = decided.showing(tools.preview_edit(&pending, EDIT, &cx).unwrap());
            }
            let taken = desk.store.take(&pending.id, &decided).await.unwrap();
            assert!(matches!(taken, Taken::Won(_)), "{taken:?}");

            let path = if edited { "b" } else { "a" };
            files.set(path, "-> elsewhere");
            for _ in 0..2 {
                let reply = if goes_on && edited {
                    tools.call(&call("save", SAVE), &cx).await.unwrap()
                } else {
                    tools.resume(&pending.id, &cx).await.unwrap()
                };
                let note =
                    "\n\nNote: a person edited this call to: {\"path\": \"b\", \"text\": \"new\"}";
                let note = if edited { note } else { "" };
                assert_eq!(
                    (reply.to_model(), reply.outcome),
                    (
                        format!("Error: {path} is a link{note}").into(),
                        Outcome::Refused
                    )
                );
                // The obstacle is gone, and the decision is used up.
                files.set(path, "old");
            }
            assert_eq!(files.get(path).as_deref(), Some("old"));
            assert!(desk.ids().await.is_empty(), "the call is settled");
        }
    }
}

#[tokio::test]
async fn edit_fitting_no_tool_ends_call() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = Files::with([("a", "old a")]).list();
    let pending = wait(
        &tools,
        "save",
        r#"{"path": "a", "text": "new"}"#,
        &desk.deferring(),
    )
    .await;
    let edit = ReviewDecision::Edit("this is no JSON".to_owned());
    let decided = Decided::new(edit, "grace", Moment(1));
    desk.store.take(&pending.id, &decided).await.unwrap();
    for _ in 0..2 {
        let reply = tools.resume(&pending.id, &desk.cx()).await.unwrap();
        assert_eq!(reply.outcome, Outcome::InvalidArguments);
    }
    assert!(desk.ids().await.is_empty() && lines(&ledger).is_empty());
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_that_ran() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = Toolset::builder()
        .tool(pays(&ledger))
        .require_approval("pay")
        .build()
        .unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let yes = review_fn(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(ReviewDecision::Continue) }
    });
    let cx = desk.cx().with_run("run-7").with_reviewer(yes);
    for _ in 0..2 {
        let reply = tools.call(&call("pay", "rent"), &cx).await.unwrap();
        assert_eq!(reply.to_model(), "paid rent");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    // If it would wait, it does not run either.
    let waits = desk.deferring().with_run("run-7");
    let reply = tools.call(&call("pay", "rent"), &waits).await.unwrap();
    assert_eq!(reply.to_model(), "paid rent");
    assert_eq!(lines(&ledger), ["rent"]);
    assert!(desk.ids().await.is_empty());
}
