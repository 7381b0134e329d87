//! Reads arguments by a schema that was not derived.

use serde_json::Value;

use super::{
    at::At,
    dynamic,
    input::Input,
    pass::Place,
    reading::{Read, Reading, nothing},
};
use crate::{policy::Policy, report::Report, schema::ForeignSchema};

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
    let policy = of_hints(policy, schema);
    read(Reading::of_text(text, &policy, schema.reading()), schema)
}

/// Reads the arguments of a call, as [`Policy::of_call`] says. An empty string is sent on if the schema takes it,
/// because it may mean something to the server.
///
/// # Errors
/// As [`read_foreign`].
#[doc(hidden)]
pub fn read_foreign_call(
    text: &str,
    schema: &ForeignSchema,
    policy: &Policy,
) -> Result<Read<Value>, Report> {
    read_foreign(text, schema, &policy.of_call().keeping_empty())
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
    let policy = of_hints(policy, schema);
    read(Reading::of_value(value, &policy, schema.reading()), schema)
}

/// The policy that tries each hint on the whole call, if a value alone does not show all of its faults.
fn of_hints(policy: &Policy, schema: &ForeignSchema) -> Policy {
    if schema.is_whole() {
        *policy
    } else {
        policy.proving_whole()
    }
}

fn read(reading: Reading<'_>, schema: &ForeignSchema) -> Result<Read<Value>, Report> {
    let mut place = Foreign {
        schema,
        value: None,
    };
    let fixes = reading.read(&mut place)?;
    match place.value {
        Some(value) => Ok(Read { value, fixes }),
        None => Err(nothing(fixes)),
    }
}

/// The place of a value that is read by a foreign schema.
struct Foreign<'a> {
    schema: &'a ForeignSchema,
    value: Option<Value>,
}

impl Place for Foreign<'_> {
    fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool {
        self.value = dynamic::read_foreign(input, self.schema, at);
        self.value.is_some()
    }
}

#[cfg(test)]
mod tests;
