//! Time, cancellation, crashes, several calls, and executors.

use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::{Duration, Instant},
};

use crate::kit::{Add, Counts, Dropped, call, echo, reads, text};
use callpact::{
    AgentTool, Cancellation, Halt, Outcome, Permission, ReviewDecision, ToolCall, ToolContext,
    ToolResult, Toolset, review::review_fn,
};

/// Works for ever, with a guard on its stack.
struct Endless(Arc<AtomicUsize>, Arc<AtomicUsize>);

impl AgentTool for Endless {
    fn name(&self) -> &str {
        "endless"
    }
    fn description(&self) -> &str {
        "d"
    }
    async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
        let _guard = Dropped(Arc::clone(&self.0));
        assert!(cx.deadline().is_none_or(|end| end > Instant::now()));
        loop {
            self.1.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

fn endless() -> (Endless, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (dropped, steps) = (Arc::default(), Arc::default());
    (
        Endless(Arc::clone(&dropped), Arc::clone(&steps)),
        dropped,
        steps,
    )
}

async fn stopped(dropped: &AtomicUsize, steps: &AtomicUsize) {
    assert_eq!(
        dropped.load(Ordering::SeqCst),
        1,
        "the work is gone when the reply is there"
    );
    let then = steps.load(Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(steps.load(Ordering::SeqCst), then, "and does not go on");
}

#[tokio::test]
async fn a_timeout_of_a_tool_stops_the_work() {
    let (tool, dropped, steps) = endless();
    let counts = Counts::default();
    let tools = Toolset::builder()
        .tool(tool)
        .timeout("endless", Duration::from_millis(20))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_metrics(counts.clone());
    let reply = tools.call(&call("endless", "{}"), &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (
            Outcome::TimedOut,
            "Error: Tool 'endless' was stopped after 20ms; what it was doing may be half done"
        )
    );
    assert_eq!(
        counts.lines(),
        ["error endless unknown", "duration endless unknown"]
    );
    stopped(&dropped, &steps).await;
}

#[tokio::test]
async fn the_shortest_of_all_bounds_holds() {
    let soon = Duration::from_millis(5);
    for i in 0..3 {
        let cx = match i {
            0 => ToolContext::new().with_timeout(soon),
            1 => ToolContext::new().with_deadline(Instant::now() + soon),
            _ => ToolContext::new()
                .with_timeout(soon)
                .with_deadline(Instant::now() + soon * 1_000),
        };
        let (tool, dropped, steps) = endless();
        let tools = Toolset::builder()
            .tool(tool)
            .timeout("endless", Duration::from_secs(60))
            .build()
            .unwrap();
        let reply = tools.call(&call("endless", "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::TimedOut);
        stopped(&dropped, &steps).await;
    }
}

#[tokio::test]
async fn whole_seconds_are_told_as_seconds() {
    tokio::time::pause();
    let (tool, ..) = endless();
    let tools = Toolset::builder()
        .tool(tool)
        .timeout("endless", Duration::from_secs(3))
        .build()
        .unwrap();
    let reply = tools
        .call(&call("endless", "{}"), &ToolContext::new())
        .await
        .unwrap();
    assert!(
        reply.to_model().contains("was stopped after 3s;"),
        "{}",
        reply.to_model()
    );
}

#[tokio::test]
async fn nothing_runs_once_the_deadline_is_over() {
    let ran = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&ran);
    let tools = Toolset::builder()
        .tool(text("t", move |_, _| {
            own.fetch_add(1, Ordering::SeqCst);
            ToolResult::success("")
        }))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_deadline(Instant::now());
    let reply = tools.call(&call("t", "{}"), &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (
            Outcome::TimedOut,
            "Error: Tool 't' did not run: the time was up"
        )
    );
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn tool_sees_deadline_of_call() {
    struct Looks;
    impl AgentTool for Looks {
        fn name(&self) -> &str {
            "looks"
        }
        fn description(&self) -> &str {
            "d"
        }
        async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
            let first = cx.deadline();
            tokio::time::sleep(Duration::from_millis(3)).await;
            assert_eq!(cx.deadline(), first, "it does not move");
            let left = first.map(|end| end.saturating_duration_since(Instant::now()));
            ToolResult::success(format!(
                "{}",
                left.is_some_and(|left| left < Duration::from_secs(5))
            ))
        }
    }
    let tools = Toolset::builder()
        .tool(Looks)
        .timeout("looks", Duration::from_secs(5))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_timeout(Duration::from_secs(60));
    assert_eq!(
        tools
            .call(&call("looks", "{}"), &cx)
            .await
            .unwrap()
            .to_model(),
        "true"
    );
}

#[tokio::test]
async fn cancelling_stops_the_work() {
    let (tool, dropped, steps) = endless();
    let cancellation = Cancellation::new();
    let counts = Counts::default();
    let tools = Toolset::builder().tool(tool).build().unwrap();
    let cx = ToolContext::new()
        .with_cancellation(cancellation.clone())
        .with_metrics(counts.clone());
    let one = call("endless", "{}");
    let (reply, ()) = tokio::join!(tools.call(&one, &cx), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        cancellation.cancel();
    });
    assert_eq!(reply.unwrap_err(), Halt::Cancelled);
    assert_eq!(counts.lines()[0], "halt endless unknown cancelled");
    stopped(&dropped, &steps).await;
    assert_eq!(
        tools.call(&one, &cx).await.unwrap_err(),
        Halt::Cancelled,
        "and nothing starts any more"
    );
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

struct Crash(&'static str);

struct Evil;

impl Drop for Evil {
    fn drop(&mut self) {
        panic!("/home/me: in a destructor");
    }
}

impl AgentTool for Crash {
    fn name(&self) -> &str {
        "crash"
    }
    fn description(&self) -> &str {
        "d"
    }
    fn precheck_text(&self, _: &str) -> Result<(), String> {
        assert!(self.0 != "precheck", "/home/me: in the precheck");
        Ok(())
    }
    fn execute(&self, _: &str, _: &ToolContext) -> impl Future<Output = ToolResult> + Send {
        assert!(self.0 != "sync", "/home/me: before the first await");
        async {
            let _evil = (self.0 == "drop").then(|| Evil);
            if self.0 == "payload" {
                std::panic::panic_any(Evil);
            }
            tokio::task::yield_now().await;
            assert!(self.0 != "later", "/home/me: after an await");
            if self.0 == "stuck" {
                let _evil = Evil;
                std::future::pending::<()>().await;
            }
            ToolResult::success("fine")
        }
    }
}

#[tokio::test]
async fn every_crash_is_caught_counted_and_tells_nothing() {
    for place in ["sync", "later", "drop", "payload", "precheck", "stuck"] {
        let counts = Counts::default();
        let cx = ToolContext::new().with_metrics(counts.clone());
        let tools = Toolset::builder()
            .tool(Crash(place))
            .timeout("crash", Duration::from_millis(20))
            .build()
            .unwrap();
        let reply = tools.call(&call("crash", "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::Crash, "{place}");
        let text = reply.to_model().into_owned();
        assert!(
            text.starts_with("Error: Tool 'crash' ") && text.contains("crashed"),
            "{text}"
        );
        assert!(!text.contains("/home") && !text.contains(".rs"), "{text}");
        assert_eq!(
            counts.lines(),
            ["error crash unknown", "duration crash unknown"],
            "{place}"
        );
    }
    let ok = Toolset::builder().tool(Crash("never")).build().unwrap();
    assert!(
        ok.call(&call("crash", "{}"), &ToolContext::new())
            .await
            .unwrap()
            .is_success()
    );
}

#[tokio::test]
async fn a_crash_of_a_typed_tool() {
    let reply = crate::kit::once(Add, r#"{"a":666,"b":1}"#).await;
    assert_eq!(reply.outcome, Outcome::Crash);
}

/// A person may take longer than the tool.
#[tokio::test(start_paused = true)]
async fn review_time_does_not_count_as_tool_time() {
    struct Asks;
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
            match cx.request_approval("go on?").await {
                Ok(_) => ToolResult::success("done"),
                Err(halt) => ToolResult::halt(halt),
            }
        }
    }
    let slow = || {
        review_fn(|_| async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(ReviewDecision::Continue)
        })
    };
    let second = Duration::from_secs(1);
    let tools = Toolset::builder()
        .tool(echo("echo"))
        .timeout("echo", second)
        .tool(Asks)
        .timeout("asks", second);
    let tools = tools.build().unwrap();
    for cx in [ToolContext::new(), ToolContext::new().with_timeout(second)] {
        let cx = cx.with_reviewer(slow());
        let reply = tools.call(&call("echo", "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::Success);
        // A tool's own question is a part of its work.
        let reply = tools.call(&call("asks", "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::TimedOut);
    }
}

/// Notes how many run at the same time.
struct Busy(&'static str, Permission, Arc<AtomicUsize>, Arc<AtomicUsize>);

impl AgentTool for Busy {
    fn name(&self) -> &str {
        self.0
    }
    fn description(&self) -> &str {
        "d"
    }
    fn permission(&self) -> Permission {
        self.1
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        let now = self.2.fetch_add(1, Ordering::SeqCst) + 1;
        self.3.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(5)).await;
        let seen = self.2.fetch_sub(1, Ordering::SeqCst);
        ToolResult::success(seen.to_string())
    }
}

fn busy() -> (Toolset, Arc<AtomicUsize>) {
    let (running, most): (Arc<AtomicUsize>, Arc<AtomicUsize>) = Default::default();
    let tool = |name, permission| Busy(name, permission, Arc::clone(&running), Arc::clone(&most));
    let tools = Toolset::builder()
        .tool(tool("read", Permission::ReadOnly))
        .tool(tool("write", Permission::Write))
        .tool(text("stop", |_, _| {
            ToolResult::halt(Halt::exit_early("enough"))
        }))
        .build()
        .unwrap();
    (tools, most)
}

fn calls(names: &[&str]) -> Vec<ToolCall> {
    names
        .iter()
        .enumerate()
        .map(|(i, name)| ToolCall::new(i.to_string(), *name, "{}"))
        .collect()
}

#[tokio::test]
async fn reads_run_together_and_writes_alone() {
    let (tools, most) = busy();
    let replies = tools
        .call_all(&calls(&["read", "read", "read"]), &ToolContext::new())
        .await;
    assert!(replies.iter().all(Result::is_ok));
    assert_eq!(most.swap(0, Ordering::SeqCst), 3, "together");
    tools
        .call_all(&calls(&["write", "write", "write"]), &ToolContext::new())
        .await;
    assert_eq!(most.swap(0, Ordering::SeqCst), 1, "alone");
    let mixed = calls(&["read", "read", "write", "read", "nobody", "read"]);
    let replies = tools.call_all(&mixed, &ToolContext::new()).await;
    assert_eq!(most.load(Ordering::SeqCst), 2, "a write is a barrier");
    let ids: Vec<_> = replies
        .iter()
        .map(|reply| reply.as_ref().unwrap().call_id.clone())
        .collect();
    assert_eq!(ids, ["0", "1", "2", "3", "4", "5"], "in call order");
    assert_eq!(
        replies[2].as_ref().unwrap().to_model(),
        "1",
        "nothing beside the write"
    );
}

#[tokio::test]
async fn halt_stops_later_calls_but_pending_call_continues() {
    let (tools, most) = busy();
    let replies = tools
        .call_all(
            &calls(&["read", "stop", "write", "read"]),
            &ToolContext::new(),
        )
        .await;
    assert!(replies[0].is_ok());
    assert_eq!(
        replies[1].as_ref().unwrap_err(),
        &Halt::exit_early("enough")
    );
    assert_eq!(replies[2].as_ref().unwrap_err(), &Halt::Cancelled);
    assert_eq!(replies[3].as_ref().unwrap_err(), &Halt::Cancelled);
    assert_eq!(most.load(Ordering::SeqCst), 1, "the last two never ran");
    let cx = ToolContext::new().with_deferred_approval();
    let replies = tools
        .call_all(&calls(&["write", "read", "write"]), &cx)
        .await;
    assert!(matches!(replies[0], Err(Halt::Pending(_))));
    assert!(replies[1].is_ok());
    assert!(matches!(replies[2], Err(Halt::Pending(_))));
    assert!(tools.call_all(&[], &cx).await.is_empty());
}

#[tokio::test]
async fn immediate_halt_cancels_calls_not_yet_started() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let tools = Toolset::builder()
        .tool(reads("stop", |_, _| {
            ToolResult::halt(Halt::exit_early("enough"))
        }))
        .tool(reads("read", move |_, _| {
            counted.fetch_add(1, Ordering::SeqCst);
            ToolResult::success("read")
        }))
        .build()
        .unwrap();
    let turn = calls(&["read", "stop", "read", "read"]);
    let replies = tools.call_all(&turn, &ToolContext::new()).await;
    assert!(replies[0].is_ok());
    assert_eq!(
        replies[1].as_ref().unwrap_err(),
        &Halt::exit_early("enough")
    );
    for reply in &replies[2..] {
        assert_eq!(reply.as_ref().unwrap_err(), &Halt::Cancelled);
    }
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

/// An executor of twenty lines: a thread that parks.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(std::thread::Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[test]
fn no_runtime_is_needed() {
    struct Stuck;
    impl AgentTool for Stuck {
        fn name(&self) -> &str {
            "stuck"
        }
        fn description(&self) -> &str {
            "d"
        }
        async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
            std::future::pending().await
        }
    }
    let tools = Toolset::builder()
        .tool(Stuck)
        .tool(Add)
        .tool(echo("e"))
        .tool(reads("r", |_, _| ToolResult::success("r")))
        .timeout("stuck", Duration::from_millis(10))
        .build()
        .unwrap();
    let cx = ToolContext::new();
    let reply = block_on(tools.call(&call("add", r#"{"a":1,"b":2}"#), &cx)).unwrap();
    assert_eq!(reply.to_model(), "3");
    let reply = block_on(tools.call(&call("stuck", "{}"), &cx)).unwrap();
    assert_eq!(reply.outcome, Outcome::TimedOut);
    let replies = block_on(tools.call_all(&calls(&["r", "r", "e", "r"]), &cx));
    assert!(replies.iter().all(Result::is_ok));
    let cancellation = Cancellation::new();
    let own = cancellation.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(10));
        own.cancel();
    });
    let unbounded = Toolset::builder().tool(Stuck).build().unwrap();
    let halt = block_on(unbounded.call(
        &call("stuck", "{}"),
        &ToolContext::new().with_cancellation(cancellation),
    ));
    assert_eq!(halt.unwrap_err(), Halt::Cancelled);
    thread.join().unwrap();
}
