//! Stands for a type inside its own schema, which cannot contain itself.

use super::{Held, Kind, Map, Schema};
use crate::text::same;

/// The description of a type where its schema would contain itself.
#[doc(hidden)]
pub const AGAIN_WORDS: &str = "the same form again";

/// An object about which the schema says no more. The mark is in a place that no dialect writes, so
/// an author's description does not replace it.
#[doc(hidden)]
pub const OBJECT_AGAIN: &Schema = &Schema::of(Kind::Map(Map {
    values: Held::Static(ANY_AGAIN),
    keys: Held::Static(&[]),
}));

/// Any value, where a full description would never end.
#[doc(hidden)]
pub const ANY_AGAIN: &Schema = &Schema::described(Kind::Any, AGAIN_WORDS);

/// Whether the schema stands for one that encloses it.
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
    /// Whether this is the place of a recursive definition that encloses it.
    pub(crate) fn is_inside_itself(&self) -> bool {
        self.number() != 0 && is_again(self)
    }
}
