//! Open JSON: any value, kept as it is, with duplicate keys reported.

use serde::de::{Deserializer, Error, MapAccess, SeqAccess};
use serde_json::{Map, Number, Value};

use super::{
    At, IssueKind,
    at::{Found, Way},
    visit::{Seed, Take, means_number, visit},
};
use crate::schema::{Kind, Schema};

pub(super) const ANY: &Schema = &Schema::of(Kind::Any);

/// Reads any value.
pub(super) fn read_any<'de, D: Deserializer<'de>>(
    source: D,
    at: At<'_>,
) -> Result<Option<Value>, D::Error> {
    visit(source, TakeAny, at)
}

pub(super) struct TakeAny;

impl Take for TakeAny {
    type Out = Value;

    fn null(self, _: At<'_>) -> Option<Value> {
        Some(Value::Null)
    }

    fn boolean(self, value: bool, _: At<'_>) -> Option<Value> {
        Some(Value::Bool(value))
    }

    fn integer(self, value: i128, _: At<'_>) -> Option<Value> {
        if let Ok(value) = u64::try_from(value) {
            return Some(value.into());
        }
        if let Ok(value) = i64::try_from(value) {
            return Some(value.into());
        }
        #[allow(clippy::cast_precision_loss)] // as serde_json reads such a number itself
        Number::from_f64(value as f64).map(Value::Number)
    }

    fn number(self, value: f64, mut at: At<'_>) -> Option<Value> {
        let number = Number::from_f64(value);
        if number.is_none() {
            at.fault(IssueKind::OutOfRange, &Found::Number(value));
        }
        number.map(Value::Number)
    }

    fn text(self, value: &str, _: At<'_>) -> Option<Value> {
        Some(Value::String(value.to_owned()))
    }

    fn string(self, value: String, _: At<'_>) -> Option<Value> {
        Some(Value::String(value))
    }

    fn array<'de, A: SeqAccess<'de>>(
        self,
        mut items: A,
        mut at: At<'_>,
    ) -> Result<Option<Value>, A::Error> {
        let mut out = Some(Vec::new());
        let mut index = 0;
        while let Some(item) = at.below(Way::Index(index), ANY, |at| {
            items.next_element_seed(Seed::<Value>::new(at))
        })? {
            match (&mut out, item) {
                (Some(all), Some(item)) => all.push(item),
                _ => out = None,
            }
            index += 1;
        }
        Ok(out.map(Value::Array))
    }

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<Value>, A::Error> {
        let mut out = Map::new();
        let mut whole = true;
        while let Some(key) = map.next_key::<String>()? {
            if out.is_empty() && means_number(&key) {
                let text: String = map.next_value()?;
                let number = serde_json::from_str(&text).map(Value::Number);
                return number
                    .map(Some)
                    .map_err(|_| A::Error::custom("number out of range"));
            }
            let value = at.below(Way::Key(&key), ANY, |mut at| {
                if out.contains_key(&key) {
                    at.issue(IssueKind::DuplicateKey, "once", "more than once");
                }
                map.next_value_seed(Seed::<Value>::new(at))
            })?;
            whole &= value.is_some() && out.insert(key, value.unwrap_or_default()).is_none();
        }
        Ok(whole.then_some(Value::Object(out)))
    }
}

/// A text that is equal exactly for values that JSON Schema calls equal.
pub(super) fn canonical(value: &Value) -> String {
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
        // 1 and 1.0 are the same number.
        Value::Number(number) => match number.as_f64() {
            #[allow(clippy::cast_possible_truncation)] // checked to be whole and in range
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 1e38 => {
                out.push_str(&(float as i128).to_string());
            }
            _ => out.push_str(&number.to_string()),
        },
        other => out.push_str(&other.to_string()),
    }
}

/// A value in words, cut and escaped.
pub(super) fn found(value: &Value, secret: bool) -> String {
    let found = match value {
        Value::Null => Found::Null,
        Value::Bool(value) => Found::Boolean(*value),
        Value::Number(number) => match (whole(number), number.as_f64()) {
            (Some(whole), _) => Found::Integer(whole),
            (None, Some(float)) => Found::Number(float),
            (None, None) => return "a number".to_owned(),
        },
        Value::String(text) => Found::Text(text),
        Value::Array(_) => Found::Array,
        Value::Object(_) => Found::Object,
    };
    found.words(secret)
}

/// A number that is written as a whole one.
pub(super) fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}
