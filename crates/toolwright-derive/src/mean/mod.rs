//! What a declaration means, and the rules across its fields.

pub(crate) mod case;
pub(crate) mod check;
pub(crate) mod model;
pub(crate) mod pattern;
pub(crate) mod types;
