//! The observer, the span, the counts and the log of a call, however the call ends.

use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tracing::Span;

use super::{finished::redact_halt, masks};
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    observe::{CallObserver, CallWatch, TraceParent, WatchedCall, names},
    tool::{Halt, ToolContext},
    toolset::Entry,
};

/// A call that its observer follows.
pub(super) struct Observed<'a>(Option<(Arc<CallWatch>, &'a ToolContext)>);

impl<'a> Observed<'a> {
    /// Tells the observer, if the context has one, that a call begins.
    #[inline]
    pub(super) fn begin(entry: Option<&Entry>, call: &ToolCall, cx: &'a ToolContext) -> Self {
        let observer = cx.observer();
        Self(observer.map(|observer| (follow(Arc::clone(observer), entry, call, cx), cx)))
    }

    /// The call's own context, for its steps to report to.
    #[inline]
    pub(super) fn watched(&self, cx: ToolContext) -> ToolContext {
        match &self.0 {
            Some((watch, _)) => cx.watched(Arc::clone(watch)),
            None => cx,
        }
    }

    #[inline]
    pub(super) fn end(mut self, ended: &Result<ToolReply, Halt>) {
        let Some((watch, cx)) = self.0.take() else {
            return;
        };
        match ended {
            Ok(reply) => {
                let outcome = reply.outcome.name();
                watch.end(outcome, false, &reply.to_model(), &reply.fixes);
            }
            Err(halt) => end_halted(&watch, halt, cx),
        }
    }
}

#[cold]
fn follow(
    observer: Arc<dyn CallObserver>,
    entry: Option<&Entry>,
    call: &ToolCall,
    cx: &ToolContext,
) -> Arc<CallWatch> {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let tool = entry.map(|entry| Arc::clone(&entry.tool));
    let redactor = cx.redactor();
    let hide = Box::new(move |text: &str| {
        let text = match &redactor {
            Some(redactor) => redactor.redact(text),
            None => Cow::Borrowed(text),
        };
        match &tool {
            Some(tool) => masks::masked(tool.parameters().tree(), &text).into_owned(),
            None => text.into_owned(),
        }
    });
    let watched = WatchedCall {
        number: COUNT.fetch_add(1, Ordering::Relaxed),
        call_id: call.id.clone(),
        tool: call.name.clone(),
        role: cx.named_role().map(str::to_owned),
        run: cx.run_name().map(str::to_owned),
        turn: cx.turn(),
        arguments: hide(&call.arguments),
        hide,
    };
    CallWatch::begin(observer, watched)
}

fn end_halted(watch: &CallWatch, halt: &Halt, cx: &ToolContext) {
    watch.end(
        halt.name(),
        true,
        &cx.without_secrets(&halt.to_string()),
        &[],
    );
}

impl Drop for Observed<'_> {
    fn drop(&mut self) {
        // The task that waited for the call stopped waiting.
        if let Some((watch, cx)) = self.0.take() {
            end_halted(&watch, &Halt::Cancelled, cx);
        }
    }
}

/// Opens the span of a call, under the names of OpenTelemetry.
pub(super) fn open_span(entry: &Entry, call: &ToolCall, cx: &ToolContext) -> Span {
    let span = tracing::info_span!(
        target: "callpact",
        "execute_tool",
        otel.name = %format_args!("execute_tool {}", entry.name),
        otel.kind = "internal",
        otel.status_code = tracing::field::Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.agent.name = cx.named_role(),
        gen_ai.tool.name = %entry.name,
        gen_ai.tool.type = "function",
        gen_ai.tool.call.id = %call.id,
        gen_ai.tool.description = %entry.tool.description(),
        gen_ai.tool.call.arguments = tracing::field::Empty,
        gen_ai.tool.call.result = tracing::field::Empty,
        error.type = tracing::field::Empty,
        traceparent = cx.get::<TraceParent>().map(TraceParent::as_str),
    );
    if cx.captures_content() {
        let arguments = cx.without_secrets(&call.arguments);
        span.record("gen_ai.tool.call.arguments", &*arguments);
    }
    span
}

/// Counts and logs the end of a call.
pub(super) fn observe_end(
    ended: &Result<ToolReply, Halt>,
    entry: &Entry,
    call: &ToolCall,
    duration: Duration,
    (cx, span): (&ToolContext, &Span),
) {
    let _entered = span.enter();
    match ended {
        Ok(reply) => observe_reply(reply, call, cx, span),
        Err(halt) => observe_halt(entry, halt, duration, cx, span),
    }
}

fn observe_halt(entry: &Entry, halt: &Halt, duration: Duration, cx: &ToolContext, span: &Span) {
    let (tool, why) = (&entry.name, halt.name());
    let metrics = cx.metrics();
    metrics.increment_halt(tool, cx.role(), why);
    metrics.record_duration(tool, cx.role(), duration);
    span.record("error.type", why);
    // A call that waits for a decision has not failed.
    if !matches!(halt, Halt::Pending(_)) {
        span.record("otel.status_code", "ERROR");
    }
    if matches!(halt, Halt::Misconfigured(_)) {
        let halt = redact_halt(halt, cx.redactor().as_ref());
        tracing::error!(target: "callpact", %tool, "Tool configuration error: {halt}");
    } else {
        tracing::info!(target: "callpact", "Tool call: {tool} halted: {why}");
    }
}

/// Logs hold arguments or results only if the program asks for it.
fn observe_reply(reply: &ToolReply, call: &ToolCall, cx: &ToolContext, span: &Span) {
    let (tool, outcome, role) = (&reply.tool, reply.outcome.name(), cx.role());
    let metrics = cx.metrics();
    match reply.outcome {
        Outcome::Success => metrics.increment_success(tool, role),
        Outcome::Crash | Outcome::TimedOut => metrics.increment_error(tool, role),
        _ => metrics.increment_failure(tool, role),
    }
    metrics.record_duration(tool, role, reply.duration);
    for fix in &reply.fixes {
        metrics.increment_counter(names::FIXES, tool, &[(names::CLASS, fix.kind.name())]);
    }
    let millis = || reply.duration.as_millis();
    if reply.is_success() {
        tracing::info!(target: "callpact", "Tool call: {tool} -> {outcome} [{}ms]", millis());
    } else {
        span.record("error.type", outcome);
        span.record("otel.status_code", "ERROR");
        tracing::warn!(target: "callpact", "Tool error: {tool} -> {outcome} [{}ms]", millis());
    }
    if cx.captures_content() {
        let result = reply.result.to_model();
        let result = cx.without_secrets(&result);
        let arguments = cx.without_secrets(&call.arguments);
        span.record("gen_ai.tool.call.result", &*result);
        tracing::debug!(target: "callpact", %arguments, %result, "{tool}");
    }
}
