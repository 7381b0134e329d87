//! `rust_decimal::Decimal`, behind the feature `rust_decimal`.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::{
    read::{
        at::At,
        found::Found,
        input::Input,
        take::{Take, take},
        tool_input::ToolInput,
    },
    report::{FixKind, IssueKind},
    schema::{Kind, Schema, Text},
    text::quoted,
};

/// The most digits that every float keeps.
const DIGITS: usize = 15;

struct TakeDecimal;

impl TakeDecimal {
    /// Reads a JSON number, if it has so few digits that its float is exactly the decimal that the model wrote.
    fn lax(value: &Found<'_>, text: &str, at: &mut At<'_>) -> Option<Decimal> {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let read = (at.converts() && digits <= DIGITS)
            .then(|| text.parse().ok())
            .flatten();
        if read.is_some() {
            at.fixed(FixKind::TextFromNumber, value, quoted(text));
        } else {
            at.fault(IssueKind::WrongType, value);
        }
        read
    }
}

impl Take for TakeDecimal {
    type Out = Decimal;

    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<Decimal> {
        let read = plain(&value)
            .then(|| Decimal::from_str_exact(&value).ok())
            .flatten();
        if read.is_none() {
            at.fault(IssueKind::Pattern, &Found::Text(&value));
        }
        read
    }

    fn integer(self, value: i128, mut at: At<'_>) -> Option<Decimal> {
        Self::lax(&Found::Integer(value), &value.to_string(), &mut at)
    }

    fn number(self, value: f64, mut at: At<'_>) -> Option<Decimal> {
        Self::lax(&Found::Number(value), &value.to_string(), &mut at)
    }
}

/// Whether a text is digits with at most one point and a leading minus. The crate itself takes more, such as `1_000`.
fn plain(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(fraction)
}

#[cfg_attr(docsrs, doc(cfg(feature = "rust_decimal")))]
impl ToolInput for Decimal {
    const SCHEMA: &'static Schema =
        &Schema::of(Kind::Text(Text::form("a decimal number such as 12.50")));

    /// Text, so that no digit is lost; the lax policy also takes a JSON number of at most 15
    /// digits.
    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        take(input, TakeDecimal, at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::{refuses, round_trips};
    use crate::{FixKind, IssueKind, Policy, read_str};
    use rust_decimal::Decimal;

    #[test]
    fn forms() {
        for text in [
            "0",
            "-12.50",
            "79228162514264337593543950335",
            "0.0000000000000000000000000001",
        ] {
            round_trips(&text.parse::<Decimal>().unwrap(), Decimal::to_string);
        }
        refuses::<Decimal>(&[
            "",
            "1_000",
            "1,5",
            "1e3",
            "+1",
            ".5",
            "5.",
            "79228162514264337593543950336",
            "0.00000000000000000000000000001",
        ]);
    }

    #[test]
    fn numbers_are_taken_where_no_digit_is_lost() {
        for (text, value) in [
            ("12.5", "12.5"),
            ("-3", "-3"),
            ("0.1", "0.1"),
            ("123456789012345", "123456789012345"),
        ] {
            let read = read_str::<Decimal>(text, &Policy::lax()).unwrap();
            assert_eq!(read.value, value.parse().unwrap());
            assert_eq!(read.fixes[0].kind, FixKind::TextFromNumber);
            let report = read_str::<Decimal>(text, &Policy::exact()).unwrap_err();
            assert_eq!(report.issues[0].kind, IssueKind::WrongType);
        }
        for text in [
            "1234567890123456",
            "0.1234567890123456",
            "1e30",
            "true",
            "[]",
        ] {
            let report = read_str::<Decimal>(text, &Policy::lax()).unwrap_err();
            assert_eq!(report.issues[0].kind, IssueKind::WrongType, "{text}");
        }
    }
}
