//! The parts that a call and its reply share: the offered tool, the times, the results.

use std::time::Duration;

use callpact::{Outcome, ToolContext, ToolResult, adapter::CallRecord};
use tokio::time::Instant;

/// A tool as it was offered to a model.
pub(super) struct OfferedTool {
    pub(super) toolset: String,
    pub(super) name: String,
    pub(super) fingerprint: String,
    /// Whether the call may run again if nobody knows whether it ran.
    pub(super) repeatable: bool,
}

/// The times at which a call must end.
#[derive(Clone, Copy)]
pub(super) struct CallTimes {
    /// When the host ends it.
    pub(super) until: Instant,
    /// How long the host may take to end it.
    pub(super) margin: Duration,
    /// How long the worker may take.
    pub(super) run: Duration,
}

impl CallTimes {
    /// The times of a call. Without its own deadline it may take `usual`, and never more than `longest`.
    pub(super) fn new(usual: Duration, longest: Duration, cx: &ToolContext) -> Self {
        let now = Instant::now();
        let end = cx
            .deadline()
            .map_or(now + usual, Instant::from_std)
            .min(now + longest);
        let all = end.saturating_duration_since(now);
        // Ending the call takes time too, which must fit before the deadline.
        let margin = (all / 10).min(Duration::from_millis(500));
        Self {
            until: now + all.saturating_sub(margin),
            margin: margin / 2,
            run: in_tenths(all.saturating_sub(margin * 2)),
        }
    }
}

/// A time in tenths of a second, or in milliseconds if it is shorter: a worker reports the time that it had.
fn in_tenths(time: Duration) -> Duration {
    let tenth = Duration::from_millis(if time.as_secs() == 0 { 1 } else { 100 });
    let tenths = (time + tenth / 2).as_millis() / tenth.as_millis();
    tenth * u32::try_from(tenths).unwrap_or(u32::MAX)
}

/// A failure of a call whose tool certainly did not run.
pub(super) fn did_not_run(tool: &str, why: &str) -> ToolResult {
    ToolResult::failure(format!("Tool '{tool}' did not run: {why}"))
}

/// The result of a call that a worker may have started and will stop.
pub(super) fn was_stopped(tool: &str, repeatable: bool, why: &str) -> ToolResult {
    if repeatable {
        ToolResult::failure(format!("Tool '{tool}' {why}")).with_outcome(Outcome::TimedOut)
    } else {
        ToolResult::unknown(tool)
    }
}

/// The result of a call from its record.
pub(super) fn result_of(record: CallRecord) -> ToolResult {
    let outcome = record.outcome;
    record.into_result().with_outcome(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_time_of_worker() {
        for (micros, millis) in [
            (598_999_990, 599_000),
            (1_599_984, 1_600),
            (1_000_001, 1_000),
            (399_992, 400),
            (0, 0),
        ] {
            let time = in_tenths(Duration::from_micros(micros));
            assert_eq!(time, Duration::from_millis(millis), "{micros} µs");
        }
    }
}
