//! The description: the author's words, then the rules that the dialect has no keyword for.
//!
//! It has a fixed form: `words (default: 5; minimum: 1)`; without words, only the notes.

use super::{
    fields::is_bare,
    integer, number,
    sink::ByteSink,
    text,
    value::{CommaWriter, literal},
    variants::{VariantParts, kind_name},
};
use crate::{
    dialect::{
        keyword,
        profile::{MapForm, Profile},
    },
    schema::{
        AGAIN_WORDS, Choice, IntegerKeys, Kind, Literal, Map, Object, Schema, Tagging, Unknown,
        Variant,
    },
};

/// The part of a description that belongs to a place.
#[derive(Clone, Copy)]
pub(super) enum DescribedPart {
    /// All of it.
    Whole,
    /// In place of a reference: what the author says about this use.
    Use,
    /// In a definition: the rules that each use has.
    Form,
}

impl DescribedPart {
    pub(super) const fn has_use(self) -> bool {
        matches!(self, Self::Whole | Self::Use)
    }

    const fn has_form(self) -> bool {
        matches!(self, Self::Whole | Self::Form)
    }
}

/// Writes a part of the description, the default, the example and the mark of a secret.
pub(super) const fn describe<'a>(
    schema: &'a Schema,
    part: DescribedPart,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    description(schema, part, profile, comma, sink);
    if !part.has_use() {
        return;
    }
    if let Some(value) = &schema.default
        && profile.has(keyword::DEFAULT)
    {
        comma.key(b",\"default\":", sink);
        literal(value, sink);
    }
    if let Some(value) = &schema.example
        && profile.has(keyword::EXAMPLES)
    {
        comma.key(b",\"examples\":[", sink);
        literal(value, sink);
        sink.bytes(b"]");
    }
    secret(schema, profile, comma, sink);
}

/// Writes the description, if there is one.
const fn description<'a>(
    schema: &'a Schema,
    part: DescribedPart,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    let words = if part.has_use() {
        schema.description.part()
    } else {
        ""
    };
    let first = matches!(words.as_bytes(), []);
    let form = match &schema.kind {
        Kind::Map(rules)
            if part.has_form()
                && !matches!(profile.maps, MapForm::Keyword)
                && !schema.is_again() =>
        {
            Some(rules)
        }
        _ => None,
    };
    if first && form.is_none() {
        let mut list = VariantParts::new(if comma.0 {
            b",\"description\":\""
        } else {
            b"\"description\":\""
        });
        tail(schema, part, profile, &mut list, sink);
        if list.started() {
            sink.bytes(b"\"");
            comma.0 = true;
        }
        return;
    }
    comma.key(b",\"description\":\"", sink);
    sink.escaped(words);
    if let Some(rules) = form {
        form_of_map(rules, profile, first, sink);
    }
    let mut list = VariantParts::new(b" (");
    tail(schema, part, profile, &mut list, sink);
    sink.bytes(if list.started() { b")\"" } else { b"\"" });
}

/// The mark of a secret.
const fn secret(
    schema: &Schema,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'_>,
) {
    if schema.secret && profile.has(keyword::WRITE_ONLY) {
        comma.key(b",\"writeOnly\":true", sink);
    }
}

const fn tail<'a>(
    schema: &'a Schema,
    part: DescribedPart,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    if let Kind::Text(rules) = &schema.kind
        && part.has_form()
    {
        let in_keyword = match &rules.format {
            Some(format) => profile.keeps_format(*format),
            None => false,
        };
        if !rules.form.part().is_empty() && !in_keyword {
            list.next(sink);
            sink.escaped(rules.form.part());
        }
        meanings(rules.choices.part(), list, sink);
    }
    if let Some(value) = &schema.default
        && part.has_use()
        && !profile.has(keyword::DEFAULT)
    {
        list.label("default", sink);
        quoted_literal(value, sink);
    }
    if let Some(value) = &schema.example
        && part.has_use()
        && !profile.has(keyword::EXAMPLES)
    {
        list.label("example", sink);
        quoted_literal(value, sink);
    }
    if !part.has_form() {
        return;
    }
    match &schema.kind {
        Kind::Integer(rules) => {
            integer::notes(rules, schema.description.part(), profile, list, sink);
        }
        Kind::Number(rules) => number::notes(rules, profile, list, sink),
        Kind::Text(rules) => text::notes(rules, profile, list, sink),
        Kind::List(rules) => {
            if !profile.keeps_min_items(rules.min_items) {
                list.count("minimum items", rules.min_items, sink);
            }
            if !profile.keeps_max_items(rules.max_items) {
                list.count("maximum items", rules.max_items, sink);
            }
            if rules.unique && !profile.has(keyword::UNIQUE) {
                list.next(sink);
                sink.bytes(b"no item twice");
            }
        }
        Kind::Tuple(items) => {
            if !profile.has(keyword::MIN_ITEMS) || !profile.has(keyword::MAX_ITEMS) {
                list.next(sink);
                sink.bytes(b"exactly ");
                sink.integer(items.part().len() as i128);
                sink.bytes(b" items");
            }
            if !profile.has(keyword::PREFIX_ITEMS) && items.part().len() > 1 {
                list.label("in this order", sink);
                let mut i = 0;
                while i < items.part().len() {
                    if i > 0 {
                        sink.bytes(b", ");
                    }
                    sink.raw(kind_name(items.part()[i].part()));
                    i += 1;
                }
            }
        }
        Kind::Any | Kind::Map(_) if schema.is_again() => {
            list.next(sink);
            sink.raw(AGAIN_WORDS);
        }
        Kind::Map(rules) => {
            meanings(rules.keys.part(), list, sink);
            if let (Some(keys), None) = (rules.integers, keys_as_keyword(rules, profile)) {
                list.label("each key", sink);
                sink.raw(keys.words);
            }
        }
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

/// The integers that are keys, if their pattern may be a keyword.
pub(super) const fn keys_as_keyword(
    rules: &Map,
    profile: &Profile,
) -> Option<&'static IntegerKeys> {
    let has_place = match profile.maps {
        MapForm::Keyword => profile.has(keyword::KEY_NAMES),
        MapForm::Pairs => true,
        MapForm::Words => false,
    };
    match rules.integers {
        Some(keys) if has_place && profile.patterns.takes(keys.pattern) => Some(keys),
        _ => None,
    }
}

/// The undeclared keys.
const fn other_keys<'a>(
    rules: &'a Object,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    let closed = matches!(rules.unknown, Unknown::Deny) && rules.extra.is_none();
    if closed && is_bare(rules, profile) {
        list.next(sink);
        sink.bytes(b"no other keys");
    } else {
        no_others(closed, profile, list, sink);
    }
    // If maps are keywords, so are these; if everything is closed, the tool is written in another dialect.
    if let Some(values) = &rules.extra
        && !matches!(profile.maps, MapForm::Keyword)
        && !profile.closed
    {
        list.next(sink);
        sink.bytes(b"the values of all other keys are ");
        sink.raw(plural(values.part()));
    }
}

/// Whether one of the variants takes undeclared keys.
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

/// A note on a closed object, if the dialect has no keyword for it.
const fn no_others(
    closed: bool,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'_>,
) {
    if closed && !profile.closed && !profile.has(keyword::CLOSED) {
        list.next(sink);
        sink.bytes(b"no other keys");
    }
}

/// A literal inside the description, whose own quotes must be escaped once more.
const fn quoted_literal<'a>(value: &'a Literal, sink: &mut ByteSink<'a>) {
    match value {
        Literal::Text(text) => {
            sink.bytes(b"\\\"");
            sink.escaped_again(text.part());
            sink.bytes(b"\\\"");
        }
        Literal::List(items) => {
            sink.bytes(b"[");
            let mut i = 0;
            while i < items.part().len() {
                if i > 0 {
                    sink.bytes(b", ");
                }
                quoted_literal(&items.part()[i], sink);
                i += 1;
            }
            sink.bytes(b"]");
        }
        other => literal(other, sink),
    }
}

/// The meanings of the choices, if the author gave them.
const fn meanings<'a>(choices: &'a [Choice], list: &mut VariantParts, sink: &mut ByteSink<'a>) {
    let mut i = 0;
    while i < choices.len() {
        if !matches!(choices[i].description.part().as_bytes(), []) {
            list.next(sink);
            sink.escaped(choices[i].name.part());
            sink.bytes(b": ");
            sink.escaped(choices[i].description.part());
        }
        i += 1;
    }
}

/// The words for a map that is written as a list of its entries.
pub(in crate::dialect) const PAIRS: &str = "as key/value pairs";

/// How to write a map without a keyword for its values. This is part of the sentence, since the
/// rest makes no sense without it.
const fn form_of_map<'a>(rules: &'a Map, profile: &Profile, first: bool, sink: &mut ByteSink<'a>) {
    match profile.maps {
        MapForm::Keyword => {}
        MapForm::Pairs => {
            sink.raw(if first { "" } else { ", " });
            sink.raw(PAIRS);
        }
        MapForm::Words => {
            sink.raw(if first { "" } else { ": " });
            sink.bytes(b"an object ");
            let mut i = 0;
            while i < rules.keys.part().len() {
                sink.raw(if i == 0 { "of the keys " } else { ", " });
                sink.escaped(rules.keys.part()[i].name.part());
                i += 1;
            }
            if i > 0 {
                sink.bytes(b" ");
            }
            sink.bytes(b"whose values are all ");
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
