//! The smallest parts of a schema: commas, names of types, literals, counts.

use super::sink::Sink;
use crate::{
    dialect::profile::Profile,
    schema::{Choice, Decimal, Literal},
};

/// Puts a comma before everything but the first.
pub(super) struct Comma(pub(super) bool);

impl Comma {
    pub(super) const fn put(&mut self, sink: &mut Sink<'_>) {
        if self.0 {
            sink.raw(",");
        }
        self.0 = true;
    }

    /// A keyword as it stands behind another one: with the comma.
    pub(super) const fn key(&mut self, key: &'static str, sink: &mut Sink<'_>) {
        match key.as_bytes() {
            [_, first @ ..] if !self.0 => sink.bytes(first),
            key => sink.bytes(key),
        }
        self.0 = true;
    }

    /// A key of the author's.
    pub(super) const fn name(&mut self, name: &str, sink: &mut Sink<'_>) {
        sink.raw(if self.0 { ",\"" } else { "\"" });
        self.0 = true;
        sink.escaped(name);
        sink.raw("\":");
    }
}

/// The name of a type, in small letters and in capitals.
pub(super) struct TypeName(&'static str, &'static str);

pub(super) const ARRAY: TypeName = TypeName("\"array\"", "\"ARRAY\"");
pub(super) const BOOLEAN: TypeName = TypeName("\"boolean\"", "\"BOOLEAN\"");
pub(super) const INTEGER: TypeName = TypeName("\"integer\"", "\"INTEGER\"");
pub(super) const NULL: TypeName = TypeName("\"null\"", "\"NULL\"");
pub(super) const NUMBER: TypeName = TypeName("\"number\"", "\"NUMBER\"");
pub(super) const OBJECT: TypeName = TypeName("\"object\"", "\"OBJECT\"");
pub(super) const STRING: TypeName = TypeName("\"string\"", "\"STRING\"");

pub(super) const fn type_name(name: &TypeName, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw(if profile.capitals { name.1 } else { name.0 });
}

/// The start of a node, up to the name of its type.
pub(super) const fn open(name: &TypeName, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name(name, profile, sink);
}

pub(super) const fn literal(value: &Literal, sink: &mut Sink<'_>) {
    match value {
        Literal::Boolean(true) => sink.raw("true"),
        Literal::Boolean(false) => sink.raw("false"),
        Literal::Integer(value) => sink.integer(*value),
        Literal::Number(value) => decimal(value, sink),
        Literal::Text(text) => sink.string(text.part()),
        Literal::List(items) => {
            sink.raw("[");
            let mut i = 0;
            while i < items.part().len() {
                if i > 0 {
                    sink.raw(",");
                }
                literal(&items.part()[i], sink);
                i += 1;
            }
            sink.raw("]");
        }
    }
}

pub(super) const fn decimal(value: &Decimal, sink: &mut Sink<'_>) {
    if value.text.part().is_empty() {
        #[allow(clippy::cast_possible_truncation)] // made from a whole number, see `refine`
        sink.integer(value.value as i128);
    } else {
        sink.raw(value.text.part());
    }
}

pub(super) const fn whole(
    key: &'static str,
    value: Option<i128>,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value);
    }
}

pub(super) const fn count(
    key: &'static str,
    value: Option<u64>,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value as i128);
    }
}

pub(super) const fn names(choices: &[Choice], sink: &mut Sink<'_>) {
    sink.raw("[");
    let mut i = 0;
    while i < choices.len() {
        if i > 0 {
            sink.raw(",");
        }
        sink.string(choices[i].name.part());
        i += 1;
    }
    sink.raw("]");
}

pub(super) const fn constant(value: &str, profile: &Profile, sink: &mut Sink<'_>) {
    open(&STRING, profile, sink);
    sink.raw(",\"enum\":[");
    sink.string(value);
    sink.raw("]}");
}
