//! The place of a value: its schema, and what null and `""` mean there.

use crate::{
    json::NodeId,
    schema::{Field, Schema, Union, Variant},
};

/// How a value fits its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceFit {
    Good,
    /// The value means that the parameter is absent.
    Absent,
    Bad,
}

impl PlaceFit {
    pub(super) fn of(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Bad }
    }

    pub(super) fn is_good(self) -> bool {
        self == Self::Good
    }
}

/// What a value must be at its place.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // each says one thing alone
pub(super) struct ValuePlace<'a> {
    pub(super) schema: &'a Schema,
    /// The node of the value.
    pub(super) node: NodeId,
    /// Whether null and `""` mean that the value is absent.
    pub(super) optional: bool,
    /// Whether `""` means that the value is absent, although null is a value.
    pub(super) empty: bool,
    /// Whether the author keeps `""` as a value.
    pub(super) keeps_empty: bool,
    /// Whether the value is at a key, which may be left out.
    pub(super) is_keyed: bool,
    /// The number of steps up to the nearest value that may be left out.
    pub(super) leave: Option<usize>,
    /// Whether the value is the field of a type, so that null for an absent value never means null.
    pub(super) is_typed: bool,
    /// Whether this value, or one around it, must not be shown.
    pub(super) secret: bool,
    /// The key of the tag, if the value is the content of a variant and its object also has the tag.
    pub(super) tag_key: Option<NodeId>,
    /// The union and its variant, if null at a key of another variant has no meaning.
    pub(super) variant: Option<(&'a Union, &'a Variant)>,
}

impl<'a> ValuePlace<'a> {
    /// A place where a value must be present.
    pub(super) fn of(schema: &'a Schema) -> Self {
        Self {
            schema,
            node: 0,
            optional: false,
            empty: false,
            keeps_empty: false,
            is_keyed: false,
            leave: None,
            is_typed: false,
            secret: schema.secret,
            tag_key: None,
            variant: None,
        }
    }

    /// The place of a value inside this one.
    pub(super) fn below(self, schema: &'a Schema) -> Self {
        Self {
            secret: self.secret || schema.secret,
            leave: self.leave.map(|steps| steps + 1),
            ..Self::of(schema)
        }
    }

    /// The place of a field of the object here.
    pub(super) fn field(self, field: &'a Field) -> Self {
        let place = self.below(field.schema.part());
        Self {
            optional: !field.required,
            is_keyed: true,
            leave: if field.required { place.leave } else { Some(0) },
            is_typed: field.schema.is_static(),
            keeps_empty: field.keep_empty,
            ..place
        }
    }

    /// The place of the value of a free key.
    pub(super) fn entry(self, schema: &'a Schema) -> Self {
        Self {
            is_keyed: true,
            leave: Some(0),
            ..self.below(schema)
        }
    }

    /// The same place with another schema.
    pub(super) fn under(self, schema: &'a Schema) -> Self {
        Self {
            schema,
            secret: self.secret || schema.secret,
            ..self
        }
    }

    /// The same place, where a value must be present.
    pub(super) fn required(self) -> Self {
        Self {
            optional: false,
            empty: false,
            ..self
        }
    }

    /// The same place, where null is a value.
    pub(super) fn nullable(self) -> Self {
        Self {
            optional: false,
            empty: true,
            ..self
        }
    }
}

/// One step of the path to the value that is checked.
#[derive(Clone, Copy)]
pub(super) enum PathStep<'a> {
    Name(&'a str),
    Key(NodeId),
    Index(usize),
}
