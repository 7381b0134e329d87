//! JSON that keeps the order of its keys, whatever map `serde_json` was built with.

use std::fmt;

use serde::de::Error;
use serde_json::{Number, Value};

use super::{Decimal, JsonObject, Literal};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    policy::MAX_DEPTH,
};

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
    /// The value of a text. A key that comes twice has its last value.
    ///
    /// # Errors
    /// What is wrong in the text.
    pub(in crate::schema) fn parse(text: &str) -> serde_json::Result<Self> {
        let document = JsonDocument::parse(text);
        let is_whole = document.broken_at().is_none();
        let value = is_whole.then(|| Self::of(&document, 0, MAX_DEPTH));
        value.flatten().map_or_else(
            || {
                let unreadable = |_| Err(Error::custom("it cannot be read"));
                serde_json::from_str::<Value>(text).and_then(unreadable)
            },
            Ok,
        )
    }

    /// The value of a node with at most so many levels.
    fn of(document: &JsonDocument<'_>, node: NodeId, levels: usize) -> Option<Self> {
        let inside = |node| Self::of(document, node, levels - 1);
        Some(match document.form(node) {
            NodeForm::Null => Self::Null,
            NodeForm::Boolean(value) => Self::Boolean(value),
            NodeForm::Number => Self::Number(serde_json::from_str(document.written(node)).ok()?),
            NodeForm::Text(_) => Self::Text(document.string(node)?.into_owned()),
            NodeForm::List | NodeForm::Object if levels == 0 => return None,
            NodeForm::List => Self::List(document.items(node).map(inside).collect::<Option<_>>()?),
            NodeForm::Object => {
                let mut members = JsonObject::default();
                for key in document.keys(node) {
                    members.set(document.string(key)?.into_owned(), inside(key + 1)?);
                }
                Self::Object(members)
            }
        })
    }

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

    /// The text of a key of an object.
    pub(in crate::schema) fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The items of a list at a key of an object; none if there is no list.
    pub(in crate::schema) fn list_at(&self, key: &str) -> &[Self] {
        self.get(key).and_then(Self::list).unwrap_or_default()
    }

    /// The entries of an object at a key of an object; none if there is no object.
    pub(in crate::schema) fn entries_at(&self, key: &str) -> &[(String, Self)] {
        self.get(key).and_then(Self::entries).unwrap_or_default()
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
