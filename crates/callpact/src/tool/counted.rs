//! Counts work, however it ends.

use std::time::{Duration, Instant};

use super::{Halt, ToolContext};

/// A call or a step that is under way. If it is dropped before its end, it counts as cancelled: a
/// server drops it when the client has gone away.
pub(crate) struct CountedStep<'a> {
    cx: &'a ToolContext,
    tool: &'a str,
    started: Instant,
    ended: bool,
}

impl<'a> CountedStep<'a> {
    #[inline]
    pub(crate) fn new(cx: &'a ToolContext, tool: &'a str) -> Self {
        Self {
            cx,
            tool,
            started: Instant::now(),
            ended: false,
        }
    }

    /// Marks the work as ended. Returns how long it took.
    #[inline]
    pub(crate) fn end(mut self) -> Duration {
        self.ended = true;
        self.started.elapsed()
    }
}

impl Drop for CountedStep<'_> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let (tool, role, halt) = (self.tool, self.cx.role(), Halt::Cancelled.name());
        let metrics = self.cx.metrics();
        metrics.increment_halt(tool, role, halt);
        metrics.record_duration(tool, role, self.started.elapsed());
    }
}
