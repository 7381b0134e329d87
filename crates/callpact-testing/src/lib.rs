//! Help for testing tools: generated inputs, checks of contracts, a scripted model and a recording
//! reviewer, and the suite that every call store must pass.
//!
//! ```
//! use callpact::ToolInput;
//! use callpact_testing::assert_contract;
//!
//! #[derive(ToolInput)]
//! struct Search {
//!     /// What to look for
//!     #[tool_param(min_length = 1)]
//!     query: String,
//!     #[tool_param(min = 1, max = 100, default = 10)]
//!     limit: u32,
//! }
//!
//! assert_contract::<Search>();
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason

mod contract;
mod generate;
mod model;
mod mutate;
mod reviewer;
mod rng;
mod sample;
mod store;
mod values;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use contract::{
    Contract, assert_contract, assert_output, assert_round_trip, assert_tool, check_contract,
};
pub use generate::{Case, Generator, same};
pub use model::{ScriptedModel, Transcript, Turn};
pub use reviewer::RecordingReviewer;
pub use rng::Rng;
pub use store::{assert_store, waiting_call};

// For the project's own tests.
#[doc(hidden)]
pub use values::{any, character, whole, word};
