//! Keeps crashes in code of others where they happen.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

use super::BoxFuture;

/// What the work gives, or nothing when it crashes.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => Some(value),
        Err(payload) => {
            // What a crash leaves behind may crash once more when it is dropped.
            if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                std::mem::forget(second);
            }
            None
        }
    }
}

/// A future whose crash is its end.
pub(crate) struct Caught<'a, T>(Option<BoxFuture<'a, T>>);

impl<'a, T> Caught<'a, T> {
    pub(crate) fn new(work: BoxFuture<'a, T>) -> Self {
        Self(Some(work))
    }

    /// Ends the work, wherever it is; false when that crashes.
    pub(crate) fn stop(&mut self) -> bool {
        let work = self.0.take();
        caught(|| drop(work)).is_some()
    }
}

impl<T> Future for Caught<'_, T> {
    /// Nothing, when it crashed.
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(work) = self.0.as_mut() else {
            return Poll::Ready(None);
        };
        match caught(|| work.as_mut().poll(cx)) {
            Some(Poll::Pending) => Poll::Pending,
            // A destructor may crash as well as the work itself.
            Some(Poll::Ready(value)) => Poll::Ready(self.stop().then_some(value)),
            None => {
                self.stop();
                Poll::Ready(None)
            }
        }
    }
}

impl<T> Drop for Caught<'_, T> {
    fn drop(&mut self) {
        // A call that its caller gives up must not bring the caller down.
        self.stop();
    }
}
