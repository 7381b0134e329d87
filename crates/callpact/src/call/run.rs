//! Runs a claimed call: its tool, here or through a worker.

use std::sync::Arc;

use super::{
    bounded::{BoundedWork, WorkEnd},
    claim::{OpenClaim, not_known},
    claimed::ClaimedCall,
    finished::{EarlyEnd, FinishedCall, redact_halt, redact_result},
    found::FoundCall,
    masks,
    time_limit::TimeLimit,
};
use crate::{
    adapter::Outcome,
    tool::{OwnPreview, ParsedInput, RunState, ToolResult},
};

impl<'a> ClaimedCall<'a> {
    /// Runs the tool, if the call still does what a person saw, and records the end of a claimed call.
    #[inline]
    pub(super) async fn run(self, open: Option<&OpenClaim<'a>>) -> Result<FinishedCall, EarlyEnd> {
        if self.claim.is_none() && self.shown.is_none() && self.edited.is_none() {
            let found = self.found;
            let arguments = &found.call.arguments;
            return run_tool(found, arguments, self.input, self.time, self.state).await;
        }
        Box::pin(self.run_as_shown(open)).await
    }

    async fn run_as_shown(self, open: Option<&OpenClaim<'a>>) -> Result<FinishedCall, EarlyEnd> {
        let found = self.found;
        let Self {
            input,
            time,
            state,
            claim,
            shown,
            edited,
            ..
        } = self;
        let arguments = edited.as_deref().unwrap_or(&found.call.arguments);
        // Only after the claim, since a call that ran before has changed things itself.
        let changed = shown.and_then(|shown| shown.check(found.entry, &input));
        let ended = match (changed, &claim) {
            // The earlier try may have made the change.
            (Some(_), Some(claim)) if claim.again => Ok(not_known(found.entry)),
            (Some(finished), _) => Ok(finished),
            (None, None) => run_tool(found, arguments, input, time, state).await,
            (None, Some(claim)) => {
                let work = run_tool(found, arguments, input, time, state);
                claim.while_running(open, work).await
            }
        };
        let ended = ended.map(|mut finished| {
            finished.note_edit(edited);
            finished
        });
        if let Some(claim) = claim {
            claim.finish(found.entry, ended.as_ref().ok()).await;
        }
        ended
    }
}

/// The preview of a call whose tool asks in its own words.
fn own_preview(found: FoundCall<'_>, arguments: &str) -> Arc<OwnPreview> {
    let (tool, arguments) = (Arc::clone(&found.entry.tool), arguments.to_owned());
    let policy = *found.cx.policy();
    let redactor = masks::redactor(tool.parameters().tree(), &arguments);
    Arc::new(move || {
        let preview = tool.preview(&tool.prepare(&arguments, &policy).ok()?)?;
        Some(preview.redacted(&redactor))
    })
}

/// Runs the tool and redacts its result.
async fn run_tool(
    found: FoundCall<'_>,
    arguments: &str,
    mut input: ParsedInput,
    time: Option<TimeLimit>,
    mut state: Option<Box<RunState>>,
) -> Result<FinishedCall, EarlyEnd> {
    let FoundCall { entry, cx, .. } = found;
    let name = &entry.name;
    let edit = entry.asks_itself().then(|| {
        let state = state.get_or_insert_default();
        if !state.has_decision() {
            state.set_preview(own_preview(found, arguments));
        }
        state.watch_edits()
    });
    let redactor = state.as_ref().and_then(|state| state.redactor());
    let redactor = redactor.as_ref();
    let fixes = input.take_fixes();
    let deadline = TimeLimit::deadline(time);
    let of_run;
    let cx = if state.is_none() && time.is_none() {
        cx
    } else {
        of_run = cx.for_run(*state.unwrap_or_default(), deadline);
        &of_run
    };
    let work = entry.tool.run_boxed(input, cx);
    let watch = cx.watch();
    if let Some(watch) = watch {
        watch.runs(true);
    }
    let ended = BoundedWork::new(work, deadline, cx).await;
    if let Some(watch) = watch {
        watch.runs(false);
    }
    let (outcome, result) = match ended? {
        WorkEnd::Done(result) => {
            if let Some(halt) = result.halted() {
                return Err(redact_halt(halt, redactor).into());
            }
            (result.outcome(), result.ran())
        }
        WorkEnd::Crashed => {
            let text = format!("Tool '{name}' crashed; what it was doing may be half done");
            (Outcome::Crash, ToolResult::failure(text))
        }
        WorkEnd::TimedOut => (Outcome::TimedOut, TimeLimit::describe_stop(time, entry)),
    };
    let mut finished = FinishedCall::new(outcome, redact_result(result, redactor));
    finished.fixes = fixes;
    finished.note_edit(edit.and_then(|edit| edit.take()));
    Ok(finished)
}
