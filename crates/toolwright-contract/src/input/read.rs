//! The two entries of the reader: a text, and a borrowed JSON value.

use serde_json::Value;

use super::{
    At, ToolInput,
    at::State,
    json::{Broken, Json},
    mended,
    pass::{FromText, FromValue, close, not_accepted, plain, plain_value},
};
use crate::{
    policy::Policy,
    report::{Fix, Issue, IssueKind, Path, Report, hide},
    schema::Schema,
};

/// A value that was read, and what was changed on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read<T> {
    /// The value.
    pub value: T,
    /// The conversions, and the unknown parameters that were dropped.
    pub fixes: Vec<Fix>,
}

/// Reads arguments from the text that a model wrote, in one pass.
///
/// An empty text and `null` mean no arguments.
///
/// ```
/// use toolwright::{Policy, ToolInput, read_str};
///
/// #[derive(ToolInput)]
/// struct Add { a: i64, b: i64 }
///
/// let read = read_str::<Add>(r#"{"a": 1, "b": "2"}"#, &Policy::lax())?;
/// assert_eq!((read.value.a, read.value.b), (1, 2));
/// assert_eq!(read.fixes[0].to_string(), "b: \"2\" read as 2");
/// # Ok::<(), toolwright::Report>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_str<T: ToolInput>(text: &str, policy: &Policy) -> Result<Read<T>, Report> {
    let mut place = None;
    let fixes = arguments(text, policy, T::SCHEMA, &mut place);
    taken(place, fixes)
}

impl<T: ToolInput> FromText for Option<T> {
    fn read(&mut self, source: &mut Json<'_>, at: At<'_>) -> Result<bool, Broken> {
        // Without `?`, whose functions would be compiled for each type.
        match T::read_text(source, at) {
            Ok(value) => {
                *self = value;
                Ok(self.is_some())
            }
            Err(error) => Err(error),
        }
    }
}

impl<T: ToolInput> FromValue for Option<T> {
    fn read(&mut self, value: &Value, at: At<'_>) -> bool {
        // A value in memory is never broken JSON.
        *self = T::read(value, at).unwrap_or_default();
        self.is_some()
    }
}

/// The value of a reading that holds.
#[inline]
fn taken<T>(place: Option<T>, fixes: Result<Vec<Fix>, Report>) -> Result<Read<T>, Report> {
    match (place, fixes) {
        (Some(value), Ok(fixes)) => Ok(Read { value, fixes }),
        (None, Ok(_)) => Err(nothing()),
        (_, Err(report)) => Err(report),
    }
}

/// Reads a text with whatever a policy allows: the fixes in it.
fn arguments(
    text: &str,
    policy: &Policy,
    schema: &'static Schema,
    place: &mut dyn FromText,
) -> Result<Vec<Fix>, Report> {
    if text.len() > policy.max_bytes() {
        return Err(too_large(text.len(), policy));
    }
    if policy.repairs() {
        return hide(schema, mended::read_text(text, policy, schema, place));
    }
    let mut state = State::new(policy);
    let is_there = plain(text, schema, &mut state, place);
    hide(schema, close(is_there, state))
}

/// Reads arguments from a JSON value without cloning it.
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_value<T: ToolInput>(value: &Value, policy: &Policy) -> Result<Read<T>, Report> {
    let mut place = None;
    let fixes = value_arguments(value, policy, T::SCHEMA, &mut place);
    taken(place, fixes)
}

fn value_arguments(
    value: &Value,
    policy: &Policy,
    schema: &'static Schema,
    place: &mut dyn FromValue,
) -> Result<Vec<Fix>, Report> {
    if policy.repairs() {
        return hide(schema, mended::read_borrowed(value, policy, schema, place));
    }
    let mut state = State::new(policy);
    let is_there = plain_value(value, schema, &mut state, place);
    hide(schema, close(is_there, state))
}

/// The report where a value was announced and none is there.
#[cold]
fn nothing() -> Report {
    Report::new(vec![not_accepted(Path::default())])
}

#[cold]
fn too_large(len: usize, policy: &Policy) -> Report {
    let most = format!("at most {} bytes", policy.max_bytes());
    Report::new(vec![Issue::new(
        Path::default(),
        IssueKind::TooLarge,
        most,
        format!("{len} bytes"),
    )])
}
