//! Values by a schema that was made at run time: the rules of derived readers, with JSON as the result.

use serde_json::{Map, Number, Value};

use super::{
    any::read_any,
    at::At,
    fields::{Facts, Fields},
    input::Input,
    list::{are_unique, read_items},
    map::{Slots, TakeMap, put_key},
    object::read_fields,
    positions::read_positions,
    raw,
    take::take,
    tool_input::ToolInput,
    union::{Variants, read_variants},
};
use crate::{
    json::{Form, Source, numbers_are_objects},
    report::IssueKind,
    schema::{Choice, ForeignSchema, Held, Kind, Object, Schema, Tagging, Union},
};

/// Reads a value by a schema that was not derived: by its tree, and then by the rules that the tree cannot hold.
pub(crate) fn read_foreign(
    input: &mut Input<'_>,
    schema: &ForeignSchema,
    at: At<'_>,
) -> Option<Value> {
    at.under(schema.reading(), |mut at| {
        let before = at.issues();
        let value = read(input, at.reborrow()).filter(|_| at.issues() == before)?;
        let follows = schema.is_whole() || raw::follows(schema, &value, &mut at);
        follows.then_some(value)
    })
}

/// Reads the value of a node.
pub(crate) fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Value> {
    let place = at.schema();
    let schema = if place.is_inside_itself() {
        match at.definition(place.number()) {
            Some(definition) => definition,
            // The raw checker looks at this value when everything is read.
            None => return read_any(input, at),
        }
    } else {
        place
    };
    let is_open = matches!(schema.kind, Kind::Any) || schema.is_loose();
    if is_open || place.nullable || schema.nullable {
        if at.optional() {
            return at.nullable(|at| read(input, at));
        }
        if input.form() == Form::Null {
            return input.take_word().then_some(Value::Null);
        }
    }
    if is_open && !is_about(&schema.kind, input.form()) {
        return read_any(input, at);
    }
    if std::ptr::eq(schema, place) {
        read_kind(input, schema, at)
    } else {
        at.under(schema, |at| read_kind(input, schema, at))
    }
}

fn read_kind(input: &mut Input<'_>, schema: &Schema, at: At<'_>) -> Option<Value> {
    match &schema.kind {
        Kind::Any => read_any(input, at),
        Kind::Boolean => bool::read(input, at).map(Value::Bool),
        Kind::Integer(_) => read_integer(input, at),
        Kind::Number(_) => read_number(input, at),
        Kind::Text(_) => String::read(input, at).map(Value::String),
        Kind::List(rules) => {
            let mut out = Vec::new();
            let mut item = |input: &mut Input<'_>, _: usize, at: At<'_>| {
                keep(read(input, at), |item| out.push(item))
            };
            let mut at = at;
            let fixes = at.state().count_fixes();
            let is_there = read_items(input, at.reborrow(), rules, &mut item)
                && (!rules.unique
                    || at.state().count_fixes() == fixes
                    || are_unique(&out, rules, &mut at));
            is_there.then_some(Value::Array(out))
        }
        Kind::Tuple(schemas) => {
            let mut out = Vec::new();
            let mut item = |_: usize, input: &mut Input<'_>, at: At<'_>| {
                keep(read(input, at), |item| out.push(item))
            };
            read_positions(input, schemas, &mut item, at).then_some(Value::Array(out))
        }
        Kind::Map(rules) => {
            let mut entries = Entries {
                keys: &rules.keys,
                map: Some(Map::new()),
                value: None,
            };
            let take_map = TakeMap {
                values: &rules.values,
                slots: &mut entries,
            };
            take(input, take_map, at)?;
            entries.map.map(Value::Object)
        }
        Kind::Object(rules) => read_object(input, schema, rules, at),
        Kind::Union(rules) => {
            let mut forms = Forms {
                rules,
                value: None,
                kept: None,
            };
            read_variants(input, rules, &mut forms, at)
                .then_some(forms.value)
                .flatten()
        }
    }
}

fn keep(item: Option<Value>, put: impl FnOnce(Value)) -> bool {
    let is_there = item.is_some();
    item.map(put);
    is_there
}

/// Whether a kind has rules for values of this form.
fn is_about(kind: &Kind, form: Form) -> bool {
    match kind {
        Kind::Any => false,
        Kind::Boolean => matches!(form, Form::Boolean(_)),
        Kind::Integer(_) | Kind::Number(_) => form == Form::Number,
        Kind::Text(_) => form == Form::Text,
        Kind::List(_) | Kind::Tuple(_) => form == Form::List,
        Kind::Union(rules) if rules.tagging == Tagging::None => true,
        Kind::Map(_) | Kind::Object(_) | Kind::Union(_) => form == Form::Object,
    }
}

fn read_integer(input: &mut Input<'_>, mut at: At<'_>) -> Option<Value> {
    let whole = i128::read(input, at.reborrow())?;
    let number = Number::from_i128(whole);
    if number.is_none() {
        at.issue(
            IssueKind::OutOfRange,
            "an integer of 64 bits",
            whole.to_string(),
        );
    }
    number.map(Value::Number)
}

/// Reads a number, with its digits if `serde_json` keeps them.
fn read_number(input: &mut Input<'_>, at: At<'_>) -> Option<Value> {
    let mut written = *input;
    let number = Number::read(input, at)?;
    if numbers_are_objects() && written.form() == Form::Number {
        return written.take_digits().map(Value::Number);
    }
    Some(Value::Number(number))
}

fn read_object(
    input: &mut Input<'_>,
    schema: &Schema,
    rules: &Object,
    at: At<'_>,
) -> Option<Value> {
    // An absent field stays absent: the server knows its own default.
    let facts = Facts::of(schema, 0, &[]);
    let mut fields = Values {
        given: rules.all_fields().map(|_| None).collect(),
        others: Map::new(),
        whole: true,
    };
    if !read_fields(input, at, &facts, &mut fields) || !fields.whole {
        return None;
    }
    // In the order of the declaration.
    let mut out = Map::new();
    for (field, value) in rules.all_fields().zip(fields.given) {
        if let Some(value) = value {
            out.insert(field.name.to_string(), value);
        }
    }
    out.extend(fields.others);
    Some(Value::Object(out))
}

/// The values of the fields of an object.
struct Values {
    given: Vec<Option<Value>>,
    others: Map<String, Value>,
    /// Whether every given value could be read.
    whole: bool,
}

impl Fields for Values {
    fn read(&mut self, field: usize, input: &mut Input<'_>, mut at: At<'_>) {
        let value = read(input, at.reborrow());
        self.whole &= value.is_some() || at.state().absent;
        if let Some(slot) = self.given.get_mut(field) {
            *slot = value;
        }
    }

    fn fill(&mut self, _: usize, _: At<'_>) {}

    fn read_other(&mut self, key: &str, input: &mut Input<'_>, at: At<'_>) {
        let value = read(input, at);
        self.whole &= keep(value, |value| {
            self.others.insert(key.to_owned(), value);
        });
    }
}

/// The entries of a map; `None` if one of them is wrong.
struct Entries<'s> {
    keys: &'s Held<[Choice]>,
    map: Option<Map<String, Value>>,
    value: Option<Value>,
}

impl Slots for Entries<'_> {
    fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool {
        self.value = read(input, at);
        self.value.is_some()
    }

    fn put(&mut self, key: &str, at: At<'_>) {
        let name = |name: &str| {
            let is_one = self.keys.is_empty() || self.keys.iter().any(|one| one.name == *name);
            is_one.then(|| name.to_owned())
        };
        put_key::<Map<String, Value>>(
            &mut self.map,
            key,
            self.value.take(),
            (self.keys.part(), &name),
            at,
        );
    }
}

/// A union that is being read, in the form in which it was sent.
struct Forms<'s> {
    rules: &'s Union,
    value: Option<Value>,
    kept: Option<Value>,
}

impl Forms<'_> {
    /// The value of a variant, with the name of the variant in its place.
    fn named(&self, variant: usize, content: Option<Value>) -> Option<Value> {
        let variant = self.rules.variants.get(variant)?;
        let name = variant.name.to_string();
        // In the order of the declaration.
        let before = variant
            .content
            .as_ref()
            .map_or(0, |content| content.keys_before_tag());
        let mut out = Map::new();
        match (&self.rules.tagging, content) {
            (Tagging::External, None) => return Some(Value::String(name)),
            (Tagging::External, Some(content)) => {
                out.insert(name, content);
            }
            (Tagging::Internal { tag }, content) => {
                let mut rest = Map::new();
                if let (Some(Value::Object(fields)), Some(schema)) = (content, &variant.content)
                    && let Kind::Object(rules) = &schema.kind
                {
                    let first = || rules.fields.iter().take(before);
                    let is_first = |key: &str| first().any(|field| field.name == *key);
                    (out, rest) = fields.into_iter().partition(|(key, _)| is_first(key));
                }
                out.insert(tag.to_string(), Value::String(name));
                out.extend(rest);
            }
            (Tagging::Adjacent { tag, content: key }, content) => {
                let content = content.map(|content| (key.to_string(), content));
                let name = Some((tag.to_string(), Value::String(name)));
                let (first, last) = if before > 0 {
                    (content, name)
                } else {
                    (name, content)
                };
                out.extend(first.into_iter().chain(last));
            }
            (Tagging::None, content) => return content,
        }
        Some(Value::Object(out))
    }
}

impl Variants for Forms<'_> {
    fn read(&mut self, variant: usize, input: &mut Input<'_>, at: At<'_>) -> bool {
        let content = read(input, at);
        self.value = content.and_then(|content| self.named(variant, Some(content)));
        self.value.is_some()
    }

    fn unit(&mut self, variant: usize) -> bool {
        self.value = self.named(variant, None);
        self.value.is_some()
    }

    fn swap(&mut self) {
        std::mem::swap(&mut self.value, &mut self.kept);
    }

    fn are_same(&self) -> bool {
        let both = self.value.as_ref().zip(self.kept.as_ref());
        both.is_some_and(|(value, kept)| raw::equal(value, kept))
    }
}

#[cfg(test)]
mod tests;
