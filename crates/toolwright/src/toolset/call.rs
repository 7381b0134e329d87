//! One call through a list: the entry points, and the span, the counts and the log around the steps.

use std::time::Duration;

use tracing::{Instrument, Span};

use super::{
    Toolset,
    approve::Said,
    entry::Entry,
    observed::Observed,
    once::Resuming,
    outcome::{Ending, redact_halt},
    steps::run_steps,
    waiting::{explain_change, explain_workspace},
};
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    observe::{TraceParent, names},
    review::ReviewDecision,
    schema::cut,
    tool::{Counted, Halt, PendingCall, ToolContext, ToolResult},
};

impl Toolset {
    /// Makes a call.
    ///
    /// Every fault of the call itself (an unknown tool, arguments that do not fit, a tool that fails or
    /// crashes) is a reply for the model.
    ///
    /// # Errors
    /// A [`Halt`], which is for the program: a reviewer ended the run, a reviewer is missing, the
    /// call was cancelled, or it waits for a decision.
    pub fn call(
        &self,
        call: &ToolCall,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<ToolReply, Halt>> {
        // Not `async`: each future around another one moves the reply once more.
        self.run_call(call, None, cx)
    }

    /// Makes a call with arguments that a person wrote in place of those of the model. Who is asked about the call is
    /// asked about the edited one, and told that it is an edit; and so is the model.
    ///
    /// [`call`](Self::call) does the same after an edit by its reviewer. This is for programs whose reviewer answers
    /// when the call is made again.
    ///
    /// ```
    /// use toolwright::{Halt, ToolCall, ToolContext, Toolset, tool};
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
    /// let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    /// let later = ToolContext::new().with_deferred_approval();
    /// let asked = tools.call_edited(&call, r#"{"euros": 80}"#, &later).await;
    /// let Err(Halt::Pending(pending)) = asked else { panic!() };
    /// assert_eq!(pending.request().description, "Call pay, as a person edited it");
    /// assert_eq!(pending.arguments, r#"{"euros": 80}"#);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub async fn call_edited(
        &self,
        call: &ToolCall,
        edit: &str,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        self.run_call(call, Some(Said::Edited(edit)), cx).await
    }

    /// Makes a call that waited for a decision, perhaps in another process.
    ///
    /// After an edit that does more than its text says, with a preview or with defaults that were filled in, the call
    /// waits again: as [`Halt::Pending`] with the edited call, for somebody who looks at it.
    ///
    /// # Errors
    /// As [`call`](Self::call), and when the tool, its parameters or the arguments have changed since
    /// the question was asked. Also when this list, or one made from it, has used a decision about this
    /// call already. Another process does not know that; [`resume_stored`](Self::resume_stored) does.
    pub async fn resume(
        &self,
        pending: &PendingCall,
        decision: ReviewDecision,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let call = ToolCall::new(&pending.call_id, &pending.tool, &pending.arguments);
        let (made_in, here) = (pending.workspace.as_deref(), cx.workspace());
        let unchanged = self
            .entry(&pending.tool)
            .filter(|entry| entry.is_unchanged(pending) && made_in == here);
        let decision = unchanged.and_then(|entry| Resuming::new(decision, pending, &entry.used));
        let Some(decision) = decision else {
            let tool = cut(&pending.tool, 64);
            let halt = if made_in == here {
                explain_change(&tool)
            } else {
                Halt::Misconfigured(explain_workspace(made_in, here))
            };
            cx.metrics().increment_halt(&tool, cx.role(), halt.name());
            tracing::error!(target: "toolwright", %tool, "Tool configuration error: {halt}");
            return Err(halt);
        };
        self.run_call(&call, Some(Said::Decided(decision)), cx)
            .await
    }

    pub(super) async fn run_call(
        &self,
        call: &ToolCall,
        said: Option<Said<'_>>,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let observed = Observed::begin(call, cx);
        let ended = match self.entry(&call.name) {
            None => Ok(self.reply_without_tool(call)),
            Some(entry) => {
                let cx = cx.for_call(&call.id, &entry.name);
                let counted = Counted::new(&cx, &entry.name);
                let span = open_span(entry, call, &cx);
                let ending = if call.cut_off {
                    Ok(Ending::cut_off(&entry.name))
                } else if span.is_disabled() {
                    // Made where it is awaited, so that it is not moved.
                    run_steps(entry, &call.arguments, said, &cx).await
                } else {
                    let steps = run_steps(entry, &call.arguments, said, &cx);
                    // In a place of its own: a call that nobody traces moves no room for it.
                    Box::pin(steps.instrument(span.clone())).await
                };
                let duration = counted.end();
                self.close(entry, call, ending, duration, (&cx, &span))
            }
        };
        observed.end(&ended);
        ended
    }

    /// Makes the reply, and tells of it.
    fn close(
        &self,
        entry: &Entry,
        call: &ToolCall,
        ending: Result<Ending, Halt>,
        duration: Duration,
        (cx, span): (&ToolContext, &Span),
    ) -> Result<ToolReply, Halt> {
        let _entered = span.enter();
        match ending {
            Err(halt) => {
                observe_halt(entry, &halt, duration, cx, span);
                Err(halt)
            }
            Ok(ending) => {
                let mut reply =
                    ToolReply::new(&call.id, &entry.name, ending.outcome, ending.result);
                reply.fixes = ending.fixes;
                reply.edited = ending.edited.map(String::from);
                reply.replayed = ending.replayed;
                reply.runs_elsewhere = ending.runs_elsewhere;
                reply.duration = duration;
                self.finish(&mut reply);
                observe_reply(&reply, call, cx, span);
                Ok(reply)
            }
        }
    }

    /// Sets how much of a reply goes out, and what is said beside it.
    pub(super) fn finish(&self, reply: &mut ToolReply) {
        reply.limit = Some(self.0.max_output);
        reply.told = self.0.notes;
        if let Some(pages) = &self.0.pages
            && reply.is_cut()
        {
            reply.rest = Some(pages.keep(&reply.whole_text()));
        }
    }

    /// The reply to a call whose name is not the name of a tool in this list.
    #[cold]
    pub(super) fn reply_without_tool(&self, call: &ToolCall) -> ToolReply {
        let name = cut(&call.name, 64);
        if call.cut_off {
            // The name may be cut off as well.
            let ending = Ending::cut_off("");
            return ToolReply::new(&call.id, &name, ending.outcome, ending.result);
        }
        let text = self.describe_unknown(&call.name);
        tracing::warn!(target: "toolwright", tool = %name, "Tool error: unknown tool");
        ToolReply::new(
            &call.id,
            &name,
            Outcome::UnknownTool,
            ToolResult::failure(text),
        )
    }
}

fn open_span(entry: &Entry, call: &ToolCall, cx: &ToolContext) -> Span {
    let span = tracing::info_span!(
        target: "toolwright",
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
        tracing::error!(target: "toolwright", %tool, "Tool configuration error: {halt}");
    } else {
        tracing::info!(target: "toolwright", "Tool call: {tool} halted: {why}");
    }
}

/// Counts and logs a reply. Logs never hold arguments or results unless the program wants that.
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
    let millis = reply.duration.as_millis();
    if reply.is_success() {
        tracing::info!(target: "toolwright", "Tool call: {tool} -> {outcome} [{millis}ms]");
    } else {
        span.record("error.type", outcome);
        span.record("otel.status_code", "ERROR");
        tracing::warn!(target: "toolwright", "Tool error: {tool} -> {outcome} [{millis}ms]");
    }
    if cx.captures_content() {
        let result = reply.result.to_model();
        let result = cx.without_secrets(&result);
        let arguments = cx.without_secrets(&call.arguments);
        span.record("gen_ai.tool.call.result", &*result);
        tracing::debug!(target: "toolwright", %arguments, %result, "{tool}");
    }
}
