//! Several calls of one turn.

use std::{
    borrow::Cow,
    collections::HashMap,
    pin::Pin,
    task::{Context, Poll},
};

use crate::{
    adapter::{ToolCall, ToolReply},
    tool::{Halt, Permission, ToolContext},
    toolset::Toolset,
};

impl Toolset {
    /// Makes all calls of a turn and gives the replies in the order of the calls.
    ///
    /// Read-only calls that stand together run at the same time; every other call runs alone, after
    /// all before it and before all behind it. After a halt no more calls start, and the calls that
    /// did not run halt with [`Halt::Cancelled`].
    ///
    /// Calls in one turn are separate calls, even if a provider gave them the same id.
    pub async fn call_all(
        &self,
        calls: &[ToolCall],
        cx: &ToolContext,
    ) -> Vec<Result<ToolReply, Halt>> {
        let contexts = contexts(calls, cx);
        let calls: Vec<_> = calls.iter().zip(&contexts).collect();
        let mut replies = Vec::with_capacity(calls.len());
        let mut rest = &*calls;
        while !rest.is_empty() {
            let together = rest
                .iter()
                .take_while(|(call, _)| self.reads_only(call))
                .count()
                .max(1);
            let (now, later) = rest.split_at(together);
            let turn =
                JoinedCalls::new(now.iter().map(|(call, cx)| self.call(call, cx)).collect()).await;
            let halted = turn.iter().any(stops);
            replies.extend(turn);
            if halted {
                replies.extend(later.iter().map(|_| Err(Halt::Cancelled)));
                break;
            }
            rest = later;
        }
        replies
    }

    fn reads_only(&self, call: &ToolCall) -> bool {
        // An unknown tool does nothing, so it need not wait.
        self.entry(&call.name)
            .is_none_or(|entry| entry.tool.permission() == Permission::ReadOnly)
    }
}

/// The context of each call. In a named run, a call that repeats the id of an earlier one is
/// another call.
fn contexts<'a>(calls: &'a [ToolCall], cx: &'a ToolContext) -> Vec<Cow<'a, ToolContext>> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let context = |call: &'a ToolCall| {
        let count = seen.entry(&call.id).or_default();
        *count += 1;
        match cx.run_name() {
            Some(run) if *count > 1 => Cow::Owned(cx.clone().with_run(format!("{run}, {count}"))),
            _ => Cow::Borrowed(cx),
        }
    };
    calls.iter().map(context).collect()
}

/// Whether a reply ends the turn. A call that waits for a decision does not: others may go on.
fn stops(reply: &StepResult) -> bool {
    matches!(reply, Err(halt) if !matches!(halt, Halt::Pending(_)))
}

type StepResult = Result<ToolReply, Halt>;

/// All calls at the same time, with the replies in their order.
struct JoinedCalls<F> {
    futures: Vec<Pin<Box<F>>>,
    results: Vec<Option<StepResult>>,
    started: bool,
}

impl<F> JoinedCalls<F> {
    fn new(futures: Vec<F>) -> Self {
        let results = futures.iter().map(|_| None).collect();
        Self {
            futures: futures.into_iter().map(Box::pin).collect(),
            results,
            started: false,
        }
    }
}

impl<F: Future<Output = StepResult>> Future for JoinedCalls<F> {
    type Output = Vec<StepResult>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self {
            futures,
            results,
            started,
        } = &mut *self;
        let mut halted = false;
        for (future, result) in futures.iter_mut().zip(results.iter_mut()) {
            // A call that halts at once comes before those that have not started.
            if halted && !*started {
                *result = Some(Err(Halt::Cancelled));
            } else if result.is_none()
                && let Poll::Ready(output) = future.as_mut().poll(cx)
            {
                halted |= stops(&output);
                *result = Some(output);
            }
        }
        *started = true;
        if results.iter().any(Option::is_none) {
            return Poll::Pending;
        }
        Poll::Ready(results.iter_mut().filter_map(Option::take).collect())
    }
}
