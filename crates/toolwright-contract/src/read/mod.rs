//! Reading: the typed reader over a text or a borrowed value, and its two entries.

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
pub(crate) mod object;
pub(crate) mod pass;
pub(crate) mod positions;
mod raw;
pub(crate) mod state;
pub(crate) mod take;
pub(crate) mod tool_input;
pub(crate) mod union;
mod wrapped;

use serde_json::Value;

use crate::{
    policy::Policy,
    report::{Fix, Issue, IssueKind, Path, Report, hide},
    schema::{ForeignSchema, Schema},
};
use pass::{Place, close_text, close_value, not_accepted, plain, plain_value};
use state::State;
use tool_input::ToolInput;

/// A value that was read, and what was changed on the way.
///
/// ```
/// use toolwright::{Policy, read_str};
///
/// let read = read_str::<Vec<u8>>(r#"[1, "2"]"#, &Policy::lax())?;
/// assert_eq!(read.value, [1, 2]);
/// assert_eq!(read.fixes.len(), 1);
/// # Ok::<(), toolwright::Report>(())
/// ```
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
    let mut value = None;
    let fixes = read_text(text, policy, schema_of::<T>(), &mut |input, at| {
        value = T::read(input, at);
        value.is_some()
    });
    pair(value, fixes)
}

/// Reads arguments from a JSON value without cloning it.
///
/// ```
/// use serde_json::json;
/// use toolwright::{Policy, ToolInput, read_value};
///
/// #[derive(ToolInput)]
/// struct Forecast {
///     city: String,
///     days: Option<u8>,
/// }
///
/// let value = json!({"city": "Oslo", "days": 3});
/// let read = read_value::<Forecast>(&value, &Policy::exact())?;
/// assert_eq!(read.value.days, Some(3));
/// # Ok::<(), toolwright::Report>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_value<T: ToolInput>(value: &Value, policy: &Policy) -> Result<Read<T>, Report> {
    let mut out = None;
    let fixes = read_borrowed(value, policy, schema_of::<T>(), &mut |input, at| {
        out = T::read(input, at);
        out.is_some()
    });
    pair(out, fixes)
}

/// The schema that holds for a type.
#[inline]
fn schema_of<T: ToolInput>() -> &'static Schema {
    T::foreign().map_or(T::SCHEMA, ForeignSchema::reading)
}

/// The value of a reading that holds, with its fixes.
#[inline(always)]
#[allow(clippy::inline_always)] // moves a value once less
pub(crate) fn pair<T>(
    value: Option<T>,
    fixes: Result<Vec<Fix>, Report>,
) -> Result<Read<T>, Report> {
    match (value, fixes) {
        (Some(value), Ok(fixes)) => Ok(Read { value, fixes }),
        (None, Ok(_)) => Err(nothing()),
        (_, Err(report)) => Err(report),
    }
}

/// Reads a text with whatever a policy allows: the fixes in it.
pub(crate) fn read_text(
    text: &str,
    policy: &Policy,
    schema: &Schema,
    place: Place<'_>,
) -> Result<Vec<Fix>, Report> {
    if text.len() > policy.max_bytes() {
        return Err(too_large(text.len(), policy));
    }
    if policy.repairs() {
        return hide(schema, mended::read_text(text, policy, schema, place));
    }
    let mut state = State::new(policy);
    let is_there = plain(text, schema, &mut state, place);
    if is_there && state.is_clean() {
        return Ok(Vec::new());
    }
    hide(schema, close_text(is_there, state, text, schema, place))
}

pub(crate) fn read_borrowed(
    value: &Value,
    policy: &Policy,
    schema: &Schema,
    place: Place<'_>,
) -> Result<Vec<Fix>, Report> {
    if policy.repairs() {
        return hide(schema, mended::read_borrowed(value, policy, schema, place));
    }
    let mut state = State::new(policy);
    let is_there = plain_value(value, schema, &mut state, place);
    if is_there && state.is_clean() {
        return Ok(Vec::new());
    }
    hide(schema, close_value(is_there, state, value, schema, place))
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
