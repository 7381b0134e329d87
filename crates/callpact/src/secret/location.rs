//! Where a string stands in JSON arguments.

use crate::input::{Path, Step};

/// How deeply nested the arguments may be; this is more than `serde_json` allows in a `Value`.
pub(super) const MAX_DEPTH: usize = 256;

/// Whether a string is a key or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringRole {
    Key,
    Value,
}

/// Writes a path, as reports do; nothing for the arguments as a whole.
pub(super) fn write_path(steps: &[Step]) -> String {
    if steps.is_empty() {
        return String::new();
    }
    let path: Path = steps.iter().cloned().collect();
    path.to_string()
}
