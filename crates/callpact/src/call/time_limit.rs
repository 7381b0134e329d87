//! When a run must end.

use std::time::Instant;

use super::finished::FinishedCall;
use crate::{
    adapter::Outcome,
    tool::{ToolContext, ToolResult, seconds},
    toolset::ToolEntry,
};

/// When the work of a call started and when it must end.
#[derive(Clone, Copy)]
pub(super) struct TimeLimit {
    started: Instant,
    deadline: Instant,
}

impl TimeLimit {
    /// The limit of a run that starts now, if it has one.
    #[inline]
    pub(super) fn of_call(
        entry: &ToolEntry,
        cx: &ToolContext,
    ) -> Result<Option<Self>, Box<FinishedCall>> {
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
            return Err(FinishedCall::not_run(entry, Outcome::TimedOut, reason).into());
        }
        Ok(Some(Self { started, deadline }))
    }

    #[inline]
    pub(super) fn deadline(limit: Option<Self>) -> Option<Instant> {
        limit.map(|limit| limit.deadline)
    }

    /// The result of a tool that was stopped at its limit.
    pub(super) fn describe_stop(limit: Option<Self>, entry: &ToolEntry) -> ToolResult {
        let given = limit.map(|limit| limit.deadline.saturating_duration_since(limit.started));
        let given = seconds(given.unwrap_or_default());
        ToolResult::failure(format!(
            "Tool '{}' was stopped after {given}; what it was doing may be half done",
            entry.name
        ))
    }
}
