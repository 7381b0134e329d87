//! The types that a tool may return.

use std::{
    any::Any,
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    error::Error,
    fmt::Display,
    io,
    sync::Arc,
};

use serde::Serialize;

use super::{Halt, ToolError, ToolResult, error::halt_in};
use callpact_contract::ToolOutput;

use crate::__private::output_of;

/// A text, or none.
pub trait IntoText {
    /// The text.
    fn into_text(self) -> Option<String>;
}

impl IntoText for String {
    fn into_text(self) -> Option<String> {
        Some(self)
    }
}

impl IntoText for &str {
    fn into_text(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl IntoText for &String {
    fn into_text(self) -> Option<String> {
        Some(self.clone())
    }
}

impl IntoText for Cow<'_, str> {
    fn into_text(self) -> Option<String> {
        Some(self.into_owned())
    }
}

impl IntoText for Box<str> {
    fn into_text(self) -> Option<String> {
        Some(self.into_string())
    }
}

impl IntoText for Arc<str> {
    fn into_text(self) -> Option<String> {
        Some((*self).to_owned())
    }
}

impl IntoText for () {
    fn into_text(self) -> Option<String> {
        None
    }
}

impl<T: IntoText> IntoText for Option<T> {
    fn into_text(self) -> Option<String> {
        self.and_then(IntoText::into_text)
    }
}

/// A type that a tool may return: a [`ToolResult`], a text, a number, nothing, [`Json`], a type with
/// [`#[derive(ToolOutput)]`](derive@crate::ToolOutput), a list, set or map of
/// [`ToolOutput`](trait@crate::ToolOutput) types, or an `Option` or a `Result` of these. The model is told the error of a `Result`; `None` is an empty output.
///
/// ```
/// use callpact::{IntoToolResult, Json, ToolResult};
///
/// assert_eq!("done".into_tool_result(), ToolResult::success("done"));
/// let failed: Result<String, std::num::ParseIntError> = "x".parse::<u8>().map(|n| n.to_string());
/// assert_eq!(failed.into_tool_result().to_model(), "Error: invalid digit found in string");
/// let json = Json([1, 2]).into_tool_result();
/// assert_eq!((json.output(), json.structured()), ("[1,2]", Some(&serde_json::json!([1, 2]))));
/// ```
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`",
    note = "return a `ToolResult`, a text, `Json(value)`, a type with `#[derive(ToolOutput)]`, or a `Result` of one of these"
)]
pub trait IntoToolResult {
    /// The result.
    fn into_tool_result(self) -> ToolResult;

    /// The JSON schema of the structured output, where the type has one.
    fn output_schema() -> Option<&'static crate::Schema>
    where
        Self: Sized,
    {
        None
    }
}

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> ToolResult {
        self
    }
}

macro_rules! texts {
    ($($type:ty),*) => {$(
        impl IntoToolResult for $type {
            fn into_tool_result(self) -> ToolResult {
                ToolResult::success(self)
            }
        }
    )*};
}

texts!(String, &str, Cow<'_, str>, Box<str>, Arc<str>, ());

macro_rules! displayed {
    ($($type:ty),*) => {$(
        impl IntoText for $type {
            fn into_text(self) -> Option<String> {
                Some(self.to_string())
            }
        }

        impl IntoToolResult for $type {
            fn into_tool_result(self) -> ToolResult {
                ToolResult::success(self.to_string())
            }
        }
    )*};
}

displayed!(
    bool, char, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64
);

impl IntoToolResult for serde_json::Value {
    fn into_tool_result(self) -> ToolResult {
        Json(self).into_tool_result()
    }
}

macro_rules! collections {
    ($([$($generics:tt)*] $type:ty;)*) => {$(
        impl<$($generics)*> IntoToolResult for $type
        where
            Self: Serialize + ToolOutput,
        {
            fn into_tool_result(self) -> ToolResult {
                structured(&self)
            }

            fn output_schema() -> Option<&'static crate::Schema> {
                Structured::<Self>::output_schema()
            }
        }
    )*};
}

collections! {
    [T] Vec<T>;
    [T, const N: usize] [T; N];
    [K, V] BTreeMap<K, V>;
    [K, V, S] HashMap<K, V, S>;
    [T] BTreeSet<T>;
    [T, S] HashSet<T, S>;
}

impl<T: IntoToolResult> IntoToolResult for Option<T> {
    // There is no schema: `None` has no structured output, and hosts expect structured output if there is a schema.
    fn into_tool_result(self) -> ToolResult {
        self.map_or_else(|| ToolResult::success(()), T::into_tool_result)
    }
}

impl<T: IntoToolResult, E: Display + 'static> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> ToolResult {
        match self {
            Ok(value) => value.into_tool_result(),
            Err(error) => {
                let text = error.to_string();
                failed(Box::new(error), text)
            }
        }
    }

    fn output_schema() -> Option<&'static crate::Schema> {
        T::output_schema()
    }
}

/// An error of this crate says more than its text, even inside a box or an `io::Error`.
fn failed(error: Box<dyn Any>, text: String) -> ToolResult {
    let error = match error.downcast::<ToolError>() {
        Ok(error) => return ToolResult::from(*error),
        Err(error) => error,
    };
    let halt = None
        .or_else(|| error.downcast_ref::<Halt>())
        .or_else(|| halt_in(&**error.downcast_ref::<Box<dyn Error + Send + Sync>>()?))
        .or_else(|| halt_in(&**error.downcast_ref::<Box<dyn Error + Send>>()?))
        .or_else(|| halt_in(&**error.downcast_ref::<Box<dyn Error>>()?))
        .or_else(|| halt_in(error.downcast_ref::<io::Error>()?))
        .or_else(|| halt_in(error.downcast_ref::<Box<Halt>>()?))
        .or_else(|| halt_in(error.downcast_ref::<Arc<Halt>>()?));
    match halt {
        Some(halt) => ToolResult::halt(halt.clone()),
        None => ToolResult::failure(text),
    }
}

/// A value as text and as JSON, or why it cannot be written. The text is not made from the JSON value: some builds of
/// `serde_json` sort its keys. Nor is the value made without the text, since an `f32` would have other digits.
fn written<T: Serialize>(value: &T) -> Result<(String, serde_json::Value), &'static str> {
    let text = serde_json::to_string(value).map_err(|_| "the result cannot be written as JSON")?;
    // In the text, a whole number of more than 64 bits would be read as a float.
    let whole = serde_json::to_value(value).map_err(
        |_| "the result cannot be written as JSON: it has a whole number of more than 64 bits",
    )?;
    // A text that is nested very deep is not read again.
    let value = serde_json::from_str(&text).unwrap_or(whole);
    Ok((text, value))
}

/// A value as JSON: structured output, and the same as text. It has no schema; use [`Structured`]
/// for one.
///
/// ```
/// use serde::Serialize;
/// use callpact::{IntoToolResult, Json};
///
/// #[derive(Serialize)]
/// struct Stock {
///     lamps: u32,
/// }
///
/// let result = Json(Stock { lamps: 3 }).into_tool_result();
/// assert_eq!(result.output(), r#"{"lamps":3}"#);
/// assert!(Json::<Stock>::output_schema().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> ToolResult {
        match written(&self.0) {
            Ok((text, value)) => ToolResult::success(text).with_structured(value),
            Err(why) => ToolResult::failure(why),
        }
    }
}

/// A value as JSON, like [`Json`], with the schema of [`ToolOutput`] for hosts such as MCP. A type that may be
/// null has no schema, since hosts take null for a missing output.
///
/// Your own type can derive [`ToolOutput`](derive@crate::ToolOutput) and needs no wrapper.
///
/// ```
/// use std::collections::BTreeMap;
/// use callpact::{IntoToolResult, tool::Structured};
///
/// let stock = Structured(BTreeMap::from([("lamp".to_owned(), 3_u32)]));
/// assert_eq!(stock.into_tool_result().output(), r#"{"lamp":3}"#);
/// assert!(Structured::<BTreeMap<String, u32>>::output_schema().is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize + ToolOutput> IntoToolResult for Structured<T> {
    fn into_tool_result(self) -> ToolResult {
        structured(&self.0)
    }

    fn output_schema() -> Option<&'static crate::Schema> {
        const { output_of(T::SCHEMA) }
    }
}

/// Called by `#[derive(ToolOutput)]`.
pub fn structured<T: Serialize>(value: &T) -> ToolResult {
    Json(value).into_tool_result()
}

/// Called by `#[derive(ToolOutput)]` if the text comes from `Display`.
pub fn structured_display<T: Serialize + Display>(value: &T) -> ToolResult {
    match written(value) {
        Ok((_, structured)) => ToolResult::success(value.to_string()).with_structured(structured),
        Err(why) => ToolResult::failure(why),
    }
}
