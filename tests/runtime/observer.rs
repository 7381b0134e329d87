//! An observer of a context is told the beginning and the end of every call.

use std::sync::{Arc, Mutex};

use crate::kit::{call, echo, text};
use callpact::{
    Halt, ToolCall, ToolContext, ToolResult, Toolset,
    observe::{CallEnd, CallObserver, ObservedCall},
    secret::MemorySecrets,
};

/// Writes down what it is told.
#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().drain(..).collect()
    }
}

impl CallObserver for Diary {
    fn began(&self, call: &ObservedCall<'_>) {
        let (tool, arguments) = (call.tool, call.arguments);
        self.0.lock().unwrap().push(format!("{tool} {arguments}"));
    }
    fn ended(&self, call: &ObservedCall<'_>, end: &CallEnd<'_>) {
        let line = format!(
            "{} by {:?}: {} {} {:?} fixes {}",
            call.tool,
            call.role,
            end.outcome,
            end.halted,
            end.text,
            end.fixes.len()
        );
        self.0.lock().unwrap().push(line);
    }
}

fn tools() -> Toolset {
    Toolset::builder()
        .tool(echo("ok"))
        .tool(text("boom", |_, _| panic!("p")))
        .tool(text("halts", |_, _| {
            ToolResult::halt(Halt::exit_early("e"))
        }))
        .tool(text("secret_echo", |input, _| ToolResult::success(input)))
        .tool(crate::kit::Add)
        .build()
        .unwrap()
}

#[tokio::test]
async fn observer_sees_every_end_of_call() {
    let diary = Diary::default();
    let cx = ToolContext::new()
        .with_role("r")
        .with_observer(diary.clone())
        .with_secrets(MemorySecrets::new().with("token", "hunter2-hunter2"));
    for (name, arguments, ends) in [
        ("ok", r#"{"input": "a"}"#, r#"success false "a" fixes 0"#),
        ("add", r#"{"a": "1", "b": 2}"#, "success false"),
        ("add", r#"{"a": "x", "b": 2}"#, "invalid_arguments false"),
        ("boom", "{}", "crash false"),
        ("halts", "{}", r#"exit_early true "e" fixes 0"#),
        ("nobody", "{}", "unknown_tool false"),
        (
            "secret_echo",
            r#"{"input": "<secret_ref:token>"}"#,
            r#"success false "<secret_ref:token>" fixes 0"#,
        ),
    ] {
        let _ = tools()
            .call(&ToolCall::new("c", name, arguments), &cx)
            .await;
        let lines = diary.lines();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert_eq!(lines[0], format!("{name} {arguments}"));
        let begins = format!("{name} by Some(\"r\"): {ends}");
        assert!(lines[1].starts_with(&begins), "{lines:?}");
        if arguments.contains("\"1\"") {
            assert!(lines[1].ends_with("fixes 1"), "{lines:?}");
        }
    }
}

#[tokio::test]
async fn an_observer_sees_no_value_of_a_secret_parameter() {
    /// Logs in
    #[callpact::tool(write, secrets())]
    fn log_in(user: String, #[tool_param(secret)] password: String) -> String {
        format!("{user} came in with {password}")
    }
    let edit = r#"{"user": "ada", "password": "other-phrase"}"#;
    let edits = callpact::review::review_fn(move |_| async move {
        Ok(callpact::ReviewDecision::Edit(edit.to_owned()))
    });
    let diary = Diary::default();
    let plain = ToolContext::new().with_observer(diary.clone());
    let edited = plain
        .clone()
        .with_permissions(callpact::PermissionMode::Ask)
        .with_reviewer(edits);
    let tools = Toolset::single(LogIn).unwrap();
    let arguments = r#"{"user": "ada", "password": "pass-phrase"}"#;
    for cx in [plain, edited] {
        let reply = tools.call(&call("log_in", arguments), &cx).await.unwrap();
        assert!(reply.is_success());
        let lines = diary.lines();
        assert!(lines[1].contains("ada came in with (secret)"), "{lines:?}");
        assert!(!lines.join(" ").contains("-phrase"), "{lines:?}");
    }
}

#[tokio::test]
async fn a_dropped_call_ends_as_cancelled() {
    let diary = Diary::default();
    let cx = ToolContext::new()
        .with_observer(diary.clone())
        .with_reviewer(callpact::review::review_fn(|_| std::future::pending()));
    let tools = tools();
    let call = call("ok", "{}");
    {
        let mut waits = std::pin::pin!(tools.call(&call, &cx));
        let waker = std::task::Waker::noop();
        let polled = waits
            .as_mut()
            .poll(&mut std::task::Context::from_waker(waker));
        assert!(polled.is_pending());
        assert_eq!(diary.lines().len(), 1);
    }
    let lines = diary.lines();
    assert!(lines[0].contains("cancelled true"), "{lines:?}");
}

#[tokio::test]
async fn observer_panic_does_not_end_call() {
    struct Breaks;
    impl CallObserver for Breaks {
        fn began(&self, _: &ObservedCall<'_>) {
            panic!("began");
        }
        fn ended(&self, _: &ObservedCall<'_>, _: &CallEnd<'_>) {
            panic!("ended");
        }
    }
    let cx = ToolContext::new().with_observer(Breaks);
    let reply = tools().call(&call("ok", "{}"), &cx).await.unwrap();
    assert!(reply.is_success());
}

#[tokio::test]
async fn an_observer_learns_who_waited_and_who_ran() {
    use callpact::{
        PermissionMode, ReviewDecision, ReviewRequest,
        observe::{CallDecision, CallTimes},
        review::review_fn,
    };
    use std::time::Duration;

    type Ends = Arc<Mutex<Vec<(CallTimes, Option<CallDecision>)>>>;
    #[derive(Clone, Default)]
    struct Clock(Ends, Diary);
    impl CallObserver for Clock {
        fn waiting(&self, call: &ObservedCall<'_>, request: &ReviewRequest) {
            let line = format!("{:?} {:?} asks {}", call.run, call.turn, request.action);
            self.1.0.lock().unwrap().push(line);
        }
        fn decided(&self, _: &ObservedCall<'_>, decision: Option<&CallDecision>) {
            let line = format!("decided {}", decision.is_some());
            self.1.0.lock().unwrap().push(line);
        }
        fn ended(&self, _: &ObservedCall<'_>, end: &CallEnd<'_>) {
            let ended = (end.times, end.decision.cloned());
            self.0.lock().unwrap().push(ended);
        }
    }
    let clock = Clock::default();
    let reviewer = review_fn(|_| async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        Ok(ReviewDecision::Edit("b".to_owned()))
    });
    let cx = ToolContext::new()
        .with_run("run")
        .with_turn(2)
        .with_permissions(PermissionMode::Ask)
        .with_observer(clock.clone())
        .with_reviewer(reviewer);
    let tools = Toolset::single(text("slow", |input, _| {
        std::thread::sleep(Duration::from_millis(20));
        ToolResult::success(input)
    }));
    let reply = tools.unwrap().call(&call("slow", "a"), &cx).await.unwrap();
    assert!(reply.is_success());
    assert_eq!(
        clock.1.lines(),
        [r#"Some("run") Some(2) asks a"#, "decided true"]
    );
    let (times, decision) = clock.0.lock().unwrap().remove(0);
    assert!(times.waiting >= Duration::from_millis(60), "{times:?}");
    assert!(times.running >= Duration::from_millis(20), "{times:?}");
    assert!(times.reading < times.waiting, "{times:?}");
    let decision = decision.unwrap();
    assert_eq!(decision.asked, "a");
    assert!(matches!(decision.decision, ReviewDecision::Edit(_)) && !decision.digest.is_empty());
}
