//! A question that a tool asks itself.

use std::time::Duration;

use super::{list, says};
use crate::kit::call;
use callpact::review::review_fn;
use callpact::{
    AgentTool, Halt, OnTimeout, Outcome, Permission, PermissionMode, ReviewDecision, ToolContext,
    ToolResult,
};

#[tokio::test]
async fn a_question_inside_a_tool() {
    struct Asks(bool);
    impl AgentTool for Asks {
        fn name(&self) -> &str {
            "asks"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn permission(&self) -> Permission {
            Permission::ReadOnly
        }
        async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
            let asked = if self.0 {
                cx.require_approval("do it").await
            } else {
                cx.request_approval("do it").await
            };
            match asked {
                Ok(ReviewDecision::Continue) => ToolResult::success("done"),
                Ok(ReviewDecision::Edit(text)) => ToolResult::success(text),
                Ok(_) => ToolResult::failure("Rejected by reviewer"),
                Err(halt) => ToolResult::halt(halt),
            }
        }
    }
    let run = async |required: bool, cx: &ToolContext| {
        list(Asks(required))
            .call(&call("asks", "{}"), cx)
            .await
            .map(|reply| reply.to_model().into_owned())
    };
    assert_eq!(run(false, &ToolContext::new()).await.unwrap(), "done");
    let halt = run(true, &ToolContext::new()).await.unwrap_err();
    assert!(
        matches!(&halt, Halt::Misconfigured(text) if text.starts_with("Tool 'asks' requires approval"))
    );
    for required in [false, true] {
        let with = |decision| ToolContext::new().with_reviewer(says(decision).0);
        assert_eq!(
            run(required, &with(ReviewDecision::Edit("other".into())))
                .await
                .unwrap(),
            "other"
        );
        assert_eq!(
            run(required, &with(ReviewDecision::REJECT)).await.unwrap(),
            "Error: Rejected by reviewer"
        );
        let fail = ToolContext::new()
            .with_reviewer(review_fn(|_| std::future::pending()))
            .with_review_timeout(Duration::from_millis(1), OnTimeout::Fail);
        assert!(matches!(
            run(required, &fail).await.unwrap_err(),
            Halt::ReviewFailed(_)
        ));
    }
    let (handler, seen) = says(ReviewDecision::Continue);
    run(false, &ToolContext::new().with_reviewer(handler))
        .await
        .unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(
        (&*seen[0].tool, &*seen[0].call_id, &*seen[0].description),
        ("asks", "call-1", "do it")
    );
}

#[tokio::test]
async fn list_requirement_still_applies_to_self_asking_tool() {
    struct Asks;
    impl AgentTool for Asks {
        fn name(&self) -> &str {
            "asks"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn asks_itself(&self) -> bool {
            true
        }
        async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
            // A missing reviewer would mean yes there.
            let decision = cx.request_approval("do it").await;
            ToolResult::success(format!("{decision:?}"))
        }
    }
    let tools = list(Asks).require_approval(|_| true);
    assert!(
        tools
            .call(&call("asks", "{}"), &ToolContext::new())
            .await
            .is_err()
    );
    let ask = ToolContext::new().with_permissions(PermissionMode::Ask);
    assert!(list(Asks).call(&call("asks", "{}"), &ask).await.is_err());
    let (handler, seen) = says(ReviewDecision::Continue);
    tools
        .call(
            &call("asks", "{}"),
            &ToolContext::new().with_reviewer(handler),
        )
        .await
        .unwrap();
    assert_eq!(seen.lock().unwrap().len(), 1, "asked once");
    let kept = match list(Asks)
        .call(
            &call("asks", "{}"),
            &ToolContext::new().with_deferred_approval(),
        )
        .await
    {
        Err(Halt::Pending(pending)) => *pending,
        other => panic!("{other:?}"),
    };
    // Even if the mode asks nothing: the tool's own question could not wait inside it.
    let allowed = ToolContext::new()
        .with_deferred_approval()
        .with_permissions(PermissionMode::AllowAll);
    let reply = list(Asks).call(&call("asks", "{}"), &allowed).await;
    assert!(matches!(reply, Err(Halt::Pending(_))), "{reply:?}");
    let deny = ToolContext::new().with_permissions(PermissionMode::Deny);
    let reply = list(Asks)
        .decide(&kept, ReviewDecision::Continue, &deny)
        .await
        .unwrap();
    assert_eq!(reply.outcome, Outcome::Refused);
}
