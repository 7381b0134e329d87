//! `serde_json::Number`: any number. A whole number of 64 bits keeps all of its digits.

use std::borrow::Cow;

use serde_json::Number;

use super::numbers::{TakeNumber, json_number};
use crate::{
    read::{
        at::At,
        found::Found,
        input::Input,
        meant::only_number,
        take::{Take, give_number, take_mostly_number},
        tool_input::ToolInput,
    },
    report::{FixKind, IssueKind},
    schema::{Kind, Number as NumberRules, Schema},
};

/// Takes a number as [`TakeNumber`] does, but keeps the digits of a whole number.
struct TakeJsonNumber;

impl Take for TakeJsonNumber {
    type Out = Number;

    fn integer(self, value: i128, mut at: At<'_>) -> Option<Number> {
        let nearest = TakeNumber.integer(value, at.reborrow())?;
        let whole = Number::from_i128(value).or_else(|| Number::from_f64(nearest));
        if whole.is_none() {
            at.fault(IssueKind::OutOfRange, &Found::Integer(value));
        }
        whole
    }

    fn number(self, value: f64, mut at: At<'_>) -> Option<Number> {
        let value = TakeNumber.number(value, at.reborrow())?;
        Number::from_f64(value)
    }

    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<Number> {
        let found = Found::Text(&value);
        let Some(nearest) = json_number(&value).filter(|_| at.converts()) else {
            at.mismatch(&found);
            return None;
        };
        let (read, shown) = match value.parse() {
            Ok(whole) => {
                let whole = self.integer(whole, at.reborrow())?;
                let shown = whole.to_string();
                (whole, shown)
            }
            Err(_) => (self.number(nearest, at.reborrow())?, nearest.to_string()),
        };
        at.fixed(FixKind::NumberFromText, &found, shown);
        Some(read)
    }

    fn list(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<Number> {
        let number = only_number(input, &mut at)?;
        give_number(number, input, self, at)
    }
}

impl ToolInput for Number {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Number(NumberRules::ANY));

    /// A whole number that fits 64 bits keeps its digits; any other is the nearest float.
    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        take_mostly_number(input, TakeJsonNumber, at)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Number, json};

    use crate::{FixKind, Policy, read_str, read_value};

    fn read(text: &str, policy: &Policy) -> Option<Number> {
        read_str::<Number>(text, policy).ok().map(|read| read.value)
    }

    #[test]
    fn a_whole_number_keeps_its_digits() {
        for text in ["18446744073709551615", "-9223372036854775808", "0", "7"] {
            let number = read(text, &Policy::exact()).map(|number| number.to_string());
            assert_eq!(number.as_deref(), Some(text));
        }
        assert_eq!(read("1.5", &Policy::exact()), Number::from_f64(1.5));
        let value = json!(u64::MAX);
        let number = read_value::<Number>(&value, &Policy::exact()).map(|read| read.value);
        assert_eq!(number.ok(), Some(u64::MAX.into()));
    }

    #[test]
    fn a_text_is_converted_by_the_lax_policy_only() {
        let text = "\"18446744073709551615\"";
        assert_eq!(read(text, &Policy::exact()), None);
        let lax = read_str::<Number>(text, &Policy::lax()).expect("digits");
        assert_eq!(lax.value, u64::MAX.into());
        let kinds: Vec<_> = lax.fixes.iter().map(|fix| fix.kind).collect();
        assert_eq!(kinds, [FixKind::NumberFromText]);
        for refused in ["\"x\"", "true", "null", "[1]", "1e999"] {
            assert_eq!(read(refused, &Policy::lax()), None, "{refused}");
        }
    }
}
