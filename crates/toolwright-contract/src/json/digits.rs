//! Numbers as `serde_json` hands them out.

use std::sync::LazyLock;

/// Whether `serde_json` keeps numbers as they are written, for which it hands them out as objects: with its
/// `arbitrary_precision`, which any crate of the program can turn on.
pub(crate) fn numbers_are_objects() -> bool {
    // Too large for any other form of a number.
    static ARE: LazyLock<bool> =
        LazyLock::new(|| serde_json::from_str::<serde_json::Number>("1e999").is_ok());
    *ARE
}

/// Whether the first key of an object means that `serde_json` hands out a number. Without
/// `arbitrary_precision` this is a key like any other.
#[inline]
pub(crate) fn means_number(key: &str) -> bool {
    key == "$serde_json::private::Number" && numbers_are_objects()
}
