//! Reading: the typed reader over a text or a borrowed value.

mod absent;
pub(crate) mod any;
pub(crate) mod at;
pub(crate) mod dynamic;
pub(crate) mod fields;
pub(crate) mod foreign;
pub(crate) mod found;
pub(crate) mod here;
pub(crate) mod input;
pub(crate) mod keys;
pub(crate) mod leaks;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod meant;
mod mended;
mod misplaced;
pub(crate) mod object;
pub(crate) mod pass;
pub(crate) mod positions;
mod raw;
pub(crate) mod reading;
pub(crate) mod state;
mod stranger;
pub(crate) mod take;
pub(crate) mod tool_input;
pub(crate) mod union;
mod wrapped;
