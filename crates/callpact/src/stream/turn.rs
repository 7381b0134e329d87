//! A whole turn.

use serde_json::Value;

use crate::adapter::{ToolCall, text::Ended};

/// A turn that was assembled from its events.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AssembledTurn {
    /// The calls, in the order in which they began. A call that is not whole is [cut off](ToolCall::cut_off), and one
    /// that cannot be assembled has a [fault](ToolCall::fault): a [`Toolset`](crate::Toolset) replies to both and runs
    /// neither.
    pub calls: Vec<ToolCall>,
    /// The answer.
    pub text: String,
    /// The thoughts.
    pub thoughts: String,
    /// The words in which the model refused to answer.
    pub refusal: Option<String>,
    /// How the turn ended.
    pub ended: Ended,
    /// The provider's word for the end, or the message of its error.
    pub reason: Option<String>,
    /// Items that are neither text nor thoughts nor calls of the program's tools, as the provider sent them.
    pub others: Vec<Value>,
    /// Why a turn does not mean what it seems to mean: its text is written like a call, or an item waits for
    /// something that the program has to do.
    pub hint: Option<String>,
}
