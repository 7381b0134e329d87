//! Helpers of the tests: the shapes that go through the contract harness, the generator of values
//! for a schema, and the list of documented exceptions.
// Shapes are declarations to be read, not an interface to be documented; their doc comments are
// what a model would see.
#![allow(missing_docs, clippy::missing_panics_doc, clippy::must_use_candidate)]
#![allow(
    clippy::wildcard_imports,
    clippy::option_option,
    clippy::type_complexity
)]

pub mod exception;
/// The generator is the one that users get.
pub mod generate {
    pub use toolwright::testing::{Case, Generator, any, character, same, whole, word};
}
pub mod rng {
    pub use toolwright::testing::Rng;
}
pub mod shapes;
