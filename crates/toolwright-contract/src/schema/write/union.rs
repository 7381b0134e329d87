//! The members of a union's `anyOf`.

use super::{
    Comma, node,
    object::{Tag, close, constant, object},
    type_name,
};
use crate::{
    dialect::profile::Profile,
    schema::{Held, Kind, Object, Tagging, Union, Unknown, Variant, sink::Sink},
};

/// The members of a union's `anyOf`.
pub(super) const fn members(union: &Union, profile: &Profile, sink: &mut Sink<'_>) {
    let mut comma = Comma(false);
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
const fn units(union: &Union, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    let mut inner = Comma(false);
    let mut i = 0;
    while i < union.variants.part().len() {
        if union.variants.part()[i].content.is_none() {
            if inner.0 {
                sink.byte(b',');
            } else {
                comma.put(sink);
                sink.raw("{\"type\":");
                type_name("string", false, profile, sink);
                sink.raw(",\"enum\":[");
                inner.0 = true;
            }
            sink.string(union.variants.part()[i].name.part());
        }
        i += 1;
    }
    if inner.0 {
        sink.raw("]}");
    }
}

const fn member(union: &Union, variant: &Variant, profile: &Profile, sink: &mut Sink<'_>) {
    match &union.tagging {
        Tagging::None => {
            if let Some(content) = &variant.content {
                node(content.part(), profile, false, sink);
            }
        }
        Tagging::Internal { tag } => {
            let tag = Tag {
                key: tag.part(),
                value: variant.name.part(),
            };
            open_member(variant, profile, sink);
            match object_in(variant) {
                Some(rules) => object(rules, Some(tag), profile, &mut Comma(true), sink),
                None => object(
                    match union.unknown {
                        Unknown::Ignore => &EMPTY[0],
                        Unknown::Report => &EMPTY[1],
                        Unknown::Deny => &EMPTY[2],
                    },
                    Some(tag),
                    profile,
                    &mut Comma(true),
                    sink,
                ),
            }
            sink.byte(b'}');
        }
        Tagging::External | Tagging::Adjacent { .. } => {
            open_member(variant, profile, sink);
            sink.raw(",\"properties\":{");
            let key = match &union.tagging {
                Tagging::Adjacent { tag, content } => {
                    sink.string(tag.part());
                    sink.byte(b':');
                    constant(variant.name.part(), profile, sink);
                    if variant.content.is_some() {
                        sink.byte(b',');
                    }
                    content.part()
                }
                _ => variant.name.part(),
            };
            if let Some(content) = &variant.content {
                sink.string(key);
                sink.byte(b':');
                node(content.part(), profile, false, sink);
            }
            sink.raw("},\"required\":[");
            if let Tagging::Adjacent { tag, .. } = &union.tagging {
                sink.string(tag.part());
                if variant.content.is_some() {
                    sink.byte(b',');
                }
            }
            if variant.content.is_some() {
                sink.string(key);
            }
            sink.byte(b']');
            // Two keys at once would be two variants, so external tagging is always closed.
            let unknown = match &union.tagging {
                Tagging::External => Unknown::Deny,
                _ => union.unknown,
            };
            close(unknown, None, profile, &mut Comma(true), sink);
            sink.byte(b'}');
        }
    }
}

/// Objects without fields, one for each way to treat other keys.
const EMPTY: &[Object; 3] = &[
    empty(Unknown::Ignore),
    empty(Unknown::Report),
    empty(Unknown::Deny),
];

const fn empty(unknown: Unknown) -> Object {
    Object {
        fields: Held::Static(&[]),
        unknown,
        extra: None,
    }
}

const fn object_in(variant: &Variant) -> Option<&Object> {
    match &variant.content {
        Some(content) => match &content.part().kind {
            Kind::Object(rules) => Some(rules),
            _ => None,
        },
        None => None,
    }
}

const fn open_member(variant: &Variant, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name("object", false, profile, sink);
    if !variant.description.part().is_empty() {
        sink.raw(",\"description\":");
        sink.string(variant.description.part());
    }
}
