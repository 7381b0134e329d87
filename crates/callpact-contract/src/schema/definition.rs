//! Definitions: schemas that contain themselves, and the references to them inside.

use super::{CodeRules, Held, Schema, is_again, refine};
use crate::text::same;

impl Schema {
    /// Whether this schema refers to one of its parents.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_stand_in(&self) -> bool {
        if self.number() == 0 {
            self.code.schema.is_some() && !self.name.part().is_empty()
        } else {
            is_again(self)
        }
    }

    /// Whether a schema inside this one may stand for it.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_definition(&self) -> bool {
        if self.number() == 0 {
            self.code.schema.is_none() && !self.name.part().is_empty()
        } else {
            !is_again(self)
        }
    }

    /// Whether a schema inside this one refers to it.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_definition_of(&self, other: &Self) -> bool {
        other.is_stand_in()
            && self.is_definition()
            && self.number() == other.number()
            && (self.number() != 0 || same(self.name.part(), other.name.part()))
    }
}

/// The stand-in for a type inside its own schema, which leads back to the schema of the type.
#[must_use]
pub const fn inside_itself(
    stand_in: &'static Schema,
    name: &'static str,
    whole: fn() -> &'static Schema,
) -> Schema {
    let mut schema = named(stand_in, name);
    schema.code = CodeRules {
        schema: Some(whole),
        ..CodeRules::NONE
    };
    schema
}

/// The schema of a type that contains itself.
#[must_use]
pub const fn named(schema: &'static Schema, name: &'static str) -> Schema {
    let mut schema = refine(schema, "", &[]);
    // A constant cannot drop a name.
    std::mem::forget(std::mem::replace(&mut schema.name, Held::Static(name)));
    schema
}
