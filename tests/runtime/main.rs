//! The runtime against the specification that it started from, and against the behaviour of two systems
//! that exist: `docs/decisions-runtime.md` says where it leaves them.
#![allow(clippy::unnecessary_literal_bound)] // the signature of the trait, as users write it
#![allow(clippy::format_push_string, clippy::format_collect)] // the shortest way to collect all that is said

mod approval;
mod checks;
mod compile;
mod cut_off;
mod execution;
mod inside;
mod kit;
mod metrics;
mod pipeline;
mod resolution;
mod rows_1_1_to_1_4;
mod rows_1_5;
mod rows_1_6;
mod rows_1_7;
mod rows_2;
mod rows_seed_004;
mod secrets;
mod shared;
