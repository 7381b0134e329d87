//! The steps of a call, from top to bottom: read, precheck, approve, resolve secrets, run, shape the
//! reply. Nothing jumps a step.

use std::time::Instant;

use super::{
    approve::{Approved, Said, approve},
    bounded::{Bounded, Ended, no_clock},
    claim::{Start, needs_claim, not_known, settle, start},
    entry::Entry,
    layer::{LayerCall, Next},
    outcome::{Ending, Passed, redact_halt, redact_result},
    reading::CHANGES,
    secrets,
    shown::Shown,
};
use crate::{
    adapter::Outcome,
    crash::{BoxFuture, caught},
    secret::Redactor,
    tool::{Halt, Prepared, RunState, ToolContext, ToolResult, seconds},
};

pub(super) async fn run_steps(
    entry: &Entry,
    arguments: &str,
    said: Option<Said<'_>>,
    cx: &ToolContext,
) -> Result<Ending, Halt> {
    if cx.is_cancelled() {
        return Err(Halt::Cancelled);
    }
    let mut settles = None;
    let approved = match approve(entry, arguments, said, &mut settles, cx).await? {
        Ok(approved) => approved,
        Err(ending) => {
            return match settles {
                Some(key) => Box::pin(settle(entry, key, ending, cx)).await,
                None => Ok(ending),
            };
        }
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
    let (edited, is_stored) = (approved.edited.take(), approved.is_stored);
    let ready = if approved.read.secrets.is_empty() {
        let state = RunState::new(approved.decision, None, approved.key);
        (approved.read.prepared, approved.shown, state, None)
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
    let Some(store) = needs_claim(entry, is_stored, &state, cx) else {
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
    let arguments = approved.read.arguments.clone();
    let fixes = approved.read.prepared.fixes.clone();
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
        Ended::NoClock => return Err(no_clock(&entry.name)),
        Ended::Cancelled => return Err(Halt::Cancelled),
    };
    Ok(Ending { fixes, ..ending })
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
    let mut seen = approved.read.prepared;
    let fixes = std::mem::take(&mut seen.fixes);
    let mut shown = approved.shown;
    if let Some(shown) = &mut shown {
        shown.keep(seen);
    }
    let resolve = Box::pin(secrets::resolve(
        entry,
        &approved.read.arguments,
        approved.read.secrets,
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
        Ended::NoClock => return Err(no_clock(&entry.name)),
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
        Ended::NoClock => return Err(no_clock(&entry.name)),
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
