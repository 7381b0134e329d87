//! A call waits in a store, and somebody decides about it.

use std::sync::Arc;
use std::time::Duration;

use super::{Desk, Ledger, lines, pays, wait};
use crate::kit::{Add, call};
use callpact::{
    AgentTool, Halt, Outcome, Permission, ReviewDecision, ToolContext, ToolResult, Toolset,
    call::ResumeError,
    review::{ReviewHandler, auto_approve},
    store::{CallStore, Decided, Moment, Taken},
};

const DAY: u64 = 24 * 3600 * 1000;

fn list(tool: impl AgentTool + 'static) -> Toolset {
    Toolset::single(tool).unwrap()
}

fn yes() -> ReviewDecision {
    ReviewDecision::Continue
}

fn edit(text: &str) -> ReviewDecision {
    ReviewDecision::Edit(text.to_owned())
}

#[tokio::test]
async fn stored_call_waits_and_runs_once() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = list(pays(&ledger));
    desk.clock.set(Moment(7));
    let cx = desk
        .deferring()
        .with_caller("ada")
        .with_waiting_time(Duration::from_millis(10));
    let pending = wait(&tools, "pay", "rent", &cx).await;
    let stored = desk.store.get(&pending.id).await.unwrap().unwrap();
    assert_eq!(stored.call, pending);
    assert_eq!((stored.since, stored.until), (Moment(7), Some(Moment(17))));
    assert_eq!(stored.asked_by.as_deref(), Some("ada"));
    assert!(lines(&ledger).is_empty(), "nobody has decided");

    let grace = desk.deferring().with_caller("grace");
    let reply = tools.decide(&pending.id, yes(), &grace).await;
    assert_eq!(reply.unwrap().to_model(), "paid rent");
    let second = tools.decide(&pending.id, yes(), &grace).await;
    let Err(ResumeError::Decided(first)) = second else {
        panic!("{second:?}");
    };
    assert_eq!((&*first.by, first.at), ("grace", Moment(7)));
    // A list elsewhere gives the result again, and pays nothing.
    let again = list(pays(&ledger)).resume(&pending.id, &grace).await;
    assert_eq!(again.unwrap().to_model(), "paid rent");
    // Neither does a decision outside the store.
    let beside = tools.decide(&pending, yes(), &grace).await;
    assert!(
        matches!(beside, Err(ResumeError::Halt(Halt::Misconfigured(_)))),
        "{beside:?}"
    );
    assert_eq!(lines(&ledger), ["rent"]);
    assert!(desk.ids().await.is_empty(), "the call is settled");
}

#[tokio::test]
async fn a_no_is_told_or_ends_the_run() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let (tools, cx) = (list(pays(&ledger)), desk.deferring());
    let pending = wait(&tools, "pay", "a", &cx).await;
    let refusal = ReviewDecision::Refuse("too much".to_owned());
    let reply = tools.decide(&pending.id, refusal, &cx).await.unwrap();
    assert_eq!(reply.outcome, Outcome::Refused);
    assert_eq!(
        reply.to_model(),
        "Error: The reviewer refused the call of 'pay': too much"
    );
    let pending = wait(&tools, "pay", "b", &cx).await;
    let ended = tools.decide(&pending.id, ReviewDecision::REJECT, &cx).await;
    assert!(
        matches!(ended, Err(ResumeError::Halt(Halt::ExitEarly { .. }))),
        "{ended:?}"
    );
    assert!(lines(&ledger).is_empty() && desk.ids().await.is_empty());
}

#[tokio::test]
async fn an_edit_is_read_again_before_it_counts() {
    let desk = Desk::default();
    let (tools, cx) = (list(Add), desk.deferring());
    let pending = wait(&tools, "add", r#"{"a": 1, "b": 2}"#, &cx).await;
    for (bad, why) in [
        (r#"{"a": 1}"#, "b: missing"),
        (r#"{"a": 13, "b": 1}"#, "13 is not added here"),
        ("rm -rf", "JSON"),
    ] {
        let refused = tools.decide(&pending.id, edit(bad), &cx).await;
        let Err(ResumeError::Edit(text)) = refused else {
            panic!("{refused:?}");
        };
        assert!(text.contains(why), "{text}");
        assert_eq!(desk.ids().await, [&*pending.id], "the call still waits");
    }
    let edited = edit(r#"{"a": 5, "b": "6"}"#);
    let reply = tools.decide(&pending.id, edited, &cx).await.unwrap();
    assert_eq!(reply.result.output(), "11");
}

#[tokio::test]
async fn other_process_approves_edit_week_later() {
    let desk = Desk::default();
    desk.clock.set(Moment(DAY));
    let cx = desk
        .deferring()
        .with_run("run-7")
        .with_waiting_time(Duration::from_millis(8 * DAY));
    let pending = wait(&list(Add), "add", r#"{"b": "2", "a": 1}"#, &cx).await;
    desk.clock.set(Moment(8 * DAY));
    // Somebody decides without the tools; the edit is read when it runs.
    let decided = Decided::new(edit(r#"{"a": 40, "b": 2}"#), "grace", Moment(8 * DAY));
    let taken = desk.store.take(&pending.id, &decided).await.unwrap();
    assert!(matches!(taken, Taken::Won(_)), "{taken:?}");
    let reply = list(Add).resume(&pending.id, &cx).await.unwrap();
    assert_eq!(reply.result.output(), "42");
    // The run that asked goes on with the decision and does not ask again.
    let reply = list(Add)
        .call(&call("add", r#"{"b": "2", "a": 1}"#), &cx)
        .await;
    assert_eq!(reply.unwrap().result.output(), "42");
}

#[tokio::test]
async fn a_run_that_begins_again_asks_once() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.deferring().with_run("run-7");
    let first = wait(&list(pays(&ledger)), "pay", "rent", &cx).await;
    let second = wait(&list(pays(&ledger)), "pay", "rent", &cx).await;
    assert_eq!(first, second);
    assert_eq!(desk.ids().await.len(), 1);
    // Another run asks for itself.
    let other = desk.deferring().with_run("run-8");
    let third = wait(&list(pays(&ledger)), "pay", "rent", &other).await;
    assert_ne!(first.id, third.id);
    let decided = Decided::new(edit("half the rent"), "grace", Moment(0));
    desk.store.take(&first.id, &decided).await.unwrap();
    let tools = list(pays(&ledger));
    let reply = tools.call(&call("pay", "rent"), &cx).await.unwrap();
    assert_eq!(reply.result.output(), "paid half the rent");
    assert_eq!(lines(&ledger), ["half the rent"]);
}

#[tokio::test]
async fn without_a_run_every_call_waits_for_itself() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let (tools, cx) = (list(pays(&ledger)), desk.deferring());
    let first = wait(&tools, "pay", "rent", &cx).await;
    let second = wait(&tools, "pay", "rent", &cx).await;
    for pending in [&first, &second] {
        let reply = tools.decide(&pending.id, yes(), &cx).await.unwrap();
        assert_eq!(reply.to_model(), "paid rent");
    }
    assert_eq!(lines(&ledger), ["rent", "rent"]);
}

#[tokio::test]
async fn nobody_decides_after_the_end() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk
        .deferring()
        .with_run("run-7")
        .with_waiting_time(Duration::from_secs(1));
    let tools = list(pays(&ledger));
    let pending = wait(&tools, "pay", "rent", &cx).await;
    desk.clock.set(Moment(1000));
    let late = tools.decide(&pending.id, yes(), &cx).await;
    assert!(matches!(late, Err(ResumeError::Expired)), "{late:?}");
    let late = tools.resume(&pending.id, &cx).await;
    assert!(matches!(late, Err(ResumeError::Expired)), "{late:?}");
    let again = tools.call(&call("pay", "rent"), &cx).await;
    let expected = Halt::ExitEarly {
        message: "nobody decided about the call of 'pay'".to_owned(),
        timed_out: true,
    };
    assert_eq!(again.unwrap_err(), expected);
    assert!(lines(&ledger).is_empty());
    // A decision in time counts, however late the call goes on.
    let pending = wait(&tools, "pay", "food", &cx).await;
    let decided = Decided::new(yes(), "grace", Moment(1999));
    desk.store.take(&pending.id, &decided).await.unwrap();
    desk.clock.set(Moment(DAY));
    let reply = tools.resume(&pending.id, &cx).await.unwrap();
    assert_eq!(reply.to_model(), "paid food");
}

#[tokio::test]
async fn what_cannot_go_on_says_why() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let (tools, cx) = (list(pays(&ledger)), desk.deferring());
    let pending = wait(&tools, "pay", "rent", &cx).await;
    let text = |error: Result<_, ResumeError>| match error {
        Err(error) => error.to_string(),
        Ok::<callpact::ToolReply, _>(reply) => panic!("{reply:?}"),
    };
    let none = tools.decide("none", yes(), &cx).await;
    assert_eq!(text(none), "no call waits under this id");
    let waiting = tools.resume(&pending.id, &cx).await;
    assert_eq!(text(waiting), "nobody has decided about the call yet");
    let elsewhere = list(Add).decide(&pending.id, yes(), &cx).await;
    assert_eq!(text(elsewhere), "there is no tool `pay` here");
    let changed = "the call of 'pay' is not the one that was shown for a decision: \
                   its text, the tool, its parameters or its permission have changed since";
    let mut other = crate::kit::text("pay", |_, _| ToolResult::success("other"));
    other.permission = Permission::Destructive;
    let other = list(other).decide(&pending.id, yes(), &cx).await;
    assert_eq!(text(other), changed);
    let bare = tools.decide(&pending.id, yes(), &ToolContext::new()).await;
    assert!(text(bare).contains("no call store"));
    assert_eq!(desk.ids().await, [&*pending.id], "the call still waits");
    assert!(tools.decide(&pending.id, yes(), &cx).await.is_ok());
}

#[tokio::test]
async fn a_call_goes_on_only_in_its_workspace() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = list(pays(&ledger));
    let ada = desk.deferring().with_run("run-7").with_workspace("ada");
    let bob = desk.deferring().with_run("run-7").with_workspace("bob");
    let nowhere = desk.deferring().with_run("run-7");
    let pending = wait(&tools, "pay", "rent", &ada).await;
    assert_eq!(pending.workspace.as_deref(), Some("ada"));
    assert_eq!(pending.request().description, "Call pay in ada");
    let text = |error: Result<callpact::ToolReply, ResumeError>| match error {
        Err(error @ ResumeError::Workspace { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let refused = tools.decide(&pending.id, yes(), &bob).await;
    let words = "the call was made in the workspace `ada`, and this is the workspace `bob`";
    assert_eq!(text(refused), words);
    let refused = tools.decide(&pending.id, yes(), &nowhere).await;
    let words = "the call was made in the workspace `ada`, and this is no named workspace";
    assert_eq!(text(refused), words);
    assert_eq!(desk.ids().await, [&*pending.id], "the call still waits");
    // A program without the tools decides, and the call still runs in its workspace alone.
    let decided = Decided::new(yes(), "grace", Moment(0));
    desk.store.take(&pending.id, &decided).await.unwrap();
    text(tools.resume(&pending.id, &bob).await);
    let halt = tools.decide(&pending, yes(), &bob).await.unwrap_err();
    assert!(
        matches!(&halt, ResumeError::Halt(Halt::Misconfigured(why)) if why.contains("`ada`")),
        "{halt:?}"
    );
    // The name cannot be changed in the call itself.
    let mut moved = pending.clone();
    moved.workspace = Some("bob".to_owned());
    let halt = tools.decide(&moved, yes(), &bob).await.unwrap_err();
    assert!(
        matches!(&halt, ResumeError::Halt(Halt::Misconfigured(why)) if why.contains("changed")),
        "{halt:?}"
    );
    assert!(lines(&ledger).is_empty());
    // The same call of the same run in another workspace is another call, and does not get this decision.
    let other = wait(&tools, "pay", "rent", &bob).await;
    assert_ne!(other.id, pending.id);
    let reply = tools.call(&call("pay", "rent"), &ada).await.unwrap();
    assert_eq!(reply.to_model(), "paid rent");
    wait(&tools, "pay", "rent", &bob).await;
    assert_eq!(lines(&ledger), ["rent"]);
    // A call that was made in no named workspace goes on in none that has a name.
    let plain = wait(&tools, "pay", "food", &nowhere).await;
    let refused = tools.decide(&plain.id, yes(), &ada).await;
    let words = "the call was made in no named workspace, and this is the workspace `ada`";
    assert_eq!(text(refused), words);
    assert!(tools.decide(&plain.id, yes(), &nowhere).await.is_ok());
}

#[tokio::test]
async fn a_required_role_decides() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = Toolset::builder()
        .tool(pays(&ledger))
        .require_approval_by("pay", "ops")
        .build()
        .unwrap();
    let cx = desk.deferring();
    let pending = wait(&tools, "pay", "rent", &cx).await;
    for cx in [
        cx.clone(),
        cx.clone().with_reviewer(auto_approve()),
        cx.clone().with_reviewer(auto_approve().with_role("dev")),
    ] {
        let refused = tools.decide(&pending.id, yes(), &cx).await;
        assert!(
            matches!(&refused, Err(ResumeError::Role { required }) if required == "ops"),
            "{refused:?}"
        );
    }
    // A decision that somebody without the role has put into the store does not count.
    let other = wait(&tools, "pay", "tax", &cx).await;
    let decided = Decided::new(yes(), "eve", Moment(0)).acting_for("dev");
    desk.store.take(&other.id, &decided).await.unwrap();
    let refused = tools.resume(&other.id, &cx).await;
    assert!(
        matches!(refused, Err(ResumeError::Role { .. })),
        "{refused:?}"
    );
    assert!(lines(&ledger).is_empty());

    let ops = cx.with_reviewer(auto_approve().with_role("ops"));
    let reply = tools.decide(&pending.id, yes(), &ops).await.unwrap();
    assert_eq!(reply.to_model(), "paid rent");
    let stored = desk.store.get(&pending.id).await.unwrap().unwrap();
    assert_eq!(stored.decision.unwrap().role.as_deref(), Some("ops"));
}

/// Asks its reviewer itself.
struct Careful;

impl AgentTool for Careful {
    fn name(&self) -> &str {
        "careful"
    }
    fn description(&self) -> &str {
        "asks"
    }
    fn permission(&self) -> Permission {
        Permission::Destructive
    }
    fn asks_itself(&self) -> bool {
        true
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match cx.require_approval(format!("do {input}")).await {
            Ok(decision) => ToolResult::success(format!("{decision:?} {input}")),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

#[tokio::test]
async fn self_asking_tool_receives_decision_from_store() {
    let desk = Desk::default();
    let (tools, cx) = (list(Careful), desk.deferring().with_run("run-7"));
    let pending = wait(&tools, "careful", "x", &cx).await;
    let decided = Decided::new(edit("y"), "grace", Moment(0));
    desk.store.take(&pending.id, &decided).await.unwrap();
    let reply = tools.call(&call("careful", "x"), &cx).await.unwrap();
    // The person saw the arguments, so the edit applies to them, and is not text for the tool.
    assert_eq!(reply.result.output(), "Continue y");
    let again = list(Careful).resume(&pending.id, &cx).await.unwrap();
    assert_eq!(again.result.output(), "Continue y");
}

#[tokio::test]
async fn of_many_deciders_one_wins() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = Arc::new(list(pays(&ledger)));
    for round in 0..50 {
        let input = round.to_string();
        let pending = wait(&tools, "pay", &input, &desk.deferring()).await;
        let mut deciders = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (tools, cx) = (Arc::clone(&tools), desk.deferring());
            let id = pending.id.clone();
            deciders.spawn(async move { tools.decide(&id, yes(), &cx).await.is_ok() });
        }
        let won = deciders.join_all().await.into_iter().filter(|won| *won);
        assert_eq!(won.count(), 1);
    }
    assert_eq!(lines(&ledger).len(), 50);
}
