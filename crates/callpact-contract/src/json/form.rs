//! The forms of a value.

/// The form of the next value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonForm {
    Null,
    Boolean(bool),
    Number,
    Text,
    List,
    Object,
    /// The text is not JSON from here on. Every later call returns this form again.
    Broken,
}

/// A number of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ScannedNumber {
    Positive(u64),
    Negative(i64),
    Float(f64),
}
