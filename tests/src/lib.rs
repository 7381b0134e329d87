//! Helpers of the tests: the shapes of the contract harness, the generator of values, and the
//! documented exceptions.
// Shapes are declarations to read, not an interface to document. Their doc comments are for a
// model.
#![allow(missing_docs, clippy::missing_panics_doc, clippy::must_use_candidate)]
#![allow(
    clippy::wildcard_imports,
    clippy::option_option,
    clippy::type_complexity
)]

pub mod elsewhere;
pub mod exception;
pub mod outputs;
pub mod recursive;
pub mod servers;
/// The generator that users get.
pub mod generate {
    pub use callpact_testing::{Case, Generator, any, character, same, whole, word};
}
pub mod rng {
    pub use callpact_testing::Rng;
}
pub mod shapes;
pub mod turns;
