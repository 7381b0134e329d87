//! Keeps the calls that were made, for people who look at them later.

use serde::{Deserialize, Serialize};

use super::calls::CallDecision;
use crate::store::{Moment, StoreFuture};

/// A call that was made, with masks in place of secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TracedCall {
    /// The id that the model gave the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The role of the agent that called.
    pub role: Option<String>,
    /// Where the call came from, such as `program`.
    pub from: String,
    /// The run of the call.
    pub run: Option<String>,
    /// The turn of the run.
    pub turn: Option<u32>,
    /// The arguments as the model wrote them.
    pub arguments: String,
    /// When it began.
    pub began: Moment,
    /// How it ended; `None` while it goes on.
    pub end: Option<TracedEnd>,
}

impl TracedCall {
    /// A call that begins at a moment.
    pub fn new(tool: impl Into<String>, began: Moment) -> Self {
        Self {
            tool: tool.into(),
            began,
            ..Self::default()
        }
    }
}

/// The end of a [`TracedCall`]. Times are in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TracedEnd {
    /// The name of the outcome, or of the halt.
    pub outcome: String,
    /// Whether it is a halt, which the model does not see.
    pub halted: bool,
    /// The text for the model, or the text of the halt.
    pub text: String,
    /// The changes that were made to the arguments to read them.
    pub fixes: Vec<String>,
    /// How long the call took.
    pub micros: u64,
    /// The time of reading and checking.
    pub reading: u64,
    /// The time of waiting for a person.
    pub waiting: u64,
    /// The time of running the tool.
    pub running: u64,
    /// The last decision about the call.
    pub decision: Option<CallDecision>,
}

impl TracedEnd {
    /// The end of a call after some time.
    pub fn new(outcome: impl Into<String>, text: impl Into<String>, micros: u64) -> Self {
        Self {
            outcome: outcome.into(),
            text: text.into(),
            micros,
            ..Self::default()
        }
    }
}

/// Keeps the latest calls, up to a bound.
pub trait TraceStore: Send + Sync {
    /// Adds a call that has ended. The oldest calls beyond the bound are removed.
    ///
    /// # Errors
    /// When the store fails.
    fn record_call<'a>(&'a self, call: &'a TracedCall) -> StoreFuture<'a, ()>;

    /// The latest calls, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    fn recent_calls(&self, most: usize) -> StoreFuture<'_, Vec<TracedCall>>;
}
