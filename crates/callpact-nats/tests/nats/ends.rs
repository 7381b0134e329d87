//! How calls end that do not go well.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering::SeqCst},
    },
    time::Duration,
};

use callpact::{Cancellation, Halt, Outcome, ToolCall, ToolContext, ToolReply, Toolset, tools};
use callpact_nats::{Serving, Worker, Workers, worker};
use tokio::{sync::Semaphore, task::JoinHandle, time::timeout};

use crate::kit::{LONG, Nats, server};

/// Tools that wait until the test lets them go on, and count their runs.
#[derive(Clone)]
struct Gated {
    begun: Arc<Semaphore>,
    gate: Arc<Semaphore>,
    runs: Arc<AtomicU32>,
    /// The keys with which `set` ran.
    keys: Arc<Mutex<Vec<String>>>,
}

impl Gated {
    fn new() -> Self {
        Self {
            begun: Arc::new(Semaphore::new(0)),
            gate: Arc::new(Semaphore::new(0)),
            runs: Arc::default(),
            keys: Arc::default(),
        }
    }

    async fn pass(&self) -> u32 {
        let run = self.runs.fetch_add(1, SeqCst) + 1;
        self.begun.add_permits(1);
        self.gate.acquire().await.unwrap().forget();
        run
    }

    /// Waits until a run has begun.
    async fn begun(&self) {
        let begun = timeout(LONG, self.begun.acquire()).await;
        begun.expect("a run begins").unwrap().forget();
    }
}

#[tools]
impl Gated {
    /// Pays, which must not happen twice
    #[tool(destructive)]
    async fn pay(&self) -> String {
        format!("paid in run {}", self.pass().await)
    }

    /// Looks, as often as one likes
    #[tool(read_only)]
    async fn look(&self) -> String {
        format!("seen in run {}", self.pass().await)
    }

    /// Sets a value, again and again to the same effect
    #[tool(write, idempotent)]
    async fn set(&self, cx: &ToolContext) -> String {
        let key = cx.idempotency_key().unwrap().to_owned();
        self.keys.lock().unwrap().push(key);
        format!("set in run {}", self.pass().await)
    }

    /// Gives a long text back
    #[tool(read_only)]
    fn long(&self, bytes: usize) -> String {
        self.runs.fetch_add(1, SeqCst);
        "x".repeat(bytes)
    }

    /// Takes a long text
    #[tool(read_only)]
    fn take(&self, text: String) -> usize {
        self.runs.fetch_add(1, SeqCst);
        text.len()
    }
}

fn of(nats: &Nats, gated: &Gated) -> Worker {
    let tools = Toolset::builder().tools(gated.clone()).build().unwrap();
    let worker = worker(tools, ToolContext::new()).connect(nats.url());
    worker.lease(Duration::from_secs(1))
}

async fn serve(nats: &Nats, gated: &Gated) -> Serving {
    of(nats, gated).start().await.unwrap()
}

async fn host(nats: &Nats) -> Toolset {
    let workers = Workers::connect(nats.url()).await.unwrap();
    Toolset::builder().tools(workers.tools()).build().unwrap()
}

async fn call(tools: &Toolset, name: &str, cx: &ToolContext) -> ToolReply {
    let wanted = ToolCall::new("call-1", name, "{}");
    let reply = timeout(LONG, tools.call(&wanted, cx)).await;
    reply.expect("the call ends").unwrap()
}

/// Makes a call whose worker dies while it runs. Another worker, which does not wait, takes over.
async fn with_a_death(tool: &'static str) -> Option<(Outcome, String, u32)> {
    let nats = server().await?;
    let gated = Gated::new();
    let dying = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    let calling = tokio::spawn(async move { call(&tools, tool, &ToolContext::new()).await });
    gated.begun().await;
    // Its tasks end at once, as with its process.
    drop(dying);
    let _heir = serve(&nats, &gated).await;
    gated.gate.add_permits(9);
    let reply = calling.await.unwrap();
    let text = reply.to_model().into_owned();
    let keys = gated.keys.lock().unwrap();
    assert!(keys.windows(2).all(|two| two[0] == two[1]), "{keys:?}");
    Some((reply.outcome, text, gated.runs.load(SeqCst)))
}

#[tokio::test]
async fn reruns_reading_call_if_worker_dies() {
    let Some(ended) = with_a_death("look").await else {
        return;
    };
    assert_eq!(ended, (Outcome::Success, "seen in run 2".to_owned(), 2));
}

#[tokio::test]
async fn reruns_idempotent_call_if_worker_dies() {
    let Some(ended) = with_a_death("set").await else {
        return;
    };
    assert_eq!(ended, (Outcome::Success, "set in run 2".to_owned(), 2));
}

#[tokio::test]
async fn other_call_runs_once_and_ends_unknown() {
    let Some((outcome, text, runs)) = with_a_death("pay").await else {
        return;
    };
    assert_eq!((outcome, runs), (Outcome::Unknown, 1));
    let expected = "Error: Nobody knows whether 'pay' was carried out: it was begun, and its end was not \
                    reported; it may still be running. Look at what it may have changed before you make the call \
                    again";
    assert_eq!(text, expected);
}

#[tokio::test]
async fn a_lease_is_renewed_while_a_call_runs() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let (_one, _two) = (serve(&nats, &gated).await, serve(&nats, &gated).await);
    let tools = host(&nats).await;
    let calling = tokio::spawn(async move { call(&tools, "pay", &ToolContext::new()).await });
    gated.begun().await;
    // Three leases.
    tokio::time::sleep(Duration::from_secs(3)).await;
    gated.gate.add_permits(1);
    let reply = calling.await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Success, "paid in run 1")
    );
}

#[tokio::test]
async fn expired_call_without_worker_never_runs() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let busy = of(&nats, &gated).max_in_flight(1).start().await.unwrap();
    let tools = host(&nats).await;
    let first = tools.clone();
    let first = tokio::spawn(async move { call(&first, "pay", &ToolContext::new()).await });
    gated.begun().await;
    assert_eq!(busy.in_flight(), 1);
    let cx = ToolContext::new().with_run("run-7");
    let cx = cx.with_timeout(Duration::from_secs(2));
    let reply = call(&tools, "pay", &cx).await;
    assert_eq!(reply.outcome, Outcome::TimedOut);
    assert_eq!(
        reply.to_model(),
        "Error: Tool 'pay' did not run: no worker took the call in time"
    );
    // The same call of the same run says so at once, and does not wait for its own end.
    let cx = cx.with_timeout(LONG * 10);
    let again = call(&tools, "pay", &cx).await.to_model().into_owned();
    assert!(again.contains("this call was taken back before"), "{again}");
    gated.gate.add_permits(9);
    assert_eq!(first.await.unwrap().outcome, Outcome::Success);
    assert!(busy.stop(LONG).await);
    assert_eq!(gated.runs.load(SeqCst), 1);
}

#[tokio::test]
async fn worker_stops_call_after_timeout() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let serving = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    let cx = ToolContext::new().with_timeout(Duration::from_secs(2));
    for (tool, outcome) in [("pay", Outcome::TimedOut), ("look", Outcome::TimedOut)] {
        let reply = call(&tools, tool, &cx).await;
        assert_eq!(reply.outcome, outcome, "{}", reply.to_model());
    }
    until_idle(&serving).await;
}

async fn until_idle(serving: &Serving) {
    let idle = async {
        while serving.in_flight() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, idle).await.expect("the call is stopped");
}

#[tokio::test]
async fn worker_stops_cancelled_call() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let serving = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    let stop = Cancellation::new();
    let cx = ToolContext::new().with_cancellation(stop.clone());
    let wanted = ToolCall::new("call-1", "pay", "{}");
    let calling = tokio::spawn(async move { tools.call(&wanted, &cx).await });
    gated.begun().await;
    stop.cancel();
    assert_eq!(calling.await.unwrap().unwrap_err(), Halt::Cancelled);
    until_idle(&serving).await;
    assert_eq!(gated.runs.load(SeqCst), 1);
}

type Ended = JoinHandle<Result<ToolReply, Halt>>;

/// Makes a call alongside the test.
fn spawn(tools: &Toolset, name: &'static str) -> Ended {
    let (tools, wanted) = (tools.clone(), ToolCall::new("call-1", name, "{}"));
    tokio::spawn(async move { tools.call(&wanted, &ToolContext::new()).await })
}

/// Begins a call, and waits until its tool runs.
async fn begin(gated: &Gated, tools: &Toolset, name: &'static str) -> Ended {
    let calling = spawn(tools, name);
    gated.begun().await;
    calling
}

#[tokio::test]
async fn closing_program_knows_possibly_executed_calls() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let busy = of(&nats, &gated).lease(LONG).max_in_flight(1);
    let dead = busy.start().await.unwrap();
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let begun = begin(&gated, &tools, "pay").await;
    let waiting = spawn(&tools, "pay");
    tokio::task::yield_now().await;
    // As with a worker that was killed or is frozen, nobody receives the request to stop the call.
    drop(dead);
    assert!(!workers.close(Duration::from_millis(500)).await);
    let unknown = begun.await.unwrap().unwrap();
    assert_eq!(unknown.outcome, Outcome::Unknown);
    assert_eq!(waiting.await.unwrap().unwrap_err(), Halt::Cancelled);
    // Nothing is awaited any more.
    assert!(workers.close(LONG).await);
}

#[tokio::test]
async fn closing_program_waits_until_workers_learn_of_calls() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let serving = serve(&nats, &gated).await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let dropped = begin(&gated, &tools, "pay").await;
    let (paying, looking) = (
        begin(&gated, &tools, "pay").await,
        begin(&gated, &tools, "look").await,
    );
    dropped.abort();
    assert!(dropped.await.unwrap_err().is_cancelled());
    assert!(workers.close(LONG).await);
    until_idle(&serving).await;
    assert_eq!(paying.await.unwrap().unwrap().outcome, Outcome::Unknown);
    assert_eq!(looking.await.unwrap().unwrap_err(), Halt::Cancelled);
    let late = call(&tools, "look", &ToolContext::new()).await;
    let text =
        "Error: Tool 'look' did not run: the program has closed its connection to the workers";
    assert_eq!(late.to_model(), text);
    assert_eq!(gated.runs.load(SeqCst), 3);
}

#[tokio::test]
async fn closing_program_does_not_wait_for_lost_server() {
    let Some(mut nats) = server().await else {
        return;
    };
    let gated = Gated::new();
    let _serving = serve(&nats, &gated).await;
    let workers = Workers::connect(nats.url()).await.unwrap();
    assert!(workers.close(Duration::ZERO).await, "no call is under way");
    let workers = Workers::connect(nats.url()).await.unwrap();
    let tools = Toolset::builder().tools(workers.tools()).build().unwrap();
    let calling = tokio::spawn(async move { call(&tools, "pay", &ToolContext::new()).await });
    gated.begun().await;
    nats.kill();
    assert!(!workers.close(Duration::from_millis(300)).await);
    assert_eq!(calling.await.unwrap().outcome, Outcome::Unknown);
}

#[tokio::test]
async fn host_without_server_reports_unknown_outcome() {
    let Some(mut nats) = server().await else {
        return;
    };
    let gated = Gated::new();
    let _serving = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    let cx = ToolContext::new().with_timeout(Duration::from_secs(4));
    let calling = tokio::spawn(async move { call(&tools, "pay", &cx).await });
    gated.begun().await;
    nats.kill();
    let reply = calling.await.unwrap();
    assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
}

#[tokio::test]
async fn call_waits_for_lost_server() {
    let Some(mut nats) = server().await else {
        return;
    };
    let gated = Gated::new();
    gated.gate.add_permits(9);
    let _serving = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    assert_eq!(
        call(&tools, "pay", &ToolContext::new()).await.outcome,
        Outcome::Success
    );
    nats.kill();
    // The host needs a moment to see that the connection is broken. A call before that may be on its way.
    let mut text = String::new();
    for _ in 0..20 {
        let cx = ToolContext::new().with_timeout(Duration::from_secs(1));
        let reply = call(&tools, "pay", &cx).await;
        text = reply.to_model().into_owned();
        if reply.outcome == Outcome::TimedOut {
            break;
        }
        assert_eq!(reply.outcome, Outcome::Unknown, "{text}");
    }
    let expected =
        "Error: Tool 'pay' did not run: the NATS server cannot be reached, and the time was up";
    assert_eq!(text, expected);
    let waiting = tokio::spawn(async move { call(&tools, "pay", &ToolContext::new()).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    nats.start().await;
    let reply = waiting.await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Success, "paid in run 2")
    );
}

#[tokio::test]
async fn finds_result_after_lost_message() {
    let Some(mut nats) = server().await else {
        return;
    };
    let gated = Gated::new();
    let _serving = of(&nats, &gated).lease(LONG).start().await.unwrap();
    let tools = host(&nats).await;
    let calling = tokio::spawn(async move { call(&tools, "pay", &ToolContext::new()).await });
    gated.begun().await;
    nats.kill();
    gated.gate.add_permits(1);
    tokio::time::sleep(Duration::from_millis(300)).await;
    nats.start().await;
    let reply = calling.await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Success, "paid in run 1")
    );
}

#[tokio::test]
async fn reports_oversized_call_and_result() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let _serving = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    let cx = ToolContext::new();
    let wanted = ToolCall::new(
        "1",
        "take",
        format!(r#"{{"text": "{}"}}"#, "x".repeat(2 << 20)),
    );
    let reply = tools.call(&wanted, &cx).await.unwrap();
    let text = reply.to_model();
    assert!(
        text.starts_with("Error: Tool 'take' did not run: its call has 2097"),
        "{text}"
    );
    assert!(
        text.ends_with("a message between machines may have 1048576"),
        "{text}"
    );
    assert_eq!(gated.runs.load(SeqCst), 0);
    let wanted = ToolCall::new("2", "long", r#"{"bytes": 2000000}"#);
    let reply = tools.call(&wanted, &cx).await.unwrap();
    let text = reply.to_model();
    assert_eq!(reply.outcome, Outcome::Failure);
    assert!(
        text.starts_with("Error: Tool 'long' ran, and its result has 2000"),
        "{text}"
    );
    assert_eq!(gated.runs.load(SeqCst), 1);
}

#[tokio::test]
async fn a_worker_that_stops_finishes_what_it_began() {
    let Some(nats) = server().await else { return };
    let gated = Gated::new();
    let serving = serve(&nats, &gated).await;
    let tools = host(&nats).await;
    let calling = tokio::spawn(async move { call(&tools, "pay", &ToolContext::new()).await });
    gated.begun().await;
    let stopping = tokio::spawn(serving.stop(LONG));
    gated.gate.add_permits(1);
    assert!(stopping.await.unwrap());
    assert_eq!(calling.await.unwrap().to_model(), "paid in run 1");
}
