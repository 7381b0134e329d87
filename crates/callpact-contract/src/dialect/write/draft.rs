//! The text of a whole schema, as a constant or as a `String`.

use super::{
    flat,
    node::{core, definitions, describe, members, node},
    sink::Sink,
    value::Comma,
};
use crate::{
    dialect::Dialect,
    schema::{Kind, Schema, is_object_only, some_object},
};

/// Most schemas fit, and are written once; longer ones are measured this way first.
const ROOM: usize = 2_048;

/// The JSON of a schema before its length is known, which the type of a constant must state.
#[doc(hidden)]
#[derive(Debug)]
pub struct Draft {
    room: [u8; ROOM],
    len: usize,
    dialect: Dialect,
}

impl Draft {
    /// Room for a text in a dialect.
    pub(crate) const fn empty(dialect: Dialect) -> Self {
        Self {
            room: [b' '; ROOM],
            len: 0,
            dialect,
        }
    }

    /// The room, and the counter for the length of the text, including the part that does not fit.
    pub(crate) const fn parts(&mut self) -> (&mut [u8], &mut usize) {
        (&mut self.room, &mut self.len)
    }

    /// The dialect of the text.
    pub(crate) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The length of the whole JSON.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.len
    }

    /// The JSON, if it has this length and fitted.
    pub(crate) const fn json<const LEN: usize>(&self) -> Option<&[u8; LEN]> {
        self.room.first_chunk()
    }
}

/// Writes the JSON of a schema into the room as far as it fits, and returns its length.
pub(crate) const fn write_schema(schema: &Schema, dialect: Dialect, room: &mut [u8]) -> usize {
    some_object(schema);
    let mut sink = Sink::into(room);
    root(schema, dialect, &mut sink);
    sink.flush();
    sink.len()
}

/// The bytes of a schema as text.
#[doc(hidden)]
#[must_use]
pub const fn text_of(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the writer copies whole strings"),
    }
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
            write(self, |schema, sink| node(schema, profile, false, sink))
        } else {
            self.to_json(Dialect::Mcp20260728)
        }
    }
}

fn write(schema: &Schema, put: impl for<'a> Fn(&'a Schema, &mut Sink<'a>)) -> String {
    let mut room = [0; ROOM];
    let mut sink = Sink::at_run_time(&mut room);
    put(schema, &mut sink);
    sink.flush();
    let len = sink.len();
    if let Some(bytes) = room.get(..len) {
        // The writer copies whole strings.
        return std::str::from_utf8(bytes).unwrap_or_default().to_owned();
    }
    let mut bytes = vec![0; len];
    let mut sink = Sink::at_run_time(&mut bytes);
    put(schema, &mut sink);
    sink.flush();
    String::from_utf8(bytes).unwrap_or_default()
}

pub(super) const fn root<'a>(schema: &'a Schema, dialect: Dialect, sink: &mut Sink<'a>) {
    let profile = dialect.profile();
    if schema.is_definition() {
        sink.definitions.enter(schema);
    }
    match &schema.kind {
        Kind::Union(union) if !profile.root_union => flat::root(schema, union, profile, sink),
        Kind::Union(union) => {
            sink.bytes(b"{\"type\":\"object\"");
            let mut comma = Comma(true);
            describe(schema, profile, &mut comma, sink);
            comma.key(b",\"anyOf\":[", sink);
            members(union, profile, sink);
            sink.bytes(b"]");
            definitions(profile, &mut comma, sink);
            sink.bytes(b"}");
        }
        Kind::Any
        | Kind::Boolean
        | Kind::Integer(_)
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Tuple(_)
        | Kind::Map(_)
        | Kind::Object(_)
            if schema.nullable =>
        {
            node(schema, profile, false, sink);
        }
        Kind::Any
        | Kind::Boolean
        | Kind::Integer(_)
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Tuple(_)
        | Kind::Map(_)
        | Kind::Object(_) => {
            let mut comma = core(schema, profile, false, true, sink);
            definitions(profile, &mut comma, sink);
            sink.bytes(b"}");
        }
    }
}
