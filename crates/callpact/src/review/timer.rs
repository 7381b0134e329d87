//! A sleep that works on any executor.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use super::ReviewError;

/// How long the timer thread waits for work before it ends.
const IDLE: Duration = Duration::from_secs(10);

/// Ready when the time is up. An error if there is no clock, so that a wait without an end is never
/// taken for one with an end.
pub(crate) enum TimedSleep {
    #[cfg(feature = "tokio")]
    Tokio(Pin<Box<tokio::time::Sleep>>),
    Thread(TimerAlarm),
}

impl TimedSleep {
    pub(crate) fn new(time: Duration) -> Self {
        #[cfg(feature = "tokio")]
        if tokio::runtime::Handle::try_current().is_ok() {
            // A runtime built without a time driver panics here, and there is no way to ask it
            // first.
            if let Ok(sleep) = std::panic::catch_unwind(|| Box::pin(tokio::time::sleep(time))) {
                return Self::Tokio(sleep);
            }
        }
        Self::Thread(TimerAlarm::new(time))
    }
}

impl Future for TimedSleep {
    type Output = Result<(), ReviewError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            #[cfg(feature = "tokio")]
            Self::Tokio(sleep) => sleep.as_mut().poll(cx).map(Ok),
            Self::Thread(alarm) => alarm
                .poll(cx)
                .map_err(|error| ReviewError::failed_with("no timer for the time-out", error)),
        }
    }
}

/// Waits for work for so long. Gives `None` if the time is up first. Work that is done at that moment counts.
pub(crate) async fn wait_for<T>(
    mut work: Pin<&mut impl Future<Output = T>>,
    time: Duration,
) -> Result<Option<T>, ReviewError> {
    let mut sleep = TimedSleep::new(time);
    poll_fn(|cx| match work.as_mut().poll(cx) {
        Poll::Ready(done) => Poll::Ready(Ok(Some(done))),
        Poll::Pending => Pin::new(&mut sleep).poll(cx).map_ok(|()| None),
    })
    .await
}

/// One wait on the shared timer thread.
pub(crate) struct TimerAlarm {
    /// `None` if it lies beyond the range of the clock: the alarm never rings.
    deadline: Option<Instant>,
    key: Option<(Instant, u64)>,
}

impl TimerAlarm {
    fn new(time: Duration) -> Self {
        Self {
            deadline: Instant::now().checked_add(time),
            key: None,
        }
    }

    fn poll(&mut self, cx: &Context<'_>) -> Poll<io::Result<()>> {
        let Some(deadline) = self.deadline else {
            return Poll::Pending;
        };
        if Instant::now() >= deadline {
            return Poll::Ready(Ok(()));
        }
        let waker = cx.waker().clone();
        let before;
        let mut alarms = CLOCK.lock();
        let key = *self.key.get_or_insert_with(|| {
            alarms.count += 1;
            (deadline, alarms.count)
        });
        // Dropped after the lock is released, since that runs foreign code.
        before = alarms.wakers.insert(key, waker);
        if !alarms.running {
            if let Err(error) = thread::Builder::new()
                .name("callpact-timer".into())
                .spawn(|| CLOCK.run())
            {
                return Poll::Ready(Err(error));
            }
            alarms.running = true;
        }
        drop(alarms);
        drop(before);
        CLOCK.changed.notify_one();
        Poll::Pending
    }
}

impl Drop for TimerAlarm {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let waker = CLOCK.lock().wakers.remove(&key);
            // Outside the lock: dropping a waker runs foreign code.
            drop(waker);
        }
    }
}

struct AlarmClock {
    alarms: Mutex<TimerAlarms>,
    changed: Condvar,
}

struct TimerAlarms {
    wakers: BTreeMap<(Instant, u64), Waker>,
    count: u64,
    running: bool,
}

static CLOCK: AlarmClock = AlarmClock {
    alarms: Mutex::new(TimerAlarms {
        wakers: BTreeMap::new(),
        count: 0,
        running: false,
    }),
    changed: Condvar::new(),
};

impl AlarmClock {
    fn lock(&self) -> MutexGuard<'_, TimerAlarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut alarms = self.lock();
        loop {
            let now = Instant::now();
            let wait = match alarms.wakers.first_key_value() {
                Some(((deadline, _), _)) if *deadline <= now => {
                    let due = alarms.wakers.pop_first();
                    drop(alarms);
                    if let Some((_, waker)) = due {
                        // A waker that panics must not stop the clock for everybody else.
                        drop(std::panic::catch_unwind(|| waker.wake()));
                    }
                    alarms = self.lock();
                    continue;
                }
                Some(((deadline, _), _)) => *deadline - now,
                None => IDLE,
            };
            let (next, waited) = self
                .changed
                .wait_timeout(alarms, wait)
                .unwrap_or_else(PoisonError::into_inner);
            alarms = next;
            if waited.timed_out() && alarms.wakers.is_empty() {
                alarms.running = false;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::task::Wake;

    use super::*;

    struct Bell(Mutex<Sender<()>>);

    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            let sender = self.0.lock().expect("nobody panics with it");
            assert!(sender.send(()).is_ok(), "the test still listens");
        }
    }

    fn bell() -> (Waker, Receiver<()>) {
        let (sender, receiver) = channel();
        (Arc::new(Bell(Mutex::new(sender))).into(), receiver)
    }

    #[test]
    fn the_thread_wakes_in_order_and_not_early() {
        let start = Instant::now();
        let mut alarms =
            [60u64, 20, 40].map(|ms| (TimerAlarm::new(Duration::from_millis(ms)), bell(), ms));
        for (alarm, (waker, _), _) in &mut alarms {
            assert!(alarm.poll(&Context::from_waker(waker)).is_pending());
        }
        for index in [1, 2, 0] {
            let (alarm, (waker, rung), ms) = &mut alarms[index];
            rung.recv_timeout(Duration::from_secs(10))
                .expect("it rings");
            assert!(start.elapsed() >= Duration::from_millis(*ms));
            assert!(alarm.poll(&Context::from_waker(waker)).is_ready());
        }
    }

    #[test]
    fn alarms_of_one_moment_ring_each() {
        let deadline = Instant::now() + Duration::from_millis(300);
        let mut alarms = [0, 1].map(|_| {
            let alarm = TimerAlarm {
                deadline: Some(deadline),
                key: None,
            };
            (alarm, bell())
        });
        for (alarm, (waker, _)) in &mut alarms {
            assert!(alarm.poll(&Context::from_waker(waker)).is_pending());
        }
        for (_, (_, rung)) in &alarms {
            rung.recv_timeout(Duration::from_secs(10))
                .expect("it rings");
        }
    }

    #[test]
    fn dropped_alarm_unregisters_and_maximum_never_fires() {
        let (waker, _rung) = bell();
        let mut alarm = TimerAlarm::new(Duration::from_secs(3600));
        assert!(alarm.poll(&Context::from_waker(&waker)).is_pending());
        let key = alarm.key.expect("it is registered");
        assert!(CLOCK.lock().wakers.contains_key(&key));
        drop(alarm);
        assert!(!CLOCK.lock().wakers.contains_key(&key));
        assert!(
            TimerAlarm::new(Duration::MAX)
                .poll(&Context::from_waker(&waker))
                .is_pending()
        );
    }
}
