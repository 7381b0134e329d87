//! A schema that was not derived, as the tree: the form in which a model is shown it.
//!
//! The tree says what a schema means as far as the tree can. It leaves out what it cannot say: `not`,
//! `if`, what depends on another key. The schema itself stays what values are checked against.

mod json;
mod kind;
mod literal;
mod union;

use super::{
    ANY_AGAIN, Field, Held, Kind, OBJECT_AGAIN, Object, Schema, Unknown, foreign::keyword::pointer,
};
pub(crate) use json::Json;
use literal::literal;

/// How many nodes a tree may have when its references are written out.
const NODES: usize = 20_000;
/// How deep references are followed.
const DEPTH: usize = 64;

/// The tree of the arguments of a tool.
pub(crate) fn tree(root: &Json) -> Schema {
    let mut parser = Parser {
        root,
        open: vec![String::new()],
        left: NODES,
    };
    let schema = parser.node(root, 0);
    let closed = root.get("additionalProperties") == Some(&Json::Boolean(false));
    match schema.kind {
        // Arguments are an object with names, also where none is declared.
        Kind::Map(map) if map.keys.is_empty() => Schema {
            kind: Kind::Object(Object {
                fields: Held::Static(&[]),
                unknown: Unknown::Report,
                extra: (!matches!(map.values.kind, Kind::Any)).then_some(map.values),
            }),
            ..schema
        },
        Kind::Object(_) | Kind::Map(_) | Kind::Union(_) => schema,
        _ => Schema {
            kind: Kind::Object(Object {
                fields: Held::Static(&[]),
                unknown: if closed {
                    Unknown::Deny
                } else {
                    Unknown::Report
                },
                extra: None,
            }),
            ..schema
        },
    }
}

struct Parser<'a> {
    root: &'a Json,
    /// The references that are being written out, the root first.
    open: Vec<String>,
    /// How many more nodes there is room for.
    left: usize,
}

impl<'a> Parser<'a> {
    fn node(&mut self, raw: &'a Json, depth: usize) -> Schema {
        self.left = self.left.saturating_sub(1);
        if raw.entries().is_none() || depth > DEPTH || self.left == 0 {
            return Schema::of(Kind::Any);
        }
        let (kind, null) = self.kind(raw, depth);
        let mut schema = Schema {
            nullable: null || raw.get("nullable") == Some(&Json::Boolean(true)),
            ..kind
        };
        annotate(&mut schema, raw);
        schema
    }

    /// What a reference leads to, or the mark of a schema that contains itself.
    fn reference(&mut self, reference: &str, depth: usize) -> Schema {
        let found = pointer(reference).and_then(|at| Some((self.root.pointer(&at)?, at)));
        let Some((target, at)) = found else {
            return Schema::of(Kind::Any);
        };
        if self.open.contains(&at) {
            let object = target.get("properties").is_some()
                || target.get("type").and_then(Json::text) == Some("object");
            return if object { OBJECT_AGAIN } else { ANY_AGAIN }.clone();
        }
        self.open.push(at);
        let schema = self.node(target, depth + 1);
        self.open.pop();
        schema
    }
}

/// Several schemas that hold at once: objects become one, of others the first says most.
fn all(parts: Vec<Schema>) -> Schema {
    let mut all: Option<Schema> = None;
    for part in parts {
        let Some(first) = &mut all else {
            all = Some(part);
            continue;
        };
        match (&mut first.kind, part.kind) {
            (Kind::Object(first), Kind::Object(more)) => join(first, &more),
            (Kind::Any, kind) | (Kind::Map(_), kind @ Kind::Object(_)) => first.kind = kind,
            _ => {}
        }
        if first.description.is_empty() {
            first.description = part.description;
        }
        first.nullable &= part.nullable;
    }
    all.unwrap_or_else(|| Schema::of(Kind::Any))
}

/// Adds the fields of one object to another's.
fn join(into: &mut Object, more: &Object) {
    let mut fields = into.fields.to_vec();
    for field in more.fields.iter() {
        match fields.iter_mut().find(|own| own.name == field.name) {
            Some(own) => own.required |= field.required,
            None => fields.push(field.clone()),
        }
    }
    into.fields = fields.into();
    into.extra = into.extra.take().or_else(|| more.extra.clone());
    if more.unknown == Unknown::Deny {
        into.unknown = Unknown::Deny;
    }
}

/// What is said about a value: its description, default, example, and that it is secret.
fn annotate(schema: &mut Schema, raw: &Json) {
    if let Some(words) = raw.get("description").and_then(Json::text)
        && !words.is_empty()
    {
        schema.description = words.to_owned().into();
    }
    if let Some(value) = raw.get("default") {
        match literal(value) {
            Some(value) => schema.default = Some(value),
            None if *value == Json::Null => {}
            // The tree has no literal for an object.
            None => {
                let join = if schema.description.is_empty() {
                    ""
                } else {
                    "; "
                };
                let words = format!("{}{join}default: {value}", schema.description);
                schema.description = words.into();
            }
        }
    }
    let example = raw.get("examples").and_then(Json::list);
    let example = example.and_then(<[Json]>::first).and_then(literal);
    schema.example = example.or(schema.example.take());
    schema.secret |= raw.get("writeOnly") == Some(&Json::Boolean(true))
        || raw.get("format").and_then(Json::text) == Some("password");
}

/// A field without anything but its name.
fn field(name: &str, schema: Schema, required: bool) -> Field {
    Field {
        name: name.to_owned().into(),
        aliases: &[],
        schema: schema.into(),
        required,
        // A server is sent what was given.
        keep_empty: true,
        flatten: false,
    }
}

#[cfg(test)]
mod tests;
