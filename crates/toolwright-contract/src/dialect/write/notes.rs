//! The description: the author's words, then what the dialect has no keyword for.
//!
//! One fixed form: `words (default: 5; minimum: 1)`; without words, the notes alone.

use super::{
    fields::is_bare,
    scalar::{keeps_pattern, splits},
    sink::Sink,
    value::{decimal, literal},
    variants::{Parts, kind_name},
};
use crate::{
    dialect::{
        keyword,
        profile::{Maps, Profile},
    },
    schema::{
        AGAIN_WORDS, Choice, Integer, Kind, Literal, Map, Object, Schema, Tagging, Text, Unknown,
        Variant, is_object_again,
    },
};

/// Whether there is a description at all.
pub(super) const fn has_notes(schema: &Schema, profile: &Profile) -> bool {
    if !schema.description.part().is_empty() {
        return true;
    }
    let mut sink = Sink::counting();
    notes(schema, profile, &mut sink);
    sink.len() > 0
}

/// Writes the description, escaped for a JSON string.
pub(super) const fn notes(schema: &Schema, profile: &Profile, sink: &mut Sink<'_>) {
    let before = sink.len();
    sink.escaped(schema.description.part());
    if let Kind::Map(rules) = &schema.kind
        && !is_object_again(rules)
    {
        form_of_map(rules, profile, schema.description.part().is_empty(), sink);
    }
    let open = if sink.len() == before { "" } else { " (" };
    let mut list = Parts::new(open);
    tail(schema, profile, &mut list, sink);
    if list.started() && !open.is_empty() {
        sink.byte(b')');
    }
}

const fn tail(schema: &Schema, profile: &Profile, list: &mut Parts, sink: &mut Sink<'_>) {
    if let Kind::Text(rules) = &schema.kind {
        if !rules.form.is_empty() {
            list.next(sink);
            sink.escaped(rules.form);
        }
        meanings(rules.choices.part(), list, sink);
    }
    if let Some(value) = &schema.default
        && !profile.has(keyword::DEFAULT)
    {
        list.label("default", sink);
        quoted_literal(value, sink);
    }
    if let Some(value) = &schema.example
        && !profile.has(keyword::EXAMPLES)
    {
        list.label("example", sink);
        quoted_literal(value, sink);
    }
    match &schema.kind {
        Kind::Integer(rules) => integer(rules, schema.description.part(), profile, list, sink),
        Kind::Number(rules) => {
            if let Some(bound) = &rules.min
                && !profile.has(if bound.exclusive {
                    keyword::EXCLUSIVE
                } else {
                    keyword::BOUNDS
                })
            {
                list.label(if bound.exclusive { "above" } else { "minimum" }, sink);
                decimal(&bound.at, sink);
            }
            if let Some(bound) = &rules.max
                && !profile.has(if bound.exclusive {
                    keyword::EXCLUSIVE
                } else {
                    keyword::BOUNDS
                })
            {
                list.label(if bound.exclusive { "below" } else { "maximum" }, sink);
                decimal(&bound.at, sink);
            }
            if let Some(step) = &rules.multiple_of
                && !profile.has(keyword::MULTIPLE)
            {
                list.label("multiple of", sink);
                decimal(step, sink);
            }
        }
        Kind::Text(rules) => text(rules, profile, list, sink),
        Kind::List(rules) => {
            if !profile.keeps_min_items(rules.min_items) {
                count("minimum items", rules.min_items, list, sink);
            }
            if !profile.keeps_max_items(rules.max_items) {
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
                sink.integer(items.part().len() as i128);
                sink.raw(" items");
            }
            if !profile.has(keyword::PREFIX_ITEMS) && items.part().len() > 1 {
                list.label("in this order", sink);
                let mut i = 0;
                while i < items.part().len() {
                    if i > 0 {
                        sink.raw(", ");
                    }
                    sink.raw(kind_name(items.part()[i].part()));
                    i += 1;
                }
            }
        }
        Kind::Map(rules) if is_object_again(rules) => {
            list.next(sink);
            sink.raw(AGAIN_WORDS);
        }
        Kind::Map(rules) => meanings(rules.keys.part(), list, sink),
        Kind::Object(rules) => other_keys(rules, profile, list, sink),
        Kind::Union(rules) => {
            // One key is one variant, so external tagging is always closed.
            let closed = match &rules.tagging {
                Tagging::External => true,
                Tagging::Internal { .. } => {
                    matches!(rules.unknown, Unknown::Deny) && !collects(rules.variants.part())
                }
                Tagging::Adjacent { .. } => matches!(rules.unknown, Unknown::Deny),
                Tagging::None => false,
            };
            no_others(closed, profile, list, sink);
        }
        Kind::Any | Kind::Boolean => {}
    }
}

/// The keys that no field declares.
const fn other_keys(rules: &Object, profile: &Profile, list: &mut Parts, sink: &mut Sink<'_>) {
    let closed = matches!(rules.unknown, Unknown::Deny) && rules.extra.is_none();
    if closed && is_bare(rules, profile) {
        list.next(sink);
        sink.raw("no other keys");
    } else {
        no_others(closed, profile, list, sink);
    }
    // Where maps are keywords, so is this; where all is closed, there are no other keys.
    if let Some(values) = &rules.extra
        && !matches!(profile.maps, Maps::Keyword)
        && !profile.closed
    {
        list.next(sink);
        sink.raw("the values of all other keys are ");
        sink.raw(plural(values.part()));
    }
}

/// Whether one of the variants takes keys that it does not declare.
const fn collects(variants: &[Variant]) -> bool {
    let mut i = 0;
    while i < variants.len() {
        if let Some(content) = &variants[i].content
            && let Kind::Object(rules) = &content.part().kind
            && rules.extra.is_some()
        {
            return true;
        }
        i += 1;
    }
    false
}

/// An object that is closed where the dialect has no keyword for it.
const fn no_others(closed: bool, profile: &Profile, list: &mut Parts, sink: &mut Sink<'_>) {
    if closed && !profile.closed && !profile.has(keyword::CLOSED) {
        list.next(sink);
        sink.raw("no other keys");
    }
}

/// A literal inside the description, whose own quotes must be escaped once more.
const fn quoted_literal(value: &Literal, sink: &mut Sink<'_>) {
    match value {
        Literal::Text(text) => {
            sink.raw("\\\"");
            sink.escaped_again(text.part());
            sink.raw("\\\"");
        }
        Literal::List(items) => {
            sink.byte(b'[');
            let mut i = 0;
            while i < items.part().len() {
                if i > 0 {
                    sink.raw(", ");
                }
                quoted_literal(&items.part()[i], sink);
                i += 1;
            }
            sink.byte(b']');
        }
        other => literal(other, sink),
    }
}

/// What each choice means, where the author said it.
const fn meanings(choices: &[Choice], list: &mut Parts, sink: &mut Sink<'_>) {
    let mut i = 0;
    while i < choices.len() {
        if !choices[i].description.part().is_empty() {
            list.next(sink);
            sink.escaped(choices[i].name.part());
            sink.raw(": ");
            sink.escaped(choices[i].description.part());
        }
        i += 1;
    }
}

const fn integer(
    rules: &Integer,
    description: &str,
    profile: &Profile,
    list: &mut Parts,
    sink: &mut Sink<'_>,
) {
    if !profile.has(keyword::BOUNDS) {
        let told = match (rules.min, rules.max) {
            (Some(min), Some(max)) => says_range(description, min, max),
            _ => false,
        };
        if let Some(min) = rules.min
            && !told
        {
            list.label("minimum", sink);
            sink.integer(min);
        }
        if let Some(max) = rules.max
            && !told
        {
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
    if !rules.choices.part().is_empty() && !profile.has(keyword::NUMERIC_ENUM) {
        list.label("one of", sink);
        let mut i = 0;
        while i < rules.choices.part().len() {
            if i > 0 {
                sink.raw(", ");
            }
            sink.integer(rules.choices.part()[i]);
            i += 1;
        }
    }
}

/// Whether the author's words hold this range, as `1 to 50`. A number alone may be about anything.
const fn says_range(description: &str, min: i128, max: i128) -> bool {
    // Two numbers of up to 40 characters and a word.
    let mut room = [0u8; 84];
    let mut sink = Sink::into(&mut room);
    sink.integer(min);
    sink.raw(" to ");
    sink.integer(max);
    let len = sink.len();
    let (range, _) = room.split_at(len);
    let text = description.as_bytes();
    let mut start = 0;
    while start + len <= text.len() {
        let mut same = 0;
        while same < len && text[start + same] == range[same] {
            same += 1;
        }
        let before = start > 0 && continues_number(text[start - 1]);
        let after = start + len < text.len() && text[start + len].is_ascii_digit();
        if same == len && !before && !after {
            return true;
        }
        start += 1;
    }
    false
}

const fn continues_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

const fn text(rules: &Text, profile: &Profile, list: &mut Parts, sink: &mut Sink<'_>) {
    if !profile.keeps_length(rules.min_length) {
        count("minimum length", rules.min_length, list, sink);
    }
    if !profile.keeps_length(rules.max_length) {
        count("maximum length", rules.max_length, list, sink);
    }
    if let Some(pattern) = &rules.pattern
        && !keeps_pattern(rules, pattern.text.part(), profile)
    {
        list.label("pattern", sink);
        sink.escaped(pattern.text.part());
    }
}

const fn count(label: &str, value: Option<u64>, list: &mut Parts, sink: &mut Sink<'_>) {
    if let Some(value) = value {
        list.label(label, sink);
        sink.integer(value as i128);
    }
}

/// How a map is to be written where there is no keyword for its values: part of the sentence, since
/// without it the rest makes no sense.
const fn form_of_map(rules: &Map, profile: &Profile, first: bool, sink: &mut Sink<'_>) {
    match profile.maps {
        Maps::Keyword => {}
        Maps::Pairs => {
            sink.raw(if first { "" } else { ", " });
            sink.raw("as key/value pairs");
        }
        Maps::Words => {
            sink.raw(if first { "" } else { ": " });
            sink.raw("an object ");
            let mut i = 0;
            while i < rules.keys.part().len() {
                sink.raw(if i == 0 { "of the keys " } else { ", " });
                sink.escaped(rules.keys.part()[i].name.part());
                i += 1;
            }
            if i > 0 {
                sink.byte(b' ');
            }
            sink.raw("whose values are all ");
            sink.raw(plural(rules.values.part()));
        }
    }
}

const fn plural(schema: &Schema) -> &'static str {
    match &schema.kind {
        Kind::Any | Kind::Union(_) => "any JSON",
        Kind::Boolean => "booleans",
        Kind::Integer(_) => "integers",
        Kind::Number(_) => "numbers",
        Kind::Text(_) => "strings",
        Kind::List(_) | Kind::Tuple(_) => "arrays",
        Kind::Map(_) | Kind::Object(_) => "objects",
    }
}
