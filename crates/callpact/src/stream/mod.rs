//! Turns as they arrive: the events of a provider's stream become calls.

mod assembler;
mod chat;
mod cohere;
mod converse;
mod event;
mod gemini;
mod interactions;
mod messages;
mod partial_args;
mod responses;
mod slot;
mod turn;

pub use assembler::TurnAssembler;
pub use event::TurnEvent;
pub use turn::{AssembledTurn, Ended};
