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
    secret::Redactor,
    tool::{Halt, ToolContext},
    toolset::ToolEntry,
};

/// A call that its observer follows.
pub(super) struct FollowedCall<'a>(Option<(Arc<CallWatch>, &'a ToolContext)>);

impl<'a> FollowedCall<'a> {
    /// Tells the observer, if the context has one, that a call begins.
    #[inline]
    pub(super) fn begin(entry: Option<&ToolEntry>, call: &ToolCall, cx: &'a ToolContext) -> Self {
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
    entry: Option<&ToolEntry>,
    call: &ToolCall,
    cx: &ToolContext,
) -> Arc<CallWatch> {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let tool = entry.map(|entry| Arc::clone(&entry.tool));
    let redactor = cx.redactor();
    let hide = Box::new(move |text: &str| {
        let shown = match &redactor {
            Some(redactor) => redactor.redact(text),
            None => Cow::Borrowed(text),
        };
        match &tool {
            Some(tool) => {
                let schema = tool.parameters().tree();
                let shown = masks::masked(schema, &shown).into_owned();
                (shown, masks::redactor(schema, text))
            }
            None => (shown.into_owned(), Redactor::none()),
        }
    });
    let watched = WatchedCall {
        number: COUNT.fetch_add(1, Ordering::Relaxed),
        call_id: cx.without_secrets(&call.id).into_owned(),
        tool: cx.without_secrets(&call.name).into_owned(),
        role: cx.named_role().map(str::to_owned),
        run: cx.run_name().map(str::to_owned),
        turn: cx.turn(),
        arguments: call.arguments.clone(),
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

impl Drop for FollowedCall<'_> {
    fn drop(&mut self) {
        // The task that waited for the call stopped waiting.
        if let Some((watch, cx)) = self.0.take() {
            end_halted(&watch, &Halt::Cancelled, cx);
        }
    }
}

/// Opens the span of a call, under the names of OpenTelemetry.
pub(super) fn open_span(entry: &ToolEntry, call: &ToolCall, cx: &ToolContext) -> Span {
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
        gen_ai.tool.call.id = %cx.without_secrets(&call.id),
        gen_ai.tool.description = %entry.tool.description(),
        gen_ai.tool.call.arguments = tracing::field::Empty,
        gen_ai.tool.call.result = tracing::field::Empty,
        error.type = tracing::field::Empty,
        traceparent = cx.get::<TraceParent>().map(TraceParent::as_str),
    );
    if cx.captures_content() {
        span.record(
            "gen_ai.tool.call.arguments",
            shown_arguments(entry, call, cx),
        );
    }
    span
}

/// The arguments as a log shows them.
fn shown_arguments(entry: &ToolEntry, call: &ToolCall, cx: &ToolContext) -> String {
    let text = cx.without_secrets(&call.arguments);
    masks::masked(entry.tool.parameters().tree(), &text).into_owned()
}

/// The result as a log shows it.
fn shown_result(entry: &ToolEntry, call: &ToolCall, reply: &ToolReply, cx: &ToolContext) -> String {
    let schema = entry.tool.parameters().tree();
    if reply.edited.is_some() && schema.holds_secret() {
        return "(not shown: it may repeat a secret of the person who edited the call)".to_owned();
    }
    let text = reply.result.to_model();
    let text = cx.without_secrets(&text);
    let parameters = masks::redactor(schema, &call.arguments);
    parameters.redact(&text).into_owned()
}

/// Counts and logs the end of a call.
pub(super) fn observe_end(
    ended: &Result<ToolReply, Halt>,
    entry: &ToolEntry,
    call: &ToolCall,
    duration: Duration,
    (cx, span): (&ToolContext, &Span),
) {
    let _entered = span.enter();
    match ended {
        Ok(reply) => observe_reply(reply, entry, call, (cx, span)),
        Err(halt) => observe_halt(entry, halt, duration, cx, span),
    }
}

fn observe_halt(entry: &ToolEntry, halt: &Halt, duration: Duration, cx: &ToolContext, span: &Span) {
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
fn observe_reply(
    reply: &ToolReply,
    entry: &ToolEntry,
    call: &ToolCall,
    (cx, span): (&ToolContext, &Span),
) {
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
        let result = shown_result(entry, call, reply, cx);
        let arguments = shown_arguments(entry, call, cx);
        span.record("gen_ai.tool.call.result", &*result);
        tracing::debug!(target: "callpact", %arguments, %result, "{tool}");
    }
}
