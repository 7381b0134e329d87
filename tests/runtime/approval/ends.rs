//! How a review ends without a yes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{list, says};
use crate::kit::{Counts, call, echo, text};
use callpact::review::{ReviewError, review_fn};
use callpact::{
    Cancellation, Halt, OnTimeout, Outcome, PermissionMode, ReviewDecision, ToolContext, ToolResult,
};

#[tokio::test]
async fn every_review_end_without_approval_halts_and_counts() {
    let asleep = || review_fn(|_| std::future::pending());
    let cases: Vec<(ToolContext, &str)> = vec![
        (
            ToolContext::new().with_reviewer(says(ReviewDecision::REJECT).0),
            "exit_early",
        ),
        (
            ToolContext::new()
                .with_reviewer(asleep())
                .with_review_timeout(Duration::from_millis(2), OnTimeout::ExitEarly),
            "review_timed_out",
        ),
        (
            ToolContext::new()
                .with_reviewer(asleep())
                .with_review_timeout(Duration::from_millis(2), OnTimeout::Fail),
            "review_failed",
        ),
        (
            ToolContext::new()
                .with_reviewer(review_fn(|_| async { Err(ReviewError::failed("no line")) })),
            "review_failed",
        ),
        (
            ToolContext::new().with_reviewer(review_fn(|_| async { panic!("ui") })),
            "review_failed",
        ),
        (
            ToolContext::new().with_permissions(PermissionMode::Ask),
            "misconfigured",
        ),
        (ToolContext::new().with_deferred_approval(), "pending"),
    ];
    for (cx, name) in cases {
        let counts = Counts::default();
        let ran = Arc::new(AtomicUsize::new(0));
        let own = Arc::clone(&ran);
        let tool = text("t", move |_, _| {
            own.fetch_add(1, Ordering::SeqCst);
            ToolResult::success("")
        });
        let halt = list(tool)
            .call(&call("t", "{}"), &cx.with_metrics(counts.clone()))
            .await
            .unwrap_err();
        assert_eq!(halt.name(), name);
        assert_eq!(ran.load(Ordering::SeqCst), 0, "{name}");
        assert_eq!(
            counts.lines(),
            [
                format!("halt t unknown {name}"),
                "duration t unknown".into()
            ]
        );
    }
    let goes_on = ToolContext::new()
        .with_reviewer(asleep())
        .with_review_timeout(Duration::from_millis(2), OnTimeout::Continue);
    assert!(
        list(echo("t"))
            .call(&call("t", "{}"), &goes_on)
            .await
            .unwrap()
            .is_success()
    );
}

#[tokio::test]
async fn waiting_for_a_reviewer_ends_with_the_call() {
    let tools = list(echo("t"));
    let cancellation = Cancellation::new();
    let cx = ToolContext::new()
        .with_reviewer(review_fn(|_| std::future::pending()))
        .with_cancellation(cancellation.clone());
    let one = call("t", "{}");
    let waits = tools.call(&one, &cx);
    let cancels = async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        cancellation.cancel();
    };
    let (reply, ()) = tokio::join!(waits, cancels);
    assert_eq!(reply.unwrap_err(), Halt::Cancelled);
    let cx = ToolContext::new()
        .with_reviewer(review_fn(|_| std::future::pending()))
        .with_deadline(std::time::Instant::now() + Duration::from_millis(5));
    let reply = tools.call(&one, &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (
            Outcome::TimedOut,
            "Error: Tool 't' did not run: the time was up before it was approved"
        )
    );
}
