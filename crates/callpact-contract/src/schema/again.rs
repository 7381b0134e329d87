//! The schema in place of a type inside its own schema, which cannot contain itself.

use super::{Kind, Map, Schema};

/// The words for a type where its schema would contain itself.
pub(crate) const AGAIN_WORDS: &str = "the same form again";

const ANY: &Schema = &Schema::of(Kind::Any);

/// An object inside its own schema.
pub const OBJECT_AGAIN: &Schema = &Schema::of(Kind::Map(Map::of(ANY))).into_again();

/// Any value inside its own schema.
pub const ANY_AGAIN: &Schema = &Schema::of(Kind::Any).into_again();

/// Whether a schema is in place of one that contains it.
#[must_use]
pub const fn is_again(schema: &Schema) -> bool {
    schema.is_again()
}
