//! The trait of reviewers, and the simplest reviewers.

use std::fmt;
use std::future::{Future, ready};
use std::sync::Arc;
use std::time::Duration;

use super::timer::TimedSleep;
use super::{ReviewDecision, ReviewError, ReviewRequest};
use crate::crash::BoxFuture;

/// Answers review requests.
///
/// Implement it, or make one from an async closure with [`review_fn`]. A caller does not call
/// [`review`](Self::review) itself but [`run_review`](super::run_review), which checks the role and
/// keeps the time.
///
/// ```
/// use callpact::review::{BoxFuture, ReviewDecision, ReviewError, ReviewHandler, ReviewRequest};
///
/// struct OnlyReads;
///
/// impl ReviewHandler for OnlyReads {
///     fn review<'a>(
///         &'a self,
///         request: &'a ReviewRequest,
///     ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
///         Box::pin(async move {
///             Ok(match request.tool.as_str() {
///                 "file_read" => ReviewDecision::Continue,
///                 _ => ReviewDecision::REJECT,
///             })
///         })
///     }
/// }
/// ```
pub trait ReviewHandler: Send + Sync {
    /// Answers one request.
    ///
    /// The future is dropped when the time is up; the person who is being asked must then learn
    /// that the answer no longer counts.
    ///
    /// # Errors
    /// When there is no decision. The action does not go on then.
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>>;

    /// The role that this handler acts for; `None` for no role in particular.
    fn role(&self) -> Option<&str> {
        None
    }

    /// Whether a tool can ask while it runs. If a handler can only be asked before a call runs, the list asks in
    /// place of a tool that would ask itself.
    fn answers_during_execution(&self) -> bool {
        true
    }

    /// This handler, acting for a role.
    fn with_role(self, role: impl Into<String>) -> WithRole<Self>
    where
        Self: Sized,
    {
        WithRole {
            handler: self,
            role: role.into(),
        }
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<H: ReviewHandler + ?Sized> ReviewHandler for $pointer {
            fn review<'a>(
                &'a self,
                request: &'a ReviewRequest,
            ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
                (**self).review(request)
            }

            fn role(&self) -> Option<&str> {
                (**self).role()
            }

            fn answers_during_execution(&self) -> bool {
                (**self).answers_during_execution()
            }
        }
    )*};
}

forward!(&H, Box<H>, Arc<H>);

/// A handler that acts for a role, made by [`ReviewHandler::with_role`].
#[derive(Clone, Debug)]
pub struct WithRole<H> {
    handler: H,
    role: String,
}

impl<H: ReviewHandler> ReviewHandler for WithRole<H> {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        self.handler.review(request)
    }

    fn role(&self) -> Option<&str> {
        Some(&self.role)
    }

    fn answers_during_execution(&self) -> bool {
        self.handler.answers_during_execution()
    }
}

/// A handler made from an async closure or function.
///
/// ```
/// use callpact::review::{ReviewDecision, review_fn};
///
/// let handler = review_fn(|request| async move {
///     Ok(match request.action.len() {
///         0..1000 => ReviewDecision::Continue,
///         _ => ReviewDecision::REJECT,
///     })
/// });
/// # let _: &dyn callpact::review::ReviewHandler = &handler;
/// ```
pub fn review_fn<F, Fut>(review: F) -> ReviewFn<F>
where
    F: Fn(ReviewRequest) -> Fut + Send + Sync,
    Fut: Future<Output = Result<ReviewDecision, ReviewError>> + Send + 'static,
{
    ReviewFn(review)
}

/// The handler made by [`review_fn`].
#[derive(Clone)]
pub struct ReviewFn<F>(F);

impl<F> fmt::Debug for ReviewFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReviewFn(..)")
    }
}

impl<F, Fut> ReviewHandler for ReviewFn<F>
where
    F: Fn(ReviewRequest) -> Fut + Send + Sync,
    Fut: Future<Output = Result<ReviewDecision, ReviewError>> + Send + 'static,
{
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin((self.0)(request.clone()))
    }
}

/// A handler that lets everything go on.
///
/// ```
/// # use callpact::review::*;
/// # async fn example() -> Result<(), ReviewError> {
/// let decision = run_review(&auto_approve(), &ReviewRequest::new("anything")).await?;
/// assert_eq!(decision, ReviewDecision::Continue);
/// # Ok(())
/// # }
/// ```
pub fn auto_approve() -> AutoApprove {
    AutoApprove {
        delay: Duration::ZERO,
    }
}

/// A handler that lets everything go on, but only after a while.
///
/// The request's own time-out still counts: if it is shorter than the delay, it wins.
pub fn auto_approve_after(delay: Duration) -> AutoApprove {
    AutoApprove { delay }
}

/// The handler made by [`auto_approve`] and [`auto_approve_after`].
#[derive(Clone, Copy, Debug)]
pub struct AutoApprove {
    delay: Duration,
}

impl ReviewHandler for AutoApprove {
    fn review<'a>(
        &'a self,
        _request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        if self.delay.is_zero() {
            return Box::pin(ready(Ok(ReviewDecision::Continue)));
        }
        let sleep = TimedSleep::new(self.delay);
        Box::pin(async move {
            sleep.await?;
            Ok(ReviewDecision::Continue)
        })
    }
}
