//! The reviewer of an unattended worker.

use std::future::ready;

use callpact::{
    ReviewDecision, ReviewHandler,
    review::{ReviewError, ReviewRequest, ReviewTiming},
    toolset::BoxFuture,
};

/// Approves what the host has decided, and refuses every other question.
pub(super) struct HostDecision {
    /// Whether the tool asks about its calls by itself. Then the host has already asked.
    pub(super) asks_itself: bool,
}

impl ReviewHandler for HostDecision {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let decided = request.timing == ReviewTiming::BeforeExecution || self.asks_itself;
        Box::pin(ready(Ok(if decided {
            ReviewDecision::Continue
        } else {
            ReviewDecision::Refuse("nobody can be asked at the worker that runs the tool".into())
        })))
    }
}
