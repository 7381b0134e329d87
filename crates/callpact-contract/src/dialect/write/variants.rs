//! The variants of a union at the root, in words.
//!
//! In one flat object, the fields of all variants are side by side, so words say which field
//! belongs to which variant.

use super::sink::ByteSink;
use crate::schema::{Kind, Schema, Tagging, Union};

/// Puts a separator before every part except the first, and an opening before that one.
pub(super) struct VariantParts {
    open: &'static [u8],
    started: bool,
}

impl VariantParts {
    pub(super) const fn new(open: &'static [u8]) -> Self {
        Self {
            open,
            started: false,
        }
    }

    pub(super) const fn started(&self) -> bool {
        self.started
    }

    pub(super) const fn label<'a>(&mut self, label: &'a str, sink: &mut ByteSink<'a>) {
        self.next(sink);
        sink.raw(label);
        sink.bytes(b": ");
    }

    pub(super) const fn count<'a>(
        &mut self,
        label: &'a str,
        value: Option<u64>,
        sink: &mut ByteSink<'a>,
    ) {
        if let Some(value) = value {
            self.label(label, sink);
            sink.integer(value as i128);
        }
    }

    pub(super) const fn next(&mut self, sink: &mut ByteSink<'_>) {
        sink.bytes(if self.started { b"; " } else { self.open });
        self.started = true;
    }
}

/// The meaning of each name of the tag, and its fields: ``create: Opens one; for `create`: title``.
pub(super) const fn write_tag<'a>(
    union: &'a Union,
    parts: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    let variants = union.variants.part();
    let mut brings = false;
    let mut i = 0;
    while i < variants.len() {
        let about = variants[i].description.part();
        if !about.is_empty() {
            parts.next(sink);
            sink.escaped(variants[i].name.part());
            sink.bytes(b": ");
            sink.escaped(about);
        }
        brings = brings || variants[i].content.is_some();
        i += 1;
    }
    let mut i = 0;
    while brings && i < variants.len() {
        parts.next(sink);
        sink.bytes(b"for `");
        sink.escaped(variants[i].name.part());
        sink.bytes(b"`: ");
        if !write_content(union, i, sink) {
            sink.bytes(b"nothing else");
        }
        i += 1;
    }
}

/// Which keys go together if no tag says so.
pub(super) const fn write_sets<'a>(
    union: &'a Union,
    parts: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    let variants = union.variants.part();
    match &union.tagging {
        Tagging::Internal { .. } | Tagging::Adjacent { .. } => {}
        Tagging::External => {
            parts.next(sink);
            sink.bytes(b"exactly one of these keys");
        }
        Tagging::None => {
            let mut i = 0;
            while i < variants.len() {
                if i == 0 {
                    parts.next(sink);
                    sink.bytes(b"either ");
                } else {
                    sink.bytes(b"; or ");
                }
                if !write_content(union, i, sink) {
                    sink.bytes(b"nothing");
                }
                i += 1;
            }
        }
    }
}

/// The names of a variant's fields, or the kind of its content; nothing for a unit variant.
const fn write_content<'a>(union: &'a Union, variant: usize, sink: &mut ByteSink<'a>) -> bool {
    let Some(content) = &union.variants.part()[variant].content else {
        return false;
    };
    let Kind::Object(object) = &content.part().kind else {
        sink.raw(kind_name(content.part()));
        return true;
    };
    let mut started = false;
    let mut fields = object.walk();
    while let Some(field) = fields.step() {
        if started {
            sink.bytes(b", ");
        }
        sink.escaped(field.name.part());
        started = true;
    }
    if object.extra.is_some() {
        sink.raw(if started {
            ", any other keys"
        } else {
            "any other keys"
        });
    }
    started || object.extra.is_some()
}

pub(super) const fn kind_name(schema: &Schema) -> &'static str {
    match &schema.kind {
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
