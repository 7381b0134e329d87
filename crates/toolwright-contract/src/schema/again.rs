//! Stands for a type inside of its own schema, which cannot contain itself.

use super::{Held, Kind, Map, Schema};
use crate::text::same;

/// The description of a type where its schema would contain itself.
#[doc(hidden)]
pub const AGAIN_WORDS: &str = "the same form again";

/// An object, of which the schema says no more. The mark is where no dialect writes it, so that it
/// outlasts the words of an author.
#[doc(hidden)]
pub const OBJECT_AGAIN: &Schema = &Schema::of(Kind::Map(Map {
    values: Held::Static(ANY_AGAIN),
    keys: Held::Static(&[]),
}));

/// Anything, where more cannot be said without end.
#[doc(hidden)]
pub const ANY_AGAIN: &Schema = &Schema::described(Kind::Any, AGAIN_WORDS);

/// Whether the schema stands for one that is around it.
pub const fn is_again(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Map(map) => is_object_again(map),
        Kind::Any => same(schema.description.part(), AGAIN_WORDS),
        Kind::Boolean
        | Kind::Integer(_)
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Tuple(_)
        | Kind::Object(_)
        | Kind::Union(_) => false,
    }
}

pub(crate) const fn is_object_again(map: &Map) -> bool {
    let values = map.values.part();
    matches!(values.kind, Kind::Any) && same(values.description.part(), AGAIN_WORDS)
}

impl Schema {
    /// Whether a definition stands here that contains itself, and is around this place.
    pub(crate) fn is_inside_itself(&self) -> bool {
        self.number() != 0 && is_again(self)
    }
}
