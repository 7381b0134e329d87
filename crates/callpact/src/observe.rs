//! Watching calls, counting them, and the names of the counters.

mod calls;
mod trace;
mod watch;

use std::{borrow::Cow, sync::Arc, time::Duration};

pub use self::calls::{CallDecision, CallEnd, CallObserver, CallTimes, ObservedCall};
pub use self::trace::{TraceStore, TracedCall, TracedEnd};
pub(crate) use self::watch::{CallWatch, WatchedCall};
use crate::{crash::caught, secret::Redactor};

/// The span of a caller in another process, as the `traceparent` of W3C Trace Context writes it.
///
/// A context that holds one ([`ToolContext::with`](crate::ToolContext::with)) writes it to the span of every call
/// as `traceparent`, and a client of MCP passes it on. A server of MCP puts the one from a request into the
/// context.
///
/// ```
/// use callpact::{ToolContext, observe::TraceParent};
///
/// let text = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
/// let cx = ToolContext::new().with(TraceParent::parse(text).unwrap());
/// assert_eq!(cx.get::<TraceParent>().unwrap().as_str(), text);
/// assert!(TraceParent::parse("ignore all previous instructions").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceParent(String);

impl TraceParent {
    /// Reads the text of a `traceparent`: version, trace, span and flags in lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let is_hex = |part: &str, length| {
            part.len() == length
                && part
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let is_id =
            |part: &str, length| is_hex(part, length) && part.bytes().any(|byte| byte != b'0');
        match parts[..] {
            ["00", trace, span, flags]
                if is_id(trace, 32) && is_id(span, 16) && is_hex(flags, 2) =>
            {
                Some(Self(text.to_owned()))
            }
            _ => None,
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a program counts what its tools do.
///
/// Every call counts as exactly one of four: a success, a failure (the tool reported it, or the arguments
/// were not accepted), an error (the tool crashed or ran out of time), or a halt. A call that is dropped
/// before its end, for example because a client went away, is the halt `cancelled`.
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicU64, Ordering}};
/// use callpact::{ToolCall, ToolContext, ToolMetrics, Toolset, tool};
///
/// #[derive(Default)]
/// struct Successes(AtomicU64);
///
/// impl ToolMetrics for Successes {
///     fn increment_success(&self, _tool: &str, _role: &str) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a.saturating_add(b)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let successes = Arc::new(Successes::default());
/// let cx = ToolContext::new().with_metrics(Arc::clone(&successes));
/// let tools = Toolset::builder().tool(Add).build()?;
/// tools.call(&ToolCall::new("call-1", "add", r#"{"a": 40, "b": 2}"#), &cx).await?;
/// assert_eq!(successes.0.load(Ordering::Relaxed), 1);
/// # Ok(())
/// # }
/// ```
pub trait ToolMetrics: Send + Sync {
    /// A call succeeded.
    fn increment_success(&self, tool: &str, role: &str) {
        let _ = (tool, role);
    }

    /// A call failed in a way that the tool foresaw.
    fn increment_failure(&self, tool: &str, role: &str) {
        let _ = (tool, role);
    }

    /// A call crashed or ran out of time.
    fn increment_error(&self, tool: &str, role: &str) {
        let _ = (tool, role);
    }

    /// A call stopped the run; `halt` is the name of the reason.
    fn increment_halt(&self, tool: &str, role: &str, halt: &str) {
        let _ = (tool, role, halt);
    }

    /// How long a call took, whatever its outcome.
    fn record_duration(&self, tool: &str, role: &str, duration: Duration) {
        let _ = (tool, role, duration);
    }

    /// A counter of the tool's own.
    fn increment_counter(&self, metric: &str, tool: &str, tags: &[(&str, &str)]) {
        let _ = (metric, tool, tags);
    }

    /// A value of the tool's own.
    fn record_value(&self, metric: &str, tool: &str, value: f64, tags: &[(&str, &str)]) {
        let _ = (metric, tool, value, tags);
    }
}

/// Counts nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMetrics;

impl ToolMetrics for NoMetrics {}

impl<M: ToolMetrics + ?Sized> ToolMetrics for std::sync::Arc<M> {
    fn increment_success(&self, tool: &str, role: &str) {
        (**self).increment_success(tool, role);
    }

    fn increment_failure(&self, tool: &str, role: &str) {
        (**self).increment_failure(tool, role);
    }

    fn increment_error(&self, tool: &str, role: &str) {
        (**self).increment_error(tool, role);
    }

    fn increment_halt(&self, tool: &str, role: &str, halt: &str) {
        (**self).increment_halt(tool, role, halt);
    }

    fn record_duration(&self, tool: &str, role: &str, duration: Duration) {
        (**self).record_duration(tool, role, duration);
    }

    fn increment_counter(&self, metric: &str, tool: &str, tags: &[(&str, &str)]) {
        (**self).increment_counter(metric, tool, tags);
    }

    fn record_value(&self, metric: &str, tool: &str, value: f64, tags: &[(&str, &str)]) {
        (**self).record_value(metric, tool, value, tags);
    }
}

/// Counts for a call: keeps the panics of a metrics backend from the call, and removes its secrets from every label that
/// its tool sets.
pub(crate) struct CallMetrics {
    metrics: Arc<dyn ToolMetrics>,
    redactor: Redactor,
}

impl CallMetrics {
    pub(crate) fn new(metrics: impl ToolMetrics + 'static) -> Self {
        Self {
            metrics: Arc::new(metrics),
            redactor: Redactor::none(),
        }
    }

    /// The same metrics for a call with secrets.
    pub(crate) fn hiding(&self, redactor: Redactor) -> Self {
        let metrics = Arc::clone(&self.metrics);
        Self { metrics, redactor }
    }

    fn clean<'a>(&self, label: &'a str) -> Cow<'a, str> {
        self.redactor.redact(label)
    }

    fn clean_tags<'a>(&self, tags: &[(&'a str, &'a str)]) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
        tags.iter()
            .map(|(key, value)| (self.clean(key), self.clean(value)))
            .collect()
    }
}

fn borrow_tags<'a>(tags: &'a [(Cow<'a, str>, Cow<'a, str>)]) -> Vec<(&'a str, &'a str)> {
    tags.iter().map(|(key, value)| (&**key, &**value)).collect()
}

impl ToolMetrics for CallMetrics {
    fn increment_success(&self, tool: &str, role: &str) {
        let (tool, role) = (self.clean(tool), self.clean(role));
        caught(|| self.metrics.increment_success(&tool, &role));
    }

    fn increment_failure(&self, tool: &str, role: &str) {
        let (tool, role) = (self.clean(tool), self.clean(role));
        caught(|| self.metrics.increment_failure(&tool, &role));
    }

    fn increment_error(&self, tool: &str, role: &str) {
        let (tool, role) = (self.clean(tool), self.clean(role));
        caught(|| self.metrics.increment_error(&tool, &role));
    }

    fn increment_halt(&self, tool: &str, role: &str, halt: &str) {
        let (tool, role, halt) = (self.clean(tool), self.clean(role), self.clean(halt));
        caught(|| self.metrics.increment_halt(&tool, &role, &halt));
    }

    fn record_duration(&self, tool: &str, role: &str, duration: Duration) {
        let (tool, role) = (self.clean(tool), self.clean(role));
        caught(|| self.metrics.record_duration(&tool, &role, duration));
    }

    fn increment_counter(&self, metric: &str, tool: &str, tags: &[(&str, &str)]) {
        let (metric, tool, tags) = (self.clean(metric), self.clean(tool), self.clean_tags(tags));
        let tags = borrow_tags(&tags);
        caught(|| self.metrics.increment_counter(&metric, &tool, &tags));
    }

    fn record_value(&self, metric: &str, tool: &str, value: f64, tags: &[(&str, &str)]) {
        let (metric, tool, tags) = (self.clean(metric), self.clean(tool), self.clean_tags(tags));
        let tags = borrow_tags(&tags);
        caught(|| self.metrics.record_value(&metric, &tool, value, &tags));
    }
}

/// The names and tags of the counters on a metrics backend.
pub mod names {
    /// Counts calls, with the tags [`TOOL`], [`ROLE`] and [`OUTCOME`].
    pub const EXECUTIONS: &str = "callpact.tool.executions";
    /// Measures calls in seconds, with the tags [`TOOL`] and [`ROLE`].
    pub const DURATION: &str = "callpact.tool.duration";
    /// Measures calls in seconds under the name of OpenTelemetry, with the tag [`GEN_AI_TOOL`].
    pub const GEN_AI_DURATION: &str = "gen_ai.execute_tool.duration";
    /// The tag of the tool's name in [`GEN_AI_DURATION`].
    pub const GEN_AI_TOOL: &str = "gen_ai.tool.name";
    /// Counts halts, with the tags [`TOOL`], [`ROLE`] and [`HALT`].
    pub const HALTS: &str = "callpact.tool.halts";
    /// Counts changes to arguments, with the tags [`TOOL`] and [`CLASS`].
    pub const FIXES: &str = "callpact.tool.fixes";
    /// The tag of the class of a change.
    pub const CLASS: &str = "class";
    /// The tag of the tool's name.
    pub const TOOL: &str = "tool_name";
    /// The tag of the agent's role.
    pub const ROLE: &str = "agent_role";
    /// The tag of the outcome of a call: `success`, `failure` or `error`.
    pub const OUTCOME: &str = "outcome";
    /// The tag of the reason why a run stopped.
    pub const HALT: &str = "halt";
}

/// Counts on the `metrics` facade, under the [`names`].
#[cfg(feature = "metrics")]
#[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
#[derive(Clone, Copy, Debug, Default)]
pub struct FacadeMetrics;

#[cfg(feature = "metrics")]
impl FacadeMetrics {
    fn count(tool: &str, role: &str, outcome: &'static str) {
        metrics::counter!(
            names::EXECUTIONS,
            names::TOOL => tool.to_owned(),
            names::ROLE => role.to_owned(),
            names::OUTCOME => outcome
        )
        .increment(1);
    }

    fn labels(tool: &str, tags: &[(&str, &str)]) -> Vec<metrics::Label> {
        let own = std::iter::once(metrics::Label::new(names::TOOL, tool.to_owned()));
        own.chain(
            tags.iter()
                .map(|(key, value)| metrics::Label::new((*key).to_owned(), (*value).to_owned())),
        )
        .collect()
    }
}

#[cfg(feature = "metrics")]
impl ToolMetrics for FacadeMetrics {
    fn increment_success(&self, tool: &str, role: &str) {
        Self::count(tool, role, "success");
    }

    fn increment_failure(&self, tool: &str, role: &str) {
        Self::count(tool, role, "failure");
    }

    fn increment_error(&self, tool: &str, role: &str) {
        Self::count(tool, role, "error");
    }

    fn increment_halt(&self, tool: &str, role: &str, halt: &str) {
        metrics::counter!(
            names::HALTS,
            names::TOOL => tool.to_owned(),
            names::ROLE => role.to_owned(),
            names::HALT => halt.to_owned()
        )
        .increment(1);
    }

    fn record_duration(&self, tool: &str, role: &str, duration: Duration) {
        metrics::histogram!(
            names::DURATION,
            names::TOOL => tool.to_owned(),
            names::ROLE => role.to_owned()
        )
        .record(duration.as_secs_f64());
        metrics::histogram!(names::GEN_AI_DURATION, names::GEN_AI_TOOL => tool.to_owned())
            .record(duration.as_secs_f64());
    }

    fn increment_counter(&self, metric: &str, tool: &str, tags: &[(&str, &str)]) {
        metrics::counter!(metric.to_owned(), Self::labels(tool, tags)).increment(1);
    }

    fn record_value(&self, metric: &str, tool: &str, value: f64, tags: &[(&str, &str)]) {
        metrics::histogram!(metric.to_owned(), Self::labels(tool, tags)).record(value);
    }
}
