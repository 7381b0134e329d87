//! The way of a call: find, read, precheck, approve, secrets, run, shape. Nothing jumps a step.

use std::{borrow::Cow, fmt::Write, time::Instant};

use serde_json::Value;
use tracing::Instrument;

use super::{
    Toolset,
    approve::{Gate, Need, ask, need, resumed},
    entry::Entry,
    once::Resuming,
    run::{Ended, Run},
    secrets,
};
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    crash::caught,
    input::{Fix, FixKind, Report, nearest, repair::clean_text},
    observe::names,
    review::ReviewDecision,
    schema::cut,
    secret::{Redactor, SecretRef},
    tool::{Counted, Halt, PendingCall, Prepared, RunState, ToolContext, ToolResult, seconds},
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
    /// what the decision was about. Also when this list, or one made from it, has used a decision
    /// about this call already: a list remembers that, another process does not. A program that
    /// keeps waiting calls takes each out of its store before it resumes it.
    pub async fn resume(
        &self,
        pending: &PendingCall,
        decision: ReviewDecision,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let call = ToolCall::new(&pending.call_id, &pending.tool, &pending.arguments);
        let same = self.entry(&pending.tool).filter(|entry| {
            entry.digest(&pending.arguments) == pending.digest
                && entry.tool.permission() == pending.permission
        });
        let decision = same.and_then(|entry| Resuming::new(decision, &pending.id, &entry.decided));
        let Some(decision) = decision else {
            let tool = cut(&pending.tool, 64);
            let halt = Halt::Misconfigured(format!(
                "the call of '{tool}' is not the one that was decided about: \
                 the tool, its parameters or the arguments have changed"
            ));
            cx.metrics().increment_halt(&tool, cx.role(), halt.name());
            tracing::error!(target: "toolwright", %tool, "Tool configuration error: {halt}");
            return Err(halt);
        };
        self.go(&call, Some(decision), cx).await
    }

    async fn go(
        &self,
        call: &ToolCall,
        decision: Option<Resuming<'_>>,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let Some(entry) = self.entry(&call.name) else {
            return Ok(self.no_entry(call));
        };
        let cx = cx.for_call(&call.id, &entry.name);
        let counted = Counted::new(&cx, &entry.name);
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
        if shows(&cx) {
            let arguments = cx.without_secrets(&call.arguments);
            span.record("gen_ai.tool.call.arguments", &*arguments);
        }
        let went = if call.cut_off {
            Ok(cut_off(&entry.name))
        } else {
            way(entry, &call.arguments, decision, &cx)
                .instrument(span.clone())
                .await
        };
        let duration = counted.end();
        let metrics = cx.metrics();
        let _entered = span.enter();
        match went {
            Err(halt) => {
                metrics.increment_halt(&entry.name, cx.role(), halt.name());
                metrics.record_duration(&entry.name, cx.role(), duration);
                span.record("error.type", halt.name());
                let (tool, why) = (&entry.name, halt.name());
                if matches!(halt, Halt::Misconfigured(_)) {
                    let halt = redacted_halt(&halt, cx.redactor().as_ref());
                    tracing::error!(target: "toolwright", %tool, "Tool configuration error: {halt}");
                } else {
                    tracing::info!(target: "toolwright", "Tool call: {tool} halted: {why}");
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
                for fix in &fixes {
                    let class = [(names::CLASS, fix.kind.name())];
                    metrics.increment_counter(names::FIXES, &entry.name, &class);
                }
                let mut reply = ToolReply::new(&call.id, &entry.name, outcome, result);
                reply.fixes = fixes;
                reply.duration = duration;
                reply.limit = self.0.max_output;
                tell(&reply, call, &cx, &span);
                Ok(reply)
            }
        }
    }

    /// The reply to a call of what is no tool of this list.
    #[cold]
    pub(super) fn no_entry(&self, call: &ToolCall) -> ToolReply {
        if call.cut_off {
            // Of the name, too, there may be more than came.
            let done = cut_off("");
            return ToolReply::new(&call.id, &cut(&call.name, 64), done.outcome, done.result);
        }
        self.unknown(call)
    }

    fn unknown(&self, call: &ToolCall) -> ToolReply {
        let name = cut(&call.name, 64);
        let mut text = format!("Unknown tool '{name}'.");
        if let Some(near) = nearest(&call.name, self.names()) {
            let _ = write!(text, " Did you mean '{near}'?");
        }
        let listed: Vec<&str> = self.names().take(LISTED).collect();
        if listed.is_empty() {
            text.push_str(" There are no tools.");
        } else {
            let _ = write!(text, " Available tools: {}", listed.join(", "));
            if self.len() > LISTED {
                let _ = write!(text, " and {} more", self.len() - LISTED);
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
    if shows(cx) {
        let result = reply.result.to_model();
        let result = cx.without_secrets(&result);
        let arguments = cx.without_secrets(&call.arguments);
        span.record("gen_ai.tool.call.result", &*result);
        tracing::debug!(target: "toolwright", %arguments, %result, "{tool}");
    }
}

/// Whether content goes into spans and logs: where the program wants it, and nobody listens who
/// listens for no more than what happens.
fn shows(cx: &ToolContext) -> bool {
    cx.captures() && tracing::enabled!(target: "toolwright", tracing::Level::DEBUG)
}

pub(super) struct Done {
    pub(super) outcome: Outcome,
    pub(super) result: ToolResult,
    pub(super) fixes: Vec<Fix>,
}

impl Done {
    fn refused(outcome: Outcome, why: impl Into<String>) -> Self {
        Self {
            outcome,
            result: ToolResult::failure(why.into()),
            fixes: Vec::new(),
        }
    }

    fn not_run(entry: &Entry, outcome: Outcome, why: &str) -> Self {
        Self::refused(outcome, format!("Tool '{}' did not run: {why}", entry.name))
    }
}

/// What the model is told of a call that it did not finish.
pub(super) fn cut_off(tool: &str) -> Done {
    let what = if tool.is_empty() {
        "No tool ran".to_owned()
    } else {
        format!("Tool '{tool}' did not run")
    };
    Done {
        outcome: Outcome::InvalidArguments,
        result: ToolResult::retry(format!(
            "{what}: the response was cut off in this call. Make the call again, with shorter \
             arguments or in several calls"
        )),
        fixes: Vec::new(),
    }
}

async fn way(
    entry: &Entry,
    arguments: &str,
    mut decision: Option<Resuming<'_>>,
    cx: &ToolContext,
) -> Result<Done, Halt> {
    if cx.is_cancelled() {
        return Err(Halt::Cancelled);
    }
    let name = &entry.name;
    let mut arguments = Cow::Borrowed(arguments);
    let mut approved = false;
    let mut given = None;
    loop {
        let (prepared, asked) = match read(entry, &mut arguments, cx) {
            Ok(read) => read,
            Err(done) => return Ok(done),
        };
        if !approved {
            let gate = match (need(entry, cx), decision.take()) {
                (Need::Denied(why), _) => Gate::Closed(why),
                // The tool understands the decision: it would ask in words of its own.
                (_, Some(decision)) if entry.asks_itself() => {
                    given = Some(decision.take(name)?);
                    Gate::Open
                }
                (Need::Yes(role), Some(decision)) => resumed(entry, decision, role, cx)?,
                (Need::No, Some(decision)) => resumed(entry, decision, None, cx)?,
                (Need::No, None) => Gate::Open,
                (Need::Yes(role), None) => {
                    let ask = Box::pin(ask(entry, &arguments, role, cx));
                    match Run::new(ask, cx.fixed_deadline(), cx.cancellation()).await {
                        Ended::Done(gate) => gate?,
                        Ended::Crashed => {
                            let text = format!("the reviewer of '{name}' crashed");
                            return Err(Halt::ReviewFailed(text));
                        }
                        Ended::TimedOut => {
                            let why = "the time was up before it was approved";
                            return Ok(Done::not_run(entry, Outcome::TimedOut, why));
                        }
                        Ended::Cancelled => return Err(Halt::Cancelled),
                        Ended::NoClock => return Err(no_clock(entry)),
                    }
                }
            };
            match gate {
                Gate::Open => {}
                Gate::Closed(why) => return Ok(Done::refused(Outcome::Refused, why)),
                Gate::Edited(edited) => {
                    // What a reviewer wrote is read and checked like what a model wrote.
                    if shows(cx) {
                        let edited = cx.without_secrets(&edited);
                        tracing::debug!(target: "toolwright", arguments = %edited, "{name}: edited by the reviewer");
                    }
                    arguments = Cow::Owned(edited);
                    approved = true;
                    continue;
                }
            }
        }
        // The time that a person took to decide is not the tool's.
        let started = Instant::now();
        let own = entry
            .timeout
            .and_then(|timeout| started.checked_add(timeout));
        let deadline = match (cx.deadline_from(started), own) {
            (Some(all), Some(own)) => Some(all.min(own)),
            (all, own) => all.or(own),
        };
        if deadline.is_some_and(|deadline| deadline <= started) {
            return Ok(Done::not_run(entry, Outcome::TimedOut, "the time was up"));
        }
        let bounds = Bounds { started, deadline };
        if asked.is_empty() {
            let state = RunState::new(given, None);
            return run(entry, prepared, bounds, state, None, cx).await;
        }
        return with_secrets(entry, &arguments, asked, prepared, bounds, given, cx).await;
    }
}

#[allow(clippy::result_large_err)] // a call that ends here has its reply in it
/// Steps two and three: reads the arguments, finds their placeholders, and hears the tool itself.
pub(super) fn read(
    entry: &Entry,
    arguments: &mut Cow<'_, str>,
    cx: &ToolContext,
) -> Result<(Prepared, Vec<SecretRef>), Done> {
    let read = caught(|| {
        let prepared = entry
            .tool
            .prepare(arguments, cx.policy())
            .map_err(|report| Done {
                outcome: Outcome::InvalidArguments,
                result: invalid(entry, report),
                fixes: Vec::new(),
            })?;
        // From here on the text that was mended counts: a reviewer decides about it, and secrets are
        // looked for in it.
        if prepared.fixes.iter().any(|fix| fix.kind.is_textual())
            && let Some(clean) = clean_text(arguments, cx.policy())
        {
            *arguments = Cow::Owned(clean);
        }
        if let Some(other) = names_another(&prepared.fixes, arguments, &entry.name) {
            let why = format!(
                "the arguments name the tool '{other}', and the call is of '{}'; \
                 call the one that is meant, with its parameters alone",
                entry.name
            );
            return Err(Done::refused(Outcome::InvalidArguments, why));
        }
        let asked = secrets::asked(entry, arguments, &prepared.fixes)
            .map_err(|error| Done::refused(Outcome::InvalidArguments, error.to_string()))?;
        entry
            .tool
            .check(&prepared)
            .map_err(|why| Done::refused(Outcome::Refused, why))?;
        Ok((prepared, asked))
    });
    read.unwrap_or_else(|| {
        let why = "it crashed while it read its arguments";
        Err(Done::not_run(entry, Outcome::Crash, why))
    })
}

/// The name of another tool beside arguments that stood in one more object:
/// `{"name": "other", "arguments": {…}}`. To run this one would be a guess.
fn names_another(fixes: &[Fix], arguments: &str, own: &str) -> Option<String> {
    if !fixes.iter().any(|fix| fix.kind == FixKind::Wrapped) {
        return None;
    }
    let whole: Value = serde_json::from_str(arguments).ok()?;
    let named = whole.get("name")?.as_str()?;
    (named != own).then(|| cut(named, 64))
}

/// The report for the model, with what the faulty fields take.
fn invalid(entry: &Entry, report: Report) -> ToolResult {
    let schema = entry.tool.parameters().schema();
    let text = schema.map(|schema| report.with_excerpt(schema));
    let result = ToolResult::invalid(report);
    match text {
        Some(text) => result.map_error(|_| text),
        None => result,
    }
}

/// When the work began and when it must have ended.
#[derive(Clone, Copy)]
struct Bounds {
    started: Instant,
    deadline: Option<Instant>,
}

/// Step five, and what follows when there is something to do in it.
async fn with_secrets(
    entry: &Entry,
    arguments: &str,
    asked: Vec<SecretRef>,
    prepared: Prepared,
    bounds: Bounds,
    given: Option<ReviewDecision>,
    cx: &ToolContext,
) -> Result<Done, Halt> {
    // From the reading that saw placeholders: what the second changes may tell of a value.
    let fixes = prepared.fixes;
    let resolve = Box::pin(secrets::resolve(entry, arguments, asked, cx));
    let (text, values) = match Run::new(resolve, bounds.deadline, cx.cancellation()).await {
        Ended::Done(Ok(resolved)) => resolved,
        Ended::Done(Err(error)) => return Ok(Done::refused(Outcome::Refused, error.to_string())),
        Ended::Crashed => {
            let why = "looking up its secrets crashed";
            return Ok(Done::not_run(entry, Outcome::Crash, why));
        }
        Ended::TimedOut => {
            let why = "the time was up before its secrets were there";
            return Ok(Done::not_run(entry, Outcome::TimedOut, why));
        }
        Ended::Cancelled => return Err(Halt::Cancelled),
        Ended::NoClock => return Err(no_clock(entry)),
    };
    let redactor = values.redactor();
    match caught(|| entry.tool.prepare(text.expose(), cx.policy())) {
        // What a reviewer saw as one value must not fall into several because of what is in it.
        Some(Ok(read)) if read.fixes.iter().any(secrets::takes_apart) => {
            let why = "the value of a secret reads as JSON where it stands";
            Ok(Done::not_run(entry, Outcome::Refused, why))
        }
        Some(Ok(mut prepared)) => {
            prepared.fixes = fixes;
            let state = RunState::new(given, Some(&values));
            run(entry, prepared, bounds, state, Some(&redactor), cx).await
        }
        Some(Err(report)) => Ok(Done {
            outcome: Outcome::InvalidArguments,
            result: redacted(ToolResult::invalid(report), Some(&redactor)),
            fixes,
        }),
        None => {
            let why = "it crashed while it read its arguments";
            Ok(Done::not_run(entry, Outcome::Crash, why))
        }
    }
}

/// Step six.
async fn run(
    entry: &Entry,
    mut prepared: Prepared,
    bounds: Bounds,
    state: RunState,
    redactor: Option<&Redactor>,
    cx: &ToolContext,
) -> Result<Done, Halt> {
    let name = &entry.name;
    let fixes = std::mem::take(&mut prepared.fixes);
    let knowing;
    let cx = if state.is_empty() && bounds.deadline.is_none() {
        cx
    } else {
        knowing = cx.for_run(state, bounds.deadline);
        &knowing
    };
    let work = entry.tool.run(prepared, cx);
    let half = "what it was doing may be half done";
    let (outcome, result) = match Run::new(work, bounds.deadline, cx.cancellation()).await {
        Ended::Done(result) => {
            if let Some(halt) = result.halted() {
                return Err(redacted_halt(halt, redactor));
            }
            let outcome = if result.is_success() {
                Outcome::Success
            } else {
                Outcome::Failure
            };
            (outcome, result.ran())
        }
        Ended::Crashed => {
            let text = format!("Tool '{name}' crashed; {half}");
            (Outcome::Crash, ToolResult::failure(text))
        }
        Ended::TimedOut => {
            let time = bounds
                .deadline
                .map(|end| end.saturating_duration_since(bounds.started));
            let time = seconds(time.unwrap_or_default());
            let text = format!("Tool '{name}' was stopped after {time}; {half}");
            (Outcome::TimedOut, ToolResult::failure(text))
        }
        Ended::NoClock => return Err(no_clock(entry)),
        Ended::Cancelled => return Err(Halt::Cancelled),
    };
    Ok(Done {
        outcome,
        result: redacted(result, redactor),
        fixes,
    })
}

fn no_clock(entry: &Entry) -> Halt {
    let name = &entry.name;
    Halt::Misconfigured(format!(
        "Tool '{name}' has a deadline and there is no clock to hold it"
    ))
}

/// The result with every secret of the call taken out.
fn redacted(result: ToolResult, redactor: Option<&Redactor>) -> ToolResult {
    let Some(redactor) = redactor else {
        return result;
    };
    result.without_values().map_text(
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
