//! The const writer: a schema tree to JSON text, in one dialect.
//!
//! Keys come in one order: `type`, `description`, the rules, then the children. What a dialect
//! has no keyword for is said by [`notes`](super::notes) inside the description.

mod object;
mod rules;
mod union;

use super::{
    Kind, Literal, Schema,
    again::is_object_again,
    flat,
    notes::{has_notes, notes},
    sink::Sink,
};
use crate::dialect::{
    Dialect, keyword,
    profile::{Maps, Null, Profile},
};
use object::{map, names, object};
use rules::{integer, list, number, text, tuple};
use union::members;

pub(super) use object::is_bare;
pub(super) use rules::{decimal, keeps_pattern, splits};

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
            root(schema, dialect, &mut Sink::into(&mut bytes));
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
        let mut room = [0; ROOM];
        let mut sink = Sink::into(&mut room);
        root(self, dialect, &mut sink);
        let len = sink.len();
        if let Some(bytes) = room.get(..len) {
            // The writer copies whole strings.
            return std::str::from_utf8(bytes).unwrap_or_default().to_owned();
        }
        let mut bytes = vec![0; len];
        root(self, dialect, &mut Sink::into(&mut bytes));
        String::from_utf8(bytes).unwrap_or_default()
    }
}

pub(super) const fn root(schema: &Schema, dialect: Dialect, sink: &mut Sink<'_>) {
    let profile = dialect.profile();
    match &schema.kind {
        Kind::Union(union) if !profile.root_union => flat::root(schema, union, profile, sink),
        Kind::Union(union) => {
            sink.raw("{\"type\":\"object\"");
            let mut comma = Comma(true);
            describe(schema, profile, &mut comma, sink);
            comma.key("anyOf", sink);
            sink.byte(b'[');
            members(union, profile, sink);
            sink.raw("]}");
        }
        _ => node(schema, profile, false, sink),
    }
}

/// A node; `optional` marks a field that a strict receiver wants as required and nullable.
pub(super) const fn node(schema: &Schema, profile: &Profile, optional: bool, sink: &mut Sink<'_>) {
    // Anything at all includes null.
    let null = (schema.nullable || optional) && !matches!(schema.kind, Kind::Any);
    sink.byte(b'{');
    let mut comma = Comma(false);
    if null && wraps(schema, profile) {
        describe(schema, profile, &mut comma, sink);
        comma.put(sink);
        sink.raw("\"anyOf\":[");
        if let Kind::Union(union) = &schema.kind {
            members(union, profile, sink);
        } else {
            sink.byte(b'{');
            core(schema, profile, false, false, &mut Comma(false), sink);
            sink.byte(b'}');
        }
        sink.raw(",{\"type\":\"null\"}]");
    } else {
        core(schema, profile, null, true, &mut comma, sink);
        if null && matches!(profile.null, Null::Keyword) {
            comma.put(sink);
            sink.raw("\"nullable\":true");
        }
    }
    sink.byte(b'}');
}

/// Whether null needs an `anyOf` around this node.
const fn wraps(schema: &Schema, profile: &Profile) -> bool {
    match profile.null {
        Null::AnyOf => true,
        Null::Keyword => false,
        // An enum beside a type array would have to hold null too; a union has no type.
        Null::TypeArray => match &schema.kind {
            Kind::Union(_) => true,
            Kind::Text(text) => !text.choices.part().is_empty(),
            Kind::Integer(rules) => !rules.choices.part().is_empty() || splits(rules),
            _ => false,
        },
    }
}

const fn describe(schema: &Schema, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    if has_notes(schema, profile) {
        comma.put(sink);
        sink.raw("\"description\":\"");
        notes(schema, profile, sink);
        sink.byte(b'"');
    }
    if let Some(value) = &schema.default
        && profile.has(keyword::DEFAULT)
    {
        comma.key("default", sink);
        literal(value, sink);
    }
    if let Some(value) = &schema.example
        && profile.has(keyword::EXAMPLES)
    {
        comma.key("examples", sink);
        sink.byte(b'[');
        literal(value, sink);
        sink.byte(b']');
    }
}

/// Everything between the braces but a null that wraps it.
const fn core(
    schema: &Schema,
    profile: &Profile,
    null: bool,
    described: bool,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if let Some(name) = type_of(schema, profile) {
        comma.key("type", sink);
        type_name(
            name,
            null && matches!(profile.null, Null::TypeArray),
            profile,
            sink,
        );
    }
    if described {
        describe(schema, profile, comma, sink);
    }
    match &schema.kind {
        Kind::Any | Kind::Boolean => {}
        Kind::Integer(rules) => integer(rules, profile, comma, sink),
        Kind::Number(rules) => number(rules, profile, comma, sink),
        Kind::Text(rules) => text(rules, profile, comma, sink),
        Kind::List(rules) => list(rules, profile, comma, sink),
        Kind::Tuple(items) => tuple(items.part(), profile, comma, sink),
        Kind::Map(rules) if is_object_again(rules) => {}
        Kind::Map(rules) => map(rules, profile, comma, sink),
        Kind::Object(rules) => object(rules, None, profile, comma, sink),
        Kind::Union(rules) => {
            comma.key("anyOf", sink);
            sink.byte(b'[');
            members(rules, profile, sink);
            sink.byte(b']');
        }
    }
}

const fn type_of(schema: &Schema, profile: &Profile) -> Option<&'static str> {
    match &schema.kind {
        Kind::Any | Kind::Union(_) => None,
        // Pairs are for maps: what comes again is an object as it was, of which nothing is known here.
        Kind::Map(rules) if matches!(profile.maps, Maps::Pairs) && is_object_again(rules) => None,
        Kind::Integer(rules) if splits(rules) && profile.has(keyword::BOUNDS) => None,
        Kind::Integer(_) => Some("integer"),
        Kind::Boolean => Some("boolean"),
        Kind::Number(_) => Some("number"),
        Kind::Text(_) => Some("string"),
        Kind::List(_) | Kind::Tuple(_) => Some("array"),
        Kind::Map(_) if matches!(profile.maps, Maps::Pairs) => Some("array"),
        Kind::Map(_) | Kind::Object(_) => Some("object"),
    }
}

pub(super) const fn type_name(name: &str, null: bool, profile: &Profile, sink: &mut Sink<'_>) {
    if null {
        sink.byte(b'[');
    }
    sink.byte(b'"');
    if profile.capitals {
        let bytes = name.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            sink.byte(bytes[i].to_ascii_uppercase());
            i += 1;
        }
    } else {
        sink.raw(name);
    }
    sink.byte(b'"');
    if null {
        sink.raw(",\"null\"]");
    }
}

pub(super) const fn literal(value: &Literal, sink: &mut Sink<'_>) {
    match value {
        Literal::Boolean(true) => sink.raw("true"),
        Literal::Boolean(false) => sink.raw("false"),
        Literal::Integer(value) => sink.integer(*value),
        Literal::Number(value) => decimal(value, sink),
        Literal::Text(text) => sink.string(text.part()),
        Literal::List(items) => {
            sink.byte(b'[');
            let mut i = 0;
            while i < items.part().len() {
                if i > 0 {
                    sink.byte(b',');
                }
                literal(&items.part()[i], sink);
                i += 1;
            }
            sink.byte(b']');
        }
    }
}

/// Puts a comma before everything but the first.
pub(super) struct Comma(pub(super) bool);

impl Comma {
    pub(super) const fn put(&mut self, sink: &mut Sink<'_>) {
        if self.0 {
            sink.byte(b',');
        }
        self.0 = true;
    }

    /// A key that has nothing to escape: a keyword.
    pub(super) const fn key(&mut self, key: &str, sink: &mut Sink<'_>) {
        sink.raw(if self.0 { ",\"" } else { "\"" });
        self.0 = true;
        sink.raw(key);
        sink.raw("\":");
    }

    /// A key of the author's.
    pub(super) const fn name(&mut self, name: &str, sink: &mut Sink<'_>) {
        sink.raw(if self.0 { ",\"" } else { "\"" });
        self.0 = true;
        sink.escaped(name);
        sink.raw("\":");
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
