//! JSON values in memory: parsed without private keys, compared as JSON Schema compares them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::{
    json::means_number,
    schema::{Kind, Schema},
};

pub(crate) const ANY: &Schema = &Schema::of(Kind::Any);

/// The number in an object with the private key of `serde_json`. A number that does not fit an `f64` is an error.
fn number_of<E: Error>(text: &str) -> Result<Value, E> {
    serde_json::from_str::<Number>(text)
        .ok()
        .filter(|number| number.as_f64().is_some_and(f64::is_finite))
        .map(Value::Number)
        .ok_or_else(|| E::custom("number out of range"))
}

/// Parses a text as a value. A key that is given twice has its last value. `serde_json` itself gives a meaning to its
/// private keys: behind the key of a raw value, it looks for JSON in a string.
pub(crate) fn parse(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).map(|PlainValue(value)| value)
}

/// Any value. No key has a special meaning.
pub(crate) struct PlainValue(pub(crate) Value);

impl<'de> Deserialize<'de> for PlainValue {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(TakePlain).map(Self)
    }
}

struct TakePlain;

impl<'de> Visitor<'de> for TakePlain {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        number_of(&value.to_string())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        number_of(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(PlainValue(item)) = items.next_element()? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if out.is_empty() && means_number(&key) {
                return number_of(&map.next_value::<String>()?);
            }
            let PlainValue(value) = map.next_value()?;
            out.insert(key, value);
        }
        Ok(Value::Object(out))
    }
}

/// A text that is equal for two values exactly if JSON Schema calls the values equal.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (key, value) in entries {
                write(&Value::String(key.clone()), out);
                write(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Number(number) => match whole(number) {
            Some(whole) => out.push_str(&whole.to_string()),
            None => decimal(&number.to_string(), out),
        },
        other => out.push_str(&other.to_string()),
    }
}

/// The most digits of a number of 128 bits.
const DIGITS: i64 = 39;

/// Writes a number as its digits and its power of ten, or a whole number in full if it is not too long: 1, 1.0 and
/// 10e-1 give the same text.
fn decimal(text: &str, out: &mut String) {
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => ("-", text),
        None => ("", text),
    };
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    let digits = all.trim_end_matches('0');
    let zeros = all.len() - digits.len();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        out.push('0');
        return;
    }
    // The length of a text fits 64 bits, but an exponent in it may not.
    let moved =
        i64::try_from(zeros).unwrap_or(i64::MAX) - i64::try_from(part.len()).unwrap_or(i64::MAX);
    let power = power
        .parse::<i64>()
        .ok()
        .and_then(|power| power.checked_add(moved));
    out.push_str(sign);
    out.push_str(digits);
    match power {
        Some(power @ 0..=DIGITS) => {
            (0..power).for_each(|_| out.push('0'));
        }
        Some(power) => {
            out.push('e');
            out.push_str(&power.to_string());
        }
        None => {
            out.push('e');
            out.push_str(text);
        }
    }
}

/// The value of a number that is written as a whole number.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    number.as_i128()
}

#[cfg(test)]
mod tests {
    use serde::de::{
        Deserialize, Deserializer, IntoDeserializer, Visitor,
        value::{Error, I128Deserializer, StringDeserializer, U128Deserializer},
    };
    use serde_json::json;

    use super::{PlainValue, canonical, parse};

    enum Form {
        None,
        Some(i64),
    }

    impl<'de> Deserializer<'de> for Form {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Self::None => visitor.visit_none(),
                Self::Some(value) => visitor.visit_some(value.into_deserializer()),
            }
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
            unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
            option
        }
    }

    fn plain<'de>(source: impl Deserializer<'de, Error = Error>) -> serde_json::Value {
        let PlainValue(value) = PlainValue::deserialize(source).expect("a value");
        value
    }

    #[test]
    fn a_plain_value_is_what_any_source_has() {
        let text = r#"[true, false, null, 7, -7, 1.5, "a\n", {"b": [], "c": {}, "b": 2}]"#;
        let value = json!([true, false, null, 7, -7, 1.5, "a\n", {"b": 2, "c": {}}]);
        assert_eq!(parse(text).expect("JSON"), value);

        assert_eq!(plain(Form::None), json!(null));
        assert_eq!(plain(Form::Some(7)), json!(7));
        assert_eq!(plain(StringDeserializer::new("a".to_owned())), json!("a"));
        // As these numbers would be read from a text.
        let whole = i128::from(i64::MIN) - 1;
        for (read, text) in [
            (plain(I128Deserializer::new(whole)), whole.to_string()),
            (
                plain(U128Deserializer::new(u128::MAX)),
                u128::MAX.to_string(),
            ),
        ] {
            assert_eq!(read, parse(&text).expect("a number"));
            assert_eq!(
                canonical(&read),
                canonical(&parse(&text).expect("a number"))
            );
        }
    }

    #[test]
    fn equal_numbers_have_one_text() {
        let text = |number: &str| canonical(&parse(number).expect("a number"));
        for (one, other) in [
            ("1", "1.0"),
            ("10e-1", "1"),
            ("1e2", "100"),
            ("-1.50", "-15e-1"),
            ("0.0", "-0"),
            ("1e40", "10e39"),
            ("123e30", "1.23e32"),
        ] {
            assert_eq!(text(one), text(other));
        }
        for (one, other) in [("1", "-1"), ("1e40", "1e39"), ("1.5", "15"), ("10", "1")] {
            assert_ne!(text(one), text(other));
        }
    }
}
