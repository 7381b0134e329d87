//! Stopping work from outside.

use std::{
    collections::BTreeMap,
    fmt,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Waker},
};

use crate::crash::lock;

/// Cancels the calls that hold a clone of it.
///
/// ```
/// use callpact::Cancellation;
///
/// let cancellation = Cancellation::new();
/// assert!(!cancellation.is_cancelled());
/// cancellation.clone().cancel();
/// assert!(cancellation.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancellation(Arc<SharedState>);

#[derive(Default)]
struct SharedState {
    cancelled: AtomicBool,
    waiting: Mutex<WaitingTasks>,
}

#[derive(Default)]
struct WaitingTasks {
    next: u64,
    wakers: BTreeMap<u64, Waker>,
}

impl Cancellation {
    /// A cancellation that has not happened yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the calls for good.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        let wakers = {
            let mut waiting = lock(&self.0.waiting);
            std::mem::take(&mut waiting.wakers)
        };
        // Woken outside the lock, since a waker may run anything.
        for waker in wakers.into_values() {
            waker.wake();
        }
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Waits for the cancellation.
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
    shared: Arc<SharedState>,
    key: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.shared.cancelled.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        let (key, before) = {
            let mut waiting = lock(&self.shared.waiting);
            let key = self.key.unwrap_or_else(|| {
                waiting.next += 1;
                waiting.next
            });
            (key, waiting.wakers.insert(key, waker))
        };
        self.key = Some(key);
        // Outside the lock: dropping a waker runs foreign code.
        drop(before);
        // Checked again, in case of a cancel between the first check and the registration.
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
            let waker = lock(&self.shared.waiting).wakers.remove(&key);
            drop(waker);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::Pin,
        sync::{Arc, Mutex, mpsc},
        task::{Context, Wake, Waker},
        thread,
        time::Duration,
    };

    use super::{Cancellation, Cancelled};

    /// The last waker that holds a task, which waits for the same cancellation.
    struct Last {
        _task: Mutex<Cancelled>,
    }

    impl Wake for Last {
        fn wake(self: Arc<Self>) {}
    }

    fn poll(waits: &mut Cancelled, waker: &Waker) -> bool {
        Pin::new(waits)
            .poll(&mut Context::from_waker(waker))
            .is_ready()
    }

    /// Waits with a waker that only this wait holds.
    fn waits(cancellation: &Cancellation, waker: Waker) -> Cancelled {
        let mut waits = cancellation.cancelled();
        assert!(!poll(&mut waits, &waker));
        drop(waker);
        waits
    }

    #[test]
    fn a_waker_may_take_its_task_with_it() {
        let (done, over) = mpsc::channel();
        thread::spawn(move || {
            let cancellation = Cancellation::new();
            let last = || {
                let inner = waits(&cancellation, Waker::noop().clone());
                Waker::from(Arc::new(Last {
                    _task: Mutex::new(inner),
                }))
            };
            // A wait that is dropped, one polled with another waker, and one that is cancelled.
            drop(waits(&cancellation, last()));
            let mut moved = waits(&cancellation, last());
            assert!(!poll(&mut moved, Waker::noop()));
            let mut ended = waits(&cancellation, last());
            cancellation.cancel();
            assert!(poll(&mut moved, Waker::noop()) && poll(&mut ended, Waker::noop()));
            done.send(())
        });
        let ended = over.recv_timeout(Duration::from_secs(10));
        assert!(ended.is_ok(), "it waits for itself");
    }
}
