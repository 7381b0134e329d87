//! What the fields of an object ask for, flattened ones in their place.

use super::{sink::Sink, value::Comma};
use crate::{
    dialect::profile::{EmptyObjects, Profile},
    schema::{Field, Kind, Object},
};

/// Whether an object is written with its type alone.
pub(super) const fn is_bare(rules: &Object, profile: &Profile) -> bool {
    matches!(profile.empty, EmptyObjects::Bare)
        && rules.extra.is_none()
        && !has_property(rules.fields.part())
}

pub(super) const fn has_property(fields: &[Field]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => {
                if has_property(inner.fields.part()) {
                    return true;
                }
            }
            Kind::Map(_) if fields[i].flatten => {}
            _ => return true,
        }
        i += 1;
    }
    false
}

pub(super) const fn requires(fields: &[Field], profile: &Profile) -> bool {
    let mut i = 0;
    while i < fields.len() {
        match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => {
                // Only an output has one that may be left out.
                if fields[i].required && requires(inner.fields.part(), profile) {
                    return true;
                }
            }
            Kind::Map(_) if fields[i].flatten => {}
            _ => {
                if fields[i].required || profile.all_required {
                    return true;
                }
            }
        }
        i += 1;
    }
    false
}

pub(super) const fn required(
    fields: &[Field],
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        match &field.schema.part().kind {
            Kind::Object(inner) if field.flatten => {
                if field.required {
                    required(inner.fields.part(), profile, comma, sink);
                }
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                if field.required || profile.all_required {
                    comma.put(sink);
                    sink.string(field.name.part());
                }
            }
        }
        i += 1;
    }
}
