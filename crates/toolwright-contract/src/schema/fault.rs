//! How a value that a declaration writes down misses the type of its field.

/// The first rule that a default or an example breaks.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    None,
    Type,
    Range,
    Step,
    Choice,
    Length,
    Items,
    Twice,
    /// Only the reader can try this form.
    Form,
}
