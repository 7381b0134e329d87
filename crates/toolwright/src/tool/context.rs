//! What travels with a call.

use std::{
    borrow::Cow,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{Cancellation, Caught, Extensions, Halt, Own, PermissionMode, caught};
use crate::{
    input::Policy,
    observe::{Guarded, NoMetrics, ToolMetrics},
    review::{OnTimeout, ReviewDecision, ReviewHandler, ReviewRequest, run_review},
    secret::{Redactor, SecretResolver},
};

/// The circumstances of a call: who asks, how long it may take, who decides.
///
/// A context is made once for an agent and given to every call; nothing of it is stored on the
/// tool, so two agents can share a tool and have different reviewers. Cloning it is cheap.
///
/// ```
/// use std::time::Duration;
/// use toolwright::{Permission, PermissionMode, ToolContext, review};
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
#[derive(Clone)]
pub struct ToolContext {
    shared: Arc<Shared>,
    call_id: Option<Arc<str>>,
    tool: Option<Arc<str>>,
    /// When this very call must have ended.
    ends: Option<Instant>,
    /// When the call must have ended out of which this one is made.
    outer: Option<Instant>,
    own: Own,
}

#[derive(Clone)]
struct Shared {
    role: Option<String>,
    deadline: Option<Instant>,
    timeout: Option<Duration>,
    cancellation: Option<Cancellation>,
    reviewer: Option<Arc<dyn ReviewHandler>>,
    permissions: Option<PermissionMode>,
    review: Option<(Option<Duration>, OnTimeout)>,
    defer: bool,
    metrics: Arc<dyn ToolMetrics>,
    secrets: Option<Arc<dyn SecretResolver>>,
    extensions: Extensions,
    policy: Policy,
    capture: bool,
    progress: Option<Arc<Progress>>,
}

/// Who hears how far a call is: done, the whole where it is known, and words.
type Progress = dyn Fn(f64, Option<f64>, Option<&str>) + Send + Sync;

impl ToolContext {
    /// A context without a reviewer, without secrets and without a deadline.
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Shared {
                role: None,
                deadline: None,
                timeout: None,
                cancellation: None,
                reviewer: None,
                permissions: None,
                review: None,
                defer: false,
                metrics: Arc::new(NoMetrics),
                secrets: None,
                extensions: Extensions::default(),
                policy: Policy::default(),
                capture: false,
                progress: None,
            }),
            call_id: None,
            tool: None,
            ends: None,
            outer: None,
            own: Own::default(),
        }
    }

    fn change(mut self, change: impl FnOnce(&mut Shared)) -> Self {
        change(Arc::make_mut(&mut self.shared));
        self
    }

    /// The same with the role of the agent that calls.
    #[must_use]
    pub fn with_role(self, role: impl Into<String>) -> Self {
        self.change(|shared| shared.role = Some(role.into()))
    }

    /// The same with a point in time by which every call must have ended.
    #[must_use]
    pub fn with_deadline(self, deadline: Instant) -> Self {
        self.change(|shared| shared.deadline = Some(deadline))
    }

    /// The same with a time that each call may take.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.change(|shared| shared.timeout = Some(timeout))
    }

    /// The same with a way to cancel.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        self.change(|shared| shared.cancellation = Some(cancellation))
    }

    /// The same with somebody who decides.
    #[must_use]
    pub fn with_reviewer(self, reviewer: impl ReviewHandler + 'static) -> Self {
        self.change(|shared| shared.reviewer = Some(Arc::new(reviewer)))
    }

    /// The same with another rule on what is asked.
    #[must_use]
    pub fn with_permissions(self, mode: PermissionMode) -> Self {
        self.change(|shared| shared.permissions = Some(mode))
    }

    /// The same with calls that need a decision given out as [`Halt::Pending`] instead of asking.
    #[must_use]
    pub fn with_deferred_approval(self) -> Self {
        self.change(|shared| shared.defer = true)
    }

    /// The same with another time that a reviewer has to answer, and what happens when it is up. By
    /// default it is five minutes, after which the run ends; `None` waits as long as it takes.
    #[must_use]
    pub fn with_review_timeout(
        self,
        timeout: impl Into<Option<Duration>>,
        on_timeout: OnTimeout,
    ) -> Self {
        let timeout = timeout.into();
        self.change(|shared| shared.review = Some((timeout, on_timeout)))
    }

    /// The same with a place where numbers are counted. One that panics loses its count, and the
    /// call goes on.
    #[must_use]
    pub fn with_metrics(self, metrics: impl ToolMetrics + 'static) -> Self {
        self.change(|shared| shared.metrics = Arc::new(Guarded(metrics)))
    }

    /// The same with a place where secrets come from.
    #[must_use]
    pub fn with_secrets(self, secrets: impl SecretResolver + 'static) -> Self {
        self.change(|shared| shared.secrets = Some(Arc::new(secrets)))
    }

    /// The same with a value of the program's own, which tools find by its type.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.change(|shared| shared.extensions.insert(value))
    }

    /// The same with another policy for reading arguments; [`Policy::lax`] by default.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        self.change(|shared| shared.policy = policy)
    }

    /// The same with arguments and results in spans and logs, where secrets are still placeholders.
    ///
    /// Off by default, since they hold what the user said. Even when it is on, a subscriber gets them
    /// only if it listens at the level DEBUG, so that logs at INFO never hold arguments.
    #[must_use]
    pub fn with_content_capture(self, capture: bool) -> Self {
        self.change(|shared| shared.capture = capture)
    }

    /// The same with somebody who hears how far a call is. One that panics has missed it,
    /// and the call goes on. The secrets of the call are taken out of
    /// the words, as they are out of its result.
    #[must_use]
    pub fn with_progress(
        self,
        progress: impl Fn(f64, Option<f64>, Option<&str>) + Send + Sync + 'static,
    ) -> Self {
        self.change(|shared| shared.progress = Some(Arc::new(progress)))
    }

    /// The context of one call. One that a tool makes lies inside of the call of that tool: it ends
    /// with it, and hides its secrets.
    pub(crate) fn for_call(&self, call_id: &str, tool: &Arc<str>) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            call_id: Some(call_id.into()),
            tool: Some(Arc::clone(tool)),
            ends: None,
            outer: self.ends.or(self.outer),
            own: self.own.inside(),
        }
    }

    /// The same call with what only its run knows, and with its end settled.
    pub(crate) fn for_run(&self, own: Own, ends: Option<Instant>) -> Self {
        Self {
            ends: earlier(ends, self.outer),
            own: own.within(&self.own),
            ..self.clone()
        }
    }

    /// The same call, a step of it inside another tool.
    pub(crate) fn for_step(&self, tool: &str) -> Self {
        Self {
            tool: Some(tool.into()),
            ..self.clone()
        }
    }

    /// The id of the call; empty outside of one.
    pub fn call_id(&self) -> &str {
        self.call_id.as_deref().unwrap_or_default()
    }

    /// The name of the tool that runs; empty outside of a call.
    pub fn tool_name(&self) -> &str {
        self.tool.as_deref().unwrap_or_default()
    }

    /// The role of the agent that calls, `unknown` when it was not said.
    pub fn role(&self) -> &str {
        self.shared.role.as_deref().unwrap_or("unknown")
    }

    /// When the call must have ended; outside of one, when a call that starts now must have.
    pub fn deadline(&self) -> Option<Instant> {
        self.ends
            .or_else(|| earlier(self.deadline_from(Instant::now()), self.outer))
    }

    /// When a call that starts at a point in time must have ended.
    pub(crate) fn deadline_from(&self, start: Instant) -> Option<Instant> {
        let timeout = self
            .shared
            .timeout
            .and_then(|timeout| start.checked_add(timeout));
        earlier(self.shared.deadline, timeout)
    }

    /// The point in time by which every call must have ended.
    pub(crate) fn fixed_deadline(&self) -> Option<Instant> {
        self.shared.deadline
    }

    /// The way to cancel, if there is one.
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

    /// Who decides, if there is somebody.
    pub fn reviewer(&self) -> Option<&dyn ReviewHandler> {
        self.shared.reviewer.as_deref()
    }

    /// The rule on what is asked, when one was set.
    pub fn permissions(&self) -> Option<PermissionMode> {
        self.shared.permissions
    }

    pub(crate) fn defers(&self) -> bool {
        self.shared.defer
    }

    /// Where numbers are counted.
    pub fn metrics(&self) -> &dyn ToolMetrics {
        &*self.shared.metrics
    }

    pub(crate) fn secrets(&self) -> Option<&dyn SecretResolver> {
        self.shared.secrets.as_deref()
    }

    /// A value of the program's own, by its type.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.shared.extensions.get()
    }

    /// The values of the program's own.
    pub fn extensions(&self) -> &Extensions {
        &self.shared.extensions
    }

    /// How arguments are read.
    pub fn policy(&self) -> &Policy {
        &self.shared.policy
    }

    /// Says how far the call is: how much is done, of how much where that is known, and in words.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use toolwright::ToolContext;
    ///
    /// let heard = Arc::new(Mutex::new(Vec::new()));
    /// let sink = Arc::clone(&heard);
    /// let cx = ToolContext::new().with_progress(move |done, total, _| {
    ///     sink.lock().unwrap().push((done, total));
    /// });
    /// cx.progress(1.0, Some(4.0), Some("first of four"));
    /// assert_eq!(*heard.lock().unwrap(), [(1.0, Some(4.0))]);
    /// ```
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let Some(progress) = &self.shared.progress else {
            return;
        };
        let message = message.map(|message| self.without_secrets(message));
        // Who only listens does not bring down the work.
        let _ = caught(|| progress(done, total, message.as_deref()));
    }

    /// The text without the secrets of this call and of those out of which it is made.
    pub(crate) fn without_secrets<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.redactor() {
            Some(redactor) => redactor.redact(text),
            None => Cow::Borrowed(text),
        }
    }

    /// The request as whoever decides may see it.
    pub(crate) fn hidden(&self, request: ReviewRequest) -> ReviewRequest {
        self.own.hide(request)
    }

    pub(crate) fn captures(&self) -> bool {
        self.shared.capture
    }

    /// Asks whether to go on with an action; without a reviewer the answer is yes.
    ///
    /// # Errors
    /// When the review ends without a decision.
    pub async fn request_approval(
        &self,
        description: impl Into<String>,
    ) -> Result<ReviewDecision, Halt> {
        self.review(self.review_request(description)).await
    }

    /// A question about this call, under the time that reviewers have here.
    pub fn review_request(&self, description: impl Into<String>) -> ReviewRequest {
        let request = ReviewRequest::new(description)
            .tool(self.tool_name())
            .call_id(self.call_id());
        match self.shared.review {
            Some((timeout, on_timeout)) => request.timeout(timeout).on_timeout(on_timeout),
            None => request,
        }
    }

    /// Asks whether to go on with an action that nobody may take unasked.
    ///
    /// # Errors
    /// When there is no reviewer, which is a mistake of the program, and when the review ends
    /// without a decision.
    pub async fn require_approval(
        &self,
        description: impl Into<String>,
    ) -> Result<ReviewDecision, Halt> {
        self.require_review(self.review_request(description)).await
    }

    /// Asks with a request of the tool's own making about an action that nobody may take unasked.
    ///
    /// # Errors
    /// When there is no reviewer, which is a mistake of the program, and when the review ends
    /// without a decision.
    pub async fn require_review(&self, request: ReviewRequest) -> Result<ReviewDecision, Halt> {
        if self.reviewer().is_none() && !self.own.decided() {
            return Err(self.no_reviewer(self.tool_name()));
        }
        self.review(request).await
    }

    /// Asks with a request of the tool's own making; without a reviewer the answer is yes.
    ///
    /// Where the input holds secrets, the reviewer sees placeholders; an edit may keep them.
    ///
    /// # Errors
    /// When the review ends without a decision.
    pub async fn review(&self, request: ReviewRequest) -> Result<ReviewDecision, Halt> {
        if let Some(decision) = self.own.take_decision() {
            return self.own.reveal(decision);
        }
        let Some(reviewer) = self.reviewer() else {
            return Ok(ReviewDecision::Continue);
        };
        let request = self.own.hide(request);
        let request = match (request.tool.is_empty(), request.call_id.is_empty()) {
            (true, _) => request.tool(self.tool_name()).call_id(self.call_id()),
            (false, true) => request.call_id(self.call_id()),
            (false, false) => request,
        };
        // Code of others: its crash is the end of the review, not of the tool.
        match Caught::new(Box::pin(run_review(reviewer, &request))).await {
            Some(decision) => self.own.reveal(decision?),
            None => Err(Halt::ReviewFailed(format!(
                "the reviewer of '{}' crashed",
                self.tool_name()
            ))),
        }
    }

    /// What takes the secrets of this call out of a text, where it has any. The reply of the call is
    /// redacted without it; a tool needs it for what comes later, such as the output of a process
    /// that goes on in the background.
    pub fn redactor(&self) -> Option<Redactor> {
        self.own.redactor()
    }

    #[allow(clippy::unused_self)] // said of a context
    pub(crate) fn no_reviewer(&self, tool: &str) -> Halt {
        Halt::Misconfigured(format!(
            "Tool '{tool}' requires approval but no ReviewHandler is configured. \
             Add one to the context of the call: `ToolContext::new().with_reviewer(…)`."
        ))
    }
}

/// The earlier of two ends, where there is one.
fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Default for ToolContext {
    fn default() -> Self {
        Self::new()
    }
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
    fn a_context_shows_what_it_has_and_no_secret() {
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
