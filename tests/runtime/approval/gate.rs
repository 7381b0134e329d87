//! The calls that need a review, and the words of a refusal.

use std::sync::Arc;
use std::time::Duration;

use super::{list, reaching, says};
use crate::kit::{Add, call, echo};
use callpact::review::ReviewHandler;
use callpact::{
    Halt, OnTimeout, Outcome, Permission, PermissionMode, ReviewDecision, ToolContext, ToolReply,
    Toolset,
};

#[tokio::test]
async fn every_mode_permission_and_reviewer() {
    use Permission::{Destructive, ReadOnly, Write};
    #[derive(Debug, PartialEq, Clone, Copy)]
    enum Then {
        Runs,
        Asks,
        Refused,
        Halts,
    }
    use Then::{Asks, Halts, Refused, Runs};
    for (mode, reviewer, expected) in [
        (None, false, [Runs, Runs, Runs]),
        (None, true, [Runs, Asks, Asks]),
        (Some(PermissionMode::AllowAll), false, [Runs, Runs, Runs]),
        (Some(PermissionMode::AllowAll), true, [Runs, Runs, Runs]),
        (Some(PermissionMode::Ask), false, [Runs, Halts, Halts]),
        (Some(PermissionMode::Ask), true, [Runs, Asks, Asks]),
        (
            Some(PermissionMode::AskDestructive),
            false,
            [Runs, Runs, Halts],
        ),
        (
            Some(PermissionMode::AskDestructive),
            true,
            [Runs, Runs, Asks],
        ),
        (Some(PermissionMode::Deny), false, [Runs, Refused, Refused]),
        (Some(PermissionMode::Deny), true, [Runs, Refused, Refused]),
    ] {
        for (permission, expected) in [ReadOnly, Write, Destructive].into_iter().zip(expected) {
            let (handler, seen) = says(ReviewDecision::Continue);
            let mut cx = ToolContext::new();
            if let Some(mode) = mode {
                cx = cx.with_permissions(mode);
            }
            if reviewer {
                cx = cx.with_reviewer(handler);
            }
            let reply = reaching(permission).call(&call("t", "{}"), &cx).await;
            let asked = !seen.lock().unwrap().is_empty();
            let found = match (&reply, asked) {
                (Ok(reply), false) if reply.outcome == Outcome::Refused => Refused,
                (Ok(_), true) => Asks,
                (Ok(_), false) => Runs,
                (Err(Halt::Misconfigured(_)), false) => Halts,
                other => panic!("{other:?}"),
            };
            assert_eq!(
                found, expected,
                "{mode:?} {permission} reviewer: {reviewer}"
            );
        }
    }
}

#[tokio::test]
async fn a_refusal_says_what_the_tool_does() {
    let deny = ToolContext::new().with_permissions(PermissionMode::Deny);
    for (permission, what) in [
        (Permission::Write, "changes things"),
        (Permission::Destructive, "destroys things"),
    ] {
        let reply = reaching(permission).call(&call("t", "{}"), &deny).await;
        assert_eq!(
            reply.unwrap().to_model(),
            format!("Error: Tool 't' {what}, which is not allowed here. Go on without it.")
        );
    }
}

#[tokio::test]
async fn required_without_a_reviewer_says_what_to_do() {
    let built = Toolset::builder()
        .tool(echo("t"))
        .require_approval("t")
        .build()
        .unwrap();
    let combined = Toolset::builder()
        .tool(echo("t"))
        .build()
        .unwrap()
        .require_approval(|_| true);
    for tools in [built, combined] {
        for cx in [
            ToolContext::new(),
            ToolContext::new().with_permissions(PermissionMode::AllowAll),
        ] {
            let halt = tools.call(&call("t", "{}"), &cx).await.unwrap_err();
            assert_eq!(
                halt,
                Halt::misconfigured(
                    "Tool 't' requires approval but no ReviewHandler is configured. Add one to the context of the call: `ToolContext::new().with_reviewer(…)`."
                )
            );
        }
    }
}

#[tokio::test]
async fn a_required_role_is_enforced() {
    let tools = Toolset::builder()
        .tool(echo("t"))
        .require_approval_by("t", "security")
        .build()
        .unwrap();
    let (handler, seen) = says(ReviewDecision::Continue);
    let shared = Arc::new(handler);
    for other in [
        ToolContext::new().with_reviewer(Arc::clone(&shared)),
        ToolContext::new().with_reviewer(Arc::clone(&shared).with_role("ops")),
    ] {
        let halt = tools.call(&call("t", "{}"), &other).await.unwrap_err();
        assert!(matches!(halt, Halt::Misconfigured(_)), "{halt:?}");
    }
    assert!(seen.lock().unwrap().is_empty(), "nobody else is even asked");
    let right = ToolContext::new().with_reviewer(shared.with_role("security"));
    assert!(
        tools
            .call(&call("t", "{}"), &right)
            .await
            .unwrap()
            .is_success()
    );
    // Demanding approval again does not remove the role.
    let again = tools.require_approval(|_| true);
    assert!(
        again
            .call(
                &call("t", "{}"),
                &ToolContext::new().with_reviewer(says(ReviewDecision::Continue).0)
            )
            .await
            .is_err()
    );
}

#[tokio::test]
async fn the_reviewer_sees_the_whole_call() {
    let (handler, seen) = says(ReviewDecision::Continue);
    let tools = Toolset::builder().tool(Add).build().unwrap();
    let arguments = r#"{"a": 1, "b":  2}"#;
    tools
        .call(
            &call("add", arguments),
            &ToolContext::new().with_reviewer(handler),
        )
        .await
        .unwrap();
    let seen = seen.lock().unwrap();
    let request = seen.first().unwrap();
    assert_eq!(
        (&*request.tool, &*request.call_id, &*request.action),
        ("add", "call-1", arguments)
    );
    assert_eq!(request.timeout, Some(Duration::from_secs(300)));
    assert_eq!(request.on_timeout, OnTimeout::ExitEarly);
    assert_eq!(request.digest.len(), 64);
}

#[tokio::test]
async fn nobody_is_asked_about_what_cannot_run() {
    let (handler, seen) = says(ReviewDecision::Continue);
    let tools = Toolset::builder().tool(Add).build().unwrap();
    let cx = ToolContext::new().with_reviewer(handler);
    for arguments in ["{}", r#"{"a":13,"b":1}"#] {
        assert!(
            !tools
                .call(&call("add", arguments), &cx)
                .await
                .unwrap()
                .is_success()
        );
    }
    for (name, arguments) in [
        ("sub", r#"{"a":1,"b":1}"#),
        ("t", r#"{"input":"<secret_ref:token>"}"#),
        ("t", r#"{"input":"<secret_ref:TOK-EN>"}"#),
    ] {
        let tools = list(echo("t"));
        let reply = tools.call(&call(name, arguments), &cx).await.unwrap();
        assert!(!reply.is_success(), "{arguments}: {}", reply.to_model());
    }
    assert!(seen.lock().unwrap().is_empty());
}

async fn edited(to: &str) -> (ToolReply, usize) {
    let (handler, seen) = says(ReviewDecision::Edit(to.into()));
    let tools = Toolset::builder().tool(Add).build().unwrap();
    let cx = ToolContext::new().with_reviewer(handler);
    let reply = tools
        .call(&call("add", r#"{"a":1,"b":2}"#), &cx)
        .await
        .unwrap();
    let asked = seen.lock().unwrap().len();
    (reply, asked)
}

#[tokio::test]
async fn an_edit_is_read_and_checked_again() {
    let (reply, asked) = edited(r#"{"a":10,"b":20}"#).await;
    assert_eq!((reply.result.output(), asked), ("30", 1));
    let (reply, asked) = edited(r#"{"a":"ten"}"#).await;
    assert_eq!((reply.outcome, asked), (Outcome::InvalidArguments, 1));
    assert_eq!(reply.result.report().unwrap().count(), 2);
    let (reply, _) = edited(r#"{"a":13,"b":2}"#).await;
    assert_eq!(
        (reply.outcome, &*reply.result.to_model()),
        (Outcome::Refused, "Error: 13 is not added here")
    );
    let (reply, _) = edited("rm -rf").await;
    assert_eq!(reply.outcome, Outcome::InvalidArguments);
}
