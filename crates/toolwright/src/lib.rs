//! Typed tools for LLM agents.

pub mod review;
pub mod secret;
