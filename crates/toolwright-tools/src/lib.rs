//! The built-in tools of toolwright, hardened: what a model asks for is checked where it happens.
//!
//! Every family sits behind a feature, and nothing is built unless it is asked for.

pub mod engine;
