//! Values that a declaration writes down: defaults, examples, bounds.

/// A decimal number as it was written, with its value.
///
/// The text is kept because a const function cannot print a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimal {
    /// As it stands in the schema.
    pub text: &'static str,
    /// The value of the text.
    pub value: f64,
}

/// A value written in a declaration, for example `default = 30_000`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i128),
    /// A number with a fraction.
    Number(Decimal),
    /// A string.
    Text(&'static str),
    /// An array of values.
    List(&'static [Literal]),
}
