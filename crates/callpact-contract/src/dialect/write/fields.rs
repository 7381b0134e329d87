//! The parts of an object that its fields need.

use super::{sink::ByteSink, value::CommaWriter};
use crate::{
    dialect::profile::{EmptyObjects, Profile},
    schema::{Field, Held, Object, SafeName},
};

/// The name of a field in the form of the dialect, inside a JSON string.
pub(super) const fn name<'a>(
    rules: &'a Object,
    field: &'a Field,
    profile: &Profile,
    sink: &mut ByteSink<'a>,
) {
    let own = field.name.part();
    // Every provider takes the names that the derive takes.
    if matches!(field.name, Held::Static(_)) || profile.parameter_name.takes(own) {
        sink.escaped(own);
    } else {
        sink.at_once(SafeName::of(rules, field).as_str().as_bytes());
    }
}

/// The name as a key.
pub(super) const fn key<'a>(
    rules: &'a Object,
    field: &'a Field,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    comma.open(sink);
    name(rules, field, profile, sink);
    sink.bytes(b"\":");
}

/// The name as a string of a list.
pub(super) const fn quoted<'a>(
    rules: &'a Object,
    field: &'a Field,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    comma.open(sink);
    name(rules, field, profile, sink);
    sink.bytes(b"\"");
}

/// Whether an object is written with only its type.
pub(super) const fn is_bare(rules: &Object, profile: &Profile) -> bool {
    matches!(profile.empty, EmptyObjects::Bare) && rules.extra.is_none() && rules.count() == 0
}

/// The list of the required fields, without its end. `inner` says whether it has begun.
pub(super) const fn required<'a>(
    rules: &'a Object,
    profile: &Profile,
    comma: &mut CommaWriter,
    inner: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    let mut fields = rules.walk();
    while let Some(field) = fields.step() {
        if fields.requires(field) || profile.all_required {
            if !inner.0 {
                comma.key(b",\"required\":[", sink);
            }
            quoted(rules, field, profile, inner, sink);
        }
    }
}
