//! Parses what the user wrote.

pub(crate) mod clap;
pub(crate) mod doc;
pub(crate) mod errors;
pub(crate) mod list;
pub(crate) mod place;
pub(crate) mod receivers;
pub(crate) mod schemars;
pub(crate) mod serde;
pub(crate) mod values;
pub(crate) mod written;
