//! Several schemas that hold at once.

use super::SchemaParser;
use crate::schema::{Integer, Kind, Map, Object, Schema, Tagging, Union, Unknown, Variant};

impl SchemaParser<'_> {
    /// Several schemas as one. Objects are merged; of others the first says most.
    pub(super) fn all(&mut self, parts: Vec<Schema>) -> Schema {
        let mut all = Schema::of(Kind::Any);
        for part in parts {
            let secret = all.secret || part.secret;
            let description = if all.description.is_empty() {
                part.description.clone()
            } else {
                all.description.clone()
            };
            all = self.both(all, part);
            all.secret = secret;
            all.description = description;
        }
        all
    }

    /// A schema that takes every value that both take, perhaps more.
    fn both(&mut self, mut first: Schema, mut part: Schema) -> Schema {
        let rules = [first.extra.take(), part.extra.take()];
        let mut both = self.both_kinds(first, part);
        for rules in rules.into_iter().flatten() {
            both.add_rules(rules.iter().cloned());
        }
        both
    }

    fn both_kinds(&mut self, first: Schema, part: Schema) -> Schema {
        if says_nothing(&first) {
            return Schema {
                default: first.default.or(part.default),
                example: first.example.or(part.example),
                ..part
            };
        }
        if says_nothing(&part) {
            return first;
        }
        let null = |schema: &Schema| schema.nullable || schema.is_loose();
        let nullable = null(&first) && null(&part);
        let loose = first.is_loose() && part.is_loose();
        let mut both = match (&first.kind, &part.kind) {
            (Kind::Object(_) | Kind::Map(_), Kind::Map(_)) if is_any_object(&part) => first,
            (Kind::Map(_), Kind::Object(_) | Kind::Map(_)) if is_any_object(&first) => part,
            // If other values are free, the union says everything.
            (Kind::Map(_), Kind::Union(_)) if is_any_object(&first) && first.is_loose() => part,
            (Kind::Map(_), Kind::Union(own)) if is_any_object(&first) => {
                let (union, is_whole) = objects_of(own);
                if !is_whole {
                    self.widen();
                }
                let mut both = part;
                match union {
                    Some(union) => both.kind = Kind::Union(union),
                    None => both = first,
                }
                both.set_number(0);
                both
            }
            (Kind::Object(own), Kind::Object(more)) => {
                let object = self.join(own, more);
                let mut both = first;
                both.kind = Kind::Object(object);
                both.set_number(0);
                both
            }
            (Kind::Object(own), Kind::Map(map)) | (Kind::Map(map), Kind::Object(own))
                if map.takes_any_key() && !first.is_inside_itself() && !part.is_inside_itself() =>
            {
                let kind = Kind::Object(self.join(own, &open(map)));
                of_kind(first, part, kind)
            }
            (Kind::List(own), Kind::List(more)) => {
                let items = self.both(own.items.part().clone(), more.items.part().clone());
                let kind = Kind::List(own.and(more, items));
                of_kind(first, part, kind)
            }
            // Rules for other types only do not apply to these values.
            _ if first.is_loose() != part.is_loose() && are_apart(&first.kind, &part.kind) => {
                if first.is_loose() {
                    part
                } else {
                    first
                }
            }
            (one, another) => {
                if let Some(kind) = scalars(one, another) {
                    of_kind(first, part, kind)
                } else if are_apart(one, another) && !loose && !nullable {
                    self.empty(first)
                } else {
                    self.widen();
                    let mut both = if first.is_loose() { part } else { first };
                    both.set_number(0);
                    both
                }
            }
        };
        both.nullable = nullable;
        both.set_loose(loose);
        self.settle(both)
    }

    /// An object with the fields of both.
    fn join(&mut self, one: &Object, more: &Object) -> Object {
        let both = [one, more];
        let is_open = |object: &Object| object.extra.is_none() && object.unknown == Unknown::Keep;
        if !both.into_iter().all(is_open) {
            self.widen();
        }
        let mut fields = one.fields.to_vec();
        for field in more.fields.iter() {
            let Some(own) = fields.iter_mut().find(|own| own.name == field.name) else {
                fields.push(field.clone());
                continue;
            };
            own.required |= field.required;
            let (first, part) = (own.schema.part().clone(), field.schema.part().clone());
            own.schema = self.all(vec![first, part]).into();
        }
        let is_closed = |object: &Object| object.unknown == Unknown::Deny;
        let unknown = if both.into_iter().all(is_closed) {
            Unknown::Deny
        } else {
            Unknown::Keep
        };
        // If one of them closes the keys, the other does not open them.
        let extra = if both.into_iter().any(is_closed) {
            None
        } else {
            both.into_iter().find_map(|object| object.extra.clone())
        };
        Object {
            fields: fields.into(),
            unknown,
            extra,
        }
    }
}

/// A map as an object that declares no keys.
fn open(map: &Map) -> Object {
    Object::undeclared(Unknown::Keep, Some(map.values.clone()))
}

/// The scalars of both kinds; `None` if the result cannot be expressed.
fn scalars(one: &Kind, another: &Kind) -> Option<Kind> {
    Some(match (one, another) {
        (Kind::Boolean, Kind::Boolean) => Kind::Boolean,
        (Kind::Integer(one), Kind::Integer(another)) => Kind::Integer(one.and(another)?),
        (Kind::Integer(whole), Kind::Number(rules))
        | (Kind::Number(rules), Kind::Integer(whole)) => {
            Kind::Integer(whole.and(&Integer::among(rules)?)?)
        }
        (Kind::Number(one), Kind::Number(another)) => Kind::Number(one.and(another)?),
        (Kind::Text(one), Kind::Text(another)) => Kind::Text(one.and(another)?),
        _ => return None,
    })
}

/// A schema of a kind that both have in common, with the other parts of the first one.
fn of_kind(first: Schema, part: Schema, kind: Kind) -> Schema {
    let mut both = Schema {
        kind,
        default: first.default.or(part.default),
        example: first.example.or(part.example),
        ..first
    };
    both.set_number(0);
    both
}

/// Whether two kinds have no value in common.
pub(super) fn are_apart(a: &Kind, b: &Kind) -> bool {
    let forms = |kind: &Kind| match kind {
        Kind::Any => 31,
        Kind::Boolean => 1,
        Kind::Integer(_) | Kind::Number(_) => 2,
        Kind::Text(_) => 4,
        Kind::List(_) | Kind::Tuple(_) => 8,
        Kind::Union(union) if union.tagging == Tagging::None => 31,
        Kind::Map(_) | Kind::Object(_) | Kind::Union(_) => 16,
    };
    forms(a) & forms(b) == 0
}

fn says_nothing(schema: &Schema) -> bool {
    matches!(schema.kind, Kind::Any) && !schema.is_inside_itself() && schema.rules().is_empty()
}

/// Whether a schema only says that a value is an object.
pub(super) fn is_any_object(schema: &Schema) -> bool {
    let Kind::Map(map) = &schema.kind else {
        return false;
    };
    map.takes_any_key() && says_nothing(&map.values)
}

/// The union without its forms that are not objects, and whether all forms are objects; `None` if a
/// form does not restrict objects.
fn objects_of(union: &Union) -> (Option<Union>, bool) {
    if union.tagging != Tagging::None {
        let is_bare = |variant: &Variant| variant.content.is_none();
        let takes_names = union.tagging == Tagging::External && union.variants.iter().any(is_bare);
        return (Some(union.clone()), !takes_names);
    }
    let mut union = union.clone();
    let mut variants = union.variants.to_vec();
    let mut is_whole = true;
    for content in variants.iter_mut().filter_map(|one| one.content.as_mut()) {
        let mut form = content.part().clone();
        let is_object = matches!(form.kind, Kind::Object(_) | Kind::Map(_));
        if form.is_loose() && !is_object {
            return (None, false);
        }
        is_whole &= is_object && !form.is_inside_itself();
        form.set_loose(false);
        *content = form.into();
    }
    union.variants = variants.into();
    (Some(union), is_whole)
}
