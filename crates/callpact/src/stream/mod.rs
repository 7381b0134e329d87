//! Turns as they arrive: the events of a provider's stream become calls.

mod assembler;
mod chat;
mod cohere;
mod converse;
mod event;
mod gemini;
mod hosts;
mod interactions;
mod messages;
mod partial;
mod partial_args;
mod responses;
mod slot;
mod slots;
mod text_calls;
mod turn;

pub use crate::input::{PartialInput, stream::GrowingDocument};
pub use assembler::TurnAssembler;
pub use event::TurnEvent;
pub use partial::partial_value;
pub use turn::AssembledTurn;

pub use crate::adapter::text::{Ended, KnownTools, TextForm, TextReader, TextTurn, Trim};
