//! Texts: quoting, the nearest of several names, a cursor over bytes. This module is independent of the
//! rest of the crate.

mod cursor;
mod equal;
mod expression;
mod meaning;
mod nearest;
mod quote;
mod words;

pub(crate) use cursor::TextCursor;
pub(crate) use equal::{is_equal, same};
pub(crate) use expression::is_expression;
pub(crate) use nearest::{fold_case, initial, landmarks, meant_by, only_by_case, resembles};
pub use nearest::{nearest, nearest_of};
pub use quote::cut;
pub(crate) use quote::{
    NOT_SHOWN, SHOWN, put_cut, put_json_text, put_key, quote, quote_whole, quoted, ticked, whole,
};
pub(crate) use words::{has_word, words};
