//! What the checker knows about an issue, for its hint.

use super::place::ValuePlace;
use crate::{
    json::NodeId,
    schema::{Field, Object, Union},
};

/// What the checker knows about an issue when it finds it.
#[derive(Clone, Copy)]
pub(super) struct CheckTrouble<'a> {
    pub(super) subject: IssueSubject<'a>,
    pub(super) place: ValuePlace<'a>,
}

/// What an issue is about.
#[derive(Clone, Copy)]
pub(super) enum IssueSubject<'a> {
    /// The value of a node.
    Value(NodeId),
    /// A field that an object lacks.
    Missing {
        object: NodeId,
        field: &'a Field,
        rules: &'a Object,
    },
    /// A key of an object that accepts no such key.
    UnknownKey {
        object: NodeId,
        key: NodeId,
        rules: &'a Object,
    },
    /// A key in place of the name of a variant.
    VariantKey { key: NodeId, rules: &'a Union },
    /// The name of the variant of an object.
    Tag {
        object: NodeId,
        tag: NodeId,
        rules: &'a Union,
    },
}
