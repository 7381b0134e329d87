//! Describes a value that does not have the expected form.

use std::borrow::Cow;

use crate::{
    json::{JsonScanner, ScannedNumber},
    text::quoted,
};

/// An unexpected value, for the part of an issue that says what was found.
pub(crate) enum Found<'a> {
    Null,
    Boolean(bool),
    Integer(i128),
    Number(f64),
    Text(&'a str),
    Array,
    Object,
}

impl Found<'_> {
    /// The words for the value, as far as it may be shown.
    pub(crate) fn words(&self, secret: bool) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Found::Null => "null",
            Found::Array => "an array",
            Found::Object => "an object",
            Found::Boolean(_) if secret => "a boolean (not shown)",
            Found::Integer(_) | Found::Number(_) if secret => "a number (not shown)",
            Found::Text(_) if secret => "a string (not shown)",
            Found::Boolean(true) => "true",
            Found::Boolean(false) => "false",
            Found::Text(text) => return quoted(text).into(),
            // As JSON writes it, so that 1e300 does not become three hundred digits.
            Found::Number(value) if value.is_finite() => {
                return serde_json::to_string(value).unwrap_or_default().into();
            }
            Found::Number(value) => return value.to_string().into(),
            Found::Integer(value) => return value.to_string().into(),
        })
    }
}

/// A number as its text says it, for a report.
pub(super) fn found_number<'a>(written: &str) -> Found<'a> {
    match scan(written) {
        Some(ScannedNumber::Positive(value)) => Found::Integer(value.into()),
        Some(ScannedNumber::Negative(value)) => Found::Integer(value.into()),
        Some(ScannedNumber::Float(value)) => Found::Number(value),
        None => Found::Number(f64::INFINITY),
    }
}

/// The value of a number; `None` if no float is near enough.
pub(super) fn scan(written: &str) -> Option<ScannedNumber> {
    JsonScanner::new(written).next_number()
}

#[cfg(test)]
mod tests {
    use super::Found;

    #[test]
    fn what_was_found_is_said_as_json_or_not_at_all() {
        let found = [
            (Found::Null, "null", "null"),
            (Found::Array, "an array", "an array"),
            (Found::Object, "an object", "an object"),
            (Found::Boolean(true), "true", "a boolean (not shown)"),
            (Found::Integer(-70), "-70", "a number (not shown)"),
            (Found::Number(2.5), "2.5", "a number (not shown)"),
            (Found::Number(1e300), "1e+300", "a number (not shown)"),
            (Found::Text("a\n"), "\"a\\n\"", "a string (not shown)"),
            // Such numbers come from a program, never from a text. `null` would be another value.
            (Found::Number(f64::NAN), "NaN", "a number (not shown)"),
            (
                Found::Number(-f64::INFINITY),
                "-inf",
                "a number (not shown)",
            ),
        ];
        for (found, open, secret) in found {
            assert_eq!(found.words(false), open);
            assert_eq!(found.words(true), secret);
        }
    }
}
