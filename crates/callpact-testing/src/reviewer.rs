//! A reviewer that answers from a script and records the requests.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use callpact::review::{BoxFuture, ReviewDecision, ReviewError, ReviewHandler, ReviewRequest};

/// Answers reviews from a script, in order, and records the requests. When the script is at its
/// end the review fails, and nothing goes on.
///
/// Clones share the script and the record.
///
/// ```
/// use callpact::{ReviewDecision, ToolCall, ToolContext, Toolset, tool};
/// use callpact_testing::RecordingReviewer;
///
/// /// Deletes everything
/// #[tool(destructive)]
/// fn wipe() {}
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let reviewer = RecordingReviewer::new([ReviewDecision::REJECT]);
/// let cx = ToolContext::new().with_reviewer(reviewer.clone());
/// let tools = Toolset::builder().tool(Wipe).build()?;
/// assert!(tools.call(&ToolCall::new("call-1", "wipe", "{}"), &cx).await.is_err());
/// assert_eq!(reviewer.requests()[0].tool, "wipe");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct RecordingReviewer(Arc<Mutex<ReviewerState>>);

#[derive(Debug, Default)]
struct ReviewerState {
    answers: VecDeque<ReviewDecision>,
    requests: Vec<ReviewRequest>,
}

impl RecordingReviewer {
    /// A reviewer with these answers.
    pub fn new(answers: impl IntoIterator<Item = ReviewDecision>) -> Self {
        Self(Arc::new(Mutex::new(ReviewerState {
            answers: answers.into_iter().collect(),
            requests: Vec::new(),
        })))
    }

    /// The questions so far.
    pub fn requests(&self) -> Vec<ReviewRequest> {
        self.state(|state| state.requests.clone())
    }

    /// How many answers are left.
    pub fn left(&self) -> usize {
        self.state(|state| state.answers.len())
    }

    fn state<R>(&self, of: impl FnOnce(&mut ReviewerState) -> R) -> R {
        of(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ReviewHandler for RecordingReviewer {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let answer = self.state(|state| {
            state.requests.push(request.clone());
            state.answers.pop_front()
        });
        Box::pin(async move {
            answer.ok_or_else(|| ReviewError::failed("the script of the reviewer is at its end"))
        })
    }
}
