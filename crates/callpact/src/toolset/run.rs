//! Runs an approved call: its secrets, its claim, its layers and its tool.

use std::{sync::Arc, time::Instant};

use super::{
    approve::Approved,
    bounded::{Bounded, Ended, no_clock},
    claim::{OpenClaim, needs_claim, not_known, start},
    entry::Entry,
    layer::{LayerCall, Next},
    outcome::{Ending, Passed, Stop, redact_halt, redact_result},
    reading::{CHANGES, Reading},
    secrets,
};
use crate::{
    adapter::Outcome,
    crash::{BoxFuture, caught},
    secret::ResolvedSecrets,
    tool::{Halt, Prepared, RunState, ToolContext, ToolResult, seconds},
};

/// When the work started and when it must end.
#[derive(Clone, Copy)]
pub(super) struct Time {
    started: Instant,
    deadline: Instant,
}

impl Time {
    /// The time of a run that starts now, if it has a limit.
    #[inline]
    pub(super) fn limit(entry: &Entry, cx: &ToolContext) -> Result<Option<Self>, Box<Ending>> {
        if entry.timeout.is_none() && !cx.has_deadline() {
            return Ok(None);
        }
        let started = Instant::now();
        let of_tool = entry
            .timeout
            .and_then(|timeout| started.checked_add(timeout));
        let of_call = cx.deadline_from(started);
        let Some(deadline) = of_call.into_iter().chain(of_tool).min() else {
            return Ok(None);
        };
        if deadline <= started {
            let reason = "the time was up";
            return Err(Ending::not_run(entry, Outcome::TimedOut, reason).into());
        }
        Ok(Some(Self { started, deadline }))
    }
}

#[inline]
fn deadline(time: Option<Time>) -> Option<Instant> {
    time.map(|time| time.deadline)
}

/// Runs the call inside the layers of its list.
pub(super) async fn run_layers(
    entry: &Entry,
    mut approved: Approved<'_>,
    time: Option<Time>,
    cx: &ToolContext,
) -> Result<Ending, Stop> {
    let arguments = approved.read.arguments.clone();
    let fixes = approved.read.prepared.take_fixes();
    let call = LayerCall {
        name: &entry.name,
        arguments: &arguments,
        permission: entry.tool.permission(),
        cx,
    };
    let passed = Passed::default();
    let open = OpenClaim::default();
    let mut work: BoxFuture<'_, Result<ToolResult, Halt>> = Box::pin(async {
        let ended = run_approved(entry, approved, time, Some(&open), cx).await;
        Ok(passed.set(Stop::end(ended)?))
    });
    for layer in &entry.layers {
        let next = Next(work);
        // Inside the future, so that a panic in the call itself is caught where it is polled.
        work = Box::pin(async { layer.around(&call, next).await });
    }
    let ended = Bounded::new(work, deadline(time), cx.cancellation()).await;
    let is_late = matches!(ended, Ended::TimedOut);
    let ended = end_layers(ended, passed, entry, time);
    // Only the end of its time says how a run ended that was stopped.
    let ending = ended.as_ref().ok().filter(|_| is_late);
    open.close(entry, ending).await;
    Ok(Ending { fixes, ..ended? })
}

/// The end of a call whose layers ended so.
fn end_layers(
    ended: Ended<Result<ToolResult, Halt>>,
    passed: Passed,
    entry: &Entry,
    time: Option<Time>,
) -> Result<Ending, Stop> {
    let name = &entry.name;
    match ended {
        Ended::Done(result) => {
            let result = result?;
            if let Some(halt) = result.halted() {
                return Err(halt.clone().into());
            }
            Ok(passed.end(result))
        }
        Ended::Crashed => {
            let text = format!(
                "The code around tool '{name}' crashed; what it was doing may be half done"
            );
            Ok(Ending::refused(Outcome::Crash, text))
        }
        Ended::TimedOut => Ok(Ending::new(Outcome::TimedOut, timed_out(entry, time))),
        Ended::NoClock => Err(no_clock(name).into()),
        Ended::Cancelled => Err(Halt::Cancelled.into()),
    }
}

/// Puts the secrets in, claims the call, checks that it still matches what was shown, and runs the tool.
pub(super) async fn run_approved<'a>(
    entry: &Entry,
    approved: Approved<'_>,
    time: Option<Time>,
    open: Option<&OpenClaim<'a>>,
    cx: &'a ToolContext,
) -> Result<Ending, Stop> {
    let (mut read, mut terms) = approved.into_parts();
    let mut edited = terms.edited.take();
    let secrets = if read.secrets.is_empty() {
        None
    } else {
        match put_secrets(entry, &mut read, time, cx).await {
            Ok((seen, secrets)) => {
                if let Some(shown) = &mut terms.shown {
                    shown.keep(seen);
                }
                Some(secrets)
            }
            Err(mut stop) => {
                stop.note_edit(edited);
                return Err(stop);
            }
        }
    };
    let redactor = secrets.as_ref().map(|secrets| secrets.redactor());
    if let Some(redactor) = &redactor {
        edited = edited.map(|text| redactor.redact(&text).into());
    }
    let mut state = Box::new(RunState::new(terms.decision, secrets.as_ref(), terms.key));
    let prepared = read.prepared;
    let shown = terms.shown;
    let changed = move |prepared: &Prepared| shown?.check(entry, prepared);
    let Some(store) = needs_claim(entry, terms.is_stored, &state, cx) else {
        let mut ended = match changed(&prepared) {
            Some(ending) => Ok(ending),
            None => run_tool(entry, prepared, time, Some(state), cx).await,
        };
        if let Ok(ending) = &mut ended {
            ending.note_edit(edited);
        }
        return ended;
    };
    let held = start(entry, &mut state, store, cx).await?;
    // Only now, since a call that ran before has changed things itself.
    let changed = changed(&prepared);
    let mut ended = match changed {
        // The earlier try may have made the change.
        Some(_) if held.again => Ok(not_known(entry)),
        Some(ending) => Ok(ending),
        None => {
            let work = run_tool(entry, prepared, time, Some(state), cx);
            held.while_running(open, work).await
        }
    };
    if let Ok(ending) = &mut ended {
        ending.note_edit(edited);
    }
    held.finish(entry, ended.as_ref().ok()).await;
    ended
}

/// Puts the secrets into the arguments, and reads them again. Gives the input that was read from placeholders, and the
/// secrets.
async fn put_secrets(
    entry: &Entry,
    read: &mut Reading<'_>,
    time: Option<Time>,
    cx: &ToolContext,
) -> Result<(Prepared, Arc<ResolvedSecrets>), Stop> {
    let named = std::mem::take(&mut read.secrets);
    let resolve = Box::pin(secrets::resolve(entry, &read.arguments, named, cx));
    let not_run = |outcome, reason: &str| Err(Stop::from(Ending::not_run(entry, outcome, reason)));
    let (text, values) = match Bounded::new(resolve, deadline(time), cx.cancellation()).await {
        Ended::Done(Ok(resolved)) => resolved,
        Ended::Done(Err(error)) => {
            return Err(Ending::refused(Outcome::Refused, error.to_string()).into());
        }
        Ended::Crashed => return not_run(Outcome::Crash, "looking up its secrets crashed"),
        Ended::TimedOut => {
            return not_run(
                Outcome::TimedOut,
                "the time was up before its secrets were there",
            );
        }
        Ended::Cancelled => return Err(Halt::Cancelled.into()),
        Ended::NoClock => return Err(no_clock(&entry.name).into()),
    };
    let policy = cx.policy().with_max_issues(2 * CHANGES);
    match caught(|| entry.tool.prepare(text.expose(), &policy)) {
        // The reviewer saw one value here. A secret must not turn it into several values.
        Some(Ok(again))
            if again.changes.iter().any(secrets::takes_apart) || again.changes.len() >= CHANGES =>
        {
            let reason = "the value of a secret reads as JSON where it stands";
            not_run(Outcome::Refused, reason)
        }
        Some(Ok(mut prepared)) => {
            // The changes of the first reading, which saw placeholders. Those of the second could reveal a part
            // of a value.
            prepared.changes = std::mem::take(&mut read.prepared.changes);
            let seen = std::mem::replace(&mut read.prepared, prepared);
            Ok((seen, values))
        }
        Some(Err(report)) => {
            let result = redact_result(ToolResult::invalid(report), Some(&values.redactor()));
            let mut ending = Ending::new(Outcome::InvalidArguments, result);
            ending.fixes = read.prepared.take_fixes();
            Err(ending.into())
        }
        None => not_run(Outcome::Crash, "it crashed while it read its arguments"),
    }
}

/// Runs the tool and redacts its result.
pub(super) async fn run_tool(
    entry: &Entry,
    mut prepared: Prepared,
    time: Option<Time>,
    mut state: Option<Box<RunState>>,
    cx: &ToolContext,
) -> Result<Ending, Stop> {
    let name = &entry.name;
    let edit = entry
        .asks_itself()
        .then(|| state.get_or_insert_default().watch_edits());
    let redactor = state.as_ref().and_then(|state| state.redactor());
    let redactor = redactor.as_ref();
    let fixes = prepared.take_fixes();
    let of_run;
    let cx = if state.is_none() && time.is_none() {
        cx
    } else {
        of_run = cx.for_run(*state.unwrap_or_default(), deadline(time));
        &of_run
    };
    let work = entry.tool.run(prepared, cx);
    let half = "what it was doing may be half done";
    let (outcome, result) = match Bounded::new(work, deadline(time), cx.cancellation()).await {
        Ended::Done(result) => {
            if let Some(halt) = result.halted() {
                return Err(redact_halt(halt, redactor).into());
            }
            (result.outcome(), result.ran())
        }
        Ended::Crashed => {
            let text = format!("Tool '{name}' crashed; {half}");
            (Outcome::Crash, ToolResult::failure(text))
        }
        Ended::TimedOut => (Outcome::TimedOut, timed_out(entry, time)),
        Ended::NoClock => return Err(no_clock(&entry.name).into()),
        Ended::Cancelled => return Err(Halt::Cancelled.into()),
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

fn timed_out(entry: &Entry, time: Option<Time>) -> ToolResult {
    let given = time.map(|time| time.deadline.saturating_duration_since(time.started));
    let given = seconds(given.unwrap_or_default());
    ToolResult::failure(format!(
        "Tool '{}' was stopped after {given}; what it was doing may be half done",
        entry.name
    ))
}
