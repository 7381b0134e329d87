use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::*;

/// Runs a future on this thread without any runtime.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

fn never() -> impl ReviewHandler {
    review_fn(|_| async {
        pending::<()>().await;
        Ok(ReviewDecision::Continue)
    })
}

fn ask(
    handler: &dyn ReviewHandler,
    request: &ReviewRequest,
) -> Result<ReviewDecision, ReviewError> {
    block_on(run_review(handler, request))
}

fn short() -> ReviewRequest {
    ReviewRequest::new("work").timeout(Duration::from_millis(30))
}

#[test]
fn every_timeout_action_works_without_runtime() {
    let decision = |on_timeout| ask(&never(), &short().on_timeout(on_timeout));
    assert_eq!(
        decision(OnTimeout::Continue).expect("continues"),
        ReviewDecision::Continue
    );
    let early = ReviewDecision::ExitEarly { timed_out: true };
    assert_eq!(decision(OnTimeout::ExitEarly).expect("exits"), early);
    let error = decision(OnTimeout::Fail).expect_err("fails");
    assert_eq!(error.to_string(), "Review gate timed out after 0.03s");
    assert!(matches!(error, ReviewError::TimedOut { after } if after == Duration::from_millis(30)));
}

#[cfg(feature = "tokio")]
#[tokio::test(start_paused = true)]
async fn in_a_tokio_runtime_its_clock_counts() {
    let start = Instant::now();
    let request = ReviewRequest::new("work").on_timeout(OnTimeout::Fail);
    let error = run_review(&never(), &request).await.expect_err("fails");
    assert_eq!(error.to_string(), "Review gate timed out after 300s");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[cfg(feature = "tokio")]
#[test]
fn tokio_runtime_without_timer_does_not_panic() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let decision = runtime
        .block_on(run_review(&never(), &short()))
        .expect("exits early");
    assert_eq!(decision, ReviewDecision::ExitEarly { timed_out: true });
}

#[test]
fn accepts_late_answer_of_blocking_reviewer() {
    let slow = review_fn(|_| {
        thread::sleep(Duration::from_millis(60));
        async { Ok(ReviewDecision::Edit("new".into())) }
    });
    assert_eq!(
        ask(&slow, &short()).expect("answers"),
        ReviewDecision::Edit("new".into())
    );
}

#[test]
fn without_a_timeout_the_wait_goes_on() {
    for timeout in [None, Some(Duration::ZERO)] {
        let mut request = ReviewRequest::new("work").on_timeout(OnTimeout::Fail);
        request.timeout = timeout;
        let later = auto_approve_after(Duration::from_millis(40));
        assert_eq!(
            ask(&later, &request).expect("waits"),
            ReviewDecision::Continue
        );
    }
}

#[test]
fn roles_are_enforced_before_the_handler_is_asked() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let handler = review_fn(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(ReviewDecision::Continue) }
    });
    let handler: Arc<dyn ReviewHandler> = Arc::new(handler);
    let request = ReviewRequest::new("work").required_role("ops");

    let error = ask(&handler, &request).expect_err("no role");
    assert_eq!(
        error.to_string(),
        r#"review requires the role "ops", the handler acts for no role"#
    );
    for wrong in ["dev", "OPS", "ops ", ""] {
        let error =
            ask(&Arc::clone(&handler).with_role(wrong), &request).expect_err("another role");
        assert!(matches!(error, ReviewError::RoleMismatch { .. }));
    }
    for blank in ["", "  "] {
        let request = ReviewRequest::new("work").required_role(blank);
        assert!(ask(&Arc::clone(&handler).with_role(blank), &request).is_err());
    }
    // The time-out does not bypass the role either.
    let request = request
        .on_timeout(OnTimeout::Continue)
        .timeout(Duration::from_millis(1));
    assert!(ask(&handler, &request).is_err());
    assert_eq!(asked.load(Ordering::SeqCst), 0);

    let boxed: Box<dyn ReviewHandler> = Box::new(handler.with_role("ops"));
    assert_eq!(
        ask(&boxed, &request).expect("the right role"),
        ReviewDecision::Continue
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[test]
fn a_failing_handler_is_an_error() {
    let failing = review_fn(|_| async { Err(ReviewError::failed("no line")) });
    let error = ask(&failing, &ReviewRequest::new("work")).expect_err("fails");
    assert_eq!(error.to_string(), "review failed: no line");
}

#[test]
fn delayed_approval_waits_and_respects_timeout() {
    let start = Instant::now();
    let later = auto_approve_after(Duration::from_millis(50));
    assert_eq!(
        ask(&later, &ReviewRequest::new("work")).expect("approves"),
        ReviewDecision::Continue
    );
    assert!(start.elapsed() >= Duration::from_millis(50));
    let decision =
        ask(&auto_approve_after(Duration::from_secs(600)), &short()).expect("exits early");
    assert_eq!(decision, ReviewDecision::ExitEarly { timed_out: true });
}

#[test]
fn channel_passes_request_and_returns_reply() {
    let (handler, requests) = channel();
    let ui = thread::spawn(move || {
        let pending = requests.recv_blocking().expect("a request");
        assert_eq!(pending.request().action, "{}");
        assert!(pending.is_awaited());
        assert!(pending.reply(ReviewDecision::Edit("[]".into())));
        assert!(requests.recv_blocking().is_none());
    });
    let request = ReviewRequest::new("work").action("{}");
    assert_eq!(
        ask(&handler, &request).expect("answers"),
        ReviewDecision::Edit("[]".into())
    );
    drop(handler);
    ui.join()
        .expect("the user interface ends when the handlers are gone");
}

#[test]
fn a_request_dropped_without_reply_is_rejected() {
    let (handler, requests) = channel();
    thread::spawn(move || drop(block_on(requests.recv())));
    let request = ReviewRequest::new("work").on_timeout(OnTimeout::Continue);
    assert_eq!(
        ask(&handler, &request).expect("rejects"),
        ReviewDecision::REJECT
    );
}

#[test]
fn when_all_receivers_are_gone_everything_is_rejected() {
    let (handler, requests) = channel();
    let other = requests.clone();
    drop(requests);
    let waiting = thread::spawn({
        let handler = handler.clone();
        move || ask(&handler, &ReviewRequest::new("queued"))
    });
    while other.shared_len() == 0 {
        thread::yield_now();
    }
    drop(other);
    assert_eq!(
        waiting.join().expect("no panic").expect("rejects"),
        ReviewDecision::REJECT
    );
    assert_eq!(
        ask(&handler, &ReviewRequest::new("late")).expect("rejects"),
        ReviewDecision::REJECT
    );
}

#[test]
fn ignores_late_reply_and_skips_withdrawn_request() {
    let (handler, requests) = channel();
    assert!(ask(&handler, &short()).is_ok());
    assert!(requests.try_recv().is_none());

    let handler_too = handler.clone();
    let asking = thread::spawn(move || ask(&handler_too, &short()));
    let pending = block_on(requests.recv()).expect("a request");
    assert!(asking.join().expect("no panic").is_ok());
    assert!(!pending.is_awaited());
    assert!(!pending.reply(ReviewDecision::Continue));
}

#[test]
fn hundred_concurrent_requests_receive_matching_answers() {
    let (handler, requests) = channel();
    for _ in 0..4 {
        let requests = requests.clone();
        thread::spawn(move || {
            block_on(async {
                while let Some(pending) = requests.recv().await {
                    let echo = pending.request().action.clone();
                    pending.reply(ReviewDecision::Edit(echo));
                }
            });
        });
    }
    let asking: Vec<_> = (0..100)
        .map(|number| {
            let handler = handler.clone();
            thread::spawn(move || {
                let request = ReviewRequest::new("work").action(number.to_string());
                let decision = ask(&handler, &request).expect("answers");
                assert_eq!(decision, ReviewDecision::Edit(number.to_string()));
            })
        })
        .collect();
    for thread in asking {
        thread.join().expect("its own answer");
    }
}

#[test]
fn futures_are_send_and_handlers_are_objects() {
    fn send<T: Send>(_: &T) {}
    let handler: Arc<dyn ReviewHandler> = Arc::new(console());
    let request = ReviewRequest::new("work");
    send(&run_review(&*handler, &request));
    let (_handler, requests) = channel();
    send(&requests.recv());
    send(&poll_fn(|_| Poll::Ready(())));
}

#[test]
fn channel_end_lives_until_last_clone_drops() {
    let (handler, requests) = channel();
    let more = [handler.clone(), handler.clone()];
    drop(handler);
    let waits = |requests: &ReviewRequests| {
        let next = pin!(requests.recv());
        next.poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
    };
    assert!(waits(&requests), "somebody can still ask");
    let [handler, other] = more;
    drop(other);
    assert!(waits(&requests), "somebody can still ask");

    let receivers = [requests.clone(), requests.clone()];
    drop(requests);
    let [requests, other] = receivers;
    drop(other);
    let asking = thread::spawn(move || ask(&handler, &ReviewRequest::new("work")));
    let pending = requests.recv_blocking().expect("somebody can still answer");
    assert!(pending.reply(ReviewDecision::Continue));
    let decision = asking.join().expect("no panic").expect("a decision");
    assert_eq!(decision, ReviewDecision::Continue);
    assert!(!waits(&requests), "nobody can ask any more");
}

#[test]
fn try_recv_returns_available_request_without_waiting() {
    let (handler, requests) = channel();
    assert!(requests.try_recv().is_none());
    let asking = thread::spawn(move || ask(&handler, &ReviewRequest::new("work")));
    let start = Instant::now();
    let pending = loop {
        if let Some(pending) = requests.try_recv() {
            break pending;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "it was sent");
        thread::yield_now();
    };
    assert_eq!(pending.request().description, "work");
    assert!(format!("{pending:?}").starts_with("PendingReview { request: ReviewRequest { "));
    assert!(pending.reply(ReviewDecision::Continue));
    let decision = asking.join().expect("no panic").expect("a decision");
    assert_eq!(decision, ReviewDecision::Continue);
}

#[test]
fn automatic_approval_without_delay_needs_no_wait() {
    assert_eq!(auto_approve().role(), None);
    assert_eq!(
        ask(&auto_approve(), &ReviewRequest::new("work")).expect("approves"),
        ReviewDecision::Continue
    );
}

#[test]
fn debug_output_of_handlers_hides_request() {
    let (handler, requests) = channel();
    let asks = review_fn(|_| async { Ok(ReviewDecision::Continue) });
    assert_eq!(
        format!("{handler:?} {requests:?} {asks:?} {:?}", console()),
        "ChannelReviewer(..) ReviewRequests(..) ReviewFn(..) ConsoleReviewer(..)"
    );
}
