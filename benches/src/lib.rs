//! The inputs of the benchmark and the ways to read them.

pub mod crossed;
pub mod draw;
pub mod inputs;
pub mod shapes;
pub mod texts;

use callpact::{Dialect, Schema, ToolInput, schema_json};

pub use inputs::{INPUTS, Input, Way};
pub use texts::{long_text, many_items, nested};

/// The schema of [`Search`](shapes::Search) costs nothing at run time: it is a constant of known length.
pub const SEARCH: &str = schema_json!(shapes::Search, Dialect::Portable);
const _: () = assert!(SEARCH.len() > 100 && SEARCH.as_bytes()[0] == b'{');

/// The tree behind that text, also a constant.
pub static SEARCH_TREE: &Schema = <shapes::Search as ToolInput>::SCHEMA;
