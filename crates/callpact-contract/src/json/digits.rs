//! The form in which `serde_json` gives numbers.

use std::sync::LazyLock;

/// Whether `serde_json` keeps numbers as they are written, and so gives them as objects. It does with its feature
/// `arbitrary_precision`, which any crate of the program can turn on.
pub(crate) fn numbers_are_objects() -> bool {
    // Too large for any other form of a number.
    static ARE: LazyLock<bool> =
        LazyLock::new(|| serde_json::from_str::<serde_json::Number>("1e999").is_ok());
    *ARE
}

/// Whether the first key of an object means that `serde_json` gives a number. Without `arbitrary_precision`, this key
/// is like any other.
#[inline]
pub(crate) fn means_number(key: &str) -> bool {
    key == "$serde_json::private::Number" && numbers_are_objects()
}
