//! `rust_decimal::Decimal`, behind the feature `rust_decimal`.

use rust_decimal::Decimal;

use super::text::{of_format, read_from_text};
use crate::{
    input::ToolInput,
    output::{
        ToolOutput,
        types::{union, variant},
    },
    schema::{Format, Schema, Tagging},
};

/// The most digits that every float keeps.
const DIGITS: usize = 15;

fn parse(text: &str) -> Option<Decimal> {
    plain(text)
        .then(|| Decimal::from_str_exact(text).ok())
        .flatten()
}

/// The text of a JSON number, if no digit of it can be lost.
fn of_number(written: &str) -> Option<String> {
    let digits = written.bytes().filter(u8::is_ascii_digit).count();
    (digits <= DIGITS && parse(written).is_some()).then(|| written.to_owned())
}

/// Whether a text is digits with at most one point and a leading minus. The crate itself takes more, such as `1_000`.
fn plain(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(fraction)
}

read_from_text! {
    feature "rust_decimal";
    Decimal: of_format(Format::Decimal).with_numbers(of_number), parse;
}

impl ToolOutput for Decimal {
    /// Text, or a number if a crate in the program turns on `rust_decimal/serde-float`.
    const SCHEMA: &'static Schema = &union(
        Tagging::None,
        const {
            &[
                variant("text", <Self as ToolInput>::SCHEMA),
                variant("number", <serde_json::Number as ToolInput>::SCHEMA),
            ]
        },
    );
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refuses, round_trips};
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
