//! An edit of a stored call is shown before it is recorded, and runs as it was shown.

use std::sync::Arc;

use super::{Desk, wait};
use crate::kit::{Files, call};
use callpact::{
    Halt, Outcome, PendingCall, ReviewDecision, ToolContext, ToolReply,
    call::ResumeError,
    store::{CallStore, Decided, Moment, Taken},
};

const A: &str = r#"{"path": "a", "text": "new"}"#;
const B: &str = r#"{"path": "b", "text": "new"}"#;
const NOTED: &str =
    "saved\n\nNote: a person edited this call to: {\"path\": \"b\", \"text\": \"new\"}";

fn edit(text: &str) -> ReviewDecision {
    ReviewDecision::Edit(text.to_owned())
}

fn two() -> Files {
    Files::with([("a", "old a"), ("b", "old b")])
}

/// Records an edit as a process does that has the tools, and shows it to somebody.
async fn record(desk: &Desk, files: &Files, pending: &PendingCall, text: &str) -> PendingCall {
    let edited = files
        .list()
        .preview_edit(pending, text, &desk.cx())
        .unwrap();
    let decided = Decided::new(edit(text), "grace", Moment(1)).showing(edited.clone());
    let taken = desk.store.take(&pending.id, &decided).await.unwrap();
    assert!(matches!(taken, Taken::Won(_)), "{taken:?}");
    edited
}

fn error(reply: &ToolReply) -> (Outcome, &str) {
    (reply.outcome, reply.result.error().unwrap_or_default())
}

const CHANGED: &str = "Tool 'save' did not run: what it would do has changed since it was shown for \
    approval. Make the call again if it is still needed";

#[tokio::test]
async fn an_edit_is_previewed_without_a_decision() {
    let (desk, files) = (Desk::default(), two());
    let tools = files.list();
    let pending = wait(&tools, "save", A, &desk.deferring()).await;
    let edited = tools.preview_edit(&pending, B, &desk.cx()).unwrap();
    assert_eq!(
        (
            &*edited.arguments,
            edited.preview.as_deref(),
            edited.edited.as_deref()
        ),
        (
            r#"{"path":"b","text":"new","copies":1}"#,
            Some("-old b\n+new"),
            Some(B)
        )
    );
    assert_eq!(edited.changes, ["copies: 1 by default"]);
    assert_eq!(
        (&edited.id, &edited.call_id),
        (&pending.id, &pending.call_id)
    );
    assert_ne!(edited.digest, pending.digest);
    for (bad, why) in [
        (r#"{"path": "b"}"#, "text: missing"),
        (r#"{"path": "/", "text": ""}"#, "no file"),
    ] {
        let Err(ResumeError::Edit(text)) = tools.preview_edit(&pending, bad, &desk.cx()) else {
            panic!("it does not fit");
        };
        assert!(text.contains(why), "{text}");
    }
    let elsewhere = desk.cx().with_workspace("elsewhere");
    let refused = tools.preview_edit(&pending, B, &elsewhere);
    assert!(
        matches!(refused, Err(ResumeError::Workspace { .. })),
        "{refused:?}"
    );
    let mut forged = pending.clone();
    forged.arguments = B.to_owned();
    let refused = tools.preview_edit(&forged, B, &desk.cx());
    assert!(
        matches!(refused, Err(ResumeError::Changed { .. })),
        "{refused:?}"
    );
    assert_eq!(desk.ids().await, [pending.id], "the call still waits");
}

#[tokio::test]
async fn stored_edit_records_effect_of_edited_call() {
    let (desk, files) = (Desk::default(), two());
    let tools = files.list();
    let pending = wait(&tools, "save", A, &desk.deferring()).await;
    let reply = tools
        .decide(&pending.id, edit(B), &desk.cx())
        .await
        .unwrap();
    assert_eq!(reply.to_model(), NOTED);
    assert_eq!(files.get("b").as_deref(), Some("new"));
    let stored = desk.store.get(&pending.id).await.unwrap().unwrap();
    let decided = stored.decision.clone().unwrap();
    assert_eq!(decided.decision, edit(B), "what the person wrote");
    assert_eq!(
        decided.edited.unwrap().preview.as_deref(),
        Some("-old b\n+new")
    );
    assert_eq!(stored.seen().preview.as_deref(), Some("-old b\n+new"));
}

#[tokio::test]
async fn rejects_file_changed_between_decision_and_run() {
    for asks_itself in [false, true] {
        for (meddled, runs) in [("a", true), ("b", false)] {
            let desk = Desk::default();
            let files = Files {
                asks_itself,
                ..two()
            };
            let pending = wait(&files.list(), "save", A, &desk.deferring()).await;
            record(&desk, &files, &pending, B).await;
            files.set(meddled, "somebody's");
            let again = async || files.list().resume(&pending.id, &desk.cx()).await.unwrap();
            let reply = again().await;
            if runs {
                assert_eq!(reply.to_model(), NOTED);
                assert_eq!(files.get("b").as_deref(), Some("new"));
                continue;
            }
            assert_eq!(error(&reply), (Outcome::Refused, CHANGED));
            // The old state does not bring it back: the decision is used.
            files.set("b", "old b");
            assert_eq!(error(&again().await), (Outcome::Refused, CHANGED));
            assert_eq!(files.get("b").as_deref(), Some("old b"));
        }
    }
}

#[tokio::test]
async fn original_run_continues_with_reviewed_edit() {
    for (meddled, runs) in [("a", true), ("b", false)] {
        let (desk, files) = (Desk::default(), two());
        let agent = desk.deferring().with_run("run-7");
        let pending = wait(&files.list(), "save", A, &agent).await;
        record(&desk, &files, &pending, B).await;
        files.set(meddled, "somebody's");
        let reply = files.list().call(&call("save", A), &agent).await.unwrap();
        if runs {
            assert_eq!(reply.to_model(), NOTED);
        } else {
            assert_eq!(error(&reply), (Outcome::Refused, CHANGED));
        }
        // Another process gets the same end.
        let again = files.list().resume(&pending.id, &desk.cx()).await.unwrap();
        assert_eq!((again.outcome, again.replayed), (reply.outcome, true));
        assert_eq!(
            files.get("a").as_deref(),
            Some(if runs { "somebody's" } else { "old a" })
        );
    }
}

#[tokio::test]
async fn unseen_edit_runs_only_without_effects_to_show() {
    let blind = "Tool 'save' did not run: a person edited it and was not shown what the edited call does. \
        Make the call again if it is still needed";
    let whole_new = r#"{"path": "c", "text": "new", "copies": 1}"#;
    for (text, runs) in [
        (B, false),
        // The place is empty, and a default is filled in.
        (r#"{"path": "c", "text": "new"}"#, false),
        (whole_new, true),
        // The shown call runs.
        (A, true),
    ] {
        for by_run in [false, true] {
            let (desk, files) = (Desk::default(), two());
            let agent = desk.deferring().with_run("run-7");
            let pending = wait(&files.list(), "save", A, &agent).await;
            let decided = Decided::new(edit(text), "grace", Moment(1));
            // The form in which an older program stored it.
            let json = serde_json::to_string(&decided).unwrap();
            assert!(!json.contains("edited"), "{json}");
            let decided = serde_json::from_str(&json).unwrap();
            desk.store.take(&pending.id, &decided).await.unwrap();
            let reply = if by_run {
                files.list().call(&call("save", A), &agent).await.unwrap()
            } else {
                files.list().resume(&pending.id, &desk.cx()).await.unwrap()
            };
            if runs {
                assert_eq!(reply.result.output(), "saved", "{}", reply.to_model());
            } else {
                assert_eq!(error(&reply), (Outcome::Refused, blind));
                assert_eq!(files.get("b").as_deref(), Some("old b"));
                assert_eq!(files.get("c"), None);
            }
            assert!(desk.ids().await.is_empty(), "the call is settled");
        }
    }
}

#[tokio::test]
async fn rejects_tampered_record_of_edit() {
    let changes: [fn(&mut PendingCall); 4] = [
        |call| call.arguments = A.to_owned(),
        |call| call.preview = None,
        |call| call.changes.clear(),
        |call| call.workspace = Some("elsewhere".to_owned()),
    ];
    for change in changes {
        let (desk, files) = (Desk::default(), two());
        let agent = desk.deferring().with_run("run-7");
        let pending = wait(&files.list(), "save", A, &agent).await;
        let mut edited = files.list().preview_edit(&pending, B, &desk.cx()).unwrap();
        change(&mut edited);
        let decided = Decided::new(edit(B), "grace", Moment(1)).showing(edited);
        desk.store.take(&pending.id, &decided).await.unwrap();
        let refused = files.list().resume(&pending.id, &desk.cx()).await;
        assert!(
            matches!(refused, Err(ResumeError::Changed { .. })),
            "{refused:?}"
        );
        let refused = files.list().call(&call("save", A), &agent).await;
        assert!(
            matches!(refused, Err(Halt::Misconfigured(_))),
            "{refused:?}"
        );
        assert_eq!(files.get("b").as_deref(), Some("old b"));
    }
}

#[tokio::test]
async fn compares_changing_edit_with_state_seen_by_decider() {
    let (desk, files) = (Desk::default(), two());
    let tools = Arc::new(files.list());
    let pending = wait(&tools, "save", A, &desk.deferring()).await;
    let seen = tools.preview_edit(&pending, B, &desk.cx()).unwrap();
    files.set("b", "somebody's");
    let now = tools.preview_edit(&pending, B, &desk.cx()).unwrap();
    assert_ne!(
        seen.digest, now.digest,
        "a program can tell before it records"
    );
    let decided = Decided::new(edit(B), "grace", Moment(1)).showing(seen);
    desk.store.take(&pending.id, &decided).await.unwrap();
    let cx: ToolContext = desk.cx();
    let reply = tools.resume(&pending.id, &cx).await.unwrap();
    assert_eq!(error(&reply), (Outcome::Refused, CHANGED));
}
