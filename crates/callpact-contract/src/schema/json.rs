//! JSON that keeps the order of its keys, whatever map `serde_json` was built with.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

use super::{Decimal, JsonObject, Literal};

/// The key that `serde_json` writes around a number with `arbitrary_precision`.
const NUMBER: &str = "$serde_json::private::Number";

/// A JSON value whose objects keep their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JsonValue {
    Null,
    Boolean(bool),
    Number(Number),
    Text(String),
    List(Vec<JsonValue>),
    Object(JsonObject),
}

impl JsonValue {
    /// The value of a key of an object.
    pub(in crate::schema) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(entries) => entries.get(key),
            _ => None,
        }
    }

    pub(in crate::schema) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(in crate::schema) fn list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    pub(in crate::schema) fn entries(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value at a JSON pointer.
    pub(in crate::schema) fn pointer(&self, pointer: &str) -> Option<&Self> {
        let mut steps = pointer.split('/').skip(1);
        steps.try_fold(self, |value, step| match value {
            Self::List(items) => items.get(step.parse::<usize>().ok()?),
            _ => value.get(&step.replace("~1", "/").replace("~0", "~")),
        })
    }

    /// The value as `serde_json` holds it.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone()),
            Self::List(items) => items.iter().map(Self::to_value).collect(),
            Self::Object(entries) => entries
                .iter()
                .map(|(key, value)| (key.clone(), value.to_value()))
                .collect(),
        }
    }
}

impl From<&Value> for JsonValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Boolean(*value),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(map) => Self::Object(
                map.iter()
                    .map(|(key, value)| (key.clone(), Self::from(value)))
                    .collect(),
            ),
        }
    }
}

/// Compact JSON text, with the keys in their order.
impl fmt::Display for JsonValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => value.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => quote(text, f),
            Self::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index > 0 { "," } else { "" })?;
                }
                f.write_str("]")
            }
            Self::Object(entries) => {
                f.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if index > 0 { "," } else { "" })?;
                    quote(key, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quote(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // A string is always JSON.
    f.write_str(&serde_json::to_string(text).unwrap_or_default())
}

impl<'de> Deserialize<'de> for JsonValue {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(JsonParser)
    }
}

struct JsonParser;

impl<'de> Visitor<'de> for JsonParser {
    type Value = JsonValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<JsonValue, E> {
        Ok(JsonValue::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<JsonValue, E> {
        Ok(JsonValue::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<JsonValue, E> {
        Ok(JsonValue::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<JsonValue, E> {
        Ok(JsonValue::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<JsonValue, E> {
        Ok(Number::from_f64(value).map_or(JsonValue::Null, JsonValue::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<JsonValue, E> {
        Ok(JsonValue::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<JsonValue, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = items.next_element()? {
            out.push(item);
        }
        Ok(JsonValue::List(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<JsonValue, A::Error> {
        let mut out = JsonObject::default();
        while let Some((key, value)) = entries.next_entry()? {
            out.set(key, value);
        }
        if let [(key, JsonValue::Text(digits))] = &*out
            && key == NUMBER
            && let Ok(number) = serde_json::from_str(digits)
        {
            return Ok(JsonValue::Number(number));
        }
        Ok(JsonValue::Object(out))
    }
}

/// A whole number, which may be written `2.0`.
pub(super) fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| {
            let float = number.as_f64()?;
            #[allow(clippy::cast_possible_truncation)] // whole and in range
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i128)
        })
}

pub(super) fn decimal(number: &Number) -> Option<Decimal> {
    Some(Decimal {
        text: number.to_string().into(),
        value: number.as_f64()?,
    })
}

/// The count in a keyword.
pub(super) fn count(raw: &JsonValue, key: &str) -> Option<u64> {
    match raw.get(key) {
        Some(JsonValue::Number(number)) => u64::try_from(whole(number)?).ok(),
        _ => None,
    }
}

/// A literal in a schema; `None` for null and objects.
pub(super) fn literal(value: &JsonValue) -> Option<Literal> {
    Some(match value {
        JsonValue::Boolean(value) => Literal::Boolean(*value),
        JsonValue::Number(number) => match whole(number) {
            Some(value) => Literal::Integer(value),
            None => Literal::Number(decimal(number)?),
        },
        JsonValue::Text(text) => Literal::Text(text.clone().into()),
        JsonValue::List(items) => {
            let items: Option<Vec<Literal>> = items.iter().map(literal).collect();
            Literal::List(items?.into())
        }
        JsonValue::Null | JsonValue::Object(_) => return None,
    })
}
