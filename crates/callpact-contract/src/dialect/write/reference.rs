//! References to schemas that contain themselves.

use super::{
    definitions::ReferenceTarget,
    notes::{DescribedPart, describe},
    sink::ByteSink,
    value::CommaWriter,
};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::Schema,
};

/// Writes a reference to this target in place of a schema.
pub(super) const fn write_reference<'a>(
    schema: &'a Schema,
    target: ReferenceTarget<'a>,
    profile: &Profile,
    optional: bool,
    sink: &mut ByteSink<'a>,
) {
    let null = (schema.nullable || optional) && !schema.is_null_itself();
    // Some receivers take nothing beside a reference, and others ignore what is there.
    let wraps = null
        || !schema.description.part().is_empty()
        || schema.default.is_some()
        || schema.example.is_some()
        || schema.secret && profile.has(keyword::WRITE_ONLY);
    sink.bytes(b"{");
    if wraps {
        let mut comma = CommaWriter(false);
        describe(schema, DescribedPart::Use, profile, &mut comma, sink);
        comma.key(b",\"anyOf\":[{", sink);
    }
    sink.bytes(b"\"$ref\":\"#");
    if let ReferenceTarget::Definition { .. } = target {
        sink.bytes(b"/$defs/");
    }
    write_name(target, sink);
    sink.bytes(b"\"}");
    if wraps {
        sink.bytes(if null {
            b",{\"type\":\"null\"}]}"
        } else {
            b"]}"
        });
    }
}

/// The name of a definition. No name of a type has a `-`.
pub(super) const fn write_name<'a>(target: ReferenceTarget<'a>, sink: &mut ByteSink<'a>) {
    if let ReferenceTarget::Definition { name, twins } = target {
        sink.escaped(name);
        if twins > 0 {
            sink.bytes(b"-");
            sink.integer(twins as i128 + 1);
        }
    }
}
