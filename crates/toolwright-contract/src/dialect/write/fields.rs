//! What the fields of an object ask for.

use super::{sink::Sink, value::Comma};
use crate::{
    dialect::profile::{EmptyObjects, Profile},
    schema::Object,
};

/// Whether an object is written with its type alone.
pub(super) const fn is_bare(rules: &Object, profile: &Profile) -> bool {
    matches!(profile.empty, EmptyObjects::Bare) && rules.extra.is_none() && rules.count() == 0
}

pub(super) const fn requires(rules: &Object, profile: &Profile) -> bool {
    let mut fields = rules.walk();
    while let Some(field) = fields.step() {
        if fields.requires(field) || profile.all_required {
            return true;
        }
    }
    false
}

pub(super) const fn required(
    rules: &Object,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    let mut fields = rules.walk();
    while let Some(field) = fields.step() {
        if fields.requires(field) || profile.all_required {
            comma.put(sink);
            sink.string(field.name.part());
        }
    }
}
