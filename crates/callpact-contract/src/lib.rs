//! The contract between a struct and a model: a schema, a reader, reports, and the dialects of providers.
//!
//! This crate knows no tool. Use [callpact](https://docs.rs/callpact), which re-exports all of it.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[allow(unused_extern_crates)] // the derive's paths work inside this crate too
extern crate self as callpact;

mod check;
pub mod dialect;
pub mod input;
mod json;
pub mod output;
mod policy;
mod read;
pub(crate) mod repair;
pub(crate) mod report;
pub mod schema;
pub(crate) mod text;
mod types;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// ```
/// use callpact::ToolInput;
///
/// /// Parameters for an HTTP request
/// #[derive(ToolInput)]
/// struct HttpRequest {
///     /// The URL to request
///     #[tool_param(min_length = 1)]
///     url: String,
///     #[tool_param(description = "Seconds to wait", min = 1, max = 60, default = 30)]
///     timeout: u32,
/// }
/// # fn main() {}
/// ```
pub use callpact_derive::ToolInput;
pub use input::{
    Fix, FixKind, Issue, IssueKind, Path, Policy, Read, Report, ToolInput, read_str, read_value,
};
pub use output::ToolOutput;
pub use schema::{Dialect, Fingerprint, Schema};

/// The JSON schema of a type in a dialect, as a constant `&'static str`.
///
/// ```
/// use callpact::{Dialect, ToolInput, schema_json};
///
/// #[derive(ToolInput)]
/// struct Search {
///     /// What to look for
///     query: String,
/// }
///
/// const SCHEMA: &str = schema_json!(Search, Dialect::Portable);
/// assert_eq!(
///     SCHEMA,
///     r#"{"type":"object","properties":{"query":{"type":"string","description":"What to look for"}},"required":["query"]}"#,
/// );
/// ```
#[macro_export]
macro_rules! schema_json {
    ($type:ty, $dialect:expr) => {{
        const _: () = $crate::__private::some_object(<$type as $crate::ToolInput>::SCHEMA);
        $crate::__private::schema_text::<$type, { $dialect as $crate::__private::usize }>()
    }};
}
