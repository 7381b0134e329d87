//! The observer, the span, the counts and the log of a call, however the call ends.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use tracing::Span;

use super::finished::redact_halt;
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    crash::caught,
    observe::{CallEnd, CallObserver, ObservedCall, TraceParent, names},
    tool::{Halt, ToolContext},
    toolset::Entry,
};

/// A call that its observer knows of.
pub(super) struct Observed<'a>(Option<Box<Told<'a>>>);

struct Told<'a> {
    observer: &'a dyn CallObserver,
    number: u64,
    call: &'a ToolCall,
    cx: &'a ToolContext,
    arguments: Cow<'a, str>,
    began: Instant,
}

impl<'a> Observed<'a> {
    /// Tells the observer, if the context has one, that a call begins.
    #[inline]
    pub(super) fn begin(call: &'a ToolCall, cx: &'a ToolContext) -> Self {
        let observer = cx.observer();
        Self(observer.map(|observer| Box::new(Told::begin(observer, call, cx))))
    }

    #[inline]
    pub(super) fn end(mut self, ended: &Result<ToolReply, Halt>) {
        if let Some(told) = self.0.take() {
            told.tell_end(ended);
        }
    }
}

impl<'a> Told<'a> {
    fn begin(observer: &'a dyn CallObserver, call: &'a ToolCall, cx: &'a ToolContext) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let told = Self {
            observer,
            number: COUNT.fetch_add(1, Ordering::Relaxed),
            call,
            cx,
            arguments: cx.without_secrets(&call.arguments),
            began: Instant::now(),
        };
        // This is the program's own code, which must not end the call.
        let _ = caught(|| observer.began(&told.call()));
        told
    }

    fn tell_end(&self, ended: &Result<ToolReply, Halt>) {
        match ended {
            Ok(reply) => self.end(&CallEnd {
                outcome: reply.outcome.name(),
                halted: false,
                text: &reply.to_model(),
                fixes: &reply.fixes,
                duration: self.began.elapsed(),
            }),
            Err(halt) => self.halt(halt),
        }
    }

    fn call(&self) -> ObservedCall<'_> {
        ObservedCall {
            number: self.number,
            call_id: &self.call.id,
            tool: &self.call.name,
            role: self.cx.named_role(),
            arguments: &self.arguments,
        }
    }

    fn halt(&self, halt: &Halt) {
        self.end(&CallEnd {
            outcome: halt.name(),
            halted: true,
            text: &self.cx.without_secrets(&halt.to_string()),
            fixes: &[],
            duration: self.began.elapsed(),
        });
    }

    fn end(&self, end: &CallEnd<'_>) {
        let _ = caught(|| self.observer.ended(&self.call(), end));
    }
}

impl Drop for Observed<'_> {
    fn drop(&mut self) {
        // The task that waited for the call stopped waiting.
        if let Some(told) = self.0.take() {
            told.halt(&Halt::Cancelled);
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
