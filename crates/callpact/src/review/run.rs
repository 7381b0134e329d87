//! Asking a handler: the role first, then the question, under the request's own clock.

use std::future::Future;
use std::pin::pin;

use super::timer::wait_for;
use super::{OnTimeout, ReviewDecision, ReviewError, ReviewHandler, ReviewRequest};

/// Asks a handler, enforces the required role and keeps the request's time.
///
/// It runs on any executor. An answer that arrives at the moment of the time-out still counts.
///
/// ```
/// use std::time::Duration;
/// use callpact::review::*;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ReviewError> {
/// let asleep = auto_approve_after(Duration::from_secs(3600)).with_role("ops");
/// let request = ReviewRequest::new("restart").timeout(Duration::from_millis(5));
/// assert_eq!(run_review(&asleep, &request).await?, ReviewDecision::ExitEarly { timed_out: true });
///
/// let request = request.required_role("security");
/// assert!(matches!(run_review(&asleep, &request).await, Err(ReviewError::RoleMismatch { .. })));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the handler does not act for the required role, when the time is up and the request says
/// [`OnTimeout::Fail`], and when the handler itself fails.
pub async fn run_review(
    handler: &(impl ReviewHandler + ?Sized),
    request: &ReviewRequest,
) -> Result<ReviewDecision, ReviewError> {
    check_role(handler.role(), request)?;
    within(request, handler.review(request)).await
}

fn check_role(acting: Option<&str>, request: &ReviewRequest) -> Result<(), ReviewError> {
    let Some(required) = &request.required_role else {
        return Ok(());
    };
    // A blank role is a mistake in the request, and a mistake must not open the gate.
    if acting == Some(required.as_str()) && !required.trim().is_empty() {
        return Ok(());
    }
    Err(ReviewError::RoleMismatch {
        required: required.clone(),
        acting: acting.map(String::from),
    })
}

/// Waits for an answer, and applies the request's time-out.
pub(super) async fn within(
    request: &ReviewRequest,
    answer: impl Future<Output = Result<ReviewDecision, ReviewError>>,
) -> Result<ReviewDecision, ReviewError> {
    // A zero written straight into the field means the same as in the builder.
    let Some(timeout) = request.timeout.filter(|timeout| !timeout.is_zero()) else {
        return answer.await;
    };
    match wait_for(pin!(answer), timeout).await? {
        Some(decision) => decision,
        None => match request.on_timeout {
            OnTimeout::Continue => Ok(ReviewDecision::Continue),
            OnTimeout::ExitEarly => Ok(ReviewDecision::ExitEarly { timed_out: true }),
            OnTimeout::Fail => Err(ReviewError::TimedOut { after: timeout }),
        },
    }
}
