//! The way of a call: find, read, precheck, approve, secrets, run, shape. Nothing jumps a step.

use std::{borrow::Cow, time::Instant};

use tracing::Instrument;

use super::{
    Toolset,
    approve::{Gate, approve, decided},
    entry::Entry,
    run::{Ended, Run},
    secrets,
};
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    input::{Fix, nearest},
    review::ReviewDecision,
    schema::cut,
    secret::Redactor,
    tool::{Halt, Own, PendingCall, Prepared, ToolContext, ToolResult, seconds},
};

/// How many names an unknown tool's reply lists.
const LISTED: usize = 20;

impl Toolset {
    /// Makes a call.
    ///
    /// Whatever is wrong with the call itself (an unknown tool, arguments that do not fit, a tool
    /// that fails or crashes) is a reply for the model.
    ///
    /// # Errors
    /// A [`Halt`], which is for the program: a reviewer ended the run, a reviewer is missing, the
    /// call was cancelled, or it waits for a decision.
    pub async fn call(&self, call: &ToolCall, cx: &ToolContext) -> Result<ToolReply, Halt> {
        self.go(call, None, cx).await
    }

    /// Makes a call that waited for a decision, perhaps in another process.
    ///
    /// # Errors
    /// As [`call`](Self::call), and when the tool, its parameters or the arguments are no longer
    /// what the decision was about.
    pub async fn resume(
        &self,
        pending: &PendingCall,
        decision: ReviewDecision,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let same = self.entry(&pending.tool).is_some_and(|entry| {
            entry.digest(&pending.arguments) == pending.digest
                && entry.tool.permission() == pending.permission
        });
        if !same {
            return Err(Halt::Misconfigured(format!(
                "the call of '{}' is not the one that was decided about: the tool, its parameters or the arguments have changed",
                cut(&pending.tool, 64)
            )));
        }
        let call = ToolCall::new(&pending.call_id, &pending.tool, &pending.arguments);
        self.go(&call, Some(decision), cx).await
    }

    async fn go(
        &self,
        call: &ToolCall,
        decision: Option<ReviewDecision>,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let Some(entry) = self.entry(&call.name) else {
            return Ok(self.unknown(call));
        };
        let started = Instant::now();
        let cx = cx.for_call(&call.id, &entry.name);
        let span = tracing::info_span!(
            target: "toolwright",
            "execute_tool",
            otel.name = %format_args!("execute_tool {}", entry.name),
            otel.kind = "internal",
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = %entry.name,
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = %call.id,
            gen_ai.tool.description = %entry.tool.description(),
            gen_ai.tool.call.arguments = tracing::field::Empty,
            gen_ai.tool.call.result = tracing::field::Empty,
            error.type = tracing::field::Empty,
        );
        if cx.captures() {
            span.record("gen_ai.tool.call.arguments", &*call.arguments);
        }
        let went = way(entry, &call.arguments, decision, &cx)
            .instrument(span.clone())
            .await;
        let duration = started.elapsed();
        let metrics = cx.metrics();
        let _entered = span.enter();
        match went {
            Err(halt) => {
                metrics.increment_halt(&entry.name, cx.role(), halt.name());
                metrics.record_duration(&entry.name, cx.role(), duration);
                span.record("error.type", halt.name());
                if matches!(halt, Halt::Misconfigured(_)) {
                    tracing::error!(target: "toolwright", tool = %entry.name, "Tool configuration error: {halt}");
                }
                Err(halt)
            }
            Ok(Done {
                outcome,
                result,
                fixes,
            }) => {
                match outcome {
                    Outcome::Success => metrics.increment_success(&entry.name, cx.role()),
                    Outcome::Crash | Outcome::TimedOut => {
                        metrics.increment_error(&entry.name, cx.role());
                    }
                    _ => metrics.increment_failure(&entry.name, cx.role()),
                }
                metrics.record_duration(&entry.name, cx.role(), duration);
                let mut reply = ToolReply::new(&call.id, &entry.name, outcome, result);
                reply.fixes = fixes;
                reply.duration = duration;
                reply.limit = self.0.max_output;
                tell(&reply, call, &cx, &span);
                Ok(reply)
            }
        }
    }

    #[cold]
    fn unknown(&self, call: &ToolCall) -> ToolReply {
        let name = cut(&call.name, 64);
        let mut text = format!("Unknown tool '{name}'.");
        if let Some(near) = nearest(&call.name, self.names()) {
            text.push_str(&format!(" Did you mean '{near}'?"));
        }
        let listed: Vec<&str> = self.names().take(LISTED).collect();
        if listed.is_empty() {
            text.push_str(" There are no tools.");
        } else {
            text.push_str(&format!(" Available tools: {}", listed.join(", ")));
            if self.len() > LISTED {
                text.push_str(&format!(" and {} more", self.len() - LISTED));
            }
        }
        tracing::warn!(target: "toolwright", tool = %name, "Tool error: unknown tool");
        ToolReply::new(
            &call.id,
            &name,
            Outcome::UnknownTool,
            ToolResult::failure(text),
        )
    }
}

/// Logs what a call came to; never what was said in it, unless capture is on.
fn tell(reply: &ToolReply, call: &ToolCall, cx: &ToolContext, span: &tracing::Span) {
    let (tool, outcome) = (&reply.tool, reply.outcome.name());
    let millis = reply.duration.as_millis();
    if reply.is_success() {
        tracing::info!(target: "toolwright", "Tool call: {tool} -> {outcome} [{millis}ms]");
    } else {
        span.record("error.type", outcome);
        tracing::warn!(target: "toolwright", "Tool error: {tool} -> {outcome} [{millis}ms]");
    }
    if cx.captures() {
        let result = reply.result.to_model();
        span.record("gen_ai.tool.call.result", &*result);
        tracing::debug!(target: "toolwright", arguments = %call.arguments, %result, "{tool}");
    }
}

struct Done {
    outcome: Outcome,
    result: ToolResult,
    fixes: Vec<Fix>,
}

impl Done {
    fn refused(outcome: Outcome, why: impl Into<String>) -> Self {
        Self {
            outcome,
            result: ToolResult::failure(why.into()),
            fixes: Vec::new(),
        }
    }
}

async fn way(
    entry: &Entry,
    arguments: &str,
    decision: Option<ReviewDecision>,
    cx: &ToolContext,
) -> Result<Done, Halt> {
    if cx.is_cancelled() {
        return Err(Halt::Cancelled);
    }
    let mut arguments = Cow::Borrowed(arguments);
    let mut approved = false;
    // The tool understands the decision: it asked in words of its own.
    let (given, mut decision) = match decision {
        Some(decision) if entry.asks_itself() => {
            approved = true;
            (Some(decision), None)
        }
        other => (None, other),
    };
    loop {
        let prepared = match entry.tool.prepare(&arguments, cx.policy()) {
            Ok(prepared) => prepared,
            Err(report) => {
                let result = ToolResult::invalid(report);
                return Ok(Done {
                    outcome: Outcome::InvalidArguments,
                    result,
                    fixes: Vec::new(),
                });
            }
        };
        let asked = match secrets::asked(entry, &arguments) {
            Ok(asked) => asked,
            Err(error) => return Ok(Done::refused(Outcome::InvalidArguments, error.to_string())),
        };
        if let Err(why) = entry.tool.check(&prepared) {
            return Ok(Done::refused(Outcome::Refused, why));
        }
        if !approved {
            let gate = match decision.take() {
                Some(decision) => decided(&entry.name, decision)?,
                None => approve(entry, &arguments, cx).await?,
            };
            match gate {
                Gate::Open => {}
                Gate::Closed(why) => return Ok(Done::refused(Outcome::Refused, why)),
                Gate::Edited(edited) => {
                    // What a reviewer wrote is read and checked like what a model wrote.
                    arguments = Cow::Owned(edited);
                    approved = true;
                    continue;
                }
            }
        }
        if asked.is_empty() {
            return run(entry, prepared, Own::new(given, None), None, cx).await;
        }
        drop(prepared);
        let (text, resolved) = match secrets::resolve(entry, &arguments, asked, cx).await {
            Ok(resolved) => resolved,
            Err(error) => return Ok(Done::refused(Outcome::Refused, error.to_string())),
        };
        let redactor = resolved.redactor();
        return match entry.tool.prepare(text.expose(), cx.policy()) {
            Ok(prepared) => {
                let own = Own::new(given, Some(&resolved));
                run(entry, prepared, own, Some(&redactor), cx).await
            }
            Err(report) => {
                let result = redacted(ToolResult::failure(report.to_string()), Some(&redactor));
                Ok(Done {
                    outcome: Outcome::InvalidArguments,
                    result,
                    fixes: Vec::new(),
                })
            }
        };
    }
}

async fn run(
    entry: &Entry,
    prepared: Prepared,
    own: Own,
    redactor: Option<&Redactor>,
    cx: &ToolContext,
) -> Result<Done, Halt> {
    let knowing;
    let cx = if own.is_empty() {
        cx
    } else {
        knowing = cx.for_run(own);
        &knowing
    };
    let mut prepared = prepared;
    let mut fixes = std::mem::take(&mut prepared.fixes);
    if let Some(redactor) = redactor {
        for fix in &mut fixes {
            fix.from = redactor.redact(&fix.from).into_owned();
            fix.to = redactor.redact(&fix.to).into_owned();
        }
    }
    let own = entry
        .timeout
        .and_then(|timeout| Instant::now().checked_add(timeout));
    let deadline = match (cx.deadline(), own) {
        (Some(all), Some(own)) => Some(all.min(own)),
        (all, own) => all.or(own),
    };
    let work = entry.tool.run(prepared, cx);
    let name = &entry.name;
    let (outcome, result) = match Run::new(work, deadline, cx.cancellation()).await {
        Ended::Result(result) => {
            if let Some(halt) = result.halted() {
                return Err(redacted_halt(halt, redactor));
            }
            let outcome = match (result.is_success(), result.report()) {
                (true, _) => Outcome::Success,
                (false, Some(_)) => Outcome::InvalidArguments,
                (false, None) => Outcome::Failure,
            };
            (outcome, result)
        }
        Ended::Crashed => {
            let text = format!("Tool '{name}' crashed; what it was doing may be half done");
            (Outcome::Crash, ToolResult::failure(text))
        }
        Ended::TimedOut(time) => {
            let time = seconds(time);
            let text = format!(
                "Tool '{name}' was stopped after {time}; what it was doing may be half done"
            );
            (Outcome::TimedOut, ToolResult::failure(text))
        }
        Ended::NoClock => {
            let text = format!("Tool '{name}' has a deadline and there is no clock to hold it");
            return Err(Halt::Misconfigured(text));
        }
        Ended::Cancelled => return Err(Halt::Cancelled),
    };
    Ok(Done {
        outcome,
        result: redacted(result, redactor),
        fixes,
    })
}

/// The result with every secret of the call taken out.
fn redacted(result: ToolResult, redactor: Option<&Redactor>) -> ToolResult {
    let Some(redactor) = redactor else {
        return result;
    };
    result.map_text(
        |text| match redactor.redact(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        },
        |value| redactor.redact_value(value),
    )
}

fn redacted_halt(halt: &Halt, redactor: Option<&Redactor>) -> Halt {
    let Some(redactor) = redactor else {
        return halt.clone();
    };
    let clean = |text: &str| redactor.redact(text).into_owned();
    match halt {
        Halt::ExitEarly { message, timed_out } => Halt::ExitEarly {
            message: clean(message),
            timed_out: *timed_out,
        },
        Halt::Misconfigured(message) => Halt::Misconfigured(clean(message)),
        Halt::ReviewFailed(message) => Halt::ReviewFailed(clean(message)),
        other => other.clone(),
    }
}
