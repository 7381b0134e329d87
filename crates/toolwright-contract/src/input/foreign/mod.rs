//! Arguments checked against a schema that was not derived, reported as the reader reports.
//!
//! Understood are `type`, `enum`, `const`, `properties`, `patternProperties`, `required`,
//! `additionalProperties`, `propertyNames`, `minProperties`, `maxProperties`,
//! `dependentRequired`, `dependentSchemas`, `items`, `prefixItems`, `contains`, `minItems`,
//! `maxItems`, `uniqueItems`, the rules of numbers and strings, `$ref` into the schema itself,
//! `allOf`, `anyOf`, `oneOf`, `not` and `if`. Formats are hints, as in JSON Schema 2020-12; a
//! `pattern` that this crate cannot compile, and `unevaluatedProperties` and
//! `unevaluatedItems`, are not checked.

mod check;
mod encoding;
mod mend;
mod place;
mod rules;
mod secret;
#[cfg(test)]
mod tests;
mod union;

use serde_json::{Map, Value};

use crate::{
    policy::{MAX_DEPTH, Policy},
    read::{Read, any::parse, at::State, read_str},
    report::{Issue, IssueKind, Path, Report},
    schema::{
        ForeignSchema,
        foreign::{deeper_than, types},
    },
};
use check::Check;
use place::Place;
use secret::Secrets;

/// Reads arguments from the text that a model wrote, and checks them against a schema that was
/// not derived.
///
/// An empty text and `null` mean no arguments. Under [`Policy::lax`] values are converted where
/// nothing is lost, as for derived types; each conversion is a [`Fix`](crate::Fix).
///
/// ```
/// use toolwright::{Policy, input::read_foreign, schema::ForeignSchema};
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
    read_text(text, schema, policy, false)
}

/// Reads the arguments of a call by a model that was shown the schema in the form of a dialect.
///
/// What that form makes a model send is turned back first: pairs into a map, and under an exact policy
/// the null of a parameter that may be left out. An empty text is sent on where the schema takes it,
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
    read_text(text, schema, policy, true)
}

fn read_text(
    text: &str,
    schema: &ForeignSchema,
    policy: &Policy,
    lowered: bool,
) -> Result<Read<Value>, Report> {
    let read = |value, before| {
        if lowered {
            // Where values are converted, a null that stands for an absent one is a fix.
            let value = encoding::turn_back(schema.tree(), value, !policy.converts());
            read(value, schema, policy, before, true)
        } else {
            read(value, schema, policy, before, false)
        }
    };
    if text.trim_ascii().is_empty() && takes_object(schema) {
        return read(Value::Object(Map::new()), None);
    }
    match read_str::<Value>(text, policy) {
        Ok(found) => {
            let mut read = read(found.value, None)?;
            // What was mended in the text comes first.
            let mut fixes = found.fixes;
            Secrets::new(schema, false).out_of(&mut [], &mut fixes, 0);
            read.fixes.splice(0..0, fixes);
            Ok(read)
        }
        Err(report) => {
            let twice = |issue: &Issue| issue.kind == IssueKind::DuplicateKey;
            match parse(text) {
                // Keys given twice: what else is wrong is reported with them.
                Ok(value) if report.issues.iter().all(twice) => read(value, Some(report)),
                _ => Err(Secrets::new(schema, false).out_of_report(report)),
            }
        }
    }
}

/// Checks arguments that are a JSON value already.
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_foreign_value(
    value: &Value,
    schema: &ForeignSchema,
    policy: &Policy,
) -> Result<Read<Value>, Report> {
    if deeper_than(value, MAX_DEPTH) {
        let words = format!("at most {MAX_DEPTH} levels of nesting");
        let issue = Issue::new(Path::default(), IssueKind::TooDeep, words, "");
        return Err(Report::new(vec![issue]));
    }
    read(value.clone(), schema, policy, None, false)
}

fn read(
    value: Value,
    schema: &ForeignSchema,
    policy: &Policy,
    before: Option<Report>,
    keep_empty: bool,
) -> Result<Read<Value>, Report> {
    let value = if value.is_null() && takes_object(schema) {
        Value::Object(Map::new())
    } else {
        value
    };
    let mut state = State::new(policy);
    if let Some(report) = before {
        state.issues = report.issues;
        state.omitted = report.omitted;
    }
    let whole = Whole {
        base: &Path::default(),
        secret: false,
        keep_empty,
    };
    let (value, state) = check(value, schema, state, &whole);
    if state.issues.is_empty() && state.omitted == 0 {
        Ok(Read {
            value,
            fixes: state.fixes,
        })
    } else {
        Err(Report {
            issues: state.issues,
            omitted: state.omitted,
        })
    }
}

/// What is known about a value before it is checked.
pub(super) struct Whole<'a> {
    /// Where the value stands.
    pub(super) base: &'a Path,
    /// All of it is secret.
    pub(super) secret: bool,
    /// An empty text is a value where the schema takes it.
    pub(super) keep_empty: bool,
}

/// Converts and checks a value.
pub(super) fn check(
    value: Value,
    schema: &ForeignSchema,
    state: State,
    whole: &Whole<'_>,
) -> (Value, State) {
    let base = whole.base;
    let at = Place::root(base);
    let secrets = Secrets::new(schema, whole.secret);
    let mut check = Check::new(schema, secrets, state, &value);
    check.keep_empty = whole.keep_empty;
    let value = check.mend(schema.value(), value, &at);
    let fits = check.node(schema.value(), &value, &at);
    let mut state = check.state;
    if !fits && state.issues.is_empty() && state.omitted == 0 {
        let issue = Issue::new(base.clone(), IssueKind::Invalid, "not accepted", "");
        state.issues.push(issue);
    }
    secrets.out_of(&mut state.issues, &mut state.fixes, base.steps().len());
    (value, state)
}

/// Whether the arguments are an object, so that none at all means an empty one.
fn takes_object(schema: &ForeignSchema) -> bool {
    let Some(map) = schema.value().as_object() else {
        return false;
    };
    let names = types(map);
    (names.is_empty() || names.contains(&"object")) && !names.contains(&"null")
}
