//! Describes a value that does not have the expected form.

use std::borrow::Cow;

use crate::{
    json::{JsonScanner, ScannedNumber},
    text::quoted,
};

/// An unexpected value, for the part of an issue that says what was found.
pub(crate) enum FoundValue<'a> {
    Null,
    Boolean(bool),
    Integer(i128),
    Number(f64),
    Text(&'a str),
    Array,
    Object,
}

impl FoundValue<'_> {
    /// The words for the value, as far as it may be shown.
    pub(crate) fn words(&self, secret: bool) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            FoundValue::Null => "null",
            FoundValue::Array => "an array",
            FoundValue::Object => "an object",
            FoundValue::Boolean(_) if secret => "a boolean (not shown)",
            FoundValue::Integer(_) | FoundValue::Number(_) if secret => "a number (not shown)",
            FoundValue::Text(_) if secret => "a string (not shown)",
            FoundValue::Boolean(true) => "true",
            FoundValue::Boolean(false) => "false",
            FoundValue::Text(text) => return quoted(text).into(),
            // As JSON writes it, so that 1e300 does not become three hundred digits.
            FoundValue::Number(value) if value.is_finite() => {
                return serde_json::to_string(value).unwrap_or_default().into();
            }
            FoundValue::Number(value) => return value.to_string().into(),
            FoundValue::Integer(value) => return value.to_string().into(),
        })
    }
}

/// A number as its text says it, for a report.
pub(super) fn found_number<'a>(written: &str) -> FoundValue<'a> {
    match scan(written) {
        Some(ScannedNumber::Positive(value)) => FoundValue::Integer(value.into()),
        Some(ScannedNumber::Negative(value)) => FoundValue::Integer(value.into()),
        Some(ScannedNumber::Float(value)) => FoundValue::Number(value),
        None => FoundValue::Number(f64::INFINITY),
    }
}

/// The value of a number; `None` if no float is near enough.
pub(super) fn scan(written: &str) -> Option<ScannedNumber> {
    JsonScanner::new(written).next_number()
}

#[cfg(test)]
mod tests {
    use super::FoundValue;

    #[test]
    fn shows_found_json_or_hides_secret_value() {
        let found = [
            (FoundValue::Null, "null", "null"),
            (FoundValue::Array, "an array", "an array"),
            (FoundValue::Object, "an object", "an object"),
            (FoundValue::Boolean(true), "true", "a boolean (not shown)"),
            (FoundValue::Integer(-70), "-70", "a number (not shown)"),
            (FoundValue::Number(2.5), "2.5", "a number (not shown)"),
            (FoundValue::Number(1e300), "1e+300", "a number (not shown)"),
            (FoundValue::Text("a\n"), "\"a\\n\"", "a string (not shown)"),
            // Such numbers come from a program, never from a text. `null` would be another value.
            (FoundValue::Number(f64::NAN), "NaN", "a number (not shown)"),
            (
                FoundValue::Number(-f64::INFINITY),
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
