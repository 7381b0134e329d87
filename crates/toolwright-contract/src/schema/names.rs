//! Names that a model writes in place of declared ones.

use super::Object;
use crate::text::only_by_case;

/// Keys that models put around the arguments.
pub(crate) const WRAPPERS: [&str; 3] = ["arguments", "parameters", "input"];

/// The key around name and arguments, as a call stands in a response.
pub(crate) const FUNCTION: &str = "function";

/// Whether a key is one that models put around the arguments.
pub(crate) fn is_wrapper(key: &str) -> bool {
    key == "name" || key == FUNCTION || WRAPPERS.contains(&key)
}

/// The name of the field that a key can only mean.
#[cold]
pub(crate) fn field_by_case<'a>(rules: &'a Object, key: &str) -> Option<&'a str> {
    only_by_case(key, rules.all_fields().map(|field| field.name.part()))
}
