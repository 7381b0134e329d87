//! A node of the tree as JSON text, with everything inside it.
//!
//! Keys have one order: `type`, `description`, the rules, then the children. A rule without a
//! keyword in the dialect goes through [`notes`](super::notes) into the description.

use super::{
    definitions::ReferenceTarget,
    fields::{is_bare, key, required},
    integer,
    notes::{DescribedPart, describe, keys_as_keyword},
    number,
    reference::{write_name, write_reference},
    sink::ByteSink,
    text,
    value::{
        ARRAY, BOOLEAN, CommaWriter, INTEGER, NULL, NUMBER, OBJECT, STRING, TypeName, constant,
        count, names, open, open_nullable,
    },
};
use crate::{
    dialect::{
        keyword,
        profile::{MapForm, NullForm, Profile},
    },
    schema::{Held, Kind, List, Map, Object, Schema, Tagging, Union, Unknown, Variant},
    text::same,
};

/// A node; `optional` marks a field that a strict receiver wants to be required and nullable.
pub(super) const fn node<'a>(
    schema: &'a Schema,
    profile: &Profile,
    optional: bool,
    sink: &mut ByteSink<'a>,
) {
    if let Some(target) = target_of(schema, profile, sink) {
        return write_reference(schema, target, profile, optional, sink);
    }
    // Any value includes null.
    let null = (schema.nullable || optional) && !matches!(schema.kind, Kind::Any);
    body(schema, DescribedPart::Whole, profile, null, sink);
    sink.bytes(b"}");
}

/// A node that is no reference, except its last brace. Returns the separator for the next key.
pub(super) const fn body<'a>(
    schema: &'a Schema,
    part: DescribedPart,
    profile: &Profile,
    null: bool,
    sink: &mut ByteSink<'a>,
) -> CommaWriter {
    if !null || !wraps(schema, profile) {
        let mut comma = core(schema, Some(part), profile, null, sink);
        if null && matches!(profile.null, NullForm::Keyword) {
            comma.key(b",\"nullable\":true", sink);
        }
        return comma;
    }
    sink.bytes(b"{");
    let mut comma = CommaWriter(false);
    describe(schema, part, profile, &mut comma, sink);
    comma.key(b",\"anyOf\":[", sink);
    if let Kind::Union(union) = &schema.kind {
        members(union, profile, sink);
    } else {
        core(schema, None, profile, false, sink);
        sink.bytes(b"}");
    }
    sink.bytes(b",{\"type\":\"null\"}]");
    comma
}

/// What stands in place of a schema that contains itself or refers to one of its parents, if the dialect has references.
const fn target_of<'a>(
    schema: &'a Schema,
    profile: &Profile,
    sink: &mut ByteSink<'a>,
) -> Option<ReferenceTarget<'a>> {
    if !profile.references {
        return None;
    }
    if schema.is_stand_in() {
        return sink.definitions.target_of(schema);
    }
    if !schema.is_definition() || sink.definitions.compares() {
        return None;
    }
    let mut place = 0;
    while let Some(noted) = sink.definitions.noted(place) {
        if are_same(noted, schema, profile) {
            return sink.definitions.target(place);
        }
        place += 1;
    }
    sink.definitions.note(schema)
}

/// Whether two definitions are one.
const fn are_same(one: &Schema, other: &Schema, profile: &Profile) -> bool {
    one.number() == other.number()
        && (one.number() != 0
            || same(one.name.part(), other.name.part())
                && form_of(one, profile) == form_of(other, profile))
}

/// The hash of a definition without what is said about its use.
const fn form_of(schema: &Schema, profile: &Profile) -> u64 {
    let mut sink = ByteSink::comparing();
    body(schema, DescribedPart::Form, profile, false, &mut sink);
    sink.hash()
}

/// The definitions that were referred to.
pub(super) const fn definitions(
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'_>,
) {
    let mut place = 0;
    let mut inner = CommaWriter(false);
    // A definition may refer to more definitions.
    while let (Some(definition), Some(target)) = (
        sink.definitions.noted(place),
        sink.definitions.target(place),
    ) {
        if place == 0 {
            comma.key(b",\"$defs\":{", sink);
        }
        inner.open(sink);
        write_name(target, sink);
        sink.bytes(b"\":");
        sink.definitions.enter(place);
        let null = definition.is_null_itself();
        body(definition, DescribedPart::Form, profile, null, sink);
        sink.bytes(b"}");
        place += 1;
    }
    if place > 0 {
        sink.definitions.leave();
        sink.bytes(b"}");
    }
}

/// Whether null needs an `anyOf` around this node.
const fn wraps(schema: &Schema, profile: &Profile) -> bool {
    match profile.null {
        NullForm::AnyOf => true,
        NullForm::Keyword => false,
        // An enum next to a type array would also have to contain null; a union has no type.
        NullForm::TypeArray => match &schema.kind {
            Kind::Union(_) => true,
            Kind::Text(text) => !text.choices.part().is_empty(),
            Kind::Integer(rules) => !rules.choices.part().is_empty() || rules.splits(),
            _ => false,
        },
    }
}

/// The node except its last brace and a null that wraps it, with a part of its description.
const fn core<'a>(
    schema: &'a Schema,
    described: Option<DescribedPart>,
    profile: &Profile,
    null: bool,
    sink: &mut ByteSink<'a>,
) -> CommaWriter {
    let name = type_of(schema, profile);
    let mut start = CommaWriter(name.is_some());
    let comma = &mut start;
    match name {
        Some(name) if null && matches!(profile.null, NullForm::TypeArray) => {
            open_nullable(name, profile, sink);
        }
        Some(name) => open(name, profile, sink),
        None => sink.bytes(b"{"),
    }
    if let Some(part) = described {
        describe(schema, part, profile, comma, sink);
    }
    match &schema.kind {
        Kind::Any | Kind::Boolean => {}
        Kind::Integer(rules) => integer::rules(rules, profile, comma, sink),
        Kind::Number(rules) => number::rules(rules, profile, comma, sink),
        Kind::Text(rules) => text::rules(rules, profile, comma, sink),
        Kind::List(rules) => list(rules, profile, comma, sink),
        Kind::Tuple(items) => tuple(items.part(), profile, comma, sink),
        Kind::Map(_) if schema.is_again() => {}
        Kind::Map(rules) => map(rules, profile, comma, sink),
        Kind::Object(rules) => object(rules, None, profile, comma, sink),
        Kind::Union(rules) => {
            comma.key(b",\"anyOf\":[", sink);
            members(rules, profile, sink);
            sink.bytes(b"]");
        }
    }
    start
}

const fn type_of(schema: &Schema, profile: &Profile) -> Option<&'static TypeName> {
    match &schema.kind {
        Kind::Any | Kind::Union(_) => None,
        // Pairs are for maps. A recursive object is written unchanged, since nothing is known about it here.
        Kind::Map(_) if matches!(profile.maps, MapForm::Pairs) && schema.is_again() => None,
        Kind::Integer(rules) if rules.splits() && profile.has(keyword::BOUNDS) => None,
        Kind::Integer(_) => Some(&INTEGER),
        Kind::Boolean => Some(&BOOLEAN),
        Kind::Number(_) => Some(&NUMBER),
        Kind::Text(_) => Some(&STRING),
        Kind::List(_) | Kind::Tuple(_) => Some(&ARRAY),
        Kind::Map(_) if matches!(profile.maps, MapForm::Pairs) => Some(&ARRAY),
        Kind::Map(_) | Kind::Object(_) => Some(&OBJECT),
    }
}

const fn list<'a>(
    rules: &'a List,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    comma.key(b",\"items\":", sink);
    node(rules.items.part(), profile, false, sink);
    if profile.keeps_min_items(rules.min_items) {
        count(b",\"minItems\":", rules.min_items, comma, sink);
    }
    if profile.keeps_max_items(rules.max_items) {
        count(b",\"maxItems\":", rules.max_items, comma, sink);
    }
    if rules.unique && profile.has(keyword::UNIQUE) {
        comma.key(b",\"uniqueItems\":true", sink);
    }
}

const fn tuple<'a>(
    items: &'a [Held<Schema>],
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    if profile.has(keyword::PREFIX_ITEMS) {
        comma.key(b",\"prefixItems\":", sink);
        // No `"items":false`: the length is limited below, and readers of older drafts would take no items at all.
        nodes(items, profile, sink);
    } else {
        comma.key(b",\"items\":", sink);
        if sink.hashes() {
            // Nested tuples would be hashed again at every level.
            nodes(items, profile, sink);
        } else if same_everywhere(items, profile) {
            node(items[0].part(), profile, false, sink);
        } else {
            sink.bytes(b"{\"anyOf\":[");
            let mut comma = CommaWriter(false);
            let mut i = 0;
            while i < items.len() {
                if !said_before(items, i, profile) {
                    comma.put(sink);
                    node(items[i].part(), profile, false, sink);
                }
                i += 1;
            }
            sink.bytes(b"]}");
        }
    }
    if profile.has(keyword::MIN_ITEMS) {
        count(b",\"minItems\":", Some(items.len() as u64), comma, sink);
    }
    if profile.has(keyword::MAX_ITEMS) {
        count(b",\"maxItems\":", Some(items.len() as u64), comma, sink);
    }
}

const fn same_everywhere(items: &[Held<Schema>], profile: &Profile) -> bool {
    let mut i = 1;
    while i < items.len() {
        if !said_before(items, i, profile) {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether an earlier position of a tuple has the same schema.
const fn said_before(items: &[Held<Schema>], index: usize, profile: &Profile) -> bool {
    let hash = hash_of(items[index].part(), profile);
    let mut i = 0;
    while i < index {
        if hash_of(items[i].part(), profile) == hash {
            return true;
        }
        i += 1;
    }
    false
}

const fn nodes<'a>(items: &'a [Held<Schema>], profile: &Profile, sink: &mut ByteSink<'a>) {
    sink.bytes(b"[");
    let mut i = 0;
    while i < items.len() {
        if i > 0 {
            sink.bytes(b",");
        }
        node(items[i].part(), profile, false, sink);
        i += 1;
    }
    sink.bytes(b"]");
}

pub(super) const fn hash_of(schema: &Schema, profile: &Profile) -> u64 {
    let mut sink = ByteSink::comparing();
    node(schema, profile, false, &mut sink);
    sink.hash()
}

const fn map<'a>(
    rules: &'a Map,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    match profile.maps {
        MapForm::Words => {}
        MapForm::Pairs => {
            comma.key(b",\"items\":", sink);
            open(&OBJECT, profile, sink);
            sink.bytes(b",\"properties\":{\"key\":");
            open(&STRING, profile, sink);
            if !rules.keys.part().is_empty() {
                sink.bytes(b",\"enum\":");
                names(rules.keys.part(), sink);
            }
            if let Some(keys) = keys_as_keyword(rules, profile) {
                text::put_pattern(keys.pattern, profile, &mut CommaWriter(true), sink);
            }
            sink.bytes(b"},\"value\":");
            node(rules.values.part(), profile, false, sink);
            sink.bytes(b"},\"required\":[\"key\",\"value\"]");
            if profile.closed {
                sink.bytes(b",\"additionalProperties\":false");
            }
            sink.bytes(b"}");
        }
        MapForm::Keyword if rules.keys.part().is_empty() => {
            if let Some(keys) = keys_as_keyword(rules, profile) {
                comma.key(b",\"propertyNames\":{", sink);
                text::put_pattern(keys.pattern, profile, &mut CommaWriter(false), sink);
                sink.bytes(b"}");
            }
            // An open object does not restrict its values.
            if !matches!(rules.values.part().kind, Kind::Any) {
                comma.key(b",\"additionalProperties\":", sink);
                node(rules.values.part(), profile, false, sink);
            }
        }
        MapForm::Keyword => {
            comma.key(b",\"properties\":{", sink);
            let mut i = 0;
            while i < rules.keys.part().len() {
                if i > 0 {
                    sink.bytes(b",");
                }
                sink.string(rules.keys.part()[i].name.part());
                sink.bytes(b":");
                node(rules.values.part(), profile, false, sink);
                i += 1;
            }
            sink.bytes(b"}");
            if profile.has(keyword::CLOSED) {
                comma.key(b",\"additionalProperties\":false", sink);
            }
        }
    }
}

/// The name of a variant among the properties of an object.
#[derive(Clone, Copy)]
struct VariantTag<'a> {
    key: &'a str,
    value: &'a str,
    /// How many keys come before it.
    place: usize,
}

const fn object<'a>(
    rules: &'a Object,
    tag: Option<VariantTag<'a>>,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    // An empty object there must not even have `additionalProperties`.
    if tag.is_none() && is_bare(rules, profile) {
        return;
    }
    comma.key(b",\"properties\":{", sink);
    let mut inner = CommaWriter(false);
    let mut left = tag;
    let mut before = 0;
    let sorts = profile.required_first && !profile.all_required;
    let mut wants_required = true;
    loop {
        let mut fields = rules.walk();
        loop {
            if let Some(tag) = left
                && tag.place == before
            {
                inner.name(tag.key, sink);
                constant(tag.value, profile, sink);
                left = None;
            }
            let Some(field) = fields.step() else { break };
            before += 1;
            if sorts && fields.requires(field) != wants_required {
                continue;
            }
            key(rules, field, profile, &mut inner, sink);
            let optional = profile.shows_optional_as_nullable() && !field.required;
            node(field.schema.part(), profile, optional, sink);
        }
        if !sorts || !wants_required {
            break;
        }
        wants_required = false;
    }
    sink.bytes(b"}");
    let mut inner = CommaWriter(false);
    if let Some(tag) = tag {
        comma.key(b",\"required\":[", sink);
        inner.put(sink);
        sink.string(tag.key);
    }
    required(rules, profile, comma, &mut inner, sink);
    if inner.0 {
        sink.bytes(b"]");
    }
    // If the object is closed or has no `additionalProperties`, it takes no other keys. An open object is refused, so
    // that the tool is written in another dialect.
    let is_empty = tag.is_none() && before == 0;
    let is_lost = profile.closed || is_empty && profile.cannot_be_open();
    if let Some(values) = &rules.extra {
        let is_keyword = matches!(profile.maps, MapForm::Keyword);
        let is_any = matches!(values.part().kind, Kind::Any);
        if is_keyword && !is_lost && is_any {
            // If nothing closes other keys, the object stays open.
            comma.key(b",\"additionalProperties\":true", sink);
        } else if is_lost || is_keyword {
            comma.key(b",\"additionalProperties\":", sink);
            node(values.part(), profile, false, sink);
        }
    } else if is_lost && is_empty && matches!(rules.unknown, Unknown::Keep) {
        comma.key(b",\"additionalProperties\":true", sink);
    } else {
        close(rules.unknown, profile, comma, sink);
    }
}

/// Closes the object if it has no other keys, or if the dialect closes every object.
const fn close(
    unknown: Unknown,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'_>,
) {
    let closes = match unknown {
        Unknown::Deny => profile.has(keyword::CLOSED),
        Unknown::Ignore | Unknown::Report => profile.closes_declared,
        Unknown::Keep => false,
    };
    if profile.closed || closes {
        comma.key(b",\"additionalProperties\":false", sink);
    }
}

/// The members of a union's `anyOf`.
pub(super) const fn members<'a>(union: &'a Union, profile: &Profile, sink: &mut ByteSink<'a>) {
    let mut comma = CommaWriter(false);
    if matches!(union.tagging, Tagging::External) {
        units(union, profile, &mut comma, sink);
    }
    let mut i = 0;
    while i < union.variants.part().len() {
        let variant = &union.variants.part()[i];
        if variant.content.is_some() || !matches!(union.tagging, Tagging::External) {
            comma.put(sink);
            member(union, variant, profile, sink);
        }
        i += 1;
    }
}

/// All unit variants of an externally tagged union are one list of strings.
const fn units<'a>(
    union: &'a Union,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    let mut inner = CommaWriter(false);
    let mut i = 0;
    while i < union.variants.part().len() {
        if union.variants.part()[i].content.is_none() {
            if inner.0 {
                sink.bytes(b",");
            } else {
                comma.put(sink);
                open(&STRING, profile, sink);
                sink.bytes(b",\"enum\":[");
                inner.0 = true;
            }
            sink.string(union.variants.part()[i].name.part());
        }
        i += 1;
    }
    if inner.0 {
        sink.bytes(b"]}");
    }
}

const fn member<'a>(
    union: &'a Union,
    variant: &'a Variant,
    profile: &Profile,
    sink: &mut ByteSink<'a>,
) {
    match &union.tagging {
        Tagging::None => {
            if let Some(content) = &variant.content {
                node(content.part(), profile, false, sink);
            } else {
                // A unit variant, which only an output can have.
                open(&NULL, profile, sink);
                sink.bytes(b"}");
            }
        }
        Tagging::Internal { tag } => {
            let tag = VariantTag {
                key: tag.part(),
                value: variant.name.part(),
                place: keys_before_tag(variant),
            };
            let rules = match object_in(variant) {
                Some(rules) => rules,
                None => Object::bare(union.unknown),
            };
            open_member(variant, profile, sink);
            object(rules, Some(tag), profile, &mut CommaWriter(true), sink);
            sink.bytes(b"}");
        }
        Tagging::External | Tagging::Adjacent { .. } => {
            open_member(variant, profile, sink);
            sink.bytes(b",\"properties\":{");
            let (key, tag) = match &union.tagging {
                Tagging::Adjacent { tag, content } => (content.part(), Some(tag.part())),
                _ => (variant.name.part(), None),
            };
            let mut inner = CommaWriter(false);
            let behind = keys_before_tag(variant) > 0;
            if let Some(tag) = tag
                && !behind
            {
                inner.name(tag, sink);
                constant(variant.name.part(), profile, sink);
            }
            if let Some(content) = &variant.content {
                inner.name(key, sink);
                node(content.part(), profile, false, sink);
            }
            if let Some(tag) = tag
                && behind
            {
                inner.name(tag, sink);
                constant(variant.name.part(), profile, sink);
            }
            sink.bytes(b"},\"required\":[");
            if let Tagging::Adjacent { tag, .. } = &union.tagging {
                sink.string(tag.part());
                if variant.content.is_some() {
                    sink.bytes(b",");
                }
            }
            if variant.content.is_some() {
                sink.string(key);
            }
            sink.bytes(b"]");
            // Two keys at once would be two variants, so external tagging is always closed.
            let unknown = match &union.tagging {
                Tagging::External => Unknown::Deny,
                _ => union.unknown,
            };
            close(unknown, profile, &mut CommaWriter(true), sink);
            sink.bytes(b"}");
        }
    }
}

const fn keys_before_tag(variant: &Variant) -> usize {
    match &variant.content {
        Some(content) => content.part().keys_before_tag(),
        None => 0,
    }
}

const fn open_member<'a>(variant: &'a Variant, profile: &Profile, sink: &mut ByteSink<'a>) {
    open(&OBJECT, profile, sink);
    if !variant.description.part().is_empty() {
        sink.bytes(b",\"description\":");
        sink.string(variant.description.part());
    }
}

pub(super) const fn object_in(variant: &Variant) -> Option<&Object> {
    if let Some(content) = &variant.content
        && let Kind::Object(rules) = &content.part().kind
    {
        Some(rules)
    } else {
        None
    }
}
