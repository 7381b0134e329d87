//! Objects: declared fields, free keys, the names of a closed list.

use super::{Comma, node, type_name};
use crate::dialect::{
    keyword,
    profile::{EmptyObjects, Maps, Profile},
};
use crate::schema::{Choice, Field, Held, Kind, Map, Object, Schema, Unknown, sink::Sink};

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

pub(super) const fn map(rules: &Map, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    match profile.maps {
        Maps::Words => {}
        Maps::Pairs => {
            comma.key("items", sink);
            sink.raw("{\"type\":");
            type_name("object", false, profile, sink);
            sink.raw(",\"properties\":{\"key\":{\"type\":");
            type_name("string", false, profile, sink);
            if !rules.keys.part().is_empty() {
                sink.raw(",\"enum\":");
                names(rules.keys.part(), sink);
            }
            sink.raw("},\"value\":");
            node(rules.values.part(), profile, false, sink);
            sink.raw("},\"required\":[\"key\",\"value\"]");
            if profile.closed {
                sink.raw(",\"additionalProperties\":false");
            }
            sink.byte(b'}');
        }
        Maps::Keyword if rules.keys.part().is_empty() => {
            // An open object says nothing about its values.
            if !matches!(rules.values.part().kind, Kind::Any) {
                comma.key("additionalProperties", sink);
                node(rules.values.part(), profile, false, sink);
            }
        }
        Maps::Keyword => {
            comma.key("properties", sink);
            sink.byte(b'{');
            let mut i = 0;
            while i < rules.keys.part().len() {
                if i > 0 {
                    sink.byte(b',');
                }
                sink.string(rules.keys.part()[i].name.part());
                sink.byte(b':');
                node(rules.values.part(), profile, false, sink);
                i += 1;
            }
            sink.byte(b'}');
            if profile.has(keyword::CLOSED) {
                comma.key("additionalProperties", sink);
                sink.raw("false");
            }
        }
    }
}

/// The name of a variant among the properties of an object.
#[derive(Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

pub(super) const fn object(
    rules: &Object,
    tag: Option<Tag<'_>>,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    // Not even `additionalProperties` may stand in an empty object there.
    if tag.is_none() && is_bare(rules, profile) {
        return;
    }
    comma.key("properties", sink);
    sink.byte(b'{');
    let mut inner = Comma(false);
    if let Some(tag) = tag {
        inner.name(tag.key, sink);
        constant(tag.value, profile, sink);
    }
    properties(rules.fields.part(), profile, &mut inner, sink);
    sink.byte(b'}');
    if tag.is_some() || requires(rules.fields.part(), profile) {
        comma.key("required", sink);
        sink.byte(b'[');
        let mut inner = Comma(false);
        if let Some(tag) = tag {
            inner.put(sink);
            sink.string(tag.key);
        }
        required(rules.fields.part(), profile, &mut inner, sink);
        sink.byte(b']');
    }
    close(rules.unknown, rules.extra.as_ref(), profile, comma, sink);
}

pub(in crate::schema) const fn close(
    unknown: Unknown,
    extra: Option<&Held<Schema>>,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    // What collects the other keys leaves none to deny.
    let denies = matches!(unknown, Unknown::Deny) && extra.is_none();
    if profile.closed || (denies && profile.has(keyword::CLOSED)) {
        comma.key("additionalProperties", sink);
        sink.raw("false");
    } else if let Some(values) = extra
        && matches!(profile.maps, Maps::Keyword)
        && !matches!(values.part().kind, Kind::Any)
    {
        comma.key("additionalProperties", sink);
        node(values.part(), profile, false, sink);
    }
}

pub(in crate::schema) const fn constant(value: &str, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name("string", false, profile, sink);
    sink.raw(",\"enum\":[");
    sink.string(value);
    sink.raw("]}");
}

const fn properties(fields: &[Field], profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        match &field.schema.part().kind {
            Kind::Object(inner) if field.flatten => {
                properties(inner.fields.part(), profile, comma, sink);
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                comma.name(field.name.part(), sink);
                node(
                    field.schema.part(),
                    profile,
                    profile.shows_optional_as_nullable() && !field.required,
                    sink,
                );
            }
        }
        i += 1;
    }
}

/// Whether an object is written with its type alone.
pub(in crate::schema) const fn is_bare(rules: &Object, profile: &Profile) -> bool {
    matches!(profile.empty, EmptyObjects::Bare)
        && rules.extra.is_none()
        && !has_property(rules.fields.part())
}

const fn has_property(fields: &[Field]) -> bool {
    let mut i = 0;
    while i < fields.len() {
        match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => {
                if has_property(inner.fields.part()) {
                    return true;
                }
            }
            Kind::Map(_) if fields[i].flatten => {}
            _ => return true,
        }
        i += 1;
    }
    false
}

const fn requires(fields: &[Field], profile: &Profile) -> bool {
    let mut i = 0;
    while i < fields.len() {
        match &fields[i].schema.part().kind {
            Kind::Object(inner) if fields[i].flatten => {
                if requires(inner.fields.part(), profile) {
                    return true;
                }
            }
            Kind::Map(_) if fields[i].flatten => {}
            _ => {
                if fields[i].required || profile.all_required {
                    return true;
                }
            }
        }
        i += 1;
    }
    false
}

const fn required(fields: &[Field], profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        match &field.schema.part().kind {
            Kind::Object(inner) if field.flatten => {
                required(inner.fields.part(), profile, comma, sink);
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                if field.required || profile.all_required {
                    comma.put(sink);
                    sink.string(field.name.part());
                }
            }
        }
        i += 1;
    }
}
