//! The rule that a value breaks.

/// The first rule that a value breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueFault {
    None,
    Type,
    Range,
    Step,
    Choice,
    Length,
    Items,
    Twice,
    /// A pattern, or the form of a type. Only the reader can check it.
    Form,
}
