//! Runs a call inside the layers of its list.

use std::sync::Mutex;

use super::{
    approved::ApprovedCall,
    bounded::{BoundedWork, WorkEnd},
    claim::OpenClaim,
    finished::{EarlyEnd, FinishedCall},
    found::FoundCall,
    time_limit::TimeLimit,
};
use crate::{
    adapter::Outcome,
    crash::{BoxFuture, lock},
    tool::{Halt, ToolResult},
    toolset::{LayerCall, Next, ToolEntry},
};

impl ApprovedCall<'_> {
    /// Runs the layers, and the rest of the call inside them.
    pub(super) async fn run_in_layers(
        mut self,
        time: Option<TimeLimit>,
    ) -> Result<FinishedCall, EarlyEnd> {
        let FoundCall { entry, cx, .. } = self.call.found;
        let arguments = self.call.arguments.clone();
        let fixes = self.take_fixes();
        let call = LayerCall {
            name: &entry.name,
            arguments: &arguments,
            permission: entry.tool.permission(),
            cx,
        };
        let inner = InnerEnd::default();
        let open = OpenClaim::default();
        let mut work: BoxFuture<'_, Result<ToolResult, Halt>> = Box::pin(async {
            let ended = match self.claim(time).await {
                Ok(claimed) => claimed.run(Some(&open)).await,
                Err(end) => Err(end),
            };
            Ok(inner.keep(EarlyEnd::finish(ended)?))
        });
        for layer in &entry.layers {
            let next = Next::new(work);
            // Inside the future, so that a panic in the call itself is caught where it is polled.
            work = Box::pin(async { layer.around(&call, next).await });
        }
        let ended = BoundedWork::new(work, TimeLimit::deadline(time), cx).await;
        let is_late = matches!(ended, Ok(WorkEnd::TimedOut));
        let ended = end_layers(ended, &inner, entry, time);
        // Only a time-out tells how a stopped run ended.
        let finished = ended.as_ref().ok().filter(|_| is_late);
        open.close(entry, finished).await;
        Ok(FinishedCall { fixes, ..ended? })
    }
}

/// The end of a call from the end of its layers.
fn end_layers(
    ended: Result<WorkEnd<Result<ToolResult, Halt>>, Halt>,
    inner: &InnerEnd,
    entry: &ToolEntry,
    time: Option<TimeLimit>,
) -> Result<FinishedCall, EarlyEnd> {
    match ended? {
        WorkEnd::Done(result) => {
            let result = result?;
            if let Some(halt) = result.halted() {
                return Err(halt.clone().into());
            }
            Ok(inner.end(result))
        }
        WorkEnd::Crashed => {
            let name = &entry.name;
            let text = format!(
                "The code around tool '{name}' crashed; what it was doing may be half done"
            );
            Ok(FinishedCall::refused(Outcome::Crash, text))
        }
        WorkEnd::TimedOut => Ok(FinishedCall::new(
            Outcome::TimedOut,
            TimeLimit::describe_stop(time, entry),
        )),
    }
}

/// The end of the tool inside the layers, so that a result that the layers pass on keeps its outcome.
#[derive(Default)]
struct InnerEnd(Mutex<Option<FinishedCall>>);

impl InnerEnd {
    /// Keeps how the tool ended, and gives its result to the layers.
    fn keep(&self, finished: FinishedCall) -> ToolResult {
        let result = finished.result.clone();
        *lock(&self.0) = Some(finished);
        result
    }

    /// The end of a call whose layers returned this result.
    fn end(&self, result: ToolResult) -> FinishedCall {
        let inner = lock(&self.0).take();
        let outcome = match &inner {
            Some(inner) if inner.result == result => inner.outcome,
            _ => result.outcome(),
        };
        let finished = FinishedCall::new(outcome, result.ran());
        match inner {
            Some(inner) => FinishedCall {
                edited: inner.edited,
                replayed: inner.replayed,
                runs_elsewhere: inner.runs_elsewhere,
                ..finished
            },
            None => finished,
        }
    }
}
