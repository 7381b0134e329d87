//! JSON that can be changed in a few places: everything else keeps its order and its digits.

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::raw_object::RawObject;

/// A key as a part of a JSON pointer.
pub(super) fn pointer_part(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

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
            let RawObject(members) = serde_json::from_str(json).ok()?;
            let fields = members.into_iter();
            let fields = fields.map(|(key, value)| (key.into_owned(), Self::new(value.get())));
            *self = Self::Object(fields.collect());
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
