//! The built-in tools of Toolwright, hardened for use by a model.
//!
//! [`engine`] holds what the tools do, as plain structs and functions that know nothing about tool
//! traits: every limit is a parameter with a safe default, every error is a value whose `Display` is
//! the text that a model may see.
//!
//! | feature | engine | what it is bounded by |
//! | --- | --- | --- |
//! | `files` | [`engine::files`] | one directory, bytes read, bytes written, path length and depth |
//! | `process` | [`engine::process`], [`engine::process_table`] | time, output, environment, number |
//! | `calculator` | [`engine::calculator`] | length, depth, 38 digits |
//! | `datetime` | [`engine::datetime`] | length, the years -9999 to 9999 |
#![forbid(unsafe_code)]

pub mod engine;
