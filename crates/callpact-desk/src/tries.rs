//! The calls that people start on the page: they run on their own, and the page asks for their results.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use callpact::{
    Cancellation, Halt, PendingCall, Permission, PermissionMode, ReviewDecision, ReviewHandler,
    ReviewRequest, ToolCall, ToolContext, ToolReply,
    review::{BoxFuture, ReviewError, ReviewTiming},
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Desk,
    answer::{DeskAnswer, accepted, fault, json},
    card, replies,
    sessions::EnteredBrowser,
    share::RequestShare,
};

/// The most calls of people at the same time.
const TRIES: RequestShare = RequestShare { each: 64, all: 256 };
/// How long the result of a call is kept for its page, and how many results are kept.
const KEPT: Duration = Duration::from_secs(600);
const RESULTS: usize = 512;
/// The shortest time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(50);
/// How long a call goes on without an open page of its browser.
const ALONE: Duration = Duration::from_secs(10);

/// The calls that people started, by person and number: each page chooses its numbers.
#[derive(Default)]
pub(crate) struct StartedTries(Mutex<BTreeMap<TryKey, StartedTry>>);

type TryKey = (Option<String>, u64);

fn key(number: u64, browser: &EnteredBrowser) -> TryKey {
    (browser.owner().map(str::to_owned), number)
}

/// A call that somebody started.
struct StartedTry {
    stop: Cancellation,
    state: TryState,
}

enum TryState {
    /// It can destroy something, and the person has not confirmed it yet.
    Asks(Box<PendingCall>, Instant),
    Runs,
    Ended(Value, Instant),
}

impl StartedTries {
    fn open(&self) -> MutexGuard<'_, BTreeMap<TryKey, StartedTry>> {
        let mut tries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        tries.retain(|_, one| match &one.state {
            TryState::Runs => true,
            TryState::Asks(_, since) | TryState::Ended(_, since) => {
                now.saturating_duration_since(*since) < KEPT
            }
        });
        tries
    }

    /// Enters a call that runs from now on. Gives `None` if there are too many, or if the number is in use.
    fn enter(&self, number: u64, browser: &EnteredBrowser) -> Option<Cancellation> {
        let mut tries = self.open();
        let busy = tries.iter().filter(|(_, one)| one.runs());
        let has_room = TRIES.has_room(
            busy.map(|((owner, _), _)| owner.as_deref()),
            browser.owner(),
        );
        // A page may use the number of a call of its own again once that has ended.
        let taken = tries.get(&key(number, browser));
        if !has_room || taken.is_some_and(StartedTry::runs) {
            return None;
        }
        while tries.len() >= RESULTS {
            let ended = tries.iter().find(|(_, one)| !one.runs());
            let Some(oldest) = ended.map(|(key, _)| key.clone()) else {
                break;
            };
            tries.remove(&oldest);
        }
        let stop = Cancellation::new();
        let one = StartedTry {
            stop: stop.clone(),
            state: TryState::Runs,
        };
        tries.insert(key(number, browser), one);
        Some(stop)
    }

    fn set(&self, number: u64, browser: &EnteredBrowser, state: TryState) {
        if let Some(one) = self.open().get_mut(&key(number, browser)) {
            one.state = state;
        }
    }

    /// Stops a call of a browser.
    pub(crate) fn stop(
        &self,
        number: u64,
        browser: &EnteredBrowser,
    ) -> Result<DeskAnswer, DeskAnswer> {
        let mut tries = self.open();
        let key = key(number, browser);
        match &tries.get(&key).ok_or_else(gone)?.state {
            TryState::Runs => {
                if let Some(one) = tries.get(&key) {
                    one.stop.cancel();
                }
            }
            TryState::Asks(..) => {
                tries.remove(&key);
            }
            TryState::Ended(..) => return Err(gone()),
        }
        Ok(json(&json!({})))
    }

    /// The result of a call, or what it does.
    pub(crate) fn result(
        &self,
        number: u64,
        browser: &EnteredBrowser,
    ) -> Result<DeskAnswer, DeskAnswer> {
        let tries = self.open();
        let one = tries.get(&key(number, browser));
        Ok(match &one.ok_or_else(gone)?.state {
            TryState::Runs => accepted(&json!({ "number": number, "state": "running" })),
            TryState::Asks(pending, _) => json(&json!({
                "number": number, "state": "asks", "asks": card::describe_try(pending),
            })),
            TryState::Ended(reply, _) => {
                json(&json!({ "number": number, "state": "done", "reply": reply }))
            }
        })
    }

    /// Takes the call that a person confirms.
    fn confirm(
        &self,
        number: u64,
        digest: &str,
        browser: &EnteredBrowser,
    ) -> Result<(PendingCall, Cancellation), DeskAnswer> {
        let mut tries = self.open();
        let one = tries.get_mut(&key(number, browser)).ok_or_else(gone)?;
        match &one.state {
            TryState::Asks(pending, _) if pending.digest == digest => {
                let pending = PendingCall::clone(pending);
                one.state = TryState::Runs;
                Ok((pending, one.stop.clone()))
            }
            TryState::Asks(..) => Err(fault(
                StatusCode::CONFLICT,
                "this is not the call that you saw: look at it again",
            )),
            _ => Err(gone()),
        }
    }
}

impl StartedTry {
    fn runs(&self) -> bool {
        matches!(self.state, TryState::Runs)
    }
}

fn gone() -> DeskAnswer {
    fault(StatusCode::NOT_FOUND, "this call has ended")
}

/// A call as the page sends it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShownTry {
    /// The page chooses it, to stop the call, to follow its progress and to ask for its result.
    number: u64,
    tool: String,
    arguments: String,
}

/// The confirmation of a call that can destroy something.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TryConfirmation {
    number: u64,
    digest: String,
}

/// Starts a call. What reads or writes runs at once; what can destroy first shows what it would do.
pub(crate) async fn start(
    desk: &Desk,
    trial: ShownTry,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let number = trial.number;
    let stop = desk.0.state.tries.enter(number, browser);
    let stop = stop.ok_or_else(too_many)?;
    let call = ToolCall::new(format!("try-{number}"), trial.tool, trial.arguments);
    let mut tools = desk.tools();
    if !tools.contains(&call.name) {
        // The nearest names must be those that the person sees.
        tools = desk.tools_for(browser);
    }
    let destroys = tools.permission(&call.name) == Some(Permission::Destructive);
    let cx = context(desk, number, browser, &stop, &call.name, false);
    let asks_here = desk.0.context.reviewer().is_none() && desk.0.context.store().is_none();
    // A program with a reviewer of its own decides itself who is asked.
    if destroys && asks_here {
        // Nothing of this is a call that anybody made yet, so no trace has it.
        let asking = context_of(desk, browser).with_deferred_approval();
        let asking = match asking.permissions() {
            Some(PermissionMode::Deny) => asking,
            _ => asking.with_permissions(PermissionMode::Ask),
        };
        if let Err(Halt::Pending(pending)) = tools.call(&call, &asking).await {
            let asks = card::describe_try(&pending);
            let state = TryState::Asks(pending, Instant::now());
            desk.0.state.tries.set(number, browser, state);
            let answer = json!({ "number": number, "state": "asks", "asks": asks });
            return Ok(accepted(&answer));
        }
    }
    follow(desk, number, browser, stop, async move {
        end_of(tools.call(&call, &cx).await)
    });
    Ok(accepted(&json!({ "number": number, "state": "running" })))
}

/// The role that a person acts for in their own call of a tool.
fn acting_role(desk: &Desk, tool: &str, browser: &EnteredBrowser) -> Option<String> {
    let tools = desk.tools();
    let required = tools.required_role(tool)?;
    let person = browser.person.as_ref()?;
    let acts = person.identity.has_scope(required);
    acts.then(|| required.to_owned())
}

/// Runs a call that a person has confirmed.
pub(crate) fn confirm(
    desk: &Desk,
    confirmed: &TryConfirmation,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let TryConfirmation { number, digest } = confirmed;
    let (pending, stop) = desk.0.state.tries.confirm(*number, digest, browser)?;
    let tools = desk.tools();
    let cx = context(desk, *number, browser, &stop, &pending.tool, true);
    follow(desk, *number, browser, stop, async move {
        end_of(tools_decide(&tools, &pending, &cx).await)
    });
    Ok(accepted(&json!({ "number": number, "state": "running" })))
}

async fn tools_decide(
    tools: &callpact::Toolset,
    pending: &PendingCall,
    cx: &ToolContext,
) -> Result<ToolReply, Halt> {
    let decided = tools.decide(pending, ReviewDecision::Continue, cx).await;
    decided.map_err(|error| match error {
        callpact::call::ResumeError::Halt(halt) => halt,
        other => Halt::Misconfigured(other.to_string()),
    })
}

fn end_of(ended: Result<ToolReply, Halt>) -> Value {
    match ended {
        Ok(reply) => replies::describe(&reply),
        Err(halt) => replies::describe_halt(&halt),
    }
}

fn too_many() -> DeskAnswer {
    let text = "too many calls run at the same time, or this one runs already";
    fault(StatusCode::TOO_MANY_REQUESTS, text)
}

/// Starts work of its own whose result the page asks for, such as a stored call that was approved. It runs to its end
/// even if the page closes, since an interrupted call may be half done.
pub(crate) fn carry_out(
    desk: &Desk,
    browser: &EnteredBrowser,
    work: impl Future<Output = Value> + Send + 'static,
) -> Option<u64> {
    // Numbers of pages have 32 bits.
    static NUMBERS: AtomicU64 = AtomicU64::new(1 << 32);
    let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
    // A decided call runs even if nobody can follow it.
    let followed = desk.0.state.tries.enter(number, browser).is_some();
    let (desk, browser) = (desk.clone(), browser.clone());
    tokio::spawn(async move {
        let ended = tokio::spawn(work).await;
        let reply = ended.unwrap_or_else(|_| broken_off());
        finish(&desk, number, &browser, reply);
    });
    followed.then_some(number)
}

fn broken_off() -> Value {
    json!({ "outcome": "crash", "ok": false, "text": "the call was broken off" })
}

fn finish(desk: &Desk, number: u64, browser: &EnteredBrowser, reply: Value) {
    let state = TryState::Ended(reply, Instant::now());
    desk.0.state.tries.set(number, browser, state);
    desk.0
        .state
        .events
        .send("tried", &json!({ "number": number }));
}

/// Runs a call in the background until it ends, is stopped, or its browser has no open page any more.
fn follow(
    desk: &Desk,
    number: u64,
    browser: &EnteredBrowser,
    stop: Cancellation,
    work: impl Future<Output = Value> + Send + 'static,
) {
    let (desk, browser) = (desk.clone(), browser.clone());
    tokio::spawn(async move {
        let mut work = tokio::spawn(work);
        let outer = async {
            match desk.0.context.cancellation() {
                Some(outer) => outer.cancelled().await,
                None => std::future::pending().await,
            }
        };
        let ended = tokio::select! {
            ended = &mut work => ended,
            () = outer => { stop.cancel(); work.await }
            () = desk.0.state.left_alone(&browser, ALONE) => { stop.cancel(); work.await }
        };
        let reply = ended.unwrap_or_else(|_| broken_off());
        finish(&desk, number, &browser, reply);
    });
}

/// The context of a person's own call, without what belongs to one call.
fn context_of(desk: &Desk, browser: &EnteredBrowser) -> ToolContext {
    let cx = desk.0.context.clone();
    match (&browser.person, &desk.0.scopes) {
        (Some(person), Some(rules)) => rules.apply(Some(&person.identity), cx),
        (Some(person), None) => cx.with_caller(&person.identity.name),
        (None, _) => cx,
    }
}

/// The context of a person's own call.
fn context(
    desk: &Desk,
    number: u64,
    browser: &EnteredBrowser,
    stop: &Cancellation,
    tool: &str,
    confirmed: bool,
) -> ToolContext {
    let state = &desk.0.state;
    let (events, started) = (state.events.clone(), Instant::now());
    let told = AtomicU64::new(0);
    let mut cx = context_of(desk, browser)
        .with_observer(state.trace.observer("try"))
        .with_cancellation(stop.clone())
        .with_progress(move |done, total, message| {
            let now = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            let is_last = total.is_some_and(|total| done >= total);
            let interval = u64::try_from(PROGRESS.as_millis()).unwrap_or(u64::MAX);
            // Counted from one, so that the first report is never too early.
            let free = told.load(Ordering::Relaxed);
            if free > now && !is_last {
                return;
            }
            told.store(now.saturating_add(interval), Ordering::Relaxed);
            let data = json!({"number": number, "done": done, "total": total, "message": message});
            events.send("progress", &data);
        });
    if cx.reviewer().is_none() {
        let reviewer = desk.reviewer();
        let others = match &browser.person {
            Some(person) => reviewer.asked_by(&person.identity.name),
            None => reviewer,
        };
        let destroys = desk.tools().permission(tool) == Some(Permission::Destructive);
        cx = cx.with_reviewer(OwnClick {
            others: Arc::new(others),
            is_enough: confirmed || !destroys,
            role: acting_role(desk, tool, browser),
        });
    }
    cx
}

/// Somebody clicked Run: their click is the decision about the call. What a tool asks while it runs is asked at the
/// inbox.
struct OwnClick {
    others: Arc<dyn ReviewHandler>,
    is_enough: bool,
    role: Option<String>,
}

impl ReviewHandler for OwnClick {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        if self.is_enough && request.timing == ReviewTiming::BeforeExecution {
            return Box::pin(std::future::ready(Ok(ReviewDecision::Continue)));
        }
        self.others.review(request)
    }

    fn role(&self) -> Option<&str> {
        self.role.as_deref()
    }
}
