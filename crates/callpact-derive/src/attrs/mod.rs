//! Parses what the user wrote.

pub(crate) mod attr;
pub(crate) mod doc;
pub(crate) mod errors;
pub(crate) mod item;
pub(crate) mod serde;
pub(crate) mod values;
