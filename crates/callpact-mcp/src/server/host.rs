//! The reviewer of a server that leaves approval to its clients.

use std::future::ready;

use callpact::{
    ReviewDecision, ReviewHandler, ReviewRequest,
    review::{BoxFuture, ReviewError, ReviewTiming},
};

/// Takes the call itself for the yes of the host, which confirms calls before it makes them.
pub(super) struct HostConfirms;

impl ReviewHandler for HostConfirms {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(ready(match request.timing {
            ReviewTiming::BeforeExecution => Ok(ReviewDecision::Continue),
            // The host has not seen this question.
            _ => Err(ReviewError::failed("the client cannot be asked")),
        }))
    }

    /// The list asks in place of a tool that asks about every call.
    fn answers_during_execution(&self) -> bool {
        false
    }
}
