//! The context that travels with a call.

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use super::{
    Amount, CallId, Cancellation, Extensions, Halt, LogLevel, Message, PermissionMode, RunState,
    waiting::WaitSettings,
};
use crate::{
    crash::{CaughtPanic, caught},
    input::Policy,
    observe::{CallMetrics, CallObserver, CallWatch, NoMetrics, ToolMetrics},
    review::{
        OnTimeout, PREVIEW_CHANGED, PREVIEW_CRASHED, ReviewDecision, ReviewHandler, ReviewRequest,
        run_review,
    },
    secret::{Redactor, SecretResolver},
};

/// The circumstances of a call: who asks, how long it may take, who decides.
///
/// A program makes one context for an agent and passes it to every call. A tool stores nothing of it,
/// so two agents can share a tool and have different reviewers. Cloning a context is cheap.
///
/// ```
/// use std::time::Duration;
/// use callpact::{Permission, PermissionMode, ToolContext, review};
///
/// struct Database(&'static str);
///
/// let cx = ToolContext::new()
///     .with_role("researcher")
///     .with_reviewer(review::auto_approve())
///     .with_permissions(PermissionMode::AskDestructive)
///     .with_timeout(Duration::from_secs(30))
///     .with(Database("main"));
/// assert_eq!(cx.get::<Database>().map(|database| database.0), Some("main"));
/// ```
#[derive(Clone, Default)]
pub struct ToolContext {
    pub(super) shared: Arc<SharedContext>,
    call_id: CallId,
    tool: Option<Arc<str>>,
    /// Behind a pointer, since every call has its own context and few use any of these parts.
    run: Option<Arc<ContextRun>>,
}

/// The parts of a context that belong to a run of a tool, or to a call that the tool makes.
#[derive(Clone, Default)]
struct ContextRun {
    /// The counters of this run, if its tags may hold a secret.
    metrics: Option<Arc<CallMetrics>>,
    /// When this call must have ended.
    ends: Option<Instant>,
    /// When the call around this one must have ended.
    outer: Option<Instant>,
    state: RunState,
    /// Follows this call for the observer.
    watch: Option<Arc<CallWatch>>,
}

/// The run of a context that has no run of its own.
static NO_RUN: LazyLock<ContextRun> = LazyLock::new(ContextRun::default);

#[derive(Clone, Default)]
pub(super) struct SharedContext {
    role: Option<String>,
    worker: Option<String>,
    deadline: Option<Instant>,
    timeout: Option<Duration>,
    cancellation: Option<Cancellation>,
    reviewer: Option<Arc<dyn ReviewHandler>>,
    permissions: Option<PermissionMode>,
    review: Option<(Option<Duration>, OnTimeout)>,
    pub(super) waiting: WaitSettings,
    metrics: Option<Arc<CallMetrics>>,
    observer: Option<Arc<dyn CallObserver>>,
    secrets: Option<Arc<dyn SecretResolver>>,
    extensions: Extensions,
    policy: Policy,
    capture: bool,
    progress: Option<Arc<ProgressSink>>,
    log: Option<Arc<Log>>,
}

/// Is told what a tool writes for people.
type Log = dyn Fn(LogLevel, &str) + Send + Sync;

/// Is told about progress: how much is done, the total if it is known, and a message.
type ProgressSink = dyn Fn(f64, Option<f64>, Option<&str>) + Send + Sync;

impl ToolContext {
    /// A context without a reviewer, without secrets and without a deadline.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn change(mut self, change: impl FnOnce(&mut SharedContext)) -> Self {
        change(Arc::make_mut(&mut self.shared));
        self
    }

    fn run(&self) -> &ContextRun {
        self.run.as_deref().unwrap_or(&NO_RUN)
    }

    pub(crate) fn run_state(&self) -> &RunState {
        &self.run().state
    }

    /// Sets the role of the agent that calls.
    #[must_use]
    pub fn with_role(self, role: impl Into<String>) -> Self {
        self.change(|shared| shared.role = Some(role.into()))
    }

    /// Names the worker at which calls run, if several run the same tools. A worker sets its name itself.
    #[must_use]
    pub fn with_worker(self, name: impl Into<String>) -> Self {
        self.change(|shared| shared.worker = Some(name.into()))
    }

    /// Sets the point in time at which every call must have ended.
    #[must_use]
    pub fn with_deadline(self, deadline: Instant) -> Self {
        self.change(|shared| shared.deadline = Some(deadline))
    }

    /// Sets how long each call may take.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.change(|shared| shared.timeout = Some(timeout))
    }

    /// Sets the cancellation that stops calls.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        self.change(|shared| shared.cancellation = Some(cancellation))
    }

    /// Sets the reviewer, who decides about calls that need a decision.
    #[must_use]
    pub fn with_reviewer(self, reviewer: impl ReviewHandler + 'static) -> Self {
        self.change(|shared| shared.reviewer = Some(Arc::new(reviewer)))
    }

    /// Sets which calls need a decision.
    #[must_use]
    pub fn with_permissions(self, mode: PermissionMode) -> Self {
        self.change(|shared| shared.permissions = Some(mode))
    }

    /// Sets how long a reviewer has to answer, and what happens after that. The default is five minutes,
    /// after which the run ends. `None` waits without a limit.
    #[must_use]
    pub fn with_review_timeout(
        self,
        timeout: impl Into<Option<Duration>>,
        on_timeout: OnTimeout,
    ) -> Self {
        let timeout = timeout.into();
        self.change(|shared| shared.review = Some((timeout, on_timeout)))
    }

    /// Sets where calls are counted. When it panics, the count is lost and the call goes on.
    #[must_use]
    pub fn with_metrics(self, metrics: impl ToolMetrics + 'static) -> Self {
        self.change(|shared| shared.metrics = Some(Arc::new(CallMetrics::new(metrics))))
    }

    /// Sets who is told about every call. When it panics, the call goes on.
    #[must_use]
    pub fn with_observer(self, observer: impl CallObserver + 'static) -> Self {
        self.change(|shared| shared.observer = Some(Arc::new(observer)))
    }

    /// Sets where secrets come from.
    #[must_use]
    pub fn with_secrets(self, secrets: impl SecretResolver + 'static) -> Self {
        self.change(|shared| shared.secrets = Some(Arc::new(secrets)))
    }

    /// Adds a value of the program, which tools find by its type.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.change(|shared| shared.extensions.insert(value))
    }

    /// Sets the policy for reading arguments. The default is [`Policy::lax`].
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        self.change(|shared| shared.policy = policy)
    }

    /// Writes arguments and results to spans and logs; secrets are still placeholders there.
    ///
    /// It is off by default, because arguments hold what the user said. When it is on, a subscriber
    /// gets them only at the level DEBUG, so logs at INFO never hold arguments.
    #[must_use]
    pub fn with_content_capture(self, capture: bool) -> Self {
        self.change(|shared| shared.capture = capture)
    }

    /// Sets the function that is told about the progress of a call. When it panics, the call goes on.
    /// The secrets of the call are removed from the message, as from its result.
    #[must_use]
    pub fn with_progress(
        self,
        progress: impl Fn(f64, Option<f64>, Option<&str>) + Send + Sync + 'static,
    ) -> Self {
        self.change(|shared| shared.progress = Some(Arc::new(progress)))
    }

    /// Sets the function that gets the messages of a call for people. When it panics, the call goes on. The secrets of
    /// the call are removed from a message, as from its result.
    #[must_use]
    pub fn with_log(self, log: impl Fn(LogLevel, &str) + Send + Sync + 'static) -> Self {
        self.change(|shared| shared.log = Some(Arc::new(log)))
    }

    /// Makes the context of one call. When a tool makes the call, the call ends no later than the call of
    /// that tool, and hides the secrets of that tool.
    pub(crate) fn for_call(&self, call_id: &str, tool: &Arc<str>) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            call_id: CallId::new(call_id),
            tool: Some(Arc::clone(tool)),
            run: self.run.as_ref().map(|run| {
                Arc::new(ContextRun {
                    metrics: run.metrics.clone(),
                    outer: run.ends.or(run.outer),
                    state: run.state.for_inner_call(),
                    ..ContextRun::default()
                })
            }),
        }
    }

    /// Makes the context of the run of this call: with its decision, its secrets and its end.
    pub(crate) fn for_run(&self, state: RunState, ends: Option<Instant>) -> Self {
        let around = self.run();
        let state = state.inside_of(&around.state);
        let metrics = self.shared.metrics.as_ref().zip(state.redactor());
        let metrics = metrics.map(|(metrics, redactor)| Arc::new(metrics.hiding(redactor)));
        Self {
            run: Some(Arc::new(ContextRun {
                metrics,
                ends: earlier(ends, around.outer),
                outer: around.outer,
                state,
                watch: around.watch.clone(),
            })),
            ..self.clone()
        }
    }

    /// Makes the context of a step of this call, such as a tool of a pipeline.
    pub(crate) fn for_step(&self, tool: &str, number: usize) -> Self {
        Self {
            tool: Some(tool.into()),
            run: self.run.as_ref().map(|run| {
                Arc::new(ContextRun {
                    state: run.state.for_step(number),
                    ..ContextRun::clone(run)
                })
            }),
            ..self.clone()
        }
    }

    /// The id of the call; empty outside of a call.
    pub fn call_id(&self) -> &str {
        self.call_id.as_str()
    }

    /// The name of the tool that runs; empty outside of a call.
    pub fn tool_name(&self) -> &str {
        self.tool.as_deref().unwrap_or_default()
    }

    /// The role of the agent that calls, if one was set.
    pub fn named_role(&self) -> Option<&str> {
        self.shared.role.as_deref()
    }

    /// The role of the agent that calls; `unknown` when none was set.
    pub fn role(&self) -> &str {
        self.shared.role.as_deref().unwrap_or("unknown")
    }

    /// The name of the worker at which the call runs, for tools that keep state in their process: another
    /// worker may get the next call.
    pub fn worker(&self) -> Option<&str> {
        self.shared.worker.as_deref()
    }

    /// How long each call may take, if that was set.
    pub fn timeout(&self) -> Option<Duration> {
        self.shared.timeout
    }

    /// When the call must have ended. Outside of a call: when a call that starts now must have ended.
    pub fn deadline(&self) -> Option<Instant> {
        let run = self.run();
        run.ends
            .or_else(|| earlier(self.deadline_from(Instant::now()), run.outer))
    }

    /// Whether a call must have ended at some time.
    #[inline]
    pub(crate) fn has_deadline(&self) -> bool {
        self.shared.deadline.is_some() || self.shared.timeout.is_some()
    }

    /// When a call that starts at `start` must have ended.
    pub(crate) fn deadline_from(&self, start: Instant) -> Option<Instant> {
        let timeout = self
            .shared
            .timeout
            .and_then(|timeout| start.checked_add(timeout));
        earlier(self.shared.deadline, timeout)
    }

    /// The point in time at which every call must have ended.
    pub(crate) fn fixed_deadline(&self) -> Option<Instant> {
        self.shared.deadline
    }

    /// The cancellation, if one was set.
    pub fn cancellation(&self) -> Option<&Cancellation> {
        self.shared.cancellation.as_ref()
    }

    /// Whether the call was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.shared
            .cancellation
            .as_ref()
            .is_some_and(Cancellation::is_cancelled)
    }

    /// The reviewer, if one was set.
    pub fn reviewer(&self) -> Option<&dyn ReviewHandler> {
        self.shared.reviewer.as_deref()
    }

    /// Which calls need a decision, if it was set.
    pub fn permissions(&self) -> Option<PermissionMode> {
        self.shared.permissions
    }

    /// Where calls are counted. The secrets of a call are removed from tags that its tool sets.
    pub fn metrics(&self) -> &dyn ToolMetrics {
        let metrics = self.run().metrics.as_ref().or(self.shared.metrics.as_ref());
        metrics.map_or(&NoMetrics, |metrics| &**metrics)
    }

    pub(crate) fn observer(&self) -> Option<&Arc<dyn CallObserver>> {
        self.shared.observer.as_ref()
    }

    /// Follows this call for the observer.
    pub(crate) fn watched(self, watch: Arc<CallWatch>) -> Self {
        let run = ContextRun {
            watch: Some(watch),
            ..ContextRun::clone(self.run())
        };
        Self {
            run: Some(Arc::new(run)),
            ..self
        }
    }

    pub(crate) fn watch(&self) -> Option<&Arc<CallWatch>> {
        self.run().watch.as_ref()
    }

    /// Asks a reviewer. The observer hears of the question and of the decision.
    pub(crate) async fn ask_reviewer(
        &self,
        reviewer: &dyn ReviewHandler,
        request: &ReviewRequest,
    ) -> Result<ReviewDecision, Halt> {
        let asked = self.watch().map(|watch| watch.ask(request));
        let decision = run_review(reviewer, request).await?;
        if let Some(asked) = asked {
            asked.decided(&decision);
        }
        Ok(decision)
    }

    pub(crate) fn secrets(&self) -> Option<&dyn SecretResolver> {
        self.shared.secrets.as_deref()
    }

    /// A value of the program, by its type.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.shared.extensions.get()
    }

    /// All values of the program.
    pub fn extensions(&self) -> &Extensions {
        &self.shared.extensions
    }

    /// The policy for reading arguments.
    pub fn policy(&self) -> &Policy {
        &self.shared.policy
    }

    /// Reports progress: how much is done, the total if it is known, and a message.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use callpact::ToolContext;
    ///
    /// let heard = Arc::new(Mutex::new(Vec::new()));
    /// let sink = Arc::clone(&heard);
    /// let cx = ToolContext::new().with_progress(move |done, total, _| {
    ///     sink.lock().unwrap().push((done, total));
    /// });
    /// cx.progress(1, 4, "first of four");
    /// cx.progress(1.5, None, None);
    /// assert_eq!(*heard.lock().unwrap(), [(1.0, Some(4.0)), (1.5, None)]);
    /// ```
    #[allow(clippy::needless_pass_by_value)] // the message is written in place
    pub fn progress(&self, done: impl Amount, total: impl Amount, message: impl Message) {
        let (Some(progress), Some(done)) = (&self.shared.progress, done.into_amount()) else {
            return;
        };
        let total = total.into_amount();
        let message = message.as_message();
        let message = message.map(|message| self.without_secrets(message));
        // A panic of the listener must not end the work.
        let _ = caught(|| progress(done, total, message.as_deref()));
    }

    /// Writes a message for people, such as a line of a log. The model does not see it.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use callpact::{ToolContext, tool::LogLevel};
    ///
    /// let heard = Arc::new(Mutex::new(Vec::new()));
    /// let sink = Arc::clone(&heard);
    /// let cx = ToolContext::new().with_log(move |level, text| {
    ///     sink.lock().unwrap().push((level, text.to_owned()));
    /// });
    /// cx.log(LogLevel::Warning, "the cache is old");
    /// assert_eq!(*heard.lock().unwrap(), [(LogLevel::Warning, "the cache is old".to_owned())]);
    /// ```
    pub fn log(&self, level: LogLevel, text: &str) {
        if let Some(log) = &self.shared.log {
            let text = self.without_secrets(text);
            // A panic of the listener must not end the work.
            let _ = caught(|| log(level, &text));
        }
    }

    /// The text without the secrets of this call and of the calls around it.
    pub(crate) fn without_secrets<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.redactor() {
            Some(redactor) => redactor.redact(text),
            None => Cow::Borrowed(text),
        }
    }

    /// Whether arguments and results go into spans and logs: only if the program asks for it, and only
    /// for subscribers that listen at DEBUG.
    pub(crate) fn captures_content(&self) -> bool {
        self.shared.capture && tracing::enabled!(target: "callpact", tracing::Level::DEBUG)
    }

    /// Asks the reviewer about an action. Without a reviewer the answer is yes.
    ///
    /// # Errors
    /// When the review fails without a decision.
    pub async fn request_approval(
        &self,
        description: impl Into<String>,
    ) -> Result<ReviewDecision, Halt> {
        self.review(self.review_request(description)).await
    }

    /// Makes a question about this call, with the time that reviewers have in this context.
    pub fn review_request(&self, description: impl Into<String>) -> ReviewRequest {
        let request = ReviewRequest::new(description)
            .tool(self.tool_name())
            .call_id(self.call_id());
        self.limit_review(request)
    }

    /// Gives a question the time that reviewers have in this context.
    pub(crate) fn limit_review(&self, request: ReviewRequest) -> ReviewRequest {
        match self.shared.review {
            Some((timeout, on_timeout)) => request.timeout(timeout).on_timeout(on_timeout),
            None => request,
        }
    }

    /// Asks the reviewer about an action that needs a yes.
    ///
    /// # Errors
    /// When there is no reviewer, which is a mistake of the program, and when the review fails
    /// without a decision.
    pub async fn require_approval(
        &self,
        description: impl Into<String>,
    ) -> Result<ReviewDecision, Halt> {
        self.require_review(self.review_request(description)).await
    }

    /// Asks the reviewer with a request that the tool made, about an action that needs a yes.
    ///
    /// # Errors
    /// When there is no reviewer, which is a mistake of the program, and when the review fails
    /// without a decision.
    pub async fn require_review(&self, request: ReviewRequest) -> Result<ReviewDecision, Halt> {
        self.needs_reviewer()?;
        let decision = self.ask(request, true).await?;
        self.run_state().restore_secrets(decision)
    }

    /// Asks the reviewer with a request that the tool made. Without a reviewer the answer is yes.
    ///
    /// If the input has secrets, the reviewer sees placeholders, and an edit may keep them. A tool that asks about
    /// every call by itself shows its preview of the call, unless the request has another one. If that preview has
    /// changed after a yes, the decision is a refusal.
    ///
    /// # Errors
    /// When the review fails without a decision.
    pub async fn review(&self, request: ReviewRequest) -> Result<ReviewDecision, Halt> {
        if self.reviewer().is_none() && !self.run_state().has_decision() {
            return Ok(ReviewDecision::Continue);
        }
        let decision = self.ask(request, true).await?;
        self.run_state().restore_secrets(decision)
    }

    /// Fails if a question of the tool can have no answer.
    pub(super) fn needs_reviewer(&self) -> Result<(), Halt> {
        if self.reviewer().is_none() && !self.run_state().has_decision() {
            return Err(Self::no_reviewer(self.tool_name()));
        }
        Ok(())
    }

    /// Asks the reviewer. Secrets are placeholders in the request and in the decision. `is_of_call` says that the
    /// question is about the call, so that its preview belongs to the question.
    pub(super) async fn ask(
        &self,
        mut request: ReviewRequest,
        is_of_call: bool,
    ) -> Result<ReviewDecision, Halt> {
        let state = self.run_state();
        if let Some(decision) = state.take_decision() {
            return Ok(decision);
        }
        let Some(reviewer) = self.reviewer() else {
            return Err(Self::no_reviewer(self.tool_name()));
        };
        let own = state
            .preview()
            .filter(|_| is_of_call && request.preview.is_none());
        let own = match own.map(|preview| (preview, caught(preview))) {
            Some((_, None)) => return Ok(ReviewDecision::Refuse(PREVIEW_CRASHED.to_owned())),
            Some((preview, Some(shown))) => {
                request.preview.clone_from(&shown);
                Some((preview, shown))
            }
            None => None,
        };
        let mut request = state.hide_secrets(request);
        let facts = &mut request.facts;
        if facts.agent.is_none() && facts.run.is_none() {
            facts.agent = self.named_role().map(str::to_owned);
            facts.run = self.run_name().map(str::to_owned);
            facts.turn = self.turn();
        }
        if request.tool.is_empty() {
            request = request.tool(self.tool_name()).call_id(self.call_id());
        } else if request.call_id.is_empty() {
            request = request.call_id(self.call_id());
        }
        if request.digest.is_empty() {
            request.digest = request.text_digest();
        }
        // A panic of the reviewer ends the review, not the tool.
        let asking = CaughtPanic::new(Box::pin(self.ask_reviewer(reviewer, &request)));
        let crashed = || {
            let tool = self.tool_name();
            Err(Halt::ReviewFailed(format!(
                "the reviewer of '{tool}' crashed"
            )))
        };
        let decision = asking.await.unwrap_or_else(crashed)?;
        state.note_edit(&decision);
        match own {
            Some((preview, shown))
                if decision.goes_on() && caught(preview) != Some(shown.clone()) =>
            {
                Ok(ReviewDecision::Refuse(PREVIEW_CHANGED.to_owned()))
            }
            _ => Ok(decision),
        }
    }

    /// Removes the secrets of this call from a text, if the call has any. The reply of the call is
    /// redacted anyway. A tool needs this for texts that come later, such as the output of a process
    /// in the background.
    pub fn redactor(&self) -> Option<Redactor> {
        self.run_state().redactor()
    }

    pub(crate) fn no_reviewer(tool: &str) -> Halt {
        Halt::Misconfigured(format!(
            "Tool '{tool}' requires approval but no ReviewHandler is configured. \
             Add one to the context of the call: `ToolContext::new().with_reviewer(…)`."
        ))
    }
}

/// The earlier of two points in time, if at least one is set.
fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    one.into_iter().chain(other).min()
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("call_id", &self.call_id())
            .field("tool", &self.tool_name())
            .field("role", &self.role())
            .field("reviewer", &self.shared.reviewer.is_some())
            .field("secrets", &self.shared.secrets.is_some())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::ToolContext;
    use crate::secret::MemorySecrets;

    #[test]
    fn debug_output_of_context_hides_secrets() {
        let plain = format!("{:?}", ToolContext::new());
        let nothing = "reviewer: false, secrets: false";
        assert!(plain.contains(nothing), "{plain}");
        let context = ToolContext::new()
            .with_role("auditor")
            .with_secrets(MemorySecrets::new().with("token", "hunter2"));
        let shown = format!("{context:?}");
        assert!(shown.contains("\"auditor\"") && shown.contains("secrets: true"));
        assert!(!shown.contains("hunter2"));
    }
}
