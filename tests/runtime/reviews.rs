//! Prechecks, reviews and halts.

use crate::kit::{Add, AddInput, Counts, call, echo, once, text};
use callpact::{
    AgentTool, Halt, OnTimeout, Outcome, Permission, ReviewDecision, ReviewRequest, ToolCall,
    ToolContext, ToolResult, Toolset, TypedAgentTool, review,
    review::{review_fn, run_review},
};
use std::time::Duration;

#[tokio::test]
async fn context_travels_with_the_call() {
    let outside = ToolContext::new();
    assert_eq!(
        (outside.call_id(), outside.tool_name(), outside.role()),
        ("", "", "unknown")
    );
    let reply = once(
        text("who", |_, cx| {
            ToolResult::success(format!("{} {}", cx.tool_name(), cx.call_id()))
        }),
        "{}",
    )
    .await;
    assert_eq!(reply.to_model(), "who call-1");
}

#[tokio::test]
async fn configuration_errors_are_logged_at_error_and_rethrown() {
    let logs = crate::kit::Logs::at(tracing::Level::ERROR);
    let tools = Toolset::builder()
        .tool(text("t", |_, _| {
            ToolResult::halt(Halt::misconfigured("no reviewer"))
        }))
        .build()
        .unwrap();
    let halt = tools
        .call(&call("t", "{}"), &ToolContext::new())
        .await
        .unwrap_err();
    assert_eq!(halt, Halt::misconfigured("no reviewer"));
    assert!(
        logs.all().contains("ERROR") && logs.all().contains("no reviewer"),
        "{}",
        logs.all()
    );
}

#[tokio::test]
async fn edit_may_be_empty() {
    let tools = Toolset::builder().tool(echo("e")).build().unwrap();
    let cx = ToolContext::new().with_reviewer(review_fn(|_| async {
        Ok(ReviewDecision::Edit(String::new()))
    }));
    let reply = tools
        .call(&call("e", r#"{"input":"x"}"#), &cx)
        .await
        .unwrap();
    assert_eq!((reply.is_success(), reply.result.output()), (true, ""));
}

#[test]
fn defaults() {
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
async fn on_timeout() {
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
async fn timeout_action_fail_halts_run() {
    let tools = Toolset::builder().tool(echo("e")).build().unwrap();
    let cx = ToolContext::new()
        .with_reviewer(review::auto_approve_after(Duration::from_secs(3600)))
        .with_review_timeout(Duration::from_millis(2), OnTimeout::Fail);
    let halt = tools.call(&call("e", "{}"), &cx).await.unwrap_err();
    assert!(matches!(halt, Halt::ReviewFailed(_)), "{halt:?}");
}

#[tokio::test]
async fn precheck_blocks_before_permission_with_the_tools_reason() {
    let tools = Toolset::builder()
        .tool(Add)
        .require_approval("add")
        .build()
        .unwrap();
    // Nobody could be asked, so a check after the gate would halt.
    let reply = tools
        .call(&call("add", r#"{"a":13,"b":1}"#), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Refused, "Error: 13 is not added here")
    );
}

#[tokio::test]
async fn what_was_approved_is_what_runs() {
    // The reviewer's text is the text that runs: nothing rewrites it in between.
    let seen = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let own = seen.clone();
    let cx = ToolContext::new().with_reviewer(review_fn(move |request| {
        own.lock().unwrap().push_str(&request.action);
        async { Ok(ReviewDecision::Continue) }
    }));
    let tools = Toolset::builder().tool(echo("e")).build().unwrap();
    let reply = tools
        .call(&call("e", r#"{"input":"x y"}"#), &cx)
        .await
        .unwrap();
    assert_eq!(
        (&**seen.lock().unwrap(), &*reply.to_model()),
        (r#"{"input":"x y"}"#, "x y")
    );
}

#[tokio::test]
async fn an_unknown_tool_is_never_asked_about() {
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_metrics(counts.clone())
        .with_reviewer(review_fn(|_| async { panic!("asked about nothing") }));
    let tools = Toolset::builder().tool(Add).build().unwrap();
    assert_eq!(
        tools.call(&call("x", "{}"), &cx).await.unwrap().outcome,
        Outcome::UnknownTool
    );
}

#[tokio::test]
async fn read_only_calls_are_prechecked_too() {
    struct Reads;
    impl TypedAgentTool for Reads {
        type Input = AddInput;
        type Output = String;
        const SECRET_PARAMS: &'static [&'static str] = &[];
        fn name(&self) -> &str {
            "reads"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn permission(&self) -> Permission {
            Permission::ReadOnly
        }
        fn precheck(&self, _: &AddInput) -> Result<(), String> {
            Err("Sandbox: not there".into())
        }
        async fn execute(&self, _: AddInput, _: &ToolContext) -> String {
            String::new()
        }
    }
    let tools = Toolset::builder().tool(Reads).build().unwrap();
    let calls = [ToolCall::new("1", "reads", r#"{"a":1,"b":2}"#)];
    let replies = tools.call_all(&calls, &ToolContext::new()).await;
    assert_eq!(
        replies[0].as_ref().unwrap().to_model(),
        "Error: Sandbox: not there"
    );
}

#[tokio::test]
async fn configuration_errors_and_exits_propagate() {
    for halt in [Halt::exit_early("stop"), Halt::misconfigured("no reviewer")] {
        let own = halt.clone();
        let tools = Toolset::builder()
            .tool(text("t", move |_, _| ToolResult::halt(own.clone())))
            .build()
            .unwrap();
        assert_eq!(
            tools
                .call(&call("t", "{}"), &ToolContext::new())
                .await
                .unwrap_err(),
            halt
        );
    }
}

#[tokio::test]
async fn request_approval_without_a_handler_continues() {
    struct Asks;
    impl AgentTool for Asks {
        fn name(&self) -> &str {
            "asks"
        }
        fn description(&self) -> &str {
            "d"
        }
        async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
            match cx.request_approval("Delete it").await {
                Ok(decision) => ToolResult::success(format!("{decision:?}")),
                Err(halt) => ToolResult::halt(halt),
            }
        }
    }
    assert_eq!(once(Asks, "{}").await.to_model(), "Continue");
}

#[tokio::test]
async fn refused_call_is_reported_and_run_continues() {
    let refuse = |reason: &'static str| {
        let reviewer = review_fn(move |_| async move { Ok(ReviewDecision::Refuse(reason.into())) });
        ToolContext::new().with_reviewer(reviewer)
    };
    let tools = Toolset::single(echo("send")).unwrap();
    let calls = [
        call("send", r#"{"input":"a"}"#),
        call("send", r#"{"input":"b"}"#),
    ];
    let replies = tools.call_all(&calls, &refuse("not on a Sunday")).await;
    for reply in replies {
        let reply = reply.unwrap();
        assert_eq!(reply.outcome, Outcome::Refused);
        assert_eq!(
            reply.to_model(),
            "Error: The reviewer refused the call of 'send': not on a Sunday"
        );
    }
    let reply = tools.call(&calls[0], &refuse(" ")).await.unwrap();
    assert_eq!(
        reply.to_model(),
        "Error: The reviewer refused the call of 'send'. Go on without it."
    );
}

#[tokio::test]
async fn toolset_of_single_tool_adds_review_gate() {
    let cx = ToolContext::new().with_reviewer(review_fn(|_| async { Ok(ReviewDecision::REJECT) }));
    assert_eq!(echo("send").execute("a", &cx).await.output(), "a");
    let tools = Toolset::single(echo("send")).unwrap();
    let halt = tools.call(&call("send", r#"{"input":"a"}"#), &cx).await;
    assert!(matches!(halt, Err(Halt::ExitEarly { .. })), "{halt:?}");
    assert!(Toolset::single(echo("two words")).is_err());
}
