//! A call that waits for a person, in a form that can be kept.

use serde::{Deserialize, Serialize};

use super::Permission;

/// A call that needs a decision which may come later, from another process.
///
/// It is given out as [`Halt::Pending`](super::Halt::Pending) when the context defers approval, and
/// taken back by `Toolset::resume`, which refuses it when anything about it has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// The id of the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments as the model wrote them; secrets are still placeholders.
    pub arguments: String,
    /// How far the tool reaches.
    pub permission: Permission,
    /// What the decision is bound to: the tool, its schema and the arguments.
    pub digest: String,
}

impl PendingCall {
    pub(crate) fn new(
        call_id: &str,
        tool: &str,
        arguments: &str,
        permission: Permission,
        digest: String,
    ) -> Self {
        Self {
            call_id: call_id.to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            permission,
            digest,
        }
    }
}
