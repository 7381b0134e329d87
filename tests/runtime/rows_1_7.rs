//! Section 1.7, reviews, where it concerns the runtime; the handlers have tests of their own.

use std::time::Duration;

use crate::kit::{call, echo};
use toolwright::{
    Halt, OnTimeout, ReviewDecision, ReviewRequest, ToolContext, Toolset,
    review::{self, review_fn, run_review},
};

#[tokio::test]
async fn row_1_7_edit_may_be_empty() {
    let tools = Toolset::builder().tool(echo("e")).build().unwrap();
    let cx = ToolContext::new().with_reviewer(review_fn(|_| async {
        Ok(ReviewDecision::Edit(String::new()))
    }));
    let reply = tools
        .call(&call("e", r#"{"input":"x"}"#), &cx)
        .await
        .unwrap();
    assert_eq!((reply.is_success(), &*reply.to_model()), (true, ""));
}

#[test]
fn row_1_7_defaults() {
    let request = ReviewRequest::new("x");
    assert_eq!(request.timeout, Some(Duration::from_secs(300)));
    assert_eq!(request.on_timeout, OnTimeout::ExitEarly);
    assert_eq!(
        request.timeout(Duration::ZERO).timeout,
        None,
        "zero waits for ever"
    );
}

#[tokio::test]
async fn row_1_7_on_timeout() {
    let asleep = || review::auto_approve_after(Duration::from_secs(3600));
    let short = |on| {
        ReviewRequest::new("x")
            .timeout(Duration::from_millis(2))
            .on_timeout(on)
    };
    assert_eq!(
        run_review(&asleep(), &short(OnTimeout::Continue))
            .await
            .unwrap(),
        ReviewDecision::Continue
    );
    assert_eq!(
        run_review(&asleep(), &short(OnTimeout::ExitEarly))
            .await
            .unwrap(),
        ReviewDecision::ExitEarly { timed_out: true }
    );
    let failed = run_review(&asleep(), &short(OnTimeout::Fail))
        .await
        .unwrap_err();
    assert_eq!(failed.to_string(), "Review gate timed out after 0.002s");
}

#[tokio::test]
async fn row_1_7_fail_propagates_and_is_not_swallowed_into_a_failure() {
    let tools = Toolset::builder().tool(echo("e")).build().unwrap();
    let cx = ToolContext::new()
        .with_reviewer(review::auto_approve_after(Duration::from_secs(3600)))
        .with_review_timeout(Duration::from_millis(2), OnTimeout::Fail);
    let halt = tools.call(&call("e", "{}"), &cx).await.unwrap_err();
    assert!(matches!(halt, Halt::ReviewFailed(_)), "{halt:?}");
}
