//! Stopping work from outside.

use std::{
    collections::BTreeMap,
    fmt,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

/// Cancels the calls that were given a clone of it.
///
/// ```
/// use toolwright::Cancellation;
///
/// let cancellation = Cancellation::new();
/// assert!(!cancellation.is_cancelled());
/// cancellation.clone().cancel();
/// assert!(cancellation.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancellation(Arc<Shared>);

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Cancellation {
    /// Nothing cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels, once and for good.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let wakers = {
            let mut waiting = self
                .0
                .waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut waiting.wakers)
        };
        // Woken outside the lock, since a waker may run anything.
        for waker in wakers.into_values() {
            waker.wake();
        }
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Waits until it is cancelled.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled {
            shared: self.0.clone(),
            key: None,
        }
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cancellation")
            .field(&self.is_cancelled())
            .finish()
    }
}

/// The future of [`Cancellation::cancelled`].
#[must_use = "it waits only when it is awaited"]
pub struct Cancelled {
    shared: Arc<Shared>,
    key: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.shared.cancelled.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        let key = {
            let mut waiting = self
                .shared
                .waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let key = self.key.unwrap_or_else(|| {
                waiting.next += 1;
                waiting.next
            });
            waiting.wakers.insert(key, cx.waker().clone());
            key
        };
        self.key = Some(key);
        // Once more, for a cancel between the first look and the registration.
        if self.shared.cancelled.load(Ordering::SeqCst) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let mut waiting = self
                .shared
                .waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            waiting.wakers.remove(&key);
        }
    }
}
