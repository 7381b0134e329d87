//! One answer from one place to another, on any executor.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::crash::lock;

/// A pair of ends: the answer, and the wait for it.
pub(super) fn reply<T>() -> (AnswerEnd<T>, WaitEnd<T>) {
    let slot = Arc::new(Mutex::new(ReplySlot {
        answer: None,
        waker: None,
        closed: false,
    }));
    (AnswerEnd(Arc::clone(&slot)), WaitEnd(slot))
}

struct ReplySlot<T> {
    answer: Option<T>,
    waker: Option<Waker>,
    /// One of the two ends is gone.
    closed: bool,
}

type SharedSlot<T> = Arc<Mutex<ReplySlot<T>>>;

/// The end that answers; dropped without an answer, the other end gets `None`.
pub(super) struct AnswerEnd<T>(SharedSlot<T>);

impl<T> AnswerEnd<T> {
    /// Answers; false if nobody waits any more.
    pub(super) fn send(self, answer: T) -> bool {
        let mut slot = lock(&self.0);
        if slot.closed {
            return false;
        }
        slot.answer = Some(answer);
        true
        // Dropping `self` wakes the other end.
    }

    /// Whether somebody still waits.
    pub(super) fn is_awaited(&self) -> bool {
        !lock(&self.0).closed
    }
}

impl<T> Drop for AnswerEnd<T> {
    fn drop(&mut self) {
        let waker = {
            let mut slot = lock(&self.0);
            slot.closed = true;
            slot.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The end that waits.
pub(super) struct WaitEnd<T>(SharedSlot<T>);

impl<T> Future for WaitEnd<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut slot = lock(&self.0);
        if slot.closed {
            return Poll::Ready(slot.answer.take());
        }
        let old = slot.waker.replace(cx.waker().clone());
        drop(slot);
        drop(old);
        Poll::Pending
    }
}

impl<T> Drop for WaitEnd<T> {
    fn drop(&mut self) {
        lock(&self.0).closed = true;
    }
}
