//! Runs work until it ends, panics, is cancelled or is out of time.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use crate::{
    crash::{BoxFuture, CaughtPanic},
    review::TimedSleep,
    tool::{Cancellation, Cancelled, Halt, ToolContext},
};

/// How work ended.
pub(super) enum WorkEnd<T> {
    Done(T),
    Crashed,
    TimedOut,
}

/// Work of a call under way. Dropping it stops the work, and every end drops it. It halts if the call is cancelled, or if
/// the program has no clock for the deadline.
pub(super) struct BoundedWork<'a, T> {
    work: CaughtPanic<'a, T>,
    deadline: Option<Instant>,
    cx: &'a ToolContext,
    /// Made only if the work does not end at the first poll, so that quick tools do not pay for it.
    watch: Option<Box<(Option<TimedSleep>, Option<Cancelled>)>>,
}

impl<'a, T> BoundedWork<'a, T> {
    #[inline]
    pub(super) fn new(
        work: BoxFuture<'a, T>,
        deadline: Option<Instant>,
        cx: &'a ToolContext,
    ) -> Self {
        Self {
            work: CaughtPanic::new(work),
            deadline,
            cx,
            watch: None,
        }
    }

    fn stop(&mut self, ended: Result<WorkEnd<T>, Halt>) -> Poll<Result<WorkEnd<T>, Halt>> {
        Poll::Ready(if self.work.stop() {
            ended
        } else {
            Ok(WorkEnd::Crashed)
        })
    }
}

impl<T> Future for BoundedWork<'_, T> {
    type Output = Result<WorkEnd<T>, Halt>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if this.cx.is_cancelled() {
            return this.stop(Err(Halt::Cancelled));
        }
        match Pin::new(&mut this.work).poll(cx) {
            Poll::Ready(None) => return Poll::Ready(Ok(WorkEnd::Crashed)),
            Poll::Ready(Some(value)) => return Poll::Ready(Ok(WorkEnd::Done(value))),
            Poll::Pending => {}
        }
        let (deadline, cancellation) = (this.deadline, this.cx.cancellation());
        if deadline.is_none() && cancellation.is_none() {
            return Poll::Pending;
        }
        let watch = this.watch.get_or_insert_with(|| {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let sleep = left.map(TimedSleep::new);
            Box::new((sleep, cancellation.map(Cancellation::cancelled)))
        });
        let (sleep, cancelled) = &mut **watch;
        if let Some(cancelled) = cancelled
            && Pin::new(cancelled).poll(cx).is_ready()
        {
            return this.stop(Err(Halt::Cancelled));
        }
        match sleep.as_mut().map(|sleep| Pin::new(sleep).poll(cx)) {
            Some(Poll::Ready(Ok(()))) => this.stop(Ok(WorkEnd::TimedOut)),
            Some(Poll::Ready(Err(_))) => this.stop(Err(no_clock(this.cx.tool_name()))),
            Some(Poll::Pending) | None => Poll::Pending,
        }
    }
}

/// The halt of a call whose deadline cannot be enforced.
fn no_clock(tool: &str) -> Halt {
    Halt::Misconfigured(format!(
        "Tool '{tool}' has a deadline and there is no clock to hold it"
    ))
}
