//! One question to two reviewers.

use std::future::poll_fn;
use std::task::Poll;

use super::{BoxFuture, ReviewDecision, ReviewError, ReviewHandler, ReviewRequest};

/// Asks two reviewers at once, such as a person at the console and the people at a page. The first decision counts,
/// and the other question is withdrawn. If both decide at the same moment, `one` counts.
///
/// If one reviewer cannot be asked, the other decides. If neither can, it is an error. Both must wait for a person: a
/// console whose input has ended answers at once, with a rejection.
///
/// The result acts for a role if both have the same one; name another with [`with_role`](ReviewHandler::with_role).
///
/// ```
/// use callpact::review::*;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ReviewError> {
/// let (page, requests) = channel();
/// let both = first_of(auto_approve_after(std::time::Duration::from_secs(3600)), page);
/// std::thread::spawn(move || {
///     if let Some(pending) = requests.recv_blocking() {
///         pending.reply(ReviewDecision::REJECT);
///     }
/// });
/// assert_eq!(run_review(&both, &ReviewRequest::new("Write a file")).await?, ReviewDecision::REJECT);
/// # Ok(())
/// # }
/// ```
pub fn first_of<A: ReviewHandler, B: ReviewHandler>(one: A, other: B) -> FirstOf<A, B> {
    FirstOf { one, other }
}

/// The handler made by [`first_of`].
#[derive(Clone, Debug)]
pub struct FirstOf<A, B> {
    one: A,
    other: B,
}

impl<A: ReviewHandler, B: ReviewHandler> ReviewHandler for FirstOf<A, B> {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let mut asked = vec![self.one.review(request), self.other.review(request)];
        Box::pin(poll_fn(move |cx| {
            let mut at = 0;
            while let Some(answer) = asked.get_mut(at) {
                match answer.as_mut().poll(cx) {
                    Poll::Pending => at += 1,
                    Poll::Ready(Err(_)) if asked.len() > 1 => drop(asked.remove(at)),
                    // Dropping `asked` withdraws the other question.
                    Poll::Ready(answer) => return Poll::Ready(answer),
                }
            }
            Poll::Pending
        }))
    }

    fn role(&self) -> Option<&str> {
        self.one
            .role()
            .filter(|role| self.other.role() == Some(role))
    }

    fn answers_during_execution(&self) -> bool {
        self.one.answers_during_execution() && self.other.answers_during_execution()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::task::{Context, Wake, Waker};

    use super::super::{channel, review_fn};
    use super::*;

    struct Asleep;

    impl Wake for Asleep {
        fn wake(self: Arc<Self>) {}
    }

    #[test]
    fn first_decision_wins_and_withdraws_second_request() {
        let waker = Waker::from(Arc::new(Asleep));
        let mut cx = Context::from_waker(&waker);
        let request = ReviewRequest::new("Write a file");
        for faster in 0..2 {
            let (one, first) = channel();
            let (other, second) = channel();
            let both = first_of(one, other);
            let mut answer = both.review(&request);
            assert!(answer.as_mut().poll(&mut cx).is_pending());
            let mut asked = [first, second]
                .map(|requests| requests.recv_blocking().expect("both are asked"))
                .into_iter()
                .collect::<Vec<_>>();
            let slower = asked.remove(1 - faster);
            let reason = ReviewDecision::Refuse(faster.to_string());
            assert!(asked.remove(0).reply(reason.clone()));
            let Poll::Ready(decision) = answer.as_mut().poll(&mut cx) else {
                panic!("somebody has decided");
            };
            assert_eq!(decision.expect("a decision"), reason);
            drop(answer);
            assert!(!slower.reply(ReviewDecision::Continue), "nobody waits");
        }
    }

    #[tokio::test]
    async fn failed_reviewer_leaves_decision_to_second_reviewer() {
        let nobody =
            |why: &'static str| review_fn(move |_| async move { Err(ReviewError::failed(why)) });
        let yes = || review_fn(|_| async { Ok(ReviewDecision::Continue) });
        let request = ReviewRequest::new("Write a file");
        let decision = first_of(nobody("gone"), yes()).review(&request).await;
        assert!(matches!(decision, Ok(ReviewDecision::Continue)));
        let decision = first_of(yes(), nobody("gone")).review(&request).await;
        assert!(matches!(decision, Ok(ReviewDecision::Continue)));
        let error = first_of(nobody("one"), nobody("two"))
            .review(&request)
            .await;
        assert_eq!(
            error.expect_err("nobody decides").to_string(),
            "review failed: two"
        );
    }

    #[test]
    fn both_act_for_one_role_or_for_none() {
        let yes = || review_fn(|_| async { Ok(ReviewDecision::Continue) });
        let (ops, dev) = (|| yes().with_role("ops"), || yes().with_role("dev"));
        assert_eq!(first_of(ops(), ops()).role(), Some("ops"));
        assert_eq!(first_of(ops(), dev()).role(), None);
        assert_eq!(first_of(ops(), yes()).role(), None);
        assert_eq!(first_of(yes(), ops()).role(), None);
    }
}
