//! A call that waits for its answer elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{ARGUMENTS, OtherInput, Reach, list, pending, says};
use crate::kit::{Add, AddInput, Counts, echo, text};
use callpact::{
    Cancellation, Halt, Outcome, PendingCall, Permission, PermissionMode, ReviewDecision,
    ReviewHandler, ToolContext, ToolReply, ToolResult, Toolset, call::ResumeError,
};
use callpact::{
    store::Moment,
    tool::{SealError, SealKey},
};

#[tokio::test]
async fn a_deferred_call_goes_on_elsewhere() {
    let kept = pending(&list(Add), "add").await;
    assert_eq!(
        (&*kept.call_id, &*kept.tool, &*kept.arguments),
        ("call-1", "add", ARGUMENTS)
    );
    let elsewhere = list(Add);
    let cx = ToolContext::new().with_deferred_approval();
    let reply = elsewhere
        .decide(&kept, ReviewDecision::Continue, &cx)
        .await
        .unwrap();
    assert_eq!((&*reply.call_id, &*reply.to_model()), ("call-1", "3"));
    let kept = pending(&list(Add), "add").await;
    let edit = ReviewDecision::Edit(r#"{"a":5,"b":5}"#.into());
    let edited = elsewhere.decide(&kept, edit, &cx).await.unwrap();
    assert_eq!(edited.result.output(), "10");
    let kept = pending(&list(Add), "add").await;
    let bad = ReviewDecision::Edit(r#"{"a":5}"#.into());
    assert_eq!(
        elsewhere.decide(&kept, bad, &cx).await.unwrap().outcome,
        Outcome::InvalidArguments
    );
    let kept = pending(&list(Add), "add").await;
    let counts = Counts::default();
    let halt = elsewhere
        .decide(
            &kept,
            ReviewDecision::REJECT,
            &cx.with_metrics(counts.clone()),
        )
        .await
        .unwrap_err();
    assert!(matches!(
        halt,
        ResumeError::Halt(Halt::ExitEarly {
            timed_out: false,
            ..
        })
    ));
    assert_eq!(counts.lines()[0], "halt add unknown exit_early");
    // The question is the one that would have been asked on the spot.
    let request = kept.request();
    assert_eq!(
        (&*request.action, &*request.digest),
        (ARGUMENTS, &*kept.digest)
    );
}

#[tokio::test]
async fn a_decision_about_a_deferred_call_counts_once() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let tools = list(text("t", move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        ToolResult::success("ran")
    }));
    let cx = ToolContext::new();
    let used = |reply: &Result<ToolReply, ResumeError>| matches!(reply, Err(ResumeError::Halt(Halt::Misconfigured(why))) if why.ends_with("a decision counts once"));
    // It is delivered twice, the second time to a list made from the first.
    let kept = pending(&tools, "t").await;
    let yes = || ReviewDecision::Continue;
    assert!(tools.decide(&kept, yes(), &cx).await.is_ok());
    assert!(used(&tools.decide(&kept, yes(), &cx).await));
    assert!(used(
        &tools.filter(|_| true).decide(&kept, yes(), &cx).await
    ));
    let other = Toolset::builder().tool(text("other", |_, _| ToolResult::success("")));
    let both = other.tools(tools.clone()).build().unwrap();
    assert!(used(&both.decide(&kept, yes(), &cx).await));
    let kept = pending(&both, "t").await;
    assert!(both.decide(&kept, yes(), &cx).await.is_ok());
    assert!(used(&tools.decide(&kept, yes(), &cx).await));
    assert_eq!(runs.load(Ordering::SeqCst), 2);
    // A refusal stays a refusal.
    let kept = pending(&tools, "t").await;
    let no = tools.decide(&kept, ReviewDecision::REJECT, &cx).await;
    assert!(matches!(no, Err(ResumeError::Halt(Halt::ExitEarly { .. }))));
    assert!(used(&tools.decide(&kept, yes(), &cx).await));
    // A call that did not reach the gate does not use its decision up, and the same call made again
    // is a new one.
    let kept = pending(&tools, "t").await;
    let cancellation = Cancellation::new();
    cancellation.cancel();
    let cancelled = cx.clone().with_cancellation(cancellation);
    let halt = tools.decide(&kept, yes(), &cancelled).await;
    assert!(matches!(halt, Err(ResumeError::Halt(Halt::Cancelled))));
    assert!(tools.decide(&kept, yes(), &cx).await.is_ok());
    let again = pending(&tools, "t").await;
    assert_eq!(
        (&again.call_id, &again.digest),
        (&kept.call_id, &kept.digest)
    );
    assert!(tools.decide(&again, yes(), &cx).await.is_ok());
    assert_eq!(runs.load(Ordering::SeqCst), 4);
    // An id that no list gave out.
    let mut forged = pending(&tools, "t").await;
    forged.id = "mine".into();
    assert!(tools.decide(&forged, yes(), &cx).await.is_err());
    assert_eq!(runs.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_deferred_call_is_refused_when_anything_changed() {
    let tools = list(Reach::<AddInput>::new(1));
    let kept = pending(&tools, "t").await;
    let resume = async |tools: &Toolset, pending: &PendingCall| {
        let counts = Counts::default();
        let cx = ToolContext::new().with_metrics(counts.clone());
        let halt = tools
            .decide(pending, ReviewDecision::Continue, &cx)
            .await
            .unwrap_err();
        assert!(
            matches!(&halt, ResumeError::Halt(Halt::Misconfigured(text)) if text.contains("changed")),
            "{halt:?}"
        );
        assert_eq!(counts.lines().len(), 1, "counted");
    };
    assert!(
        tools
            .decide(&kept, ReviewDecision::Continue, &ToolContext::new())
            .await
            .is_ok()
    );
    let mut other = kept.clone();
    other.arguments = r#"{"a":1,"b":3}"#.into();
    resume(&tools, &other).await;
    let mut other = kept.clone();
    other.digest = "0".repeat(64);
    resume(&tools, &other).await;
    let mut other = kept.clone();
    other.permission = Permission::ReadOnly;
    resume(&tools, &other).await;
    let mut other = kept.clone();
    other.tool = "u".into();
    resume(&tools, &other).await;
    resume(&tools.rename("t", "u").unwrap(), &other).await;
    resume(&list(Reach::<OtherInput>::new(1)), &kept).await;
    resume(&list(Reach::<AddInput>::new(2)), &kept).await;
    resume(&list(echo("another")), &kept).await;
}

#[tokio::test]
async fn remote_decision_bypasses_no_local_restriction() {
    let tools = list(Add);
    let kept = pending(&tools, "add").await;
    let deny = ToolContext::new().with_permissions(PermissionMode::Deny);
    let reply = tools
        .decide(&kept, ReviewDecision::Continue, &deny)
        .await
        .unwrap();
    assert_eq!(reply.outcome, Outcome::Refused);

    let roles = Toolset::builder()
        .tool(Add)
        .require_approval_by("add", "security")
        .build()
        .unwrap();
    let kept = pending(&roles, "add").await;
    assert_eq!(kept.required_role.as_deref(), Some("security"));
    let request = kept.request();
    assert_eq!(request.required_role.as_deref(), Some("security"));
    // A no needs no role.
    let other = pending(&roles, "add").await;
    let no = roles
        .decide(&other, ReviewDecision::REJECT, &ToolContext::new())
        .await;
    assert!(
        matches!(no, Err(ResumeError::Halt(Halt::ExitEarly { .. }))),
        "{no:?}"
    );
    let yes = ReviewDecision::Continue;
    let halt = roles
        .decide(&kept, yes.clone(), &ToolContext::new())
        .await
        .unwrap_err();
    assert!(
        matches!(&halt, ResumeError::Halt(Halt::Misconfigured(text)) if text.contains("security")),
        "{halt:?}"
    );
    let ops = ToolContext::new().with_reviewer(says(yes.clone()).0.with_role("ops"));
    assert!(roles.decide(&kept, yes.clone(), &ops).await.is_err());
    let right = ToolContext::new().with_reviewer(says(yes.clone()).0.with_role("security"));
    assert!(roles.decide(&kept, yes, &right).await.unwrap().is_success());
}

#[tokio::test]
async fn sealed_call_opens_unchanged_before_expiry_with_key() {
    let call = pending(&list(Add), "add").await;
    let old = SealKey::new([7; 32]).unwrap();
    let key = SealKey::new([8; 40])
        .unwrap()
        .valid_for(Duration::from_secs(60))
        .accepting(&old);
    let now = Moment(1_000_000);
    let text = call.seal_at(&key, now);
    assert_eq!(PendingCall::open_at(&text, &key, now), Ok(call.clone()));
    let last = Moment(now.0 + 59_999);
    assert_eq!(PendingCall::open_at(&text, &key, last), Ok(call.clone()));
    let over = Moment(now.0 + 60_000);
    let expired = PendingCall::open_at(&text, &key, over);
    assert_eq!(expired, Err(SealError::Expired));
    assert_eq!(
        PendingCall::open_at(&text, &old, now),
        Err(SealError::Invalid)
    );
    let by_old = call.seal_at(&old, now);
    assert_eq!(PendingCall::open_at(&by_old, &key, now), Ok(call.clone()));
    for at in 0..text.len() {
        for bit in [1, 4, 32] {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= bit;
            let Ok(changed) = String::from_utf8(changed) else {
                continue;
            };
            let opened = PendingCall::open_at(&changed, &key, now);
            assert_eq!(opened, Err(SealError::Invalid), "{at}");
        }
        let opened = PendingCall::open_at(&text[..at], &key, now);
        assert_eq!(opened, Err(SealError::Invalid), "{at}");
    }
    assert_eq!(SealKey::new([1; 31]).map(|_| ()), Err(SealError::ShortKey));
    assert_eq!(format!("{key:?}"), "SealKey(..)");
    assert_eq!(PendingCall::open(&call.seal(&key), &key), Ok(call));
}
