//! Calls in the text of a model.
//!
//! [`table`] has a row for each form, and each kind of body has one reader. The engine in [`reader`] reads whole texts
//! and pieces alike: it reads a block again only when it may have become complete.

mod bare;
mod block;
mod code;
mod cursor;
mod elements;
mod engine;
mod form;
mod gemma;
mod hint;
mod json;
mod known;
mod marks;
mod parameters;
mod python;
mod reader;
mod response_hint;
mod table;
mod template;
#[cfg(test)]
mod tests;
mod thoughts;
mod typed;

pub use form::{TextForm, Trim};
pub use known::KnownTools;
pub use reader::{Ended, TextReader, TextTurn};
pub(crate) use response_hint::{hint_of, text_hint};
