//! The settings of a context for calls that wait for a decision, and for calls that must run once.

use std::{sync::Arc, time::Duration};

use super::ToolContext;
use crate::store::{CallStore, Moment};

/// How long the claim of a call lasts if nobody renews it.
const LEASE: Duration = Duration::from_secs(60);

type WaitClock = dyn Fn() -> Moment + Send + Sync;

/// The settings of a context for calls that wait, and for calls that must run once.
#[derive(Clone, Default)]
pub(super) struct WaitSettings {
    defer: bool,
    store: Option<Arc<dyn CallStore>>,
    run: Option<Arc<str>>,
    turn: Option<u32>,
    workspace: Option<Arc<str>>,
    caller: Option<Arc<str>>,
    time: Option<Duration>,
    lease: Option<Duration>,
    clock: Option<Arc<WaitClock>>,
}

impl ToolContext {
    /// Asks nobody: a call that needs a decision ends as [`Halt::Pending`](super::Halt::Pending). With a
    /// [store](Self::with_store), the call is stored there.
    #[must_use]
    pub fn with_deferred_approval(self) -> Self {
        self.change(|shared| shared.waiting.defer = true)
    }

    /// Sets the store of waiting calls and of results.
    ///
    /// A call that waits is put there. Every call that does more than read is claimed there before it
    /// runs, and its result is kept there, so that it runs once: a call that was made before, with the
    /// same [key](Self::idempotency_key), gets the result that is in the store. If it started and has
    /// no result, nobody knows whether it was carried out; it does not run again, unless its tool is
    /// idempotent, and its outcome is [`Outcome::Unknown`](crate::Outcome::Unknown).
    ///
    /// ```
    /// use std::sync::Arc;
    /// use callpact::{Halt, ReviewDecision, ToolCall, ToolContext, Toolset, store::MemoryStore, tool};
    ///
    /// /// Pays a bill
    /// #[tool(destructive)]
    /// fn pay(euros: u32) -> String {
    ///     format!("paid {euros} EUR")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Pay)?;
    /// let store = Arc::new(MemoryStore::new());
    /// let cx = ToolContext::new().with_store(store).with_deferred_approval().with_run("run-7");
    /// let call = ToolCall::new("call-1", "pay", r#"{"euros": 90}"#);
    /// let Err(Halt::Pending(pending)) = tools.call(&call, &cx).await else { panic!() };
    ///
    /// // Later, perhaps in another process.
    /// let reply = tools.decide(&pending.id, ReviewDecision::Continue, &cx).await?;
    /// assert_eq!(reply.to_model(), "paid 90 EUR");
    /// // The same call of the same run again does not pay twice.
    /// assert_eq!(tools.call(&call, &cx).await?.to_model(), "paid 90 EUR");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_store(self, store: impl CallStore + 'static) -> Self {
        self.change(|shared| shared.waiting.store = Some(Arc::new(store)))
    }

    /// Names the run to which the calls belong, so that a call has the same
    /// [key](Self::idempotency_key) when a program makes it again, even after a restart.
    ///
    /// Every call of a run must have an id of its own: a call with the same id, tool and arguments is the same
    /// call, unless both stand in one [`call_all`](crate::Toolset::call_all). Some providers repeat their ids
    /// in every response, or give none; then [`ToolCall::parse`](crate::ToolCall::parse) counts from `call_0`
    /// in every response. Set the [turn](Self::with_turn) too in that case.
    #[must_use]
    pub fn with_run(self, run: impl Into<String>) -> Self {
        self.change(|shared| shared.waiting.run = Some(run.into().into()))
    }

    /// Sets the turn of the run: how many responses of the model there were, with the one that the calls are from. It
    /// is a part of the [key](Self::idempotency_key), and people see it when they are asked.
    #[must_use]
    pub fn with_turn(self, turn: u32) -> Self {
        self.change(|shared| shared.waiting.turn = Some(turn))
    }

    /// Names the object of the work, such as a directory or an account. A waiting call resumes only in its
    /// own workspace, and the same call in another workspace is another call.
    ///
    /// Set it if two contexts share a store and have the same tools for different objects.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use callpact::{
    ///     Halt, ReviewDecision, ToolCall, ToolContext, Toolset, store::MemoryStore, tool, call::ResumeError,
    /// };
    ///
    /// /// Pays a bill
    /// #[tool(destructive)]
    /// fn pay(euros: u32) -> String {
    ///     format!("paid {euros} EUR")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Pay)?;
    /// let cx = ToolContext::new().with_store(Arc::new(MemoryStore::new()));
    /// let (ada, bob) = (cx.clone().with_workspace("ada's account"), cx.with_workspace("bob's account"));
    /// let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    /// let waits = tools.call(&call, &ada.clone().with_deferred_approval()).await;
    /// let Err(Halt::Pending(pending)) = waits else { panic!() };
    ///
    /// let elsewhere = tools.decide(&pending.id, ReviewDecision::Continue, &bob).await;
    /// assert!(matches!(elsewhere, Err(ResumeError::Workspace { .. })));
    /// let reply = tools.decide(&pending.id, ReviewDecision::Continue, &ada).await?;
    /// assert_eq!(reply.to_model(), "paid 90 EUR");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_workspace(self, workspace: impl Into<String>) -> Self {
        self.change(|shared| shared.waiting.workspace = Some(workspace.into().into()))
    }

    /// Names who asks for calls, and who decides about them, in the records of a store.
    #[must_use]
    pub fn with_caller(self, caller: impl Into<String>) -> Self {
        self.change(|shared| shared.waiting.caller = Some(caller.into().into()))
    }

    /// Sets how long a call may wait in a store for a decision. By default it waits without a limit.
    #[must_use]
    pub fn with_waiting_time(self, time: impl Into<Option<Duration>>) -> Self {
        let time = time.into();
        self.change(|shared| shared.waiting.time = time)
    }

    /// Sets how long the claim of a call lasts after its process has ended. The default is one minute.
    /// While a tool runs, its claim is renewed.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> Self {
        self.change(|shared| shared.waiting.lease = Some(lease))
    }

    /// Sets the clock for waiting times and leases. The default is the clock of the system.
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> Moment + Send + Sync + 'static) -> Self {
        self.change(|shared| shared.waiting.clock = Some(Arc::new(clock)))
    }

    /// The store of waiting calls and of results, if one was set.
    pub fn store(&self) -> Option<&dyn CallStore> {
        self.shared.waiting.store.as_deref()
    }

    /// Who asks for calls and decides about them, if a name was set.
    pub fn caller(&self) -> Option<&str> {
        self.shared.waiting.caller.as_deref()
    }

    /// The name of the workspace, if one was set.
    pub fn workspace(&self) -> Option<&str> {
        self.shared.waiting.workspace.as_deref()
    }

    /// A key for the effect of this call, such as for the header `Idempotency-Key` of a service that
    /// takes payments.
    ///
    /// It is made of the [run](Self::with_run) and its [turn](Self::with_turn), the [workspace](Self::with_workspace), the id of the call, the
    /// tool and its arguments, and it is the same for a call that is made again and for a call that waited. It is there while a tool runs,
    /// if the context has a run or a store. Without a run every call has a key of its own.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.run_state().key().map(|key| &**key)
    }

    pub(crate) fn defers(&self) -> bool {
        self.shared.waiting.defer
    }

    pub(crate) fn run_name(&self) -> Option<&str> {
        self.shared.waiting.run.as_deref()
    }

    pub(crate) fn turn(&self) -> Option<u32> {
        self.shared.waiting.turn
    }

    /// The end of the waiting time for a call that is stored now.
    pub(crate) fn waits_until(&self, now: Moment) -> Option<Moment> {
        self.shared.waiting.time.map(|time| now.after(time))
    }

    pub(crate) fn lease(&self) -> Duration {
        self.shared.waiting.lease.unwrap_or(LEASE)
    }

    /// The time by the clock of this context.
    pub(crate) fn now(&self) -> Moment {
        self.shared
            .waiting
            .clock
            .as_ref()
            .map_or_else(Moment::now, |clock| clock())
    }
}
