//! The steps of a call, from top to bottom: read, precheck, approve, resolve secrets, run, shape the
//! reply. Nothing jumps a step.

use std::{borrow::Cow, sync::Arc, time::Instant};

use serde_json::Value;

use super::{
    approve::{Gate, Need, apply_decision, ask, need, open_gate},
    bounded::{Bounded, Ended},
    claim::{Start, needs_claim, not_known, start},
    entry::Entry,
    key::make_key,
    layer::{LayerCall, Next},
    once::Resuming,
    outcome::{Ending, Passed, redact_halt, redact_result},
    proposal::Proposal,
    secrets,
    shown::Shown,
};
use crate::{
    adapter::Outcome,
    crash::{BoxFuture, caught},
    input::{Fix, FixKind, repair::clean_text},
    review::ReviewDecision,
    schema::cut,
    secret::{Redactor, SecretRef},
    tool::{Halt, Prepared, RunState, ToolContext, ToolResult, seconds},
};

pub(super) async fn run_steps(
    entry: &Entry,
    arguments: &str,
    decision: Option<Resuming<'_>>,
    cx: &ToolContext,
) -> Result<Ending, Halt> {
    if cx.is_cancelled() {
        return Err(Halt::Cancelled);
    }
    let approved = match approve(entry, arguments, decision, cx).await? {
        Ok(approved) => approved,
        Err(ending) => return Ok(ending),
    };
    // The time that a person took to decide does not count as the tool's time.
    let started = Instant::now();
    let of_tool = entry
        .timeout
        .and_then(|timeout| started.checked_add(timeout));
    let deadline = match (cx.deadline_from(started), of_tool) {
        (Some(of_call), Some(of_tool)) => Some(of_call.min(of_tool)),
        (of_call, of_tool) => of_call.or(of_tool),
    };
    if deadline.is_some_and(|deadline| deadline <= started) {
        let reason = "the time was up";
        return Ok(Ending::not_run(entry, Outcome::TimedOut, reason));
    }
    let time = Time { started, deadline };
    if entry.layers.is_empty() {
        run_approved(entry, approved, time, cx).await
    } else {
        Box::pin(run_layers(entry, approved, time, cx)).await
    }
}

/// Puts the secrets in, claims the call, looks whether it is still what was shown, runs the tool and redacts its
/// result.
async fn run_approved(
    entry: &Entry,
    mut approved: Approved<'_>,
    time: Time,
    cx: &ToolContext,
) -> Result<Ending, Halt> {
    let edited = approved.edited.take();
    let ready = if approved.secrets.is_empty() {
        let state = RunState::new(approved.decision, None, approved.key);
        (approved.prepared, approved.shown, state, None)
    } else {
        match Box::pin(put_secrets(entry, approved, time, cx)).await? {
            Ok(ready) => ready,
            Err(mut ending) => {
                ending.note_edit(edited);
                return Ok(ending);
            }
        }
    };
    let (prepared, shown, mut state, redactor) = ready;
    let redactor = redactor.as_ref();
    let edited = edited.map(|text| match redactor {
        Some(redactor) => redactor.redact(&text).into(),
        None => text,
    });
    let changed = |prepared: &Prepared| shown?.check(entry, prepared);
    let Some(store) = needs_claim(entry, &state, cx) else {
        let mut ended = match changed(&prepared) {
            Some(ending) => Ok(ending),
            None => run_tool(entry, prepared, time, state, redactor, cx).await,
        };
        if let Ok(ending) = &mut ended {
            ending.note_edit(edited);
        }
        return ended;
    };
    // In a place of its own, like all that few calls come by: every call moves the room for the rest.
    let claimed = async move {
        let held = match start(entry, &mut state, store, cx).await? {
            Start::Known(ending) => return Ok(*ending),
            Start::Held(held) => held,
        };
        // Only now: a call that ran already has changed things itself.
        let changed = changed(&prepared);
        let mut ended = match changed {
            // The try before this one may be what changed it.
            Some(_) if held.again => Ok(not_known(entry)),
            Some(ending) => Ok(ending),
            None => {
                let work = run_tool(entry, prepared, time, state, redactor, cx);
                held.while_running(work).await
            }
        };
        if let Ok(ending) = &mut ended {
            ending.note_edit(edited);
        }
        held.finish(entry, ended.as_ref().ok()).await;
        ended
    };
    Box::pin(claimed).await
}

/// Runs the call inside of the layers of its list.
async fn run_layers(
    entry: &Entry,
    approved: Approved<'_>,
    time: Time,
    cx: &ToolContext,
) -> Result<Ending, Halt> {
    let arguments = approved.arguments.clone();
    let fixes = approved.prepared.fixes.clone();
    let call = LayerCall {
        name: &entry.name,
        arguments: &arguments,
        permission: entry.tool.permission(),
        cx,
    };
    let passed = Passed::default();
    let mut work: BoxFuture<'_, Result<ToolResult, Halt>> = Box::pin(async {
        let ending = run_approved(entry, approved, time, cx).await?;
        Ok(passed.set(ending))
    });
    for layer in &entry.layers {
        let next = Next(work);
        // Inside the future, so that a panic in the call itself is caught where it is polled.
        work = Box::pin(async { layer.around(&call, next).await });
    }
    let name = &entry.name;
    let half = "what it was doing may be half done";
    let ending = match Bounded::new(work, time.deadline, cx.cancellation()).await {
        Ended::Done(result) => {
            let result = result?;
            if let Some(halt) = result.halted() {
                return Err(halt.clone());
            }
            passed.end(result)
        }
        Ended::Crashed => {
            let text = format!("The code around tool '{name}' crashed; {half}");
            Ending::refused(Outcome::Crash, text)
        }
        Ended::TimedOut => Ending::new(Outcome::TimedOut, timed_out(entry, time)),
        Ended::NoClock => return Err(no_clock(entry)),
        Ended::Cancelled => return Err(Halt::Cancelled),
    };
    Ok(Ending { fixes, ..ending })
}

/// What a decision about a call means for the arguments, and for the tool that asks about it in its own words. The
/// person saw the arguments, so an edit is of those.
fn split(decision: ReviewDecision) -> (Gate, ReviewDecision) {
    match decision {
        ReviewDecision::Edit(arguments) => (Gate::Edited(arguments), ReviewDecision::Continue),
        answer => (Gate::Open, answer),
    }
}

/// A call that may run.
struct Approved<'a> {
    arguments: Cow<'a, str>,
    prepared: Prepared,
    /// What a person saw of the call, if a person decided about it.
    shown: Option<Box<Shown>>,
    /// What a person wrote in place of the arguments, without the secrets of a call around this one.
    edited: Option<Box<str>>,
    /// The secrets that the arguments ask for.
    secrets: Vec<SecretRef>,
    /// A decision for the tool, which asks in its own words.
    decision: Option<ReviewDecision>,
    /// The key under which the call runs once.
    key: Option<Arc<str>>,
}

/// Reads the arguments, and asks about the call where that is needed. An edit by the reviewer is read
/// and checked like arguments of the model.
async fn approve<'a>(
    entry: &Entry,
    arguments: &'a str,
    mut decision: Option<Resuming<'_>>,
    cx: &ToolContext,
) -> Result<Result<Approved<'a>, Ending>, Halt> {
    let mut arguments = Cow::Borrowed(arguments);
    let (mut prepared, mut secrets) = match read(entry, &mut arguments, cx) {
        Ok(read) => read,
        Err(ending) => return Ok(Err(ending)),
    };
    let stored = decision.as_ref().and_then(Resuming::key).cloned();
    let made = || caught(|| make_key(entry, &arguments, &prepared, cx));
    let Some(key) = stored.map(Some).map_or_else(made, Some) else {
        let reason = "it crashed while it read its arguments";
        return Ok(Err(Ending::not_run(entry, Outcome::Crash, reason)));
    };
    let mut for_tool = None;
    let mut shown = decision
        .as_ref()
        .map(|it| Box::new(Shown::new(it.preview())));
    let gate = match (need(entry, cx), decision.take()) {
        (Need::Denied(reason), _) => Gate::Closed(reason),
        (_, Some(decision)) if entry.asks_itself() => {
            let (gate, answer) = split(decision.take(&entry.name)?);
            for_tool = Some(answer);
            gate
        }
        (Need::Yes(role), Some(decision)) => apply_decision(entry, decision, role, cx)?,
        (Need::No, Some(decision)) => apply_decision(entry, decision, None, cx)?,
        (Need::No, None) => Gate::Open,
        (Need::Yes(role), None) => {
            let made: Option<Result<_, Box<Ending>>> = caught(|| {
                let whole = with_all_changes(entry, &arguments, &prepared, cx)?;
                let prepared = whole.as_ref().unwrap_or(&prepared);
                Ok(Proposal::new(entry, &arguments, prepared, cx))
            });
            let made = match made {
                Some(Ok(made)) => made,
                Some(Err(ending)) => return Ok(Err(*ending)),
                None => {
                    let reason = "it crashed while it made its preview";
                    return Ok(Err(Ending::not_run(entry, Outcome::Crash, reason)));
                }
            };
            let asked = Box::pin(ask_about(entry, made, role, key.as_deref(), cx)).await?;
            let Decided {
                decision,
                preview,
                canonical,
            } = match asked {
                Ok(asked) => asked,
                Err(ending) => return Ok(Err(ending)),
            };
            shown = Some(Box::new(Shown::new(preview)));
            if let Some((text, canonical)) = canonical {
                // The reviewer saw these arguments, so these run.
                arguments = Cow::Owned(text);
                prepared = canonical.with_fixes(prepared.fixes);
            }
            if entry.asks_itself() {
                // The decision was in a store. It answers the question of the tool.
                let (gate, answer) = split(decision);
                for_tool = Some(answer);
                gate
            } else {
                open_gate(&entry.name, decision)?
            }
        }
    };
    let mut told = None;
    match gate {
        Gate::Open => {}
        Gate::Closed(reason) => return Ok(Err(Ending::refused(Outcome::Refused, reason))),
        Gate::Edited(edited) => {
            let shown_edit: Box<str> = cx.without_secrets(&edited).into();
            if cx.captures_content() {
                let name = &entry.name;
                tracing::debug!(target: "toolwright", arguments = %shown_edit, "{name}: edited by the reviewer");
            }
            told = Some(shown_edit);
            arguments = Cow::Owned(edited);
            let (edited, asked_for) = match read(entry, &mut arguments, cx) {
                Ok(read) => read,
                Err(mut ending) => {
                    ending.note_edit(told);
                    return Ok(Err(ending));
                }
            };
            let seen = std::mem::replace(&mut prepared, edited);
            secrets = asked_for;
            if let Some(shown) = &mut shown {
                shown.keep(seen);
            }
        }
    }
    Ok(Ok(Approved {
        arguments,
        prepared,
        shown,
        edited: told,
        secrets,
        decision: for_tool,
        key,
    }))
}

/// A decision, and what it is about.
struct Decided {
    decision: ReviewDecision,
    preview: Option<String>,
    /// The arguments that the reviewer saw, where these are others than were given.
    canonical: Option<(String, Prepared)>,
}

/// Asks about a call until the time of the call is up.
async fn ask_about(
    entry: &Entry,
    (proposal, canonical): (Proposal, Option<Prepared>),
    role: Option<&str>,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<Result<Decided, Ending>, Halt> {
    let asking = Box::pin(ask(entry, &proposal, role, key, cx));
    let (decision, preview) =
        match Bounded::new(asking, cx.fixed_deadline(), cx.cancellation()).await {
            Ended::Done(decision) => decision?,
            Ended::Crashed => {
                let text = format!("the reviewer of '{}' crashed", entry.name);
                return Err(Halt::ReviewFailed(text));
            }
            Ended::TimedOut => {
                let reason = "the time was up before it was approved";
                return Ok(Err(Ending::not_run(entry, Outcome::TimedOut, reason)));
            }
            Ended::Cancelled => return Err(Halt::Cancelled),
            Ended::NoClock => return Err(no_clock(entry)),
        };
    let canonical = canonical.map(|canonical| (proposal.arguments, canonical));
    Ok(Ok(Decided {
        decision,
        preview,
        canonical,
    }))
}

/// Reads the arguments, finds their placeholders, and lets the tool check them.
#[allow(clippy::result_large_err)] // a call that ends here has its reply in it
pub(super) fn read(
    entry: &Entry,
    arguments: &mut Cow<'_, str>,
    cx: &ToolContext,
) -> Result<(Prepared, Vec<SecretRef>), Ending> {
    let read = caught(|| {
        let prepared = entry
            .tool
            .prepare(arguments, cx.policy())
            .map_err(|report| Ending::invalid(entry, report))?;
        // From here on the mended text counts: a reviewer decides about it, and secrets are looked for
        // in it.
        let tells_all = tells_all(&prepared, cx);
        let whole = if tells_all || !secrets::may_be_named(arguments) {
            None
        } else {
            with_all_changes(entry, arguments, &prepared, cx).map_err(|ending| *ending)?
        };
        let mut changes: Vec<&Fix> = whole.as_ref().unwrap_or(&prepared).changes().collect();
        let escaped = |fix: &Fix| fix.kind == FixKind::DoubleEncoded && fix.path.is_root();
        let of_text = |fix: &Fix| fix.kind.is_textual() || escaped(fix);
        if (prepared.fixes.iter().any(of_text) || !tells_all)
            && let Some(clean) = clean_text(arguments, cx.policy())
        {
            // An object whose quotes were escaped stands in no string any more.
            if clean.starts_with('{') {
                changes.retain(|fix| !escaped(fix));
            }
            *arguments = Cow::Owned(clean);
        }
        if let Some(other) = names_another_tool(&prepared.fixes, arguments, &entry.name) {
            let reason = format!(
                "the arguments name the tool '{other}', and the call is of '{}'; \
                 call the one that is meant, with its parameters alone",
                entry.name
            );
            return Err(Ending::refused(Outcome::InvalidArguments, reason));
        }
        let secrets = secrets::find_references(entry, arguments, &changes)
            .map_err(|error| Ending::refused(Outcome::InvalidArguments, error.to_string()))?;
        entry
            .tool
            .check(&prepared)
            .map_err(|reason| Ending::refused(Outcome::Refused, reason))?;
        Ok((prepared, secrets))
    });
    read.unwrap_or_else(|| {
        let reason = "it crashed while it read its arguments";
        Err(Ending::not_run(entry, Outcome::Crash, reason))
    })
}

/// The most changes that are looked through for a reviewer and for secrets.
const CHANGES: usize = 500;

/// Whether a reading tells all that it changed. A model could send a million unknown keys, so the reader tells as many
/// changes as issues, and of the unknown keys of one object half as many.
fn tells_all(prepared: &Prepared, cx: &ToolContext) -> bool {
    prepared.changes().count() < cx.policy().max_issues() / 2
}

/// Reads arguments again, with all changes, where the first reading may not tell all. Nobody may decide about changes
/// that are not shown, and a secret must not get past one that is not known.
fn with_all_changes(
    entry: &Entry,
    arguments: &str,
    prepared: &Prepared,
    cx: &ToolContext,
) -> Result<Option<Prepared>, Box<Ending>> {
    if tells_all(prepared, cx) {
        return Ok(None);
    }
    let policy = cx.policy().with_max_issues(2 * CHANGES);
    let mut whole = entry
        .tool
        .prepare(arguments, &policy)
        .map_err(|report| Box::new(Ending::invalid(entry, report)))?;
    if whole.changes().count() >= CHANGES {
        let reason =
            "its arguments need too many changes to be looked at. Write them as the parameters say";
        let ending = Ending::not_run(entry, Outcome::InvalidArguments, reason);
        return Err(Box::new(ending));
    }
    // What was mended in the text is mended in these arguments.
    let of_text = prepared.fixes.iter().filter(|fix| fix.kind.is_textual());
    whole.fixes.splice(0..0, of_text.cloned());
    Ok(Some(whole))
}

/// The name of another tool beside arguments that were wrapped in one more object:
/// `{"name": "other", "arguments": {…}}`. To run this tool with them would be a guess.
fn names_another_tool(fixes: &[Fix], arguments: &str, tool: &str) -> Option<String> {
    if !fixes.iter().any(|fix| fix.kind == FixKind::Wrapped) {
        return None;
    }
    let whole: Value = serde_json::from_str(arguments).ok()?;
    let named = whole
        .get("name")
        .or_else(|| whole.pointer("/function/name"));
    let named = named?.as_str()?;
    (named != tool).then(|| cut(named, 64))
}

/// When the work began and when it must have ended.
#[derive(Clone, Copy)]
struct Time {
    started: Instant,
    deadline: Option<Instant>,
}

/// What a tool runs with: its input and what was shown of it, the state of the run, and what removes the secrets from
/// the result.
type Ready = (Prepared, Option<Box<Shown>>, RunState, Option<Redactor>);

/// Puts the secrets into the arguments, and reads them again.
async fn put_secrets(
    entry: &Entry,
    approved: Approved<'_>,
    time: Time,
    cx: &ToolContext,
) -> Result<Result<Ready, Ending>, Halt> {
    // The fixes of the first reading, which saw placeholders. Those of the second could tell something
    // about a value.
    let mut seen = approved.prepared;
    let fixes = std::mem::take(&mut seen.fixes);
    let mut shown = approved.shown;
    if let Some(shown) = &mut shown {
        shown.keep(seen);
    }
    let resolve = Box::pin(secrets::resolve(
        entry,
        &approved.arguments,
        approved.secrets,
        cx,
    ));
    let (text, values) = match Bounded::new(resolve, time.deadline, cx.cancellation()).await {
        Ended::Done(Ok(resolved)) => resolved,
        Ended::Done(Err(error)) => {
            return Ok(Err(Ending::refused(Outcome::Refused, error.to_string())));
        }
        Ended::Crashed => {
            let reason = "looking up its secrets crashed";
            return Ok(Err(Ending::not_run(entry, Outcome::Crash, reason)));
        }
        Ended::TimedOut => {
            let reason = "the time was up before its secrets were there";
            return Ok(Err(Ending::not_run(entry, Outcome::TimedOut, reason)));
        }
        Ended::Cancelled => return Err(Halt::Cancelled),
        Ended::NoClock => return Err(no_clock(entry)),
    };
    let redactor = values.redactor();
    let policy = cx.policy().with_max_issues(2 * CHANGES);
    match caught(|| entry.tool.prepare(text.expose(), &policy)) {
        // The reviewer saw one value here. The value of a secret must not make several of it.
        Some(Ok(read))
            if read.changes().any(secrets::takes_apart) || read.changes().count() >= CHANGES =>
        {
            let reason = "the value of a secret reads as JSON where it stands";
            Ok(Err(Ending::not_run(entry, Outcome::Refused, reason)))
        }
        Some(Ok(mut prepared)) => {
            prepared.fixes = fixes;
            let state = RunState::new(approved.decision, Some(&values), approved.key);
            Ok(Ok((prepared, shown, state, Some(redactor))))
        }
        Some(Err(report)) => {
            let result = redact_result(ToolResult::invalid(report), Some(&redactor));
            let ending = Ending::new(Outcome::InvalidArguments, result);
            Ok(Err(Ending { fixes, ..ending }))
        }
        None => {
            let reason = "it crashed while it read its arguments";
            Ok(Err(Ending::not_run(entry, Outcome::Crash, reason)))
        }
    }
}

/// Runs the tool and redacts its result.
async fn run_tool(
    entry: &Entry,
    mut prepared: Prepared,
    time: Time,
    mut state: RunState,
    redactor: Option<&Redactor>,
    cx: &ToolContext,
) -> Result<Ending, Halt> {
    let name = &entry.name;
    let edit = entry.asks_itself().then(|| state.watch_edits());
    let fixes = std::mem::take(&mut prepared.fixes);
    let of_run;
    let cx = if state.is_empty() && time.deadline.is_none() {
        cx
    } else {
        of_run = cx.for_run(state, time.deadline);
        &of_run
    };
    let work = entry.tool.run(prepared, cx);
    let half = "what it was doing may be half done";
    let (outcome, result) = match Bounded::new(work, time.deadline, cx.cancellation()).await {
        Ended::Done(result) => {
            if let Some(halt) = result.halted() {
                return Err(redact_halt(halt, redactor));
            }
            (result.outcome(), result.ran())
        }
        Ended::Crashed => {
            let text = format!("Tool '{name}' crashed; {half}");
            (Outcome::Crash, ToolResult::failure(text))
        }
        Ended::TimedOut => (Outcome::TimedOut, timed_out(entry, time)),
        Ended::NoClock => return Err(no_clock(entry)),
        Ended::Cancelled => return Err(Halt::Cancelled),
    };
    Ok(Ending {
        outcome,
        result: redact_result(result, redactor),
        fixes,
        edited: edit.and_then(|edit| edit.take()),
        replayed: false,
        runs_elsewhere: false,
    })
}

fn timed_out(entry: &Entry, time: Time) -> ToolResult {
    let given = time
        .deadline
        .map(|end| end.saturating_duration_since(time.started));
    let given = seconds(given.unwrap_or_default());
    ToolResult::failure(format!(
        "Tool '{}' was stopped after {given}; what it was doing may be half done",
        entry.name
    ))
}

fn no_clock(entry: &Entry) -> Halt {
    let name = &entry.name;
    Halt::Misconfigured(format!(
        "Tool '{name}' has a deadline and there is no clock to hold it"
    ))
}
