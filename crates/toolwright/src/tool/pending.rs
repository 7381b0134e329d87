//! A call that waits for a person, in a form that can be kept.

use serde::{Deserialize, Serialize};

use super::Permission;
use crate::review::{ReviewRequest, ReviewTiming};

/// A call that needs a decision which may come later, from another process.
///
/// It is given out as [`Halt::Pending`](super::Halt::Pending) when the context defers approval, and
/// taken back by `Toolset::resume`, which refuses it when anything about it has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// The name of this one question. A list takes one decision about it, so that an answer that
    /// is delivered twice does not run the tool twice.
    pub id: String,
    /// The id that the model gave the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments as the model wrote them; secrets are still placeholders.
    pub arguments: String,
    /// How far the tool reaches.
    pub permission: Permission,
    /// The role that whoever decides must act for.
    #[serde(default)]
    pub required_role: Option<String>,
    /// What the decision is bound to: the tool, its permission, its schema and the arguments.
    pub digest: String,
}

impl PendingCall {
    /// The question to put to a reviewer, wherever that is.
    ///
    /// [`run_review`](crate::review::run_review) asks it, and enforces the role.
    pub fn request(&self) -> ReviewRequest {
        let request = ReviewRequest::new(format!("Call {}", self.tool))
            .timing(ReviewTiming::BeforeExecution)
            .tool(&self.tool)
            .call_id(&self.call_id)
            .action(&self.arguments)
            .digest(&self.digest);
        ReviewRequest {
            required_role: self.required_role.clone(),
            ..request
        }
    }
}
