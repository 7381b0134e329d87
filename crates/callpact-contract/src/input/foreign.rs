//! Reads arguments by a schema that was not derived.

use serde_json::Value;

use super::read::{Read, disagreement};
use crate::{
    check::{
        CheckedText,
        reading::{TextAcceptor, read_arguments, text_of},
        state::CheckState,
        values::parse,
    },
    policy::Policy,
    report::{Fixes, Path, Report},
    schema::{ForeignSchema, Schema},
};

/// Reads arguments from the text that a model wrote, by a schema that was not derived. The rules are those of derived
/// types. Apart from its fixes, the value stays as it was given: keys that an open object does not declare are kept.
///
/// ```
/// use callpact::{Policy, input::read_foreign, schema::ForeignSchema};
///
/// let schema = ForeignSchema::parse(r#"{
///     "type": "object",
///     "properties": {
///         "query": { "type": "string", "description": "What to look for" },
///         "limit": { "type": "integer", "minimum": 1, "maximum": 50 }
///     },
///     "required": ["query"],
///     "additionalProperties": false
/// }"#)?;
/// let read = read_foreign(r#"{"query": "rust", "limit": "5"}"#, &schema, &Policy::lax())?;
/// assert_eq!(read.value, serde_json::json!({"query": "rust", "limit": 5}));
///
/// let report = read_foreign(r#"{"qurey": "rust", "limit": 99}"#, &schema, &Policy::lax());
/// assert_eq!(report.unwrap_err().to_string(), "\
/// Invalid arguments, 3 problems:
/// - limit: expected an integer from 1 to 50, found 99
/// - query: missing; expected a string (What to look for); `qurey` was given: rename it to `query`
/// - qurey: not a parameter; did you mean `query`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_foreign(
    text: &str,
    schema: &ForeignSchema,
    policy: &Policy,
) -> Result<Read<Value>, Report> {
    let mut acceptor = ForeignValue::default();
    let fixes = read_arguments(
        text,
        schema.reading(),
        &policy.keeping_empty(),
        &mut acceptor,
    )?;
    match acceptor.value {
        Some(value) => Ok(Read { value, fixes }),
        None => Err(disagreement()),
    }
}

/// Reads the arguments of a call, as [`Policy::of_call`] says.
///
/// # Errors
/// As [`read_foreign`].
#[doc(hidden)]
pub fn read_foreign_call(
    text: &str,
    schema: &ForeignSchema,
    policy: &Policy,
) -> Result<Read<Value>, Report> {
    read_foreign(text, schema, &policy.of_call())
}

/// Reads arguments from a JSON value.
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_foreign_value(
    value: &Value,
    schema: &ForeignSchema,
    policy: &Policy,
) -> Result<Read<Value>, Report> {
    read_foreign(&text_of(value)?, schema, policy)
}

/// Arguments with every change that a reading made.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct WrittenArguments {
    /// Their text.
    pub text: String,
    /// The defaults in it, each with its place and its JSON, unless that is secret.
    pub defaults: Vec<(Path, Option<String>)>,
}

/// Reads arguments, and writes them with every change that was made.
///
/// # Errors
/// A [`Report`] of every issue that was found.
#[doc(hidden)]
pub fn read_text(
    text: &str,
    schema: &Schema,
    policy: &Policy,
) -> Result<(WrittenArguments, Fixes), Report> {
    let mut written = WrittenArguments::default();
    let fixes = read_arguments(text, schema, policy, &mut written)?;
    Ok((written, fixes))
}

impl TextAcceptor for WrittenArguments {
    fn accept(&mut self, text: &CheckedText<'_>, state: &mut CheckState) -> bool {
        self.text = text.text.to_string();
        self.defaults = state
            .notes()
            .map_or_else(Vec::new, |notes| notes.filled.clone());
        true
    }
}

/// Makes a value of a checked text.
#[derive(Default)]
pub(crate) struct ForeignValue {
    pub(crate) value: Option<Value>,
}

impl TextAcceptor for ForeignValue {
    fn accept(&mut self, text: &CheckedText<'_>, _: &mut CheckState) -> bool {
        self.value = parse(&text.text);
        self.value.is_some()
    }
}
