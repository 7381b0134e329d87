//! JSON that can be changed in a few places: everything else keeps its order and its digits.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// A JSON value. It is parsed one level at a time, when its content is needed.
#[derive(Debug)]
pub(super) enum JsonNode {
    /// JSON as written.
    Raw(String),
    List(Vec<JsonNode>),
    Object(Vec<(String, JsonNode)>),
}

impl JsonNode {
    /// JSON that is known to be valid.
    pub(super) fn new(json: &str) -> Self {
        Self::Raw(json.trim().to_owned())
    }

    /// JSON, if it is valid.
    pub(super) fn json(json: &str) -> Option<Self> {
        serde_json::from_str::<IgnoredAny>(json).ok()?;
        Some(Self::new(json))
    }

    /// A string.
    pub(super) fn text(text: &str) -> Self {
        Self::Raw(serde_json::Value::from(text).to_string())
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self, Self::Raw(json) if json == "null")
    }

    /// The items, if this is an array.
    pub(super) fn list(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::Raw(json) = self {
            let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            *self = Self::List(
                items
                    .into_iter()
                    .map(|item| Self::new(item.get()))
                    .collect(),
            );
        }
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The fields in their order, if this is an object.
    pub(super) fn object(&mut self) -> Option<&mut Vec<(String, Self)>> {
        if let Self::Raw(json) = self {
            let ObjectFields(fields) = serde_json::from_str(json).ok()?;
            *self = Self::Object(fields);
        }
        match self {
            Self::Object(fields) => Some(fields),
            _ => None,
        }
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Raw(json) => out.push_str(json),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    out.push_str(&serde_json::Value::from(key.as_str()).to_string());
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

/// The fields of an object in their order, repeated keys included.
struct ObjectFields(Vec<(String, JsonNode)>);

impl<'de> Deserialize<'de> for ObjectFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = ObjectFields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ObjectFields, A::Error> {
        let mut fields = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
            fields.push((key, JsonNode::new(value.get())));
        }
        Ok(ObjectFields(fields))
    }
}
