//! Takes values out of a JSON text: by `JSONPath` (RFC 9535) if the path starts with `$`, otherwise
//! by the dotted form `a.b[0].c`.
//!
//! The text is read strictly and results keep its spelling, so no digit of a number is lost. Size,
//! nesting, work and output are bounded; a query beyond a bound is an error.

mod answer;
mod cursor;
mod dotted;
mod error;
mod find;
mod node;
mod parse;
mod path;
mod pattern;
mod read;
mod syntax;

pub use error::{JsonQueryError, QueryLimits};

use answer::show;

/// The value at `path` in `json`, as text: a string without quotes, everything else as compact JSON.
///
/// A `JSONPath` that can only name one value gives that value. Any other gives an array of the
/// values found, in the order of RFC 9535; the array may be empty.
///
/// Filters compare whole numbers exactly and others as doubles. A repeated name in an object is an
/// error, and so is an invalid pattern in `match` or `search`. Patterns may use more than I-Regexp
/// (RFC 9485) allows, such as `\d` and `^`.
///
/// # Errors
/// [`JsonQueryError`].
///
/// ```
/// use callpact_tools::engine::json_query::{QueryLimits, query};
///
/// let json = r#"{"a": {"b": [{"c": "text"}, {"c": 12345678901234567890}]}}"#;
/// let limits = QueryLimits::default();
/// assert_eq!(query("a.b[1].c", json, &limits)?, "12345678901234567890");
/// assert_eq!(query("$.a.b[0].c", json, &limits)?, "text");
/// assert_eq!(query("$..c", json, &limits)?, r#"["text",12345678901234567890]"#);
/// # Ok::<(), callpact_tools::engine::json_query::JsonQueryError>(())
/// ```
pub fn query(path: &str, json: &str, limits: &QueryLimits) -> Result<String, JsonQueryError> {
    let trimmed = path.trim();
    if trimmed.is_empty() {
        return Err(JsonQueryError::BlankPath);
    }
    let is_json_path = trimmed.starts_with('$');
    // Space around a `JSONPath` is a fault in the RFC.
    let path = if is_json_path { path } else { trimmed };
    if json.trim().is_empty() {
        return Err(JsonQueryError::BlankJson);
    }
    if path.len() > limits.max_path {
        let limit = limits.max_path;
        return Err(JsonQueryError::Limit(format!(
            "the path is longer than {limit} bytes"
        )));
    }
    if json.len() > limits.max_json {
        let limit = limits.max_json;
        return Err(JsonQueryError::Limit(format!(
            "the JSON is longer than {limit} bytes"
        )));
    }
    if is_json_path {
        // The path first, so that a faulty one is found without reading megabytes of JSON.
        let parsed = path::parse(path)?;
        let root = read::read(json, limits.max_depth)?;
        path::run(path, &parsed, &root, json, limits)
    } else {
        let steps = dotted::parse(path)?;
        let root = read::read(json, limits.max_depth)?;
        show(dotted::find(path, &steps, &root)?, json, limits)
    }
}
