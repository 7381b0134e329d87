//! Values that a declaration contains: defaults, examples, bounds.

use super::Held;

/// A decimal number as it was written, with its value.
///
/// The text is kept because a const function cannot print a float.
#[derive(Clone, Debug, PartialEq)]
pub struct Decimal {
    /// The text in the schema.
    pub text: Held<str>,
    /// The value of the text.
    pub value: f64,
}

impl Decimal {
    /// A copy of a part of a constant.
    pub(super) const fn fixed(&self) -> Self {
        Self {
            text: self.text.fixed(),
            value: self.value,
        }
    }
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

impl Literal {
    /// The value as JSON.
    pub(crate) fn to_json(&self) -> String {
        match self {
            Self::Boolean(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Number(value) => value.text.part().to_owned(),
            Self::Text(text) => serde_json::Value::from(text.part()).to_string(),
            Self::List(items) => {
                let items: Vec<String> = items.part().iter().map(Self::to_json).collect();
                format!("[{}]", items.join(","))
            }
        }
    }

    /// The text and the value of a number. The derive writes decimals, and whole numbers where the author did.
    pub(super) const fn decimal(&self) -> Option<(&Held<str>, f64)> {
        match self {
            Self::Number(decimal) => Some((&decimal.text, decimal.value)),
            #[allow(clippy::cast_precision_loss)] // a bound beyond 2^53 is rounded as in JSON
            Self::Integer(value) => Some((const { &Held::Static("") }, *value as f64)),
            Self::Boolean(_) | Self::Text(_) | Self::List(_) => None,
        }
    }

    /// A copy of a part of a constant.
    pub(super) const fn fixed(&self) -> Self {
        match self {
            Self::Boolean(value) => Self::Boolean(*value),
            Self::Integer(value) => Self::Integer(*value),
            Self::Number(value) => Self::Number(value.fixed()),
            Self::Text(value) => Self::Text(value.fixed()),
            Self::List(items) => Self::List(items.fixed()),
        }
    }
}
