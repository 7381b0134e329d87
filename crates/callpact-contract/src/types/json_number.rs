//! `serde_json::Number`: any number. A whole number of 64 bits keeps all of its digits.

use serde_json::Number;

use super::numbers::{float_under, whole_under};
use crate::{
    json::ScannedNumber,
    read::{PlaceRules, QuickInput, ToolInput},
    schema::{Kind, Number as NumberRules, Schema},
};

impl ToolInput for Number {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Number(NumberRules::ANY));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        if !input.is_number() {
            return None;
        }
        match input.take_number()? {
            ScannedNumber::Positive(value) => {
                whole_under(value.into(), rules).map(|_| value.into())
            }
            ScannedNumber::Negative(value) => {
                whole_under(value.into(), rules).map(|_| value.into())
            }
            ScannedNumber::Float(value) => Number::from_f64(float_under(value, rules)?),
        }
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
    fn converts_text_only_under_lax_policy() {
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
