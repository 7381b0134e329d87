//! Values that a declaration writes down: defaults, examples, bounds.

use super::Held;

/// A decimal number as it was written, with its value.
///
/// The text is kept because a const function cannot print a float.
#[derive(Clone, Debug, PartialEq)]
pub struct Decimal {
    /// As it stands in the schema.
    pub text: Held<str>,
    /// The value of the text.
    pub value: f64,
}

/// A value written in a declaration, for example `default = 30_000`.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i128),
    /// A number with a fraction.
    Number(Decimal),
    /// A string.
    Text(Held<str>),
    /// An array of values.
    List(Held<[Literal]>),
}
