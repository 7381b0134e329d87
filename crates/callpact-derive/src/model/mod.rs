//! Decides what a declaration means, and refuses contradictions.

pub(crate) mod case;
pub(crate) mod check;
pub(crate) mod container;
pub(crate) mod declaration;
pub(crate) mod pattern;
pub(crate) mod reader;
pub(crate) mod types;
