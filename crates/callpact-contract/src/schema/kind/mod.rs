//! The kinds of values, one file each: the rules of a kind, how a field narrows them, which rules its type
//! refuses, which values break them, and its words.

mod class_row;
pub(super) mod format;
pub(super) mod format_checks;
pub(super) mod integer;
pub(super) mod keys;
pub(crate) mod list;
pub(crate) mod number;
pub(super) mod object;
pub(super) mod pattern;
pub(crate) mod text;
pub(super) mod union;
