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

pub(super) const fn decimal(value: &Decimal, sink: &mut Sink<'_>) {
    if value.text.part().is_empty() {
        #[allow(clippy::cast_possible_truncation)] // made from a whole number, see `refine`
        sink.integer(value.value as i128);
    } else {
        sink.raw(value.text.part());
    }
}

pub(super) const fn whole(key: &str, value: Option<i128>, comma: &mut Comma, sink: &mut Sink<'_>) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value);
    }
}

pub(super) const fn count(key: &str, value: Option<u64>, comma: &mut Comma, sink: &mut Sink<'_>) {
    if let Some(value) = value {
        comma.key(key, sink);
        sink.integer(value as i128);
    }
}

pub(super) const fn names(choices: &[Choice], sink: &mut Sink<'_>) {
    sink.byte(b'[');
    let mut i = 0;
    while i < choices.len() {
        if i > 0 {
            sink.byte(b',');
        }
        sink.string(choices[i].name.part());
        i += 1;
    }
    sink.byte(b']');
}

pub(super) const fn constant(value: &str, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name("string", false, profile, sink);
    sink.raw(",\"enum\":[");
    sink.string(value);
    sink.raw("]}");
}
