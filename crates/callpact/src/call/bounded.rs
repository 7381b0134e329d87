//! Runs work until it ends, panics, is cancelled or is out of time.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use crate::{
    crash::{BoxFuture, CaughtPanic},
    review::TimedSleep,
    tool::{Cancellation, Cancelled, Halt},
};

/// How work ended.
pub(super) enum WorkEnd<T> {
    Done(T),
    Crashed,
    TimedOut,
    Cancelled,
    /// The program has no clock for the deadline.
    NoClock,
}

/// Work under way. Dropping it stops the work, and every end drops it.
pub(super) struct BoundedWork<'a, T> {
    work: CaughtPanic<'a, T>,
    deadline: Option<Instant>,
    cancellation: Option<&'a Cancellation>,
    /// Made only if the work does not end at the first poll, so that quick tools do not pay for it.
    watch: Option<Box<(Option<TimedSleep>, Option<Cancelled>)>>,
}

impl<'a, T> BoundedWork<'a, T> {
    #[inline]
    pub(super) fn new(
        work: BoxFuture<'a, T>,
        deadline: Option<Instant>,
        cancellation: Option<&'a Cancellation>,
    ) -> Self {
        Self {
            work: CaughtPanic::new(work),
            deadline,
            cancellation,
            watch: None,
        }
    }

    fn stop(&mut self, ended: WorkEnd<T>) -> Poll<WorkEnd<T>> {
        Poll::Ready(if self.work.stop() {
            ended
        } else {
            WorkEnd::Crashed
        })
    }
}

impl<T> Future for BoundedWork<'_, T> {
    type Output = WorkEnd<T>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<WorkEnd<T>> {
        let this = self.get_mut();
        if this.cancellation.is_some_and(Cancellation::is_cancelled) {
            return this.stop(WorkEnd::Cancelled);
        }
        match Pin::new(&mut this.work).poll(cx) {
            Poll::Ready(None) => return Poll::Ready(WorkEnd::Crashed),
            Poll::Ready(Some(value)) => return Poll::Ready(WorkEnd::Done(value)),
            Poll::Pending => {}
        }
        let (deadline, cancellation) = (this.deadline, this.cancellation);
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
            return this.stop(WorkEnd::Cancelled);
        }
        match sleep.as_mut().map(|sleep| Pin::new(sleep).poll(cx)) {
            Some(Poll::Ready(Ok(()))) => this.stop(WorkEnd::TimedOut),
            Some(Poll::Ready(Err(_))) => this.stop(WorkEnd::NoClock),
            Some(Poll::Pending) | None => Poll::Pending,
        }
    }
}

/// The halt of a call whose deadline cannot be enforced.
pub(super) fn no_clock(tool: &str) -> Halt {
    Halt::Misconfigured(format!(
        "Tool '{tool}' has a deadline and there is no clock to hold it"
    ))
}
