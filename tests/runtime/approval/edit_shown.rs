//! Whoever edits a call sees what the edited call does before it runs.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use super::{Seen, list};
use crate::kit::{Files, call};
use callpact::{
    AgentTool, DynamicTool, Halt, Outcome, PendingCall, Permission, ReviewDecision, ReviewRequest,
    ToolContext, ToolReply, ToolResult, Toolset,
    call::ResumeError,
    review::{ReviewHandler, review_fn},
    secret::MemorySecrets,
    tool::SealKey,
};

const A: &str = r#"{"path": "a", "text": "new"}"#;
const B: &str = r#"{"path": "b", "text": "new"}"#;
const WHOLE_B: &str = r#"{"path":"b","text":"new","copies":1}"#;
const CHANGED: &str = "Tool 'save' did not run: what it would do has changed since it was shown for \
    approval. Make the call again if it is still needed";

fn edit(text: &str) -> ReviewDecision {
    ReviewDecision::Edit(text.to_owned())
}

fn two() -> Files {
    Files::with([("a", "old a"), ("b", "old b")])
}

/// A reviewer who gives these answers, one after the other, after doing something each time.
fn answers(
    answers: impl IntoIterator<Item = ReviewDecision>,
    meddle: impl Fn(usize) + Send + Sync + 'static,
) -> (impl ReviewHandler + 'static, Seen) {
    let seen = Seen::default();
    let (asked, answers) = (
        Arc::clone(&seen),
        Mutex::new(answers.into_iter().collect::<Vec<_>>()),
    );
    let handler = review_fn(move |request: ReviewRequest| {
        let mut asked = asked.lock().unwrap();
        asked.push(request);
        meddle(asked.len());
        let answer = answers.lock().unwrap().remove(0);
        async move { Ok(answer) }
    });
    (handler, seen)
}

async fn made(files: &Files, reviewer: impl ReviewHandler + 'static) -> ToolReply {
    let cx = ToolContext::new().with_reviewer(reviewer);
    files.list().call(&call("save", A), &cx).await.unwrap()
}

#[tokio::test]
async fn reviewer_is_asked_again_about_edited_call() {
    let files = two();
    let (reviewer, seen) = answers([edit(B), ReviewDecision::Continue], |_| {});
    let reply = made(&files, reviewer).await;
    let seen = seen.lock().unwrap();
    let shown: Vec<_> = seen
        .iter()
        .map(|request| {
            (
                &*request.description,
                &*request.action,
                request.preview.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            (
                "Call save",
                r#"{"path":"a","text":"new","copies":1}"#,
                Some("-old a\n+new")
            ),
            (
                "Call save, as a person edited it",
                WHOLE_B,
                Some("-old b\n+new")
            ),
        ]
    );
    assert_eq!(seen[1].changes, ["copies: 1 by default"]);
    assert_ne!(seen[0].digest, seen[1].digest);
    assert_eq!(
        reply.to_model(),
        format!("saved\n\nNote: a person edited this call to: {B}")
    );
    assert_eq!(files.get("a").as_deref(), Some("old a"));
    assert_eq!(files.get("b").as_deref(), Some("new"));
}

#[tokio::test]
async fn edit_runs_only_over_file_shown_to_reviewer() {
    for (meddled, runs) in [("a", true), ("b", false)] {
        let files = two();
        let own = files.clone();
        let (reviewer, _) = answers([edit(B), ReviewDecision::Continue], move |round| {
            if round == 2 {
                own.set(meddled, "somebody's");
            }
        });
        let reply = made(&files, reviewer).await;
        let saved = if runs { "new" } else { "somebody's" };
        assert_eq!(files.get("b").as_deref(), Some(saved));
        assert_eq!(reply.is_success(), runs, "{}", reply.to_model());
        if !runs {
            assert_eq!(
                (reply.outcome, reply.result.error()),
                (Outcome::Refused, Some(CHANGED))
            );
            assert_eq!(
                reply.edited.as_deref(),
                Some(B),
                "the model knows what was edited"
            );
        }
    }
    // A file that is created although the arguments said everything.
    let files = two();
    let own = files.clone();
    let new = r#"{"path":"c","text":"new","copies":1}"#;
    let (reviewer, _) = answers([edit(new), edit(new)], move |_| own.set("c", "somebody's"));
    let reply = made(&files, reviewer).await;
    assert!(reply.is_success(), "it was shown: {}", reply.to_model());
}

#[tokio::test]
async fn repeated_edit_counts_as_approval() {
    let spaced = r#"{ "path": "b", "text": "new", "copies": 1 }"#;
    for again in [B, WHOLE_B, spaced] {
        let files = two();
        let (reviewer, seen) = answers([edit(B), edit(again)], |_| {});
        let reply = made(&files, reviewer).await;
        assert!(reply.is_success(), "{}", reply.to_model());
        assert_eq!(
            (reply.edited.as_deref(), seen.lock().unwrap().len()),
            (Some(B), 2)
        );
    }
    // An edit that changes nothing is an edit too.
    let files = two();
    let (reviewer, seen) = answers([edit(A)], |_| {});
    let reply = made(&files, reviewer).await;
    assert_eq!(
        (&*reply.to_model(), seen.lock().unwrap().len()),
        ("saved", 1)
    );
}

#[tokio::test]
async fn a_reviewer_who_edits_for_ever_is_refused() {
    let files = two();
    let rounds = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&rounds);
    let reviewer = review_fn(move |_: ReviewRequest| {
        let text = "x".repeat(own.fetch_add(1, Ordering::SeqCst) + 1);
        let next = json!({"path": "b", "text": text}).to_string();
        async move { Ok(ReviewDecision::Edit(next)) }
    });
    let reply = made(&files, reviewer).await;
    assert_eq!(
        (reply.outcome, reply.result.error()),
        (
            Outcome::Refused,
            Some(
                "Tool 'save' did not run: its reviewer edited it 8 times and approved none of the edits"
            )
        )
    );
    assert_eq!(rounds.load(Ordering::SeqCst), 8);
    assert_eq!(files.get("b").as_deref(), Some("old b"));
}

#[tokio::test]
async fn a_no_after_an_edit_is_a_no() {
    let files = two();
    let no = ReviewDecision::Refuse("too long".to_owned());
    let (reviewer, _) = answers([edit(B), no], |_| {});
    let reply = made(&files, reviewer).await;
    assert_eq!(
        reply.to_model(),
        "Error: The reviewer refused the call of 'save': too long"
    );
    let (reviewer, _) = answers([edit(B), ReviewDecision::REJECT], |_| {});
    let cx = ToolContext::new().with_reviewer(reviewer);
    let halt = files.list().call(&call("save", A), &cx).await.unwrap_err();
    assert!(
        matches!(
            halt,
            Halt::ExitEarly {
                timed_out: false,
                ..
            }
        ),
        "{halt:?}"
    );
    // An edit of an edit is read and checked like the first one.
    for (bad, why) in [
        (r#"{"path": "b"}"#, "text: missing"),
        (r#"{"path": "/", "text": ""}"#, "no file"),
    ] {
        let (reviewer, _) = answers([edit(B), edit(bad)], |_| {});
        let reply = made(&files, reviewer).await;
        assert!(reply.to_model().contains(why), "{}", reply.to_model());
        assert_eq!(reply.edited.as_deref(), Some(bad));
    }
    assert_eq!(files.get("b").as_deref(), Some("old b"));
}

#[tokio::test]
async fn self_explanatory_edit_runs_without_second_review() {
    let files = two();
    let (reviewer, seen) = answers(
        [edit(r#"{"path": "c", "text": "new", "copies": 2}"#)],
        |_| {},
    );
    let reply = made(&files, reviewer).await;
    assert!(reply.is_success(), "{}", reply.to_model());
    assert_eq!(seen.lock().unwrap().len(), 1);
    assert_eq!(files.get("c").as_deref(), Some("newnew"));
    // A default that is filled in, and a value that is read as another, are shown.
    for (text, change) in [
        (r#"{"path": "d", "text": "new"}"#, "copies: 1 by default"),
        (
            r#"{"path": "d", "text": "new", "copies": "1"}"#,
            r#"copies: "1" read as 1"#,
        ),
    ] {
        let (reviewer, seen) = answers([edit(text), ReviewDecision::Continue], |_| {});
        assert!(made(&files, reviewer).await.is_success());
        assert_eq!(seen.lock().unwrap()[1].changes, [change]);
    }
}

#[tokio::test]
async fn reviewer_sees_edit_without_named_secrets() {
    let files = two();
    let text = r#"{"path": "b", "text": "<secret_ref:key>"}"#;
    let (reviewer, seen) = answers([edit(text), ReviewDecision::Continue], |_| {});
    let cx = ToolContext::new()
        .with_reviewer(reviewer)
        .with_secrets(MemorySecrets::new().with("key", "hunter2-hunter2"));
    let reply = files.list().call(&call("save", A), &cx).await.unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
    assert_eq!(files.get("b").as_deref(), Some("hunter2-hunter2"));
    let seen = serde_json::to_string(&*seen.lock().unwrap()).unwrap();
    assert!(
        seen.contains("+<secret_ref:key>") && !seen.contains("hunter2"),
        "{seen}"
    );
}

/// A tool that reads its text itself, with a preview.
struct Append;

impl AgentTool for Append {
    fn name(&self) -> &'static str {
        "append"
    }
    fn description(&self) -> &'static str {
        "Appends a line."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn preview_text(&self, input: &str) -> Option<callpact::review::Preview> {
        Some(format!("+{input}").into())
    }
    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(input)
    }
}

#[tokio::test]
async fn run_time_tool_previews_edit() {
    let (reviewer, seen) = answers(
        [
            edit("two words"),
            edit("twowords"),
            ReviewDecision::Continue,
        ],
        |_| {},
    );
    let cx = ToolContext::new().with_reviewer(reviewer);
    let reply = list(Append)
        .call(&call("append", "one"), &cx)
        .await
        .unwrap();
    assert_eq!(reply.result.output(), "twowords");
    let previews: Vec<_> = seen
        .lock()
        .unwrap()
        .iter()
        .map(|it| it.preview.clone())
        .collect();
    let expected = ["+one", "+two words", "+twowords"].map(|text| Some(text.into()));
    assert_eq!(previews, expected);
    // A schema that is read at run time: what was read as another value is shown.
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
    let count = DynamicTool::new(
        "count",
        "Counts.",
        Some(schema),
        |input: Value, _| async move { input.to_string() },
    );
    let count = count.unwrap().with_permission(Permission::Write);
    let (reviewer, seen) = answers([edit(r#"{"n": "5"}"#), ReviewDecision::Continue], |_| {});
    let cx = ToolContext::new().with_reviewer(reviewer);
    let reply = list(count)
        .call(&call("count", r#"{"n": 4}"#), &cx)
        .await
        .unwrap();
    assert_eq!(reply.result.output(), r#"{"n":5}"#);
    assert_eq!(seen.lock().unwrap()[1].action, r#"{"n":5}"#);
}

fn waits(ended: Result<ToolReply, impl Into<ResumeError> + std::fmt::Debug>) -> PendingCall {
    let ended = ended.map_err(Into::into);
    let Err(ResumeError::Halt(Halt::Pending(pending))) = ended else {
        panic!("{ended:?}");
    };
    // To another process and back.
    let key = SealKey::new(b"thirty-two bytes from a safe place").unwrap();
    PendingCall::open(&pending.seal(&key), &key).unwrap()
}

#[tokio::test]
async fn edit_of_pending_call_becomes_new_question() {
    let files = two();
    let (tools, cx) = (files.list(), ToolContext::new());
    let later = cx.clone().with_deferred_approval();
    let pending = waits(tools.call(&call("save", A), &later).await);
    let edited = waits(tools.decide(&pending, edit(B), &cx).await);
    assert_eq!(
        (
            &*edited.arguments,
            edited.preview.as_deref(),
            edited.edited.as_deref()
        ),
        (WHOLE_B, Some("-old b\n+new"), Some(B))
    );
    assert!(edited.id != pending.id && edited.digest != pending.digest);
    assert_eq!(
        edited.request().description,
        "Call save, as a person edited it"
    );
    // The decision about the original is used.
    let yes = ReviewDecision::Continue;
    let used = tools.decide(&pending, yes.clone(), &cx).await.unwrap_err();
    assert!(
        used.to_string().contains("a decision counts once"),
        "{used}"
    );
    // An edited text must not be changed.
    let mut forged = edited.clone();
    forged.edited = Some(A.to_owned());
    let halt = tools.decide(&forged, yes.clone(), &cx).await.unwrap_err();
    assert!(
        halt.to_string().contains("is not the one that was shown"),
        "{halt}"
    );
    // The file of the original does not matter any more, its own does.
    files.set("a", "somebody's");
    let reply = tools.decide(&edited, yes.clone(), &cx).await.unwrap();
    assert_eq!(
        reply.to_model(),
        format!("saved\n\nNote: a person edited this call to: {B}")
    );
    let pending = waits(tools.call(&call("save", A), &later).await);
    let edited = waits(tools.decide(&pending, edit(B), &cx).await);
    files.set("b", "somebody's");
    let reply = tools.decide(&edited, yes, &cx).await.unwrap();
    assert_eq!(reply.result.error(), Some(CHANGED));
    // Giving the same arguments again is a yes.
    let pending = waits(tools.call(&call("save", A), &later).await);
    let edited = waits(tools.decide(&pending, edit(B), &cx).await);
    let reply = tools.decide(&edited, edit(B), &cx).await.unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
}

#[tokio::test]
async fn call_written_by_person_is_reviewed_as_edit() {
    let files = two();
    let made = call("save", A);
    let (reviewer, seen) = answers([ReviewDecision::Continue], |_| {});
    let cx = ToolContext::new().with_reviewer(reviewer);
    let reply = files.list().call_edited(&made, B, &cx).await.unwrap();
    assert_eq!(
        reply.to_model(),
        format!("saved\n\nNote: a person edited this call to: {B}")
    );
    assert_eq!(
        seen.lock().unwrap()[0].description,
        "Call save, as a person edited it"
    );
    let reply = files.list().call_edited(&made, "{}", &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, reply.edited.as_deref()),
        (Outcome::InvalidArguments, Some("{}"))
    );
    // If nobody is asked about calls, nobody is asked about this one.
    let reply = files
        .list()
        .call_edited(&made, B, &ToolContext::new())
        .await
        .unwrap();
    assert!(reply.is_success());
}

#[tokio::test]
async fn self_asking_tool_waits_again_with_edit() {
    let files = Files {
        asks_itself: true,
        ..two()
    };
    let (tools, cx) = (files.list(), ToolContext::new());
    let later = cx.clone().with_deferred_approval();
    let pending = waits(tools.call(&call("save", A), &later).await);
    let edited = waits(tools.decide(&pending, edit(B), &cx).await);
    let reply = tools
        .decide(&edited, ReviewDecision::Continue, &cx)
        .await
        .unwrap();
    assert_eq!(reply.result.output(), "saved");
    assert_eq!(files.get("b").as_deref(), Some("new"));
}

#[tokio::test]
async fn role_reviewer_is_asked_about_edit() {
    let files = two();
    let tools = Toolset::builder()
        .tool(files.clone())
        .require_approval_by("save", "editor")
        .build()
        .unwrap();
    let (reviewer, seen) = answers([edit(B), ReviewDecision::Continue], |_| {});
    let cx = ToolContext::new().with_reviewer(reviewer.with_role("editor"));
    assert!(
        tools
            .call(&call("save", A), &cx)
            .await
            .unwrap()
            .is_success()
    );
    let roles: Vec<_> = seen
        .lock()
        .unwrap()
        .iter()
        .map(|it| it.required_role.clone())
        .collect();
    assert_eq!(
        roles,
        [Some("editor".to_owned()), Some("editor".to_owned())]
    );
    let later = ToolContext::new().with_deferred_approval();
    let pending = waits(tools.call(&call("save", A), &later).await);
    let edited = waits(tools.decide(&pending, edit(WHOLE_B), &cx).await);
    assert_eq!(edited.required_role.as_deref(), Some("editor"));
    let nobody = tools
        .decide(&edited, ReviewDecision::Continue, &ToolContext::new())
        .await;
    assert!(
        matches!(nobody, Err(ResumeError::Halt(Halt::Misconfigured(_)))),
        "{nobody:?}"
    );
}

#[tokio::test]
async fn an_edit_with_hidden_characters_is_asked_about() {
    let c = "{\"path\": \"n\u{202e}txt.exe\", \"text\": \"a\", \"copies\": 1}";
    for (edited, times) in [
        (c.to_owned(), 2),
        (c.replace("\u{202e}", "_"), 1),
        (c.replace("\u{202e}", "_").replace(", ", ",\n\t"), 1),
    ] {
        let (reviewer, seen) = answers([edit(&edited), ReviewDecision::Continue], |_| {});
        made(&two(), reviewer).await;
        assert_eq!(seen.lock().unwrap().len(), times, "{edited:?}");
    }
}
