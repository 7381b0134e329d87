//! The text of a whole schema.

use super::{
    flat,
    node::{body, definitions, members},
    notes::{DescribedPart, describe},
    sink::ByteSink,
    value::CommaWriter,
};
use crate::{
    dialect::{Dialect, profile::Profile},
    schema::{Kind, Schema, is_object_only},
};

/// Writes the JSON of a schema into the room as far as it fits, and returns its length.
pub(crate) const fn write_schema(schema: &Schema, dialect: Dialect, room: &mut [u8]) -> usize {
    let mut sink = ByteSink::into(room);
    root(schema, dialect, &mut sink);
    sink.flush();
    sink.len()
}

impl Schema {
    /// The JSON of this schema of arguments in a dialect, if the type is not known at compile time; otherwise
    /// use [`schema_json!`](crate::schema_json). The arguments of a call are an object, and so is what this
    /// describes; [`to_output_json`](Self::to_output_json) is for what a tool gives back.
    #[must_use]
    pub fn to_json(&self, dialect: Dialect) -> String {
        write(self, |schema, sink| root(schema, dialect, sink))
    }

    /// The JSON of this schema of an output, that of a [`ToolOutput`](crate::ToolOutput). No dialect changes its
    /// form, since no model writes it, and it need not be an object.
    #[must_use]
    pub fn to_output_json(&self) -> String {
        if matches!(self.kind, Kind::Union(_)) && !is_object_only(self) {
            let profile = Dialect::Mcp20260728.profile();
            write(self, |schema, sink| whole(schema, profile, sink))
        } else {
            self.to_json(Dialect::Mcp20260728)
        }
    }
}

/// The room on the stack, in which most schemas fit.
const ROOM: usize = 2_048;

fn write(schema: &Schema, put: impl for<'a> Fn(&'a Schema, &mut ByteSink<'a>)) -> String {
    let mut room = [0; ROOM];
    let mut sink = ByteSink::at_run_time(&mut room);
    put(schema, &mut sink);
    sink.flush();
    let len = sink.len();
    if let Some(bytes) = room.get(..len) {
        // The writer copies whole strings.
        return std::str::from_utf8(bytes).unwrap_or_default().to_owned();
    }
    let mut bytes = vec![0; len];
    let mut sink = ByteSink::at_run_time(&mut bytes);
    put(schema, &mut sink);
    sink.flush();
    String::from_utf8(bytes).unwrap_or_default()
}

pub(super) const fn root<'a>(schema: &'a Schema, dialect: Dialect, sink: &mut ByteSink<'a>) {
    let profile = dialect.profile();
    let Kind::Union(union) = &schema.kind else {
        return whole(schema, profile, sink);
    };
    let is_whole = profile.root_union && is_object_only(schema);
    sink.definitions
        .begin(schema, is_whole && profile.root_reference);
    if !profile.root_union {
        return flat::root(schema, union, profile, sink);
    }
    sink.bytes(b"{\"type\":\"object\"");
    let mut comma = CommaWriter(true);
    describe(schema, DescribedPart::Whole, profile, &mut comma, sink);
    comma.key(b",\"anyOf\":[", sink);
    members(union, profile, sink);
    sink.bytes(b"]");
    definitions(profile, &mut comma, sink);
    sink.bytes(b"}");
}

/// A schema whose root is written like any other node.
const fn whole<'a>(schema: &'a Schema, profile: &Profile, sink: &mut ByteSink<'a>) {
    let is_whole = schema.nullable == schema.is_null_itself();
    sink.definitions
        .begin(schema, is_whole && profile.root_reference);
    let null = schema.nullable && !matches!(schema.kind, Kind::Any);
    let mut comma = body(schema, DescribedPart::Whole, profile, null, sink);
    definitions(profile, &mut comma, sink);
    sink.bytes(b"}");
}
