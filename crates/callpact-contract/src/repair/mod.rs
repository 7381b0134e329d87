//! Mends a broken text if it can have only one meaning.
//!
//! From text to text: a tolerant reader writes clean JSON, and notes each change as a [`Fix`](crate::Fix).
//! It knows no schema and never reads a value; changes to the form of a value are made by the reader.

mod cut_off;
mod envelope;
mod explain;
mod fault;
mod markup;
mod notes;
mod repeated;
mod room;
mod space;
mod strings;
mod tokens;
mod tolerant;
mod words;

use crate::policy::Policy;

pub use cut_off::cut_off_call;
pub use envelope::is_json;
pub(crate) use envelope::{mend_arguments, mend_value};
pub(crate) use explain::{cut_off, explain, too_deep};
pub(crate) use markup::{closing_mark, is_suspect, swallowed_names};
pub(crate) use tolerant::ReadStop;

/// A broken text as clean JSON, if its meaning is certain; `None` if it is already clean or cannot
/// be mended. Only the text is mended: the schema decides the form of its values.
///
/// ```
/// use callpact::{Policy, input::repair::clean_text};
///
/// assert_eq!(clean_text("{a: 1,}", &Policy::repair()).as_deref(), Some(r#"{"a":1}"#));
/// assert_eq!(clean_text(r#"{"a": 1}"#, &Policy::repair()), None);
/// assert_eq!(clean_text("{a: ", &Policy::repair()), None);
/// ```
pub fn clean_text(text: &str, policy: &Policy) -> Option<String> {
    if text.len() > policy.max_bytes() {
        return None;
    }
    let clean = mend_arguments(text, policy).ok()?;
    // A repeated key with one value is JSON, and is mended all the same.
    if clean.fixes.is_empty() && is_json(text) {
        return None;
    }
    // A number such as 1e999 is well formed and still cannot be read.
    (!clean.refused && is_json(&clean.text)).then(|| clean.text.into_owned())
}
