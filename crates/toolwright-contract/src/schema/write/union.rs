//! The members of a union's `anyOf`.

use super::{
    Comma, node,
    object::{Tag, close, constant, object},
    type_name,
};
use crate::{
    dialect::profile::Profile,
    schema::{Kind, Object, Schema, Tagging, Union, Unknown, Variant, sink::Sink},
};

/// The members of a union's `anyOf`.
pub(super) const fn members(union: &Union, profile: &Profile, sink: &mut Sink<'_>) {
    let mut comma = Comma(false);
    if matches!(union.tagging, Tagging::External) {
        units(union, profile, &mut comma, sink);
    }
    let mut i = 0;
    while i < union.variants.len() {
        let variant = &union.variants[i];
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
    while i < union.variants.len() {
        if union.variants[i].content.is_none() {
            if inner.0 {
                sink.byte(b',');
            } else {
                comma.put(sink);
                sink.raw("{\"type\":");
                type_name("string", false, profile, sink);
                sink.raw(",\"enum\":[");
                inner.0 = true;
            }
            sink.string(union.variants[i].name);
        }
        i += 1;
    }
    if inner.0 {
        sink.raw("]}");
    }
}

const fn member(union: &Union, variant: &Variant, profile: &Profile, sink: &mut Sink<'_>) {
    const EMPTY: Object = Object {
        fields: &[],
        unknown: Unknown::Report,
        extra: None,
    };
    match union.tagging {
        Tagging::None => {
            if let Some(content) = variant.content {
                node(content, profile, false, sink);
            }
        }
        Tagging::Internal { tag } => {
            let tag = Tag {
                key: tag,
                value: variant.name,
            };
            let rules = match variant.content {
                Some(Schema {
                    kind: Kind::Object(rules),
                    ..
                }) => *rules,
                _ => Object {
                    unknown: union.unknown,
                    ..EMPTY
                },
            };
            open_member(variant, profile, sink);
            object(&rules, Some(tag), profile, &mut Comma(true), sink);
            sink.byte(b'}');
        }
        Tagging::External | Tagging::Adjacent { .. } => {
            open_member(variant, profile, sink);
            sink.raw(",\"properties\":{");
            let key = match union.tagging {
                Tagging::Adjacent { tag, content } => {
                    sink.string(tag);
                    sink.byte(b':');
                    constant(variant.name, profile, sink);
                    if variant.content.is_some() {
                        sink.byte(b',');
                    }
                    content
                }
                _ => variant.name,
            };
            if let Some(content) = variant.content {
                sink.string(key);
                sink.byte(b':');
                node(content, profile, false, sink);
            }
            sink.raw("},\"required\":[");
            if let Tagging::Adjacent { tag, .. } = union.tagging {
                sink.string(tag);
                if variant.content.is_some() {
                    sink.byte(b',');
                }
            }
            if variant.content.is_some() {
                sink.string(key);
            }
            sink.byte(b']');
            // Two keys at once would be two variants, so external tagging is always closed.
            let unknown = match union.tagging {
                Tagging::External => Unknown::Deny,
                _ => union.unknown,
            };
            close(unknown, None, profile, &mut Comma(true), sink);
            sink.byte(b'}');
        }
    }
}

const fn open_member(variant: &Variant, profile: &Profile, sink: &mut Sink<'_>) {
    sink.raw("{\"type\":");
    type_name("object", false, profile, sink);
    if !variant.description.is_empty() {
        sink.raw(",\"description\":");
        sink.string(variant.description);
    }
}
