//! A union at the root for receivers that refuse `anyOf` there: one flat object.
//!
//! The tag stays required and lists the names. The fields of all variants are side by side, and are
//! required only if every variant requires them. Words say which field belongs to which variant,
//! and the reader still demands the exact form.

use super::{
    fields::{key, quoted},
    node::{definitions, hash_of, node, object_in},
    sink::ByteSink,
    value::{CommaWriter, OBJECT, STRING, open},
    variants::{VariantParts, write_sets, write_tag},
};
use crate::{
    dialect::profile::Profile,
    schema::{Field, Kind, Object, Schema, Tagging, Union, Unknown},
};

pub(super) const fn root<'a>(
    schema: &'a Schema,
    union: &'a Union,
    profile: &Profile,
    sink: &mut ByteSink<'a>,
) {
    open(&OBJECT, profile, sink);
    describe(schema, union, sink);
    sink.bytes(b",\"properties\":{");
    let mut comma = CommaWriter(false);
    if let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = &union.tagging {
        comma.name(tag.part(), sink);
        names(union, profile, sink);
    }
    match &union.tagging {
        Tagging::External => {
            let mut i = 0;
            while i < union.variants.part().len() {
                if let Some(content) = &union.variants.part()[i].content {
                    comma.name(union.variants.part()[i].name.part(), sink);
                    node(content.part(), profile, profile.all_required, sink);
                }
                i += 1;
            }
        }
        Tagging::Adjacent { content, .. } => {
            if has_content(union) {
                comma.name(content.part(), sink);
                contents(union, profile, sink);
            }
        }
        Tagging::Internal { .. } | Tagging::None => {
            let sorts = profile.required_first && !profile.all_required;
            let mut wanted = if sorts { Some(true) } else { None };
            loop {
                let mut i = 0;
                while i < union.variants.part().len() {
                    if let Some(object) = object_of(union, i) {
                        fields(union, i, object, wanted, profile, &mut comma, sink);
                    }
                    i += 1;
                }
                if !matches!(wanted, Some(true)) {
                    break;
                }
                wanted = Some(false);
            }
        }
    }
    sink.bytes(b"}");
    let is_lost = profile.closed || !comma.0 && profile.cannot_be_open();
    let mut comma = CommaWriter(false);
    let mut i = 0;
    if let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = &union.tagging {
        sink.bytes(b",\"required\":[");
        comma.put(sink);
        sink.string(tag.part());
    }
    while i < union.variants.part().len() {
        match (&union.tagging, object_of(union, i)) {
            (Tagging::Internal { .. } | Tagging::None, Some(object)) => {
                required(union, i, object, profile, &mut comma, sink);
            }
            (Tagging::External, _)
                if profile.all_required && union.variants.part()[i].content.is_some() =>
            {
                start(&mut comma, sink);
                sink.string(union.variants.part()[i].name.part());
            }
            _ => {}
        }
        i += 1;
    }
    if let Tagging::Adjacent { content, .. } = &union.tagging
        && profile.all_required
        && has_content(union)
    {
        start(&mut comma, sink);
        sink.string(content.part());
    }
    if comma.0 {
        sink.bytes(b"]");
    }
    definitions(profile, &mut CommaWriter(true), sink);
    if is_lost && takes_others(union) {
        sink.bytes(b",\"additionalProperties\":true");
    } else if profile.closed || profile.closes_declared && !takes_others(union) {
        sink.bytes(b",\"additionalProperties\":false");
    }
    sink.bytes(b"}");
}

/// Whether a variant takes keys that the flat object does not declare.
const fn takes_others(union: &Union) -> bool {
    if matches!(union.tagging, Tagging::External | Tagging::Adjacent { .. }) {
        return false;
    }
    let mut i = 0;
    while i < union.variants.part().len() {
        if let Some(content) = &union.variants.part()[i].content {
            let takes = match &content.part().kind {
                Kind::Object(rules) => {
                    let is_empty = matches!(union.tagging, Tagging::None) && rules.count() == 0;
                    rules.extra.is_some() || is_empty && matches!(rules.unknown, Unknown::Keep)
                }
                kind => matches!(kind, Kind::Any | Kind::Map(_) | Kind::Union(_)),
            };
            if takes {
                return true;
            }
        }
        i += 1;
    }
    false
}

/// The author's words, and which keys go together if no tag says so.
const fn describe<'a>(schema: &'a Schema, union: &'a Union, sink: &mut ByteSink<'a>) {
    let words = schema.description.part();
    let mut parts = if words.is_empty() {
        VariantParts::new(b",\"description\":\"")
    } else {
        sink.bytes(b",\"description\":\"");
        sink.escaped(words);
        VariantParts::new(b" (")
    };
    write_sets(union, &mut parts, sink);
    if parts.started() && !words.is_empty() {
        sink.bytes(b")");
    }
    if parts.started() || !words.is_empty() {
        sink.bytes(b"\"");
    }
}

const fn has_content(union: &Union) -> bool {
    let mut i = 0;
    while i < union.variants.part().len() {
        if union.variants.part()[i].content.is_some() {
            return true;
        }
        i += 1;
    }
    false
}

const fn start(comma: &mut CommaWriter, sink: &mut ByteSink<'_>) {
    if comma.0 {
        comma.put(sink);
    } else {
        sink.bytes(b",\"required\":[");
        comma.0 = true;
    }
}

const fn object_of(union: &Union, variant: usize) -> Option<&Object> {
    object_in(&union.variants.part()[variant])
}

/// The tag: every name, with its meaning.
const fn names<'a>(union: &'a Union, profile: &Profile, sink: &mut ByteSink<'a>) {
    open(&STRING, profile, sink);
    let mut parts = VariantParts::new(b",\"description\":\"");
    write_tag(union, &mut parts, sink);
    if parts.started() {
        sink.bytes(b"\"");
    }
    sink.bytes(b",\"enum\":[");
    let mut i = 0;
    while i < union.variants.part().len() {
        if i > 0 {
            sink.bytes(b",");
        }
        sink.string(union.variants.part()[i].name.part());
        i += 1;
    }
    sink.bytes(b"]}");
}

/// The content of an adjacently tagged union: any of the variants' contents.
const fn contents<'a>(union: &'a Union, profile: &Profile, sink: &mut ByteSink<'a>) {
    sink.bytes(b"{\"anyOf\":[");
    let mut comma = CommaWriter(false);
    let mut i = 0;
    while i < union.variants.part().len() {
        if let Some(content) = &union.variants.part()[i].content {
            comma.put(sink);
            node(content.part(), profile, false, sink);
        }
        i += 1;
    }
    if profile.all_required {
        comma.put(sink);
        sink.bytes(b"{\"type\":\"null\"}");
    }
    sink.bytes(b"]}");
}

/// The fields of one variant that no earlier variant has, each in all its forms; of only the required or the optional
/// ones if these are wanted.
const fn fields<'a>(
    union: &'a Union,
    variant: usize,
    own: &'a Object,
    required: Option<bool>,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    let mut fields = own.walk();
    while let Some(field) = fields.step() {
        let wanted = match required {
            Some(required) => everywhere(union, field.name.part()) == required,
            None => true,
        };
        if wanted && !appears(union, 0, variant, field.name.part()) {
            key(own, field, profile, comma, sink);
            forms(union, variant, field, profile, sink);
        }
    }
}

/// One schema if all variants agree on the field, otherwise `anyOf` of the different ones.
const fn forms<'a>(
    union: &'a Union,
    first: usize,
    field: &'a Field,
    profile: &Profile,
    sink: &mut ByteSink<'a>,
) {
    let optional = profile.all_required && !everywhere(union, field.name.part());
    let hash = hash_of(field.schema.part(), profile);
    let mut differ = false;
    let mut i = first + 1;
    while i < union.variants.part().len() {
        if let Some(other) = find_in(union, i, field.name.part())
            && hash_of(other.schema.part(), profile) != hash
        {
            differ = true;
        }
        i += 1;
    }
    if !differ {
        node(field.schema.part(), profile, optional, sink);
        return;
    }
    sink.bytes(b"{\"anyOf\":[");
    node(field.schema.part(), profile, false, sink);
    let mut i = first + 1;
    while i < union.variants.part().len() {
        if let Some(other) = find_in(union, i, field.name.part()) {
            let other_hash = hash_of(other.schema.part(), profile);
            let mut said = other_hash == hash;
            let mut j = first + 1;
            while j < i {
                if let Some(earlier) = find_in(union, j, field.name.part())
                    && hash_of(earlier.schema.part(), profile) == other_hash
                {
                    said = true;
                }
                j += 1;
            }
            if !said {
                sink.bytes(b",");
                node(other.schema.part(), profile, false, sink);
            }
        }
        i += 1;
    }
    if optional {
        sink.bytes(b",{\"type\":\"null\"}");
    }
    sink.bytes(b"]}");
}

/// The fields that every variant requires, or all of them for a receiver that needs that.
const fn required<'a>(
    union: &'a Union,
    variant: usize,
    own: &'a Object,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    let mut fields = own.walk();
    while let Some(field) = fields.step() {
        if !appears(union, 0, variant, field.name.part())
            && (profile.all_required || everywhere(union, field.name.part()))
        {
            if !comma.0 {
                sink.bytes(b",\"required\":[");
            }
            quoted(own, field, profile, comma, sink);
        }
    }
}

const fn appears(union: &Union, from: usize, to: usize, name: &str) -> bool {
    let mut i = from;
    while i < to {
        if find_in(union, i, name).is_some() {
            return true;
        }
        i += 1;
    }
    false
}

const fn everywhere(union: &Union, name: &str) -> bool {
    let mut i = 0;
    while i < union.variants.part().len() {
        match find_in(union, i, name) {
            Some(field) if field.required => {}
            _ => return false,
        }
        i += 1;
    }
    true
}

const fn find_in<'a>(union: &'a Union, variant: usize, name: &str) -> Option<&'a Field> {
    match object_of(union, variant) {
        Some(object) => object.field(name),
        None => None,
    }
}
