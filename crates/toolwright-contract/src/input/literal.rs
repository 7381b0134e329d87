//! A default written in the declaration, read by the same reader as everything else.

use serde::de::{Deserializer, IntoDeserializer, Visitor, value::SeqDeserializer};

use super::{At, ToolInput};
use crate::schema::Literal;

/// The default of a field, as the value of its type.
pub(super) fn default_of<T: ToolInput>(literal: &'static Literal, at: At<'_>) -> Option<T> {
    at.required(|at| T::read(Source(literal), at))
        .unwrap_or_default()
}

#[derive(Clone, Copy)]
struct Source(&'static Literal);

impl<'de> Deserializer<'de> for Source {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0 {
            Literal::Boolean(value) => visitor.visit_bool(*value),
            Literal::Integer(value) => match i64::try_from(*value) {
                Ok(value) => visitor.visit_i64(value),
                Err(_) => visitor.visit_i128(*value),
            },
            Literal::Number(value) => visitor.visit_f64(value.value),
            Literal::Text(text) => visitor.visit_str(text.part()),
            Literal::List(items) => {
                visitor.visit_seq(SeqDeserializer::new(items.iter().map(Source)))
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, serde_json::Error> for Source {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
