//! A struct that serde would derive for a schema: the same calls of a deserializer, the same errors.

use std::{cell::RefCell, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserialize,
    de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// A Rust type for a schema.
#[derive(Clone)]
pub enum Shape {
    Any,
    Boolean,
    Integer,
    Float,
    Text,
    Choice(Vec<String>),
    List(Box<Shape>),
    /// A map of values of any kind.
    Map,
    /// Each field, and whether it may be left out.
    Struct(Vec<(String, Shape, bool)>),
}

impl Shape {
    /// The type that a programmer would write for a schema.
    pub fn of(schema: &Value) -> Self {
        let choices: Option<Vec<String>> = schema["enum"].as_array().and_then(|all| {
            all.iter()
                .map(|one| one.as_str().map(str::to_owned))
                .collect()
        });
        if let Some(choices) = choices {
            return Self::Choice(choices);
        }
        match schema["type"].as_str() {
            Some("boolean") => Self::Boolean,
            Some("integer") => Self::Integer,
            Some("number") => Self::Float,
            Some("string") => Self::Text,
            Some("array") => Self::List(Box::new(Self::of(&schema["items"]))),
            Some("object") => {
                let Some(properties) = schema["properties"].as_object() else {
                    return Self::Map;
                };
                let required = schema["required"].as_array();
                let optional = |name: &str| {
                    !required.is_some_and(|names| names.iter().any(|other| other == name))
                };
                let fields = properties.iter();
                let field = |(name, schema): (&String, &Value)| {
                    (name.clone(), Self::of(schema), optional(name))
                };
                Self::Struct(fields.map(field).collect())
            }
            _ => Self::Any,
        }
    }
}

impl<'de> DeserializeSeed<'de> for &Shape {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self {
            Shape::Any => Value::deserialize(deserializer),
            Shape::Boolean => bool::deserialize(deserializer).map(Value::from),
            Shape::Integer => i64::deserialize(deserializer).map(Value::from),
            Shape::Float => f64::deserialize(deserializer).map(Value::from),
            Shape::Text => String::deserialize(deserializer).map(Value::from),
            Shape::Map => Map::deserialize(deserializer).map(Value::from),
            Shape::Choice(choices) => {
                let name = String::deserialize(deserializer)?;
                if choices.contains(&name) {
                    return Ok(name.into());
                }
                let names: Vec<String> = choices.iter().map(|name| format!("`{name}`")).collect();
                let names = names.join(", ");
                // The message of serde's derive.
                Err(D::Error::custom(format_args!(
                    "unknown variant `{name}`, expected one of {names}"
                )))
            }
            Shape::List(items) => deserializer.deserialize_seq(List(items)),
            Shape::Struct(fields) => deserializer.deserialize_map(Struct(fields)),
        }
    }
}

struct List<'s>(&'s Shape);

impl<'de> Visitor<'de> for List<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(self.0)? {
            all.push(item);
        }
        Ok(Value::Array(all))
    }
}

struct Struct<'s>(&'s [(String, Shape, bool)]);

impl<'de> Visitor<'de> for Struct<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("struct Arguments")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let Some((name, shape, optional)) = self.0.iter().find(|(name, ..)| *name == key)
            else {
                entries.next_value::<IgnoredAny>()?;
                continue;
            };
            if all.contains_key(name) {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            let value = if *optional {
                entries.next_value_seed(Optional(shape))?
            } else {
                entries.next_value_seed(shape)?
            };
            all.insert(key, value);
        }
        if let Some((name, ..)) = self
            .0
            .iter()
            .find(|(name, _, optional)| !optional && !all.contains_key(name))
        {
            return Err(A::Error::custom(format_args!("missing field `{name}`")));
        }
        // An `Option` that is `None` counts as absent.
        all.retain(|_, value| !value.is_null());
        Ok(Value::Object(all))
    }
}

/// An `Option` of a type.
struct Optional<'s>(&'s Shape);

impl<'de> DeserializeSeed<'de> for Optional<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Optional<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.0.deserialize(deserializer)
    }
}

thread_local! {
    /// The shape of the call in hand: a library deserializes a type and no value.
    static IN_HAND: RefCell<Shape> = const { RefCell::new(Shape::Any) };
}

/// The type of the call in hand.
pub struct Arguments(pub Value);

impl Arguments {
    /// Sets the type from here on.
    pub fn are(shape: &Shape) {
        IN_HAND.replace(shape.clone());
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IN_HAND.with_borrow(|shape| shape.deserialize(deserializer).map(Self))
    }
}

impl JsonSchema for Arguments {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Arguments".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}
