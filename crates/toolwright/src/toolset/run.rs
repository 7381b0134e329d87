//! Runs a tool inside its bounds: time, cancellation, crashes.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use crate::{
    review::Sleep,
    tool::{BoxFuture, Cancellation, Cancelled, ToolResult},
};

/// How a run ended.
pub(super) enum Ended {
    Result(ToolResult),
    Crashed,
    TimedOut(Duration),
    Cancelled,
    /// There is no clock to hold the deadline with.
    NoClock,
}

/// A tool at work. Dropping it, which every end does, stops the work.
pub(super) struct Run<'a> {
    work: Option<BoxFuture<'a, ToolResult>>,
    started: Instant,
    deadline: Option<Instant>,
    cancellation: Option<&'a Cancellation>,
    /// Made when the work does not end at once, so that quick tools pay for neither.
    watch: Option<(Option<Sleep>, Option<Cancelled>)>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        work: BoxFuture<'a, ToolResult>,
        deadline: Option<Instant>,
        cancellation: Option<&'a Cancellation>,
    ) -> Self {
        Self {
            work: Some(work),
            started: Instant::now(),
            deadline,
            cancellation,
            watch: None,
        }
    }

    fn stop(&mut self, ended: Ended) -> Poll<Ended> {
        // A destructor may crash as well as the work itself.
        let work = self.work.take();
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(work)));
        Poll::Ready(if dropped.is_err() {
            Ended::Crashed
        } else {
            ended
        })
    }

    fn time(&self) -> Duration {
        self.deadline.map_or(Duration::ZERO, |deadline| {
            deadline.saturating_duration_since(self.started)
        })
    }
}

impl Future for Run<'_> {
    type Output = Ended;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        let this = self.get_mut();
        if this.cancellation.is_some_and(Cancellation::is_cancelled) {
            return this.stop(Ended::Cancelled);
        }
        let Some(work) = this.work.as_mut() else {
            return Poll::Ready(Ended::Crashed);
        };
        // A crashed future is dropped and never polled again.
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))) {
            Err(_) => return this.stop(Ended::Crashed),
            Ok(Poll::Ready(result)) => return this.stop(Ended::Result(result)),
            Ok(Poll::Pending) => {}
        }
        let (deadline, cancellation) = (this.deadline, this.cancellation);
        let (sleep, cancelled) = this.watch.get_or_insert_with(|| {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            (
                left.map(Sleep::new),
                cancellation.map(Cancellation::cancelled),
            )
        });
        if let Some(cancelled) = cancelled
            && Pin::new(cancelled).poll(cx).is_ready()
        {
            return this.stop(Ended::Cancelled);
        }
        match sleep.as_mut().map(|sleep| Pin::new(sleep).poll(cx)) {
            Some(Poll::Ready(Ok(()))) => {
                let time = this.time();
                this.stop(Ended::TimedOut(time))
            }
            Some(Poll::Ready(Err(_))) => this.stop(Ended::NoClock),
            Some(Poll::Pending) | None => Poll::Pending,
        }
    }
}
