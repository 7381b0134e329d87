//! Reviews as values on a channel, for a user interface.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::reply::{AnswerEnd, WaitEnd, reply};
use super::{BoxFuture, ReviewDecision, ReviewError, ReviewHandler, ReviewRequest};
use crate::crash::lock;

/// A handler whose requests come out of the receiver as values.
///
/// Both ends can be cloned and sent to other threads. The gate fails closed: a request that is dropped
/// without a reply, or that nobody can receive any more, is rejected.
///
/// ```
/// use callpact::review::*;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ReviewError> {
/// let (handler, requests) = channel();
/// std::thread::spawn(move || {
///     while let Some(pending) = requests.recv_blocking() {
///         let small = pending.request().action.len() < 1000;
///         pending.reply(if small { ReviewDecision::Continue } else { ReviewDecision::REJECT });
///     }
/// });
///
/// let request = ReviewRequest::new("Write a file").action("{}");
/// assert_eq!(run_review(&handler, &request).await?, ReviewDecision::Continue);
/// # Ok(())
/// # }
/// ```
pub fn channel() -> (ChannelReviewer, ReviewRequests) {
    let core = Arc::new(ChannelCore {
        state: Mutex::new(ChannelState {
            queue: VecDeque::new(),
            has_receivers: true,
            has_handlers: true,
            wakers: Vec::new(),
        }),
        changed: Condvar::new(),
    });
    let handlers = Arc::new(HandlerEnd(Arc::clone(&core)));
    let receivers = Arc::new(ReceiverEnd(core));
    (ChannelReviewer { handlers }, ReviewRequests { receivers })
}

struct ChannelCore {
    state: Mutex<ChannelState>,
    changed: Condvar,
}

struct ChannelState {
    queue: VecDeque<PendingReview>,
    has_receivers: bool,
    has_handlers: bool,
    wakers: Vec<Waker>,
}

impl ChannelCore {
    fn lock(&self) -> MutexGuard<'_, ChannelState> {
        lock(&self.state)
    }

    /// Tells every receiver to look again. Wakers run foreign code, so the lock is released first.
    fn tell(&self, mut state: MutexGuard<'_, ChannelState>) {
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl ChannelState {
    /// The next request that somebody still waits for. The ones before it go into `passed_over`.
    fn next(&mut self, passed_over: &mut Vec<PendingReview>) -> Option<PendingReview> {
        while let Some(pending) = self.queue.pop_front() {
            if pending.is_awaited() {
                return Some(pending);
            }
            passed_over.push(pending);
        }
        None
    }
}

/// What all handlers of a channel share.
struct HandlerEnd(Arc<ChannelCore>);

impl Drop for HandlerEnd {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.has_handlers = false;
        self.0.tell(state);
    }
}

/// What all receivers of a channel share.
struct ReceiverEnd(Arc<ChannelCore>);

impl Drop for ReceiverEnd {
    fn drop(&mut self) {
        let rejected = {
            let mut state = self.0.lock();
            state.has_receivers = false;
            std::mem::take(&mut state.queue)
        };
        // Outside the lock, since each drop wakes the task that waits for the answer.
        drop(rejected);
    }
}

/// The sending end of a [`channel`]: a handler that passes its requests on.
#[derive(Clone)]
pub struct ChannelReviewer {
    handlers: Arc<HandlerEnd>,
}

impl ReviewHandler for ChannelReviewer {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async move {
            Ok(match self.queue(request) {
                Some(wait) => wait.await.unwrap_or(ReviewDecision::REJECT),
                None => ReviewDecision::REJECT,
            })
        })
    }
}

impl ChannelReviewer {
    /// Queues a request; `None` when nobody can receive it.
    fn queue(&self, request: &ReviewRequest) -> Option<WaitEnd<ReviewDecision>> {
        let (answer, wait) = reply();
        let pending = PendingReview {
            request: request.clone(),
            answer,
        };
        let core = &self.handlers.0;
        let mut state = core.lock();
        if !state.has_receivers {
            return None;
        }
        state.queue.push_back(pending);
        core.tell(state);
        Some(wait)
    }
}

impl fmt::Debug for ChannelReviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChannelReviewer(..)")
    }
}

/// The receiving end of a [`channel`].
///
/// With several receivers each request goes to one of them. When the last one is dropped, every
/// request that was not yet received is rejected, and so is every later one.
#[derive(Clone)]
pub struct ReviewRequests {
    receivers: Arc<ReceiverEnd>,
}

impl ReviewRequests {
    /// The next request; `None` when there will be no more.
    pub async fn recv(&self) -> Option<PendingReview> {
        poll_fn(|cx| self.poll_recv(cx)).await
    }

    fn poll_recv(&self, cx: &Context<'_>) -> Poll<Option<PendingReview>> {
        let mut passed_over = Vec::new();
        let mut state = self.receivers.0.lock();
        if let Some(pending) = state.next(&mut passed_over) {
            return Poll::Ready(Some(pending));
        }
        if !state.has_handlers {
            return Poll::Ready(None);
        }
        if !state.wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
            state.wakers.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// The next request, blocking the thread; `None` when there will be no more.
    pub fn recv_blocking(&self) -> Option<PendingReview> {
        let mut passed_over = Vec::new();
        let mut state = self.receivers.0.lock();
        loop {
            if let Some(pending) = state.next(&mut passed_over) {
                return Some(pending);
            }
            if !state.has_handlers {
                return None;
            }
            let core = &self.receivers.0;
            state = core
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A request that is already there.
    pub fn try_recv(&self) -> Option<PendingReview> {
        let mut passed_over = Vec::new();
        self.receivers.0.lock().next(&mut passed_over)
    }
}

#[cfg(test)]
impl ReviewRequests {
    pub(super) fn shared_len(&self) -> usize {
        self.receivers.0.lock().queue.len()
    }
}

impl fmt::Debug for ReviewRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReviewRequests(..)")
    }
}

/// A request that waits for its reply. Dropped without one, it is rejected.
pub struct PendingReview {
    request: ReviewRequest,
    answer: AnswerEnd<ReviewDecision>,
}

impl PendingReview {
    /// The question.
    pub fn request(&self) -> &ReviewRequest {
        &self.request
    }

    /// Whether the answer still counts. It does not after a time-out or a cancelled call.
    pub fn is_awaited(&self) -> bool {
        self.answer.is_awaited()
    }

    /// Answers. False if the answer came too late to count.
    pub fn reply(self, decision: ReviewDecision) -> bool {
        self.answer.send(decision)
    }
}

impl fmt::Debug for PendingReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingReview")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}
