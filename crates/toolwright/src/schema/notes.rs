//! The description: the author's words, then what the dialect has no keyword for.
//!
//! One fixed form: `words (default: 5; minimum: 1)`; without words, the notes alone.

use super::{
    Choice, Integer, Kind, Map, Schema, Text,
    dialect::{Maps, Profile, keyword},
    sink::Sink,
    write::{decimal, literal, splits},
};

pub(super) const fn has_notes(schema: &Schema, profile: &Profile) -> bool {
    let mut sink = Sink::counting();
    tail(
        schema,
        profile,
        &mut Notes {
            open: "",
            started: false,
        },
        &mut sink,
    );
    sink.len() > 0
}

/// Writes the description, escaped for a JSON string.
pub(super) const fn notes(schema: &Schema, profile: &Profile, sink: &mut Sink<'_>) {
    sink.escaped(schema.description);
    let open = if schema.description.is_empty() {
        ""
    } else {
        " ("
    };
    let mut list = Notes {
        open,
        started: false,
    };
    tail(schema, profile, &mut list, sink);
    if list.started && !open.is_empty() {
        sink.byte(b')');
    }
}

struct Notes {
    open: &'static str,
    started: bool,
}

impl Notes {
    const fn next(&mut self, sink: &mut Sink<'_>) {
        sink.raw(if self.started { "; " } else { self.open });
        self.started = true;
    }

    const fn label(&mut self, label: &str, sink: &mut Sink<'_>) {
        self.next(sink);
        sink.raw(label);
        sink.raw(": ");
    }
}

const fn tail(schema: &Schema, profile: &Profile, list: &mut Notes, sink: &mut Sink<'_>) {
    if let Kind::Text(rules) = schema.kind {
        if !rules.form.is_empty() {
            list.next(sink);
            sink.escaped(rules.form);
        }
        meanings(rules.choices, list, sink);
    }
    if let Some(value) = schema.default
        && !profile.has(keyword::DEFAULT)
    {
        list.label("default", sink);
        quoted_literal(&value, sink);
    }
    if let Some(value) = schema.example
        && !profile.has(keyword::EXAMPLES)
    {
        list.label("example", sink);
        quoted_literal(&value, sink);
    }
    match schema.kind {
        Kind::Integer(rules) => integer(&rules, profile, list, sink),
        Kind::Number(rules) => {
            if let Some(bound) = rules.min
                && !profile.has(if bound.exclusive {
                    keyword::EXCLUSIVE
                } else {
                    keyword::BOUNDS
                })
            {
                list.label(if bound.exclusive { "above" } else { "minimum" }, sink);
                decimal(bound.at, sink);
            }
            if let Some(bound) = rules.max
                && !profile.has(if bound.exclusive {
                    keyword::EXCLUSIVE
                } else {
                    keyword::BOUNDS
                })
            {
                list.label(if bound.exclusive { "below" } else { "maximum" }, sink);
                decimal(bound.at, sink);
            }
            if let Some(step) = rules.multiple_of
                && !profile.has(keyword::MULTIPLE)
            {
                list.label("multiple of", sink);
                decimal(step, sink);
            }
        }
        Kind::Text(rules) => text(&rules, profile, list, sink),
        Kind::List(rules) => {
            if !profile.has(keyword::MIN_ITEMS) {
                count("minimum items", rules.min_items, list, sink);
            }
            if !profile.has(keyword::MAX_ITEMS) {
                count("maximum items", rules.max_items, list, sink);
            }
            if rules.unique && !profile.has(keyword::UNIQUE) {
                list.next(sink);
                sink.raw("no item twice");
            }
        }
        Kind::Tuple(items) => {
            if !profile.has(keyword::MIN_ITEMS) || !profile.has(keyword::MAX_ITEMS) {
                list.next(sink);
                sink.raw("exactly ");
                sink.integer(items.len() as i128);
                sink.raw(" items");
            }
            if !profile.has(keyword::PREFIX_ITEMS) && items.len() > 1 {
                list.label("in this order", sink);
                let mut i = 0;
                while i < items.len() {
                    if i > 0 {
                        sink.raw(", ");
                    }
                    sink.raw(kind_name(items[i]));
                    i += 1;
                }
            }
        }
        Kind::Map(rules) => map(&rules, profile, list, sink),
        Kind::Any | Kind::Boolean | Kind::Object(_) | Kind::Union(_) => {}
    }
}

/// A literal inside the description, whose own quotes must be escaped once more.
const fn quoted_literal(value: &super::Literal, sink: &mut Sink<'_>) {
    match value {
        super::Literal::Text(text) => {
            sink.raw("\\\"");
            sink.escaped(text);
            sink.raw("\\\"");
        }
        super::Literal::List(items) => {
            sink.byte(b'[');
            let mut i = 0;
            while i < items.len() {
                if i > 0 {
                    sink.raw(", ");
                }
                quoted_literal(&items[i], sink);
                i += 1;
            }
            sink.byte(b']');
        }
        other => literal(other, sink),
    }
}

/// What each choice means, where the author said it.
const fn meanings(choices: &[Choice], list: &mut Notes, sink: &mut Sink<'_>) {
    let mut i = 0;
    while i < choices.len() {
        if !choices[i].description.is_empty() {
            list.next(sink);
            sink.escaped(choices[i].name);
            sink.raw(": ");
            sink.escaped(choices[i].description);
        }
        i += 1;
    }
}

const fn integer(rules: &Integer, profile: &Profile, list: &mut Notes, sink: &mut Sink<'_>) {
    if !profile.has(keyword::BOUNDS) {
        if let Some(min) = rules.min {
            list.label("minimum", sink);
            sink.integer(min);
        }
        if let Some(max) = rules.max {
            list.label("maximum", sink);
            sink.integer(max);
        }
        if splits(rules) {
            list.next(sink);
            sink.raw("not zero");
        }
    }
    if let Some(step) = rules.multiple_of
        && !profile.has(keyword::MULTIPLE)
    {
        list.label("multiple of", sink);
        sink.integer(step);
    }
    if !rules.choices.is_empty() && !profile.has(keyword::NUMERIC_ENUM) {
        list.label("one of", sink);
        let mut i = 0;
        while i < rules.choices.len() {
            if i > 0 {
                sink.raw(", ");
            }
            sink.integer(rules.choices[i]);
            i += 1;
        }
    }
}

const fn text(rules: &Text, profile: &Profile, list: &mut Notes, sink: &mut Sink<'_>) {
    if !profile.has(keyword::LENGTH) {
        count("minimum length", rules.min_length, list, sink);
        count("maximum length", rules.max_length, list, sink);
    }
    if let Some(pattern) = rules.pattern
        && !profile.has(keyword::PATTERN)
    {
        list.label("pattern", sink);
        sink.escaped(pattern.text);
    }
}

const fn count(label: &str, value: Option<u64>, list: &mut Notes, sink: &mut Sink<'_>) {
    if let Some(value) = value {
        list.label(label, sink);
        sink.integer(value as i128);
    }
}

const fn map(rules: &Map, profile: &Profile, list: &mut Notes, sink: &mut Sink<'_>) {
    match profile.maps {
        Maps::Keyword => {}
        Maps::Pairs => {
            list.next(sink);
            sink.raw("as key/value pairs");
        }
        Maps::Words => {
            list.next(sink);
            sink.raw("an object whose values are all of type ");
            sink.raw(kind_name(rules.values));
        }
    }
    meanings(rules.keys, list, sink);
}

pub(super) const fn kind_name(schema: &Schema) -> &'static str {
    match schema.kind {
        Kind::Any => "any",
        Kind::Boolean => "boolean",
        Kind::Integer(_) => "integer",
        Kind::Number(_) => "number",
        Kind::Text(_) => "string",
        Kind::List(_) | Kind::Tuple(_) => "array",
        Kind::Map(_) | Kind::Object(_) => "object",
        Kind::Union(_) => "one of several forms",
    }
}
