//! The quick reader: a plain text becomes a value, and any other text becomes nothing.
//!
//! It has no path, schema, state or issue, and one bit of policy. If it gives up, the checker reads the same text from
//! its start, so that reports and fixes have one source. What it accepts, the checker accepts as the same value.
//! `lenient` converts a leaf in place: a number or a word in quotes, null or `""` for an absent field. The fixes for that
//! are read from the text when somebody looks at them.

mod field;
mod input;
mod list;
mod map;
mod object;
mod refusal;
mod text;
mod tool_input;
mod union;
mod value;

pub use field::FieldValue;
pub use input::QuickInput;
pub use object::{QuickObject, facts, quick_object, takes_others, width};
pub use refusal::Refusal;
pub use text::quick_choice;
pub use tool_input::{MapKey, ToolInput, put, whole_schema};
pub use union::{QuickUnion, content_rules, quick_union};

pub(crate) use field::FieldFacts;
pub(crate) use list::{ItemCollection, close_tuple, open_tuple, read_list, read_tuple_item};
pub(crate) use map::read_map;
pub(crate) use text::read_text;
pub(crate) use value::read_value;

use crate::{
    policy::Policy,
    repair::is_suspect,
    schema::{CheckedValue, CodeFault, Schema},
};

/// The schema of a place, if it has more rules than its type. The quick reader and the checker call the same functions of it.
pub type PlaceRules = Option<&'static Schema>;

/// Reads a text if it is plain under this policy, and returns whether a value was changed in reading.
#[inline]
pub(crate) fn read_plain<T: ToolInput>(text: &str, policy: &Policy) -> Option<(T, bool)> {
    let mut input = start(text, policy)?;
    let value = T::read_quick(&mut input, None)?;
    Some((value, finish(input, text, policy)?))
}

/// The input for a text, unless the policy is finer than the one bit of the quick reader.
#[inline(never)]
fn start<'de>(text: &'de str, policy: &Policy) -> Option<QuickInput<'de>> {
    let lenient = policy.converts();
    let is_fine = lenient && !policy.converts_all();
    if is_fine || text.len() > policy.max_bytes() {
        return None;
    }
    Some(QuickInput::new(text, lenient))
}

/// Whether a value was changed in reading; `None` if it is not the whole text.
#[inline(never)]
fn finish(mut input: QuickInput<'_>, text: &str, policy: &Policy) -> Option<bool> {
    if !input.is_done() || policy.converts() && is_suspect(text) {
        return None;
    }
    Some(input.is_changed())
}

/// Reads a text that the checker accepted, with the forms that it chose. The words are those of an author who refuses
/// the value.
pub(crate) fn read_checked<T: ToolInput>(text: &str, forms: &[u32]) -> Result<T, Option<String>> {
    let mut input = QuickInput::checked(text, forms);
    match T::read_quick(&mut input, None) {
        Some(value) if input.is_done() => Ok(value),
        _ => Err(input.take_refusal().filter(|words| !words.is_empty())),
    }
}

/// Reads a value only to learn whether an author refuses it.
pub fn check_by_reading<T: ToolInput>(value: CheckedValue<'_>) -> Result<(), CodeFault> {
    match read_checked::<T>(value.text, value.forms) {
        Err(Some(words)) => Err(CodeFault::Refused(words)),
        Ok(_) | Err(None) => Ok(()),
    }
}
