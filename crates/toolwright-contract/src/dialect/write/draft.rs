//! The text of a whole schema: as a constant, or as a `String`.

use super::{
    flat,
    node::{describe, members, node},
    sink::Sink,
    value::Comma,
};
use crate::{
    dialect::Dialect,
    schema::{Kind, Schema, is_object_only},
};

/// Most schemas are no longer than this, and are written once; longer ones are measured by that.
const ROOM: usize = 2_048;

/// The JSON of a schema before its length is known, which a constant's type has to say.
#[doc(hidden)]
#[derive(Debug)]
pub struct Draft {
    room: [u8; ROOM],
    len: usize,
}

impl Draft {
    /// Writes into the room, and counts also what has none.
    #[must_use]
    pub const fn of(schema: &Schema, dialect: Dialect) -> Self {
        let mut room = [b' '; ROOM];
        let mut sink = Sink::into(&mut room);
        root(schema, dialect, &mut sink);
        sink.flush();
        let len = sink.len();
        Self { room, len }
    }

    /// The length of the whole JSON.
    #[must_use]
    pub const fn length(&self) -> usize {
        self.len
    }

    /// The JSON, for the schema and dialect of this draft and its own length.
    #[must_use]
    pub const fn json<const LEN: usize>(&self, schema: &Schema, dialect: Dialect) -> [u8; LEN] {
        let mut bytes = [b' '; LEN];
        if LEN <= ROOM {
            let (json, _) = self.room.split_at(LEN);
            bytes.copy_from_slice(json);
        } else {
            let mut sink = Sink::into(&mut bytes);
            root(schema, dialect, &mut sink);
            sink.flush();
        }
        bytes
    }
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
    /// The JSON of this schema in a dialect, for where the type is not known at compile time;
    /// otherwise use [`schema_json!`](crate::schema_json).
    #[must_use]
    pub fn to_json(&self, dialect: Dialect) -> String {
        write(self, |schema, sink| root(schema, dialect, sink))
    }

    /// The JSON of this schema of an output. No dialect changes its form, since no model writes it, and it need
    /// not be an object.
    #[doc(hidden)]
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
    match &schema.kind {
        Kind::Union(union) if !profile.root_union => flat::root(schema, union, profile, sink),
        Kind::Union(union) => {
            sink.bytes(b"{\"type\":\"object\"");
            let mut comma = Comma(true);
            describe(schema, profile, &mut comma, sink);
            comma.key(b",\"anyOf\":", sink);
            sink.bytes(b"[");
            members(union, profile, sink);
            sink.bytes(b"]}");
        }
        Kind::Any
        | Kind::Boolean
        | Kind::Integer(_)
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Tuple(_)
        | Kind::Map(_)
        | Kind::Object(_) => node(schema, profile, false, sink),
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, ROOM};
    use crate::{Dialect, Schema, schema::Kind, schema_json};

    /// As long as the room but for what stands around it, and one more.
    const FILL: usize = ROOM - r#"{"description":""}"#.len();
    const FILLED: &str = text(&[b'a'; FILL]);
    const LONG: &str = text(&[b'a'; FILL + 1]);

    const fn text(bytes: &'static [u8]) -> &'static str {
        super::text_of(bytes)
    }

    struct Just;
    struct Over;

    impl Just {
        const SCHEMA: &Schema = &Schema::described(Kind::Any, FILLED);
    }

    impl Over {
        const SCHEMA: &Schema = &Schema::described(Kind::Any, LONG);
    }

    #[test]
    fn a_text_that_fills_the_room_and_one_that_does_not_fit_are_whole() {
        const JUST: Draft = Draft::of(Just::SCHEMA, Dialect::Portable);
        const OVER: Draft = Draft::of(Over::SCHEMA, Dialect::Portable);
        assert_eq!((JUST.length(), OVER.length()), (ROOM, ROOM + 1));
        let just = JUST.json::<{ JUST.length() }>(Just::SCHEMA, Dialect::Portable);
        let over = OVER.json::<{ OVER.length() }>(Over::SCHEMA, Dialect::Portable);
        assert_eq!(
            just.as_slice(),
            Just::SCHEMA.to_json(Dialect::Portable).as_bytes()
        );
        assert_eq!(
            over.as_slice(),
            Over::SCHEMA.to_json(Dialect::Portable).as_bytes()
        );
        assert_eq!(
            super::text_of(&over),
            format!(r#"{{"description":"{LONG}"}}"#)
        );
        assert_eq!(
            schema_json!(String, Dialect::Portable),
            <String as crate::ToolInput>::SCHEMA.to_json(Dialect::Portable)
        );
    }
}
