//! Reads the arguments of a type: quickly if they are plain, and else by the checker.

use serde_json::Value;

use crate::{
    check::{
        CheckedText,
        reading::{TextAcceptor, read_arguments, read_fixes, text_of},
        state::CheckState,
    },
    policy::Policy,
    read::{ToolInput, read_checked, read_plain},
    report::{Fixes, Issue, IssueKind, Path, Report},
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
    match read_str_quickly(text, policy) {
        Some(read) => Ok(read),
        None => read_str_thoroughly(text, policy),
    }
}

/// Like [`read_str`], by the checker also for a plain text. Tests compare the two.
///
/// # Errors
/// A [`Report`] of every issue that was found.
#[doc(hidden)]
#[cold]
#[inline(never)]
pub fn read_str_thoroughly<T: ToolInput>(text: &str, policy: &Policy) -> Result<Read<T>, Report> {
    let mut acceptor = TypedValue::<T>::none();
    let fixes = read_arguments(text, schema_of::<T>(), policy, &mut acceptor)?;
    match acceptor.value {
        Some(value) => Ok(Read { value, fixes }),
        None => Err(disagreement()),
    }
}

/// The value of a text that is plain.
#[doc(hidden)]
#[inline]
pub fn read_str_quickly<T: ToolInput>(text: &str, policy: &Policy) -> Option<Read<T>> {
    let (value, is_changed) = read_plain(text, policy)?;
    let fixes = if is_changed {
        Fixes::later(text, policy, |text, policy| {
            read_fixes(text, schema_of::<T>(), policy)
        })
    } else {
        Fixes::default()
    };
    Some(Read { value, fixes })
}

/// Reads arguments from a JSON value by its text.
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
    read_str(&text_of(value)?, policy)
}

/// Makes the value of a type of a checked text.
pub(super) struct TypedValue<T> {
    value: Option<T>,
}

impl<T> TypedValue<T> {
    pub(super) fn none() -> Self {
        Self { value: None }
    }
}

impl<T: ToolInput> TextAcceptor for TypedValue<T> {
    fn accept(&mut self, text: &CheckedText<'_>, state: &mut CheckState) -> bool {
        let read = read_checked::<T>(&text.text, &text.forms);
        self.value = read.map_err(|words| refuse_value(words, state)).ok();
        self.value.is_some()
    }
}

/// Reports a value that fits its schema and that its type refuses, with the words of the author.
#[cold]
fn refuse_value(words: Option<String>, state: &mut CheckState) {
    let path = Path::default();
    state.push(match words {
        Some(words) => Issue::new(path, IssueKind::Invalid, words, ""),
        None => Issue::unexplained(path),
    });
}

/// The schema that is in force for a type.
pub(crate) fn schema_of<T: ToolInput>() -> &'static Schema {
    T::foreign().map_or(T::SCHEMA, ForeignSchema::reading)
}

/// The report if the checker accepted a text and the reader did not. A reader that is written by hand can do this.
#[cold]
pub(super) fn disagreement() -> Report {
    Report::new(vec![Issue::unexplained(Path::default())])
}
