//! What a schema says of its own type, which it cannot hold: the form, and that it is the same again.

use super::{Kind, Map, Schema, check::same};

/// What is said of a type where its schema would contain itself.
#[doc(hidden)]
pub const AGAIN_WORDS: &str = "the same form again";

/// An object, of which the schema says no more. The mark is where no dialect writes it, so that it
/// outlasts the words of an author.
#[doc(hidden)]
pub const OBJECT_AGAIN: &Schema = &Schema::of(Kind::Map(Map {
    values: ANY_AGAIN,
    keys: &[],
}));

/// Anything, where more cannot be said without end.
#[doc(hidden)]
pub const ANY_AGAIN: &Schema = &Schema {
    description: AGAIN_WORDS,
    ..Schema::of(Kind::Any)
};

/// Whether the schema stands for one that is around it.
pub const fn is_again(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Map(map) => is_object_again(map),
        Kind::Any => same(schema.description, AGAIN_WORDS),
        _ => false,
    }
}

pub(super) const fn is_object_again(map: &Map) -> bool {
    matches!(map.values.kind, Kind::Any) && same(map.values.description, AGAIN_WORDS)
}
