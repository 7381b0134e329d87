//! A question about a call of this process, as it is passed around.

use std::sync::Arc;

use callpact::{ReviewDecision, ReviewRequest, store::Moment};

/// Marks the id of a question from the program itself; a stored call has the id of the store.
pub(crate) const LIVE: &str = "live-";

/// The end of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum QuestionEnd {
    /// A person decided.
    By {
        who: String,
        decision: ReviewDecision,
    },
    /// The call does not wait any more: it timed out, was cancelled, or was decided elsewhere.
    Gone,
}

/// An open question, for the page.
pub(crate) struct AskedQuestion {
    pub(crate) id: String,
    pub(crate) request: ReviewRequest,
    pub(crate) by: Option<Arc<str>>,
    pub(crate) since: Moment,
}
