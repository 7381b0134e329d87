//! The writer: turns a schema tree into JSON text, in the form of a profile.
//!
//! It is const, so that a constant can hold the text; the tree of a run-time schema goes through it too.

mod around;
mod draft;
mod fields;
mod fingerprint;
mod flat;
mod integer;
mod node;
mod notes;
mod number;
mod pattern;
mod ready;
mod reference;
mod sink;
mod text;
mod value;
mod variants;
mod whole;

pub(crate) use draft::write_schema;
pub use draft::{Draft, text_of};
pub use fingerprint::Fingerprint;
pub(super) use notes::PAIRS;
pub(crate) use ready::write_ready;
