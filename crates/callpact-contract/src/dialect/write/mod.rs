//! The writer: turns a schema tree into JSON text, in the form of a profile.
//!
//! It is const, so that a constant can hold the text; the tree of a run-time schema goes through it too.

mod definitions;
mod fields;
mod fingerprint;
mod flat;
mod integer;
mod node;
mod notes;
mod number;
mod pattern;
mod reference;
mod root;
mod sink;
mod text;
mod value;
mod variants;
mod whole;

pub use fingerprint::Fingerprint;
pub(super) use notes::PAIRS;
pub(crate) use root::write_schema;
