//! Catches panics of tools, reviewers, resolvers and metrics where they happen.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

/// A boxed future that can be sent to another thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Locks data that are whole at any time, even if somebody panicked who had locked them.
pub(crate) fn lock<T: ?Sized>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the work. Gives `None` when it panics.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(value) => Some(value),
        Err(payload) => {
            // Dropping the payload of a panic may panic again.
            if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                std::mem::forget(second);
            }
            None
        }
    }
}

/// A future that ends with `None` when it panics.
pub(crate) struct CaughtPanic<'a, T>(Option<BoxFuture<'a, T>>);

impl<'a, T> CaughtPanic<'a, T> {
    pub(crate) fn new(work: BoxFuture<'a, T>) -> Self {
        Self(Some(work))
    }

    /// Drops the work. Gives `false` when its destructor panics.
    pub(crate) fn stop(&mut self) -> bool {
        let work = self.0.take();
        work.is_none_or(|work| caught(|| drop(work)).is_some())
    }
}

impl<T> Future for CaughtPanic<'_, T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let polled = caught(|| {
            let polled = self.0.as_mut()?.as_mut().poll(cx);
            if polled.is_ready() {
                // A destructor may panic too.
                drop(self.0.take());
            }
            Some(polled)
        });
        let Some(polled) = polled.flatten() else {
            self.stop();
            return Poll::Ready(None);
        };
        polled.map(Some)
    }
}

impl<T> Drop for CaughtPanic<'_, T> {
    fn drop(&mut self) {
        // A panic in the destructor of the work must not reach the caller.
        self.stop();
    }
}
