//! The smallest parts of a schema: commas, names of types, literals, counts.

use super::sink::ByteSink;
use crate::{
    dialect::profile::Profile,
    schema::{Choice, Decimal, Literal},
};

/// Puts a comma before every part except the first.
pub(super) struct CommaWriter(pub(super) bool);

impl CommaWriter {
    pub(super) const fn put(&mut self, sink: &mut ByteSink<'_>) {
        if self.0 {
            sink.bytes(b",");
        }
        self.0 = true;
    }

    /// A keyword that follows another one, with its comma.
    pub(super) const fn key(&mut self, key: &'static [u8], sink: &mut ByteSink<'_>) {
        match key {
            [_, first @ ..] if !self.0 => sink.bytes(first),
            key => sink.bytes(key),
        }
        self.0 = true;
    }

    /// One of the author's keys.
    pub(super) const fn name<'a>(&mut self, name: &'a str, sink: &mut ByteSink<'a>) {
        self.open(sink);
        sink.escaped(name);
        sink.bytes(b"\":");
    }

    /// The start of a string, after a comma if there is a part before it.
    pub(super) const fn open(&mut self, sink: &mut ByteSink<'_>) {
        sink.bytes(if self.0 { b",\"" } else { b"\"" });
        self.0 = true;
    }
}

/// The start of a node up to the name of its type, in small letters and in capitals.
pub(super) struct TypeName(&'static [u8], &'static [u8]);

pub(super) const ARRAY: TypeName = TypeName(b"{\"type\":\"array\"", b"{\"type\":\"ARRAY\"");
pub(super) const BOOLEAN: TypeName = TypeName(b"{\"type\":\"boolean\"", b"{\"type\":\"BOOLEAN\"");
pub(super) const INTEGER: TypeName = TypeName(b"{\"type\":\"integer\"", b"{\"type\":\"INTEGER\"");
pub(super) const NULL: TypeName = TypeName(b"{\"type\":\"null\"", b"{\"type\":\"NULL\"");
pub(super) const NUMBER: TypeName = TypeName(b"{\"type\":\"number\"", b"{\"type\":\"NUMBER\"");
pub(super) const OBJECT: TypeName = TypeName(b"{\"type\":\"object\"", b"{\"type\":\"OBJECT\"");
pub(super) const STRING: TypeName = TypeName(b"{\"type\":\"string\"", b"{\"type\":\"STRING\"");

impl TypeName {
    const fn start(&self, profile: &Profile) -> &'static [u8] {
        if profile.capitals { self.1 } else { self.0 }
    }
}

/// The start of a node, up to the name of its type.
pub(super) const fn open(name: &TypeName, profile: &Profile, sink: &mut ByteSink<'_>) {
    sink.bytes(name.start(profile));
}

/// The start of a node that may also be null.
pub(super) const fn open_nullable(name: &TypeName, profile: &Profile, sink: &mut ByteSink<'_>) {
    if let [_, _, _, _, _, _, _, _, name @ ..] = name.start(profile) {
        sink.bytes(b"{\"type\":[");
        sink.bytes(name);
        sink.bytes(b",\"null\"]");
    }
}

pub(super) const fn literal<'a>(value: &'a Literal, sink: &mut ByteSink<'a>) {
    match value {
        Literal::Boolean(true) => sink.bytes(b"true"),
        Literal::Boolean(false) => sink.bytes(b"false"),
        Literal::Integer(value) => sink.integer(*value),
        Literal::Number(value) => decimal(value, sink),
        Literal::Text(text) => sink.string(text.part()),
        Literal::List(items) => {
            sink.bytes(b"[");
            let mut i = 0;
            while i < items.part().len() {
                if i > 0 {
                    sink.bytes(b",");
                }
                literal(&items.part()[i], sink);
                i += 1;
            }
            sink.bytes(b"]");
        }
    }
}

pub(super) const fn decimal<'a>(value: &'a Decimal, sink: &mut ByteSink<'a>) {
    if value.text.part().is_empty() {
        #[allow(clippy::cast_possible_truncation)] // made from a whole number, see `refine`
        sink.integer(value.value as i128);
    } else {
        sink.raw(value.text.part());
    }
}

pub(super) const fn whole(
    key: &'static [u8],
    value: Option<i128>,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'_>,
) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value);
    }
}

pub(super) const fn count(
    key: &'static [u8],
    value: Option<u64>,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'_>,
) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value as i128);
    }
}

pub(super) const fn names<'a>(choices: &'a [Choice], sink: &mut ByteSink<'a>) {
    sink.bytes(b"[");
    let mut i = 0;
    while i < choices.len() {
        if i > 0 {
            sink.bytes(b",");
        }
        sink.string(choices[i].name.part());
        i += 1;
    }
    sink.bytes(b"]");
}

pub(super) const fn constant<'a>(value: &'a str, profile: &Profile, sink: &mut ByteSink<'a>) {
    open(&STRING, profile, sink);
    sink.bytes(b",\"enum\":[");
    sink.string(value);
    sink.bytes(b"]}");
}
