//! Schemas that contain themselves: `$defs`, and references to them.

use super::{notes::secret, sink::ByteSink, value::CommaWriter};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::Schema,
};

/// Writes a reference in place of a schema that refers to one of its parents, if the dialect has references.
pub(super) const fn reference<'a>(
    schema: &'a Schema,
    profile: &Profile,
    optional: bool,
    sink: &mut ByteSink<'a>,
) -> bool {
    if !profile.references || !schema.is_stand_in() {
        return false;
    }
    let Some(name) = sink.definitions.refer(schema) else {
        return false;
    };
    let null = schema.nullable || optional;
    // Some receivers take nothing beside a reference, and others ignore what is there.
    let words = schema.description.part();
    let has_words = !words.is_empty();
    let is_secret = schema.secret && profile.has(keyword::WRITE_ONLY);
    let wraps = null || has_words || is_secret;
    sink.bytes(b"{");
    if wraps {
        let mut comma = CommaWriter(false);
        if has_words {
            comma.key(b",\"description\":", sink);
            sink.string(words);
        }
        secret(schema, profile, &mut comma, sink);
        comma.key(b",\"anyOf\":[{", sink);
    }
    sink.bytes(b"\"$ref\":\"#/$defs/");
    sink.escaped(name);
    sink.bytes(b"\"}");
    if wraps {
        sink.bytes(if null {
            b",{\"type\":\"null\"}]}"
        } else {
            b"]}"
        });
    }
    true
}
