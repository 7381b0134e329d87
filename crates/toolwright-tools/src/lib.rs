//! The built-in tools of Toolwright, hardened for use by a model.
//!
//! Every family sits behind a feature. [`engine`] holds what the tools do, without the tool traits.
#![forbid(unsafe_code)]

pub mod engine;
