//! One reading of arguments, from a text or from a value in memory, and its result.

use std::mem;

use serde_json::Value;

use super::{
    at::At,
    here::Here,
    input::Input,
    mended,
    pass::{Place, close_text, close_value, input_of, not_accepted, settle, without_absence},
    state::State,
    tool_input::ToolInput,
};
use crate::{
    policy::Policy,
    report::{Fixes, Issue, IssueKind, Path, Report, hide},
    schema::{ForeignSchema, Schema},
};

/// A value that was read, and the changes that were made while reading it.
///
/// ```
/// use callpact::{Policy, read_str};
///
/// let read = read_str::<Vec<u8>>(r#"[1, "2"]"#, &Policy::lax())?;
/// assert_eq!(read.value, [1, 2]);
/// assert_eq!(read.fixes.len(), 1);
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read<T> {
    /// The value.
    pub value: T,
    /// The conversions, and the unknown parameters that were dropped.
    pub fixes: Fixes,
}

/// Reads arguments from the text that a model wrote, in one reading.
///
/// An empty text and `null` mean no arguments.
///
/// ```
/// use callpact::{Policy, ToolInput, read_str};
///
/// #[derive(ToolInput)]
/// struct Add { a: i64, b: i64 }
///
/// let read = read_str::<Add>(r#"{"a": 1, "b": "2"}"#, &Policy::lax())?;
/// assert_eq!((read.value.a, read.value.b), (1, 2));
/// assert_eq!(read.fixes[0].to_string(), "b: \"2\" read as 2");
/// # Ok::<(), callpact::Report>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_str<T: ToolInput>(text: &str, policy: &Policy) -> Result<Read<T>, Report> {
    read(Reading::of_text(text, policy, schema_of::<T>()))
}

/// Reads arguments from a JSON value without cloning it.
///
/// ```
/// use serde_json::json;
/// use callpact::{Policy, ToolInput, read_value};
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
/// # Ok::<(), callpact::Report>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_value<T: ToolInput>(value: &Value, policy: &Policy) -> Result<Read<T>, Report> {
    read(Reading::of_value(value, policy, schema_of::<T>()))
}

/// Reads a type. The first attempt does not use a place, so that the value is not moved once more. The rare cases are
/// compiled once for all types.
#[inline]
fn read<T: ToolInput>(mut reading: Reading<'_>) -> Result<Read<T>, Report> {
    let at = At::new(&mut reading.state, &reading.here);
    let mut value = T::read(&mut reading.input, at);
    let is_there = value.is_some();
    let fixes = match reading.take_clean(is_there) {
        Some(fixes) => {
            // There is nothing to drop, and checking that takes longer than reading a small field.
            mem::forget(reading);
            fixes
        }
        None => reading.end(is_there, &mut value)?,
    };
    match value {
        Some(value) => Ok(Read { value, fixes }),
        None => Err(nothing(fixes)),
    }
}

/// The schema that is in force for a type.
#[inline]
fn schema_of<T: ToolInput>() -> &'static Schema {
    T::foreign().map_or(T::SCHEMA, ForeignSchema::reading)
}

/// The report if a reader announced a value and there is none.
#[cold]
#[inline(never)]
pub(super) fn nothing(fixes: Fixes) -> Report {
    drop(fixes);
    Report::new(vec![not_accepted(Path::default())])
}

/// One reading of arguments: their source, their place, and the findings.
pub(super) struct Reading<'a> {
    input: Input<'a>,
    state: State,
    here: Here<'a>,
    arguments: Arguments<'a>,
    policy: &'a Policy,
}

#[derive(Clone, Copy)]
enum Arguments<'a> {
    Text(&'a str),
    Value(&'a Value),
}

impl<'a> Reading<'a> {
    /// A reading of a text.
    #[inline(never)]
    pub(super) fn of_text(text: &'a str, policy: &'a Policy, schema: &'a Schema) -> Self {
        // The common case first: an object starts with its brace.
        let is_plain = text.as_bytes().first() == Some(&b'{') && text.len() <= policy.max_bytes();
        if is_plain {
            return Self::new(Input::text(text), Arguments::Text(text), policy, schema);
        }
        Self::of_rare(Arguments::Text(text), policy, schema)
    }

    /// A reading of a value in memory.
    #[inline(never)]
    pub(super) fn of_value(value: &'a Value, policy: &'a Policy, schema: &'a Schema) -> Self {
        if value.is_null() {
            return Self::of_rare(Arguments::Value(value), policy, schema);
        }
        Self::new(Input::value(value), Arguments::Value(value), policy, schema)
    }

    /// A reading of arguments that may be empty or too long.
    #[cold]
    #[inline(never)]
    fn of_rare(arguments: Arguments<'a>, policy: &'a Policy, schema: &'a Schema) -> Self {
        let input = match arguments {
            // A text that is too long is not read; `-` makes the reading fail.
            Arguments::Text(text) if text.len() > policy.max_bytes() => Input::text("-"),
            Arguments::Text(text) => Input::text(without_absence(text, schema)),
            Arguments::Value(value) => input_of(value, schema),
        };
        Self::new(input, arguments, policy, schema)
    }

    #[inline]
    fn new(
        input: Input<'a>,
        arguments: Arguments<'a>,
        policy: &'a Policy,
        schema: &'a Schema,
    ) -> Self {
        Self {
            input,
            state: State::new(policy.without_repair()),
            here: Here::root(schema),
            arguments,
            policy,
        }
    }

    /// The fixes, if there is a good value and nothing else to report. Then the reading has nothing in memory.
    #[inline(never)]
    fn take_clean(&mut self, is_there: bool) -> Option<Fixes> {
        if !is_there || !self.input.is_done() || self.policy.repairs() {
            return None;
        }
        self.state.take_clean()
    }

    /// Reads into a place, and returns the fixes.
    pub(super) fn read(mut self, place: &mut dyn Place) -> Result<Fixes, Report> {
        let is_there = place.read(&mut self.input, At::new(&mut self.state, &self.here));
        match self.take_clean(is_there) {
            Some(fixes) => Ok(fixes),
            None => self.end(is_there, place),
        }
    }

    /// Ends a reading that has something to report: reads again what can be repaired, and reports the rest.
    #[cold]
    #[inline(never)]
    fn end(self, is_there: bool, place: &mut dyn Place) -> Result<Fixes, Report> {
        let Self {
            mut input,
            mut state,
            here,
            arguments,
            policy,
        } = self;
        let schema = here.schema();
        let fixes = match arguments {
            Arguments::Text(text) => {
                if text.len() > policy.max_bytes() {
                    return Err(too_large(text.len(), policy));
                }
                let is_there = settle(is_there, &mut input, text, &mut state, schema);
                if policy.repairs() {
                    mended::read_text(is_there, state, text, policy, schema, place)
                } else {
                    close_text(is_there, state, text, schema, place)
                }
            }
            Arguments::Value(value) => {
                if policy.repairs() {
                    mended::read_borrowed(is_there, state, value, policy, schema, place)
                } else {
                    close_value(is_there, state, value, schema, place)
                }
            }
        };
        hide(schema, fixes)
    }
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
