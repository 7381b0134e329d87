//! A call with a store runs once, whatever happens to the process.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use serde_json::json;

use super::{Desk, Ledger, lines, pays, wait};
use crate::kit::{call, reads, text};
use callpact::{
    AgentTool, CallLayer, Cancellation, Halt, Outcome, Permission, ReviewDecision, State,
    ToolContext, ToolHints, ToolResult, Toolset,
    adapter::CallRecord,
    call::ResumeError,
    secret::MemorySecrets,
    store::{
        CallStore, Claim, ClaimRecord, ClaimToken, Decided, Moment, StoreError, StoreFuture,
        StoredCall, Taken,
    },
    tool,
    toolset::{BoxFuture, LayerCall, Next},
};

const UNKNOWN: &str = "Error: Nobody knows whether 'pay' was carried out: it was begun, and its end was not \
    reported; it may still be running. Look at what it may have changed before you make the call again";

fn list(tool: impl AgentTool + 'static) -> Toolset {
    Toolset::single(tool).unwrap()
}

/// The key under which a call of the run `run-7` runs.
async fn key_of(tools: &Toolset, name: &str, arguments: &str) -> String {
    let desk = Desk::default();
    let cx = desk.deferring().with_run("run-7");
    let id = wait(tools, name, arguments, &cx).await.id;
    desk.store.get(&id).await.unwrap().unwrap().key
}

#[tokio::test]
async fn finished_call_returns_stored_result_again() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.cx().with_run("run-7");
    for _ in 0..3 {
        let reply = list(pays(&ledger)).call(&call("pay", "x"), &cx).await;
        let reply = reply.unwrap();
        assert_eq!(
            (&*reply.to_model(), reply.outcome),
            ("paid x", Outcome::Success)
        );
    }
    assert_eq!(lines(&ledger), ["x"]);
    // Another run is another payment.
    let other = desk.cx().with_run("run-8");
    list(pays(&ledger))
        .call(&call("pay", "x"), &other)
        .await
        .unwrap();
    assert_eq!(lines(&ledger).len(), 2);
}

/// Adds pages, and refuses those that are there.
struct AddPage(Ledger);

impl AgentTool for AddPage {
    fn name(&self) -> &str {
        "add_page"
    }
    fn description(&self) -> &str {
        "Adds a page"
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn secret_params(&self) -> &'static [&'static str] {
        &[]
    }
    fn precheck_text(&self, page: &str) -> Result<(), String> {
        if lines(&self.0).iter().any(|known| known == page) {
            return Err(format!("there is a page {page}"));
        }
        Ok(())
    }
    async fn execute(&self, page: &str, _: &ToolContext) -> ToolResult {
        self.0.lock().unwrap().push(page.to_owned());
        ToolResult::success(format!("added {page}"))
    }
}

#[tokio::test]
async fn stored_result_counts_although_tool_refuses() {
    for waits in [false, true] {
        let (desk, ledger) = (Desk::default(), Ledger::default());
        let tools = list(AddPage(Arc::clone(&ledger)));
        let cx = if waits { desk.deferring() } else { desk.cx() }.with_run("run-7");
        if waits {
            let id = wait(&tools, "add_page", "x", &cx).await.id;
            let yes = ReviewDecision::Continue;
            tools.decide(&id, yes, &cx).await.unwrap();
        }
        for _ in 0..2 {
            let reply = tools.call(&call("add_page", "x"), &cx).await.unwrap();
            assert_eq!(reply.to_model(), "added x", "{waits}");
        }
        assert_eq!(lines(&ledger), ["x"]);
        // Another call is refused.
        let other = tools.call(&call("add_page", "x"), &desk.cx()).await;
        let other = other.unwrap();
        assert_eq!(
            (&*other.to_model(), other.outcome),
            ("Error: there is a page x", Outcome::Refused)
        );
    }
}

#[tokio::test]
async fn damaged_result_is_unknown_and_call_stays_stopped() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = list(pays(&ledger));
    let key = key_of(&tools, "pay", "x").await;
    let claimed = desk.store.claim(&key, Duration::ZERO, Moment(0)).await;
    let Claim::Held(token) = claimed.unwrap() else {
        panic!("it is free");
    };
    let store = &desk.store;
    store.finish(&key, token, "{", Moment(0)).await.unwrap();
    let cx = desk.cx().with_run("run-7");
    for _ in 0..2 {
        let reply = tools.call(&call("pay", "x"), &cx).await.unwrap();
        assert_eq!(
            (&*reply.to_model(), reply.outcome),
            (UNKNOWN, Outcome::Unknown)
        );
        assert!(reply.replayed && !reply.runs_elsewhere);
    }
    assert!(lines(&ledger).is_empty());
}

#[tokio::test]
async fn a_result_comes_back_whole_and_without_secrets() {
    let desk = Desk::default();
    let runs = Arc::new(AtomicU32::new(0));
    let tool = || {
        let runs = Arc::clone(&runs);
        text("secret_chart", move |input, _| {
            runs.fetch_add(1, Ordering::SeqCst);
            ToolResult::success(format!("with {input}"))
                .with_structured(json!({"points": [1, 2]}))
                .with_image("image/png", [0, 0, 0])
        })
    };
    let cx = desk
        .cx()
        .with_run("run-7")
        .with_secrets(MemorySecrets::new().with("token", "hunter2-hunter2"));
    let chart = call("secret_chart", r#"{"input": "<secret_ref:token>"}"#);
    let first = list(tool()).call(&chart, &cx).await.unwrap();
    let again = list(tool()).call(&chart, &cx).await.unwrap();
    assert_eq!(again.result, first.result);
    assert_eq!(first.result.output(), "with <secret_ref:token>");
    assert_eq!(first.result.content().len(), 1);
    // A failure that asks for another try stays one.
    let failing = || text("try", |_, _| ToolResult::retry("later"));
    let first = list(failing()).call(&call("try", "x"), &cx).await.unwrap();
    let again = list(failing()).call(&call("try", "x"), &cx).await.unwrap();
    assert!(again.result.is_retry() && again.outcome == Outcome::Failure);
    assert_eq!(again.to_model(), first.to_model());
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

/// Sets a value
#[tool(write, idempotent)]
fn set(input: String, State(ledger): State<std::sync::Mutex<Vec<String>>>) -> String {
    ledger.lock().unwrap().push(input.clone());
    format!("set {input}")
}

#[tokio::test]
async fn unfinished_call_does_not_run_again() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.cx().with_run("run-7");
    let key = key_of(&list(pays(&ledger)), "pay", "x").await;
    let lease = Duration::from_secs(60);
    // A process that has ended since.
    desk.store.claim(&key, lease, Moment(0)).await.unwrap();
    let running = list(pays(&ledger))
        .call(&call("pay", "x"), &cx)
        .await
        .unwrap();
    assert_eq!(running.outcome, Outcome::Unknown);
    assert_eq!(
        running.to_model(),
        "Error: Tool 'pay' is running for this call elsewhere, and its result is not known yet. \
         Do not make the call again"
    );
    desk.clock.set(Moment(60_000));
    for _ in 0..2 {
        let reply = list(pays(&ledger))
            .call(&call("pay", "x"), &cx)
            .await
            .unwrap();
        assert_eq!(
            (&*reply.to_model(), reply.outcome),
            (UNKNOWN, Outcome::Unknown)
        );
    }
    assert!(lines(&ledger).is_empty());
    let record = desk.store.claim_record(&key).await.unwrap().unwrap();
    let (result, at) = record.result.unwrap();
    let record: CallRecord = serde_json::from_str(&result).unwrap();
    assert_eq!((record.outcome, at), (Outcome::Unknown, Moment(60_000)));
    assert_eq!(record.to_model(), UNKNOWN);
}

#[tokio::test]
async fn an_idempotent_call_runs_again() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.cx().with_run("run-7").with(Arc::clone(&ledger));
    let arguments = r#"{"input": "x"}"#;
    let key = key_of(&list(Set), "set", arguments).await;
    desk.store
        .claim(&key, Duration::from_secs(60), Moment(0))
        .await
        .unwrap();
    desk.clock.set(Moment(60_000));
    let reply = list(Set).call(&call("set", arguments), &cx).await.unwrap();
    assert_eq!(reply.to_model(), "set x");
    let again = list(Set).call(&call("set", arguments), &cx).await.unwrap();
    assert_eq!(again.to_model(), "set x");
    assert_eq!(lines(&ledger), ["x"], "the second call got the result");
    assert_eq!(AgentTool::hints(&Set), ToolHints::new().idempotent(true));
}

#[tokio::test]
async fn a_call_that_reads_is_not_claimed() {
    let desk = Desk::default();
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let tools = list(reads("look", move |_, _| {
        ToolResult::success(counted.fetch_add(1, Ordering::SeqCst).to_string())
    }));
    let cx = desk.cx().with_run("run-7");
    for now in ["0", "1"] {
        let reply = tools.call(&call("look", "x"), &cx).await.unwrap();
        assert_eq!(reply.to_model(), now);
    }
}

/// Waits until it is dropped, or crashes.
struct Slow(&'static str);

impl AgentTool for Slow {
    fn name(&self) -> &str {
        "pay"
    }
    fn description(&self) -> &str {
        "pays slowly"
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
        match self.0 {
            "cancel" => cx.cancellation().expect("it is set").cancel(),
            "halt" => return ToolResult::halt(Halt::exit_early("no")),
            "crash" => panic!("half way"),
            _ => {}
        }
        tokio::time::sleep(Duration::from_secs(3600)).await;
        ToolResult::success("paid")
    }
}

/// Waits for the rest for so long.
struct Patient(Duration);

impl CallLayer for Patient {
    fn around<'a>(
        &'a self,
        _: &'a LayerCall<'a>,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
        Box::pin(async move {
            let late = |_| Ok(ToolResult::failure("too late"));
            tokio::time::timeout(self.0, next.run())
                .await
                .unwrap_or_else(late)
        })
    }
}

/// A context in which every way to stop a run is at hand.
fn stoppable(desk: &Desk) -> ToolContext {
    desk.cx()
        .with_run("run-7")
        .with_timeout(Duration::from_secs(5))
        .with_cancellation(Cancellation::new())
}

/// The list of a tool with a layer.
fn layered(tool: impl AgentTool + 'static, layer: impl CallLayer + 'static) -> Toolset {
    Toolset::builder().tool(tool).around(layer).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn run_stopped_inside_layer_does_not_run_again() {
    let hour = Duration::from_secs(3600);
    for (how, patience, told, known) in [
        ("cancel", hour, Outcome::Unknown, Outcome::Unknown),
        ("halt", hour, Outcome::Unknown, Outcome::Unknown),
        ("crash", hour, Outcome::Crash, Outcome::Crash),
        ("time", hour, Outcome::TimedOut, Outcome::TimedOut),
        // The layer itself gives up.
        (
            "time",
            Duration::from_secs(1),
            Outcome::Failure,
            Outcome::Unknown,
        ),
    ] {
        let (desk, ledger) = (Desk::default(), Ledger::default());
        let cx = stoppable(&desk);
        let tools = layered(Slow(how), Patient(patience));
        let stopped = tools.call(&call("pay", "x"), &cx).await;
        let stopped = stopped.map_or(Outcome::Unknown, |reply| reply.outcome);
        assert_eq!(stopped, told, "{how}");
        let cx = desk.cx().with_run("run-7");
        let again = list(pays(&ledger)).call(&call("pay", "x"), &cx).await;
        let again = again.unwrap();
        assert_eq!(again.outcome, known, "{how}");
        assert!(!again.runs_elsewhere, "{how}");
        assert!(lines(&ledger).is_empty(), "{how}");
    }
}

#[tokio::test(start_paused = true)]
async fn stopped_run_does_not_run_again() {
    for (how, outcome) in [
        ("cancel", Outcome::Unknown),
        ("halt", Outcome::Unknown),
        ("crash", Outcome::Crash),
        ("time", Outcome::TimedOut),
    ] {
        let (desk, ledger) = (Desk::default(), Ledger::default());
        let cx = stoppable(&desk);
        let stopped = list(Slow(how)).call(&call("pay", "x"), &cx).await;
        assert_eq!(
            stopped.map_or(Outcome::Unknown, |reply| reply.outcome),
            outcome,
            "{how}"
        );
        let cx = desk.cx().with_run("run-7");
        let again = list(pays(&ledger)).call(&call("pay", "x"), &cx).await;
        assert_eq!(again.unwrap().outcome, outcome, "{how}");
        assert!(lines(&ledger).is_empty(), "{how}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_claim_is_renewed_while_the_tool_runs() {
    let desk = Desk::default();
    let start = tokio::time::Instant::now();
    let cx = ToolContext::new()
        .with_store(Arc::clone(&desk.store))
        .with_run("run-7")
        .with_lease(Duration::from_secs(9))
        .with_clock(move || Moment(0).after(start.elapsed()));
    let mut running = std::pin::pin!(async {
        let tools = list(Slow(""));
        tools.call(&call("pay", "x"), &cx).await
    });
    for _ in 0..50 {
        let second = Duration::from_secs(1);
        assert!(tokio::time::timeout(second, &mut running).await.is_err());
        let again = list(Slow("")).call(&call("pay", "x"), &cx).await.unwrap();
        assert!(again.to_model().contains("running"), "{}", again.to_model());
    }
    assert_eq!(running.await.unwrap().to_model(), "paid");
    let again = list(Slow("")).call(&call("pay", "x"), &cx).await.unwrap();
    assert_eq!(again.to_model(), "paid");
}

#[tokio::test]
async fn decision_without_result_is_executed_later() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.deferring();
    let pending = wait(&list(pays(&ledger)), "pay", "x", &cx).await;
    let yes = Decided::new(ReviewDecision::Continue, "grace", Moment(0));
    // The process ends between the decision and the run: the call is still listed.
    desk.store.take(&pending.id, &yes).await.unwrap();
    assert_eq!(desk.ids().await, [&*pending.id]);
    let reply = list(pays(&ledger)).resume(&pending.id, &cx).await;
    assert_eq!(reply.unwrap().to_model(), "paid x");

    // The process ends in the run: busy until the lease ends, then unknown, and never run again.
    let pending = wait(&list(pays(&ledger)), "pay", "y", &cx).await;
    desk.store.take(&pending.id, &yes).await.unwrap();
    let key = desk.store.get(&pending.id).await.unwrap().unwrap().key;
    desk.store
        .claim(&key, Duration::from_secs(1), Moment(0))
        .await
        .unwrap();
    let busy = list(pays(&ledger)).resume(&pending.id, &cx).await;
    assert!(
        matches!(
            busy,
            Err(ResumeError::Busy {
                until: Moment(1000)
            })
        ),
        "{busy:?}"
    );
    desk.clock.set(Moment(1000));
    assert_eq!(desk.ids().await, [&*pending.id]);
    let reply = list(pays(&ledger)).resume(&pending.id, &cx).await;
    assert_eq!(reply.unwrap().outcome, Outcome::Unknown);
    assert_eq!(lines(&ledger), ["x"]);
    assert!(desk.ids().await.is_empty());
}

#[tokio::test]
async fn nested_call_of_claimed_call_needs_no_claim() {
    struct Twice(Toolset);
    impl AgentTool for Twice {
        fn name(&self) -> &str {
            "twice"
        }
        fn description(&self) -> &str {
            "pays twice"
        }
        fn permission(&self) -> Permission {
            Permission::Write
        }
        async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
            for _ in 0..2 {
                if let Err(halt) = self.0.call(&call("pay", input), cx).await {
                    return ToolResult::halt(halt);
                }
            }
            ToolResult::success("paid twice")
        }
    }
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let cx = desk.cx().with_run("run-7");
    for _ in 0..2 {
        let tools = list(Twice(list(pays(&ledger))));
        let reply = tools.call(&call("twice", "x"), &cx).await.unwrap();
        assert_eq!(reply.to_model(), "paid twice");
    }
    assert_eq!(lines(&ledger), ["x", "x"]);
}

/// A store that fails at one step.
pub(super) struct Broken(
    pub(super) Arc<callpact::store::MemoryStore>,
    pub(super) &'static str,
);

impl Broken {
    fn step<'a, T: Send + 'a>(
        &self,
        name: &str,
        step: impl FnOnce() -> StoreFuture<'a, T>,
    ) -> StoreFuture<'a, T> {
        if self.1 == name {
            return Box::pin(async { Err(StoreError::Failed("the disk is full".into())) });
        }
        step()
    }
}

impl CallStore for Broken {
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
        self.step("put", || self.0.put(call))
    }
    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        self.step("get", || self.0.get(id))
    }
    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        self.step("list", || self.0.list())
    }
    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        self.step("take", || self.0.take(id, decision))
    }
    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        if self.1 != "busy" {
            return self.step("claim", || self.0.claim(key, lease, now));
        }
        // Another process holds the call, and finishes it before anybody can look again.
        Box::pin(async move {
            let token = match self.0.claim(key, lease, now).await? {
                Claim::Held(token) => token,
                other => return Ok(other),
            };
            let result = r#"{"outcome": "success", "output": "paid elsewhere"}"#;
            self.0.finish(key, token, result, now).await?;
            let until = now.after(lease);
            Ok(Claim::Busy { until })
        })
    }
    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        self.step("claim_record", || self.0.claim_record(key))
    }
    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        self.step("renew", || self.0.renew(key, token, lease, now))
    }
    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        self.step("finish", || self.0.finish(key, token, result, now))
    }
    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        self.step("forget", || self.0.forget(before))
    }
}

#[tokio::test]
async fn result_stored_meanwhile_is_returned() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let tools = list(pays(&ledger));
    let id = wait(&tools, "pay", "x", &desk.deferring()).await.id;
    let decided = Decided::new(ReviewDecision::Continue, "grace", Moment(0));
    desk.store.take(&id, &decided).await.unwrap();
    let cx = ToolContext::new().with_store(Broken(Arc::clone(&desk.store), "busy"));
    let reply = tools.resume(&id, &cx).await.unwrap();
    assert_eq!(reply.to_model(), "paid elsewhere");
    assert!(lines(&ledger).is_empty());
}

#[tokio::test]
async fn nothing_runs_without_its_store() {
    let (desk, ledger) = (Desk::default(), Ledger::default());
    let broken = |step| ToolContext::new().with_store(Broken(Arc::clone(&desk.store), step));
    let tools = list(pays(&ledger));
    let failed = Halt::StoreFailed("the call store failed: the disk is full".to_owned());
    let cx = broken("put").with_deferred_approval();
    assert_eq!(
        tools.call(&call("pay", "x"), &cx).await.unwrap_err(),
        failed
    );
    let cx = broken("claim");
    assert_eq!(
        tools.call(&call("pay", "x"), &cx).await.unwrap_err(),
        failed
    );
    assert!(lines(&ledger).is_empty());
    // The tool has run: the model gets its result, and the next one learns that nobody knows it.
    let cx = broken("finish").with_run("run-7");
    let reply = tools.call(&call("pay", "x"), &cx).await.unwrap();
    assert_eq!(reply.to_model(), "paid x");
    let reply = tools.call(&call("pay", "x"), &cx).await.unwrap();
    assert_eq!(reply.outcome, Outcome::Unknown);
    assert_eq!(lines(&ledger), ["x"]);
}
