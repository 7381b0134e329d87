//! Who is asked, what the answer is bound to, and what becomes of it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::kit::{Add, AddInput, Counts, call, echo, text};
use toolwright::{
    AgentTool, Cancellation, Halt, OnTimeout, Outcome, PendingCall, Permission, PermissionMode,
    ReviewDecision, ReviewRequest, ToolContext, ToolInput, ToolReply, ToolResult, Toolset,
    TypedAgentTool,
    review::{ReviewError, ReviewHandler, review_fn},
};

type Seen = Arc<Mutex<Vec<ReviewRequest>>>;

fn says(decision: ReviewDecision) -> (impl ReviewHandler + 'static, Seen) {
    let seen = Seen::default();
    let own = Arc::clone(&seen);
    let handler = review_fn(move |request| {
        own.lock().unwrap().push(request);
        let decision = decision.clone();
        async move { Ok(decision) }
    });
    (handler, seen)
}

fn reaching(permission: Permission) -> Toolset {
    let mut tool = text("t", |input, _| ToolResult::success(input));
    tool.permission = permission;
    Toolset::builder().tool(tool).build().unwrap()
}

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
    // Demanding approval once more does not take the role away.
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
    assert_eq!((&*reply.to_model(), asked), ("30", 1));
    let (reply, asked) = edited(r#"{"a":"ten"}"#).await;
    assert_eq!((reply.outcome, asked), (Outcome::InvalidArguments, 1));
    assert_eq!(reply.result.report().unwrap().count(), 2);
    let (reply, _) = edited(r#"{"a":13,"b":2}"#).await;
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Refused, "Error: 13 is not added here")
    );
    let (reply, _) = edited("rm -rf").await;
    assert_eq!(reply.outcome, Outcome::InvalidArguments);
}

async fn digest_of(tools: &Toolset, name: &str, arguments: &str) -> String {
    let cx = ToolContext::new().with_deferred_approval();
    match tools.call(&call(name, arguments), &cx).await {
        Err(Halt::Pending(pending)) => pending.digest,
        other => panic!("{other:?}"),
    }
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct OtherInput {
    /// The first number
    a: i64,
    b: i32,
}

struct Reach<I>(AtomicU8, std::marker::PhantomData<fn() -> I>);

impl<I> Reach<I> {
    fn new(permission: u8) -> Self {
        Self(AtomicU8::new(permission), std::marker::PhantomData)
    }
}

impl<I: ToolInput + Send + 'static> TypedAgentTool for Reach<I> {
    type Input = I;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "t"
    }
    fn description(&self) -> &str {
        "d"
    }
    fn permission(&self) -> Permission {
        match self.0.load(Ordering::SeqCst) {
            0 => Permission::ReadOnly,
            1 => Permission::Write,
            _ => Permission::Destructive,
        }
    }
    async fn execute(&self, _: I, _: &ToolContext) -> String {
        "ran".into()
    }
}

fn list(tool: impl AgentTool + 'static) -> Toolset {
    Toolset::builder().tool(tool).build().unwrap()
}

const ARGUMENTS: &str = r#"{"a":1,"b":2}"#;

#[tokio::test]
async fn the_digest_is_bound_to_name_schema_permission_and_input() {
    let base = digest_of(&list(Reach::<AddInput>::new(1)), "t", ARGUMENTS).await;
    assert_eq!(
        digest_of(&list(Reach::<AddInput>::new(1)), "t", ARGUMENTS).await,
        base,
        "stable"
    );
    let renamed = list(Reach::<AddInput>::new(1)).rename("t", "u").unwrap();
    for other in [
        digest_of(&renamed, "u", ARGUMENTS).await,
        digest_of(&list(Reach::<AddInput>::new(2)), "t", ARGUMENTS).await,
        digest_of(&list(Reach::<OtherInput>::new(1)), "t", ARGUMENTS).await,
        digest_of(&list(Reach::<AddInput>::new(1)), "t", r#"{"a":1,"b":3}"#).await,
        digest_of(&list(Reach::<AddInput>::new(1)), "t", r#"{"a":1,"b":2} "#).await,
    ] {
        assert_ne!(other, base);
    }
    // A tool whose reach grows after the first digest was made.
    let tool = Arc::new(Reach::<AddInput>::new(1));
    let tools = Toolset::builder()
        .shared(Arc::clone(&tool))
        .build()
        .unwrap();
    assert_eq!(digest_of(&tools, "t", ARGUMENTS).await, base);
    tool.0.store(2, Ordering::SeqCst);
    assert_ne!(digest_of(&tools, "t", ARGUMENTS).await, base);
}

#[tokio::test]
async fn every_way_in_which_a_review_ends_without_a_yes_is_its_halt_and_is_counted() {
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

async fn pending(tools: &Toolset, name: &str) -> PendingCall {
    let cx = ToolContext::new().with_deferred_approval();
    match tools.call(&call(name, ARGUMENTS), &cx).await {
        Err(Halt::Pending(pending)) => {
            // To another process and back.
            let json = serde_json::to_string(&*pending).unwrap();
            serde_json::from_str(&json).unwrap()
        }
        other => panic!("{other:?}"),
    }
}

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
        .resume(&kept, ReviewDecision::Continue, &cx)
        .await
        .unwrap();
    assert_eq!((&*reply.call_id, &*reply.to_model()), ("call-1", "3"));
    let kept = pending(&list(Add), "add").await;
    let edit = ReviewDecision::Edit(r#"{"a":5,"b":5}"#.into());
    assert_eq!(
        elsewhere.resume(&kept, edit, &cx).await.unwrap().to_model(),
        "10"
    );
    let kept = pending(&list(Add), "add").await;
    let bad = ReviewDecision::Edit(r#"{"a":5}"#.into());
    assert_eq!(
        elsewhere.resume(&kept, bad, &cx).await.unwrap().outcome,
        Outcome::InvalidArguments
    );
    let kept = pending(&list(Add), "add").await;
    let counts = Counts::default();
    let halt = elsewhere
        .resume(
            &kept,
            ReviewDecision::REJECT,
            &cx.with_metrics(counts.clone()),
        )
        .await
        .unwrap_err();
    assert!(matches!(
        halt,
        Halt::ExitEarly {
            timed_out: false,
            ..
        }
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
    let used = |reply: &Result<ToolReply, Halt>| matches!(reply, Err(Halt::Misconfigured(why)) if why.ends_with("a decision counts once"));
    // Delivered twice, also to a list made from the first.
    let kept = pending(&tools, "t").await;
    let yes = || ReviewDecision::Continue;
    assert!(tools.resume(&kept, yes(), &cx).await.is_ok());
    assert!(used(&tools.resume(&kept, yes(), &cx).await));
    assert!(used(
        &tools.filter(|_| true).resume(&kept, yes(), &cx).await
    ));
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    // A no that was given stays one.
    let kept = pending(&tools, "t").await;
    let no = tools.resume(&kept, ReviewDecision::REJECT, &cx).await;
    assert!(matches!(no, Err(Halt::ExitEarly { .. })));
    assert!(used(&tools.resume(&kept, yes(), &cx).await));
    // What did not get as far as the gate is not used up, and the same call made again is another.
    let kept = pending(&tools, "t").await;
    let cancellation = Cancellation::new();
    cancellation.cancel();
    let cancelled = cx.clone().with_cancellation(cancellation);
    let halt = tools.resume(&kept, yes(), &cancelled).await;
    assert!(matches!(halt, Err(Halt::Cancelled)));
    assert!(tools.resume(&kept, yes(), &cx).await.is_ok());
    let again = pending(&tools, "t").await;
    assert_eq!(
        (&again.call_id, &again.digest),
        (&kept.call_id, &kept.digest)
    );
    assert!(tools.resume(&again, yes(), &cx).await.is_ok());
    assert_eq!(runs.load(Ordering::SeqCst), 3);
    // An id that no list gave out.
    let mut forged = pending(&tools, "t").await;
    forged.id = "mine".into();
    assert!(tools.resume(&forged, yes(), &cx).await.is_err());
    assert_eq!(runs.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_deferred_call_is_refused_when_anything_changed() {
    let tools = list(Reach::<AddInput>::new(1));
    let kept = pending(&tools, "t").await;
    let resume = async |tools: &Toolset, pending: &PendingCall| {
        let counts = Counts::default();
        let cx = ToolContext::new().with_metrics(counts.clone());
        let halt = tools
            .resume(pending, ReviewDecision::Continue, &cx)
            .await
            .unwrap_err();
        assert!(
            matches!(&halt, Halt::Misconfigured(text) if text.contains("changed")),
            "{halt:?}"
        );
        assert_eq!(counts.lines().len(), 1, "counted");
    };
    assert!(
        tools
            .resume(&kept, ReviewDecision::Continue, &ToolContext::new())
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
async fn a_decision_from_elsewhere_opens_no_door_that_is_shut_here() {
    let tools = list(Add);
    let kept = pending(&tools, "add").await;
    let deny = ToolContext::new().with_permissions(PermissionMode::Deny);
    let reply = tools
        .resume(&kept, ReviewDecision::Continue, &deny)
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
        .resume(&other, ReviewDecision::REJECT, &ToolContext::new())
        .await;
    assert!(matches!(no, Err(Halt::ExitEarly { .. })), "{no:?}");
    let yes = ReviewDecision::Continue;
    let halt = roles
        .resume(&kept, yes.clone(), &ToolContext::new())
        .await
        .unwrap_err();
    assert!(
        matches!(&halt, Halt::Misconfigured(text) if text.contains("security")),
        "{halt:?}"
    );
    let ops = ToolContext::new().with_reviewer(says(yes.clone()).0.with_role("ops"));
    assert!(roles.resume(&kept, yes.clone(), &ops).await.is_err());
    let right = ToolContext::new().with_reviewer(says(yes.clone()).0.with_role("security"));
    assert!(roles.resume(&kept, yes, &right).await.unwrap().is_success());
}

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
                Ok(ReviewDecision::ExitEarly { .. }) => ToolResult::failure("Rejected by reviewer"),
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
async fn a_demand_of_the_list_stays_one_for_a_tool_that_asks_itself() {
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
            // Nobody there would be a yes.
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
    // Also where the mode asks nothing: the tool's own question could not wait inside of it.
    let allowed = ToolContext::new()
        .with_deferred_approval()
        .with_permissions(PermissionMode::AllowAll);
    let reply = list(Asks).call(&call("asks", "{}"), &allowed).await;
    assert!(matches!(reply, Err(Halt::Pending(_))), "{reply:?}");
    let deny = ToolContext::new().with_permissions(PermissionMode::Deny);
    let reply = list(Asks)
        .resume(&kept, ReviewDecision::Continue, &deny)
        .await
        .unwrap();
    assert_eq!(reply.outcome, Outcome::Refused);
}
