//! The progress of a turn.

use crate::Issue;

/// The progress of a turn that is still arriving. It is for showing: only
/// [`TurnAssembler::finish`](super::TurnAssembler::finish) says which calls are whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnEvent {
    /// More of the answer's text.
    Text(String),
    /// More of the model's thoughts.
    Thought(String),
    /// A call has begun, and its name is known.
    CallStarted {
        /// Its place among the calls of the turn.
        position: usize,
        /// The id that the provider gave it; empty if there is none yet.
        id: String,
        /// The name of the tool.
        name: String,
    },
    /// More of a call's arguments: JSON text, or the text of a [custom](crate::adapter::CallOrigin::is_text) call.
    Arguments {
        /// The place of the call among those of the turn.
        position: usize,
        /// The text behind the pieces before.
        text: String,
    },
    /// The arguments of a call have an issue that nothing behind can correct, so the call will be refused. A program may
    /// abort the request. Only [with the tools](super::TurnAssembler::with_tools). An [`AgentTool`](crate::AgentTool) that
    /// reads its arguments by itself may accept more than its schema.
    Hopeless {
        /// The place of the call among those of the turn.
        position: usize,
        /// What is wrong.
        issue: Issue,
    },
    /// The provider says that a call is complete.
    CallEnded {
        /// Its place among the calls of the turn.
        position: usize,
    },
    /// The provider begins the turn anew: everything before is void.
    Restarted,
}
