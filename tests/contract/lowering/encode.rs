//! Writes a value in the form that a lowered schema demands, from the text of the schema alone:
//! null for an absent required key, pairs for a map written as an array, nothing for a key that a
//! closed object has no place for.

use std::collections::BTreeMap;

use callpact::input::Step;
use callpact_tests::rng::Rng;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// One node of a lowered schema.
#[derive(Default)]
pub(crate) struct Node {
    any_of: Vec<(Node, Validator)>,
    properties: BTreeMap<String, Node>,
    required: Vec<String>,
    closed: bool,
    extra: Option<Box<Node>>,
    items: Option<Box<Node>>,
    prefix: Vec<Node>,
    array: bool,
    takes_null: bool,
}

impl Node {
    pub(crate) fn of(schema: &Value) -> Self {
        let children = |key: &str| schema[key].as_array().into_iter().flatten();
        let is = |name: &str| {
            schema["type"] == name
                || schema["type"]
                    .as_array()
                    .is_some_and(|all| all.contains(&json!(name)))
        };
        let child = |key: &str| schema.get(key).filter(|child| child.is_object());
        let any_of: Vec<_> = children("anyOf")
            .map(|member| (Self::of(member), compiled(member)))
            .collect();
        Self {
            takes_null: is("null")
                || any_of.iter().any(|(member, _)| member.takes_null)
                || schema.get("type").is_none() && any_of.is_empty(),
            any_of,
            properties: schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, child)| (key.clone(), Self::of(child)))
                .collect(),
            required: children("required")
                .filter_map(|key| key.as_str().map(str::to_owned))
                .collect(),
            closed: schema["additionalProperties"] == false,
            extra: child("additionalProperties").map(|child| Box::new(Self::of(child))),
            items: child("items").map(|child| Box::new(Self::of(child))),
            prefix: children("prefixItems").map(Self::of).collect(),
            array: is("array"),
        }
    }
}

pub(crate) fn compiled(schema: &Value) -> Validator {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options
        .build(schema)
        .expect("a part of a schema is a schema")
}

/// Places in a value.
pub(crate) type Places = Vec<Vec<Step>>;

/// Writes values and remembers what the schema had no place for.
pub(crate) struct Encoder<'a> {
    pub(crate) rng: &'a mut Rng,
    /// Whether an absent optional value may be written as null.
    pub(crate) any_null: bool,
    /// The places where a value was left out.
    pub(crate) dropped: Places,
    /// The places where null stands for an absent value.
    pub(crate) nulls: Places,
    path: Vec<Step>,
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(rng: &'a mut Rng, any_null: bool) -> Self {
        Self {
            rng,
            any_null,
            dropped: Vec::new(),
            nulls: Vec::new(),
            path: Vec::new(),
        }
    }

    pub(crate) fn write(&mut self, node: &Node, value: &Value) -> Value {
        if !node.any_of.is_empty() {
            return self.member(node, value);
        }
        match value {
            Value::Object(map) if node.array => map
                .iter()
                .map(|(key, item)| {
                    let values = node
                        .items
                        .as_ref()
                        .and_then(|items| items.properties.get("value"));
                    let item = self.below(Step::Key(key.clone()), values, item);
                    json!({"key": key, "value": item})
                })
                .collect(),
            Value::Object(map) => self.object(node, map),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    let node = node.prefix.get(index).or(node.items.as_deref());
                    self.below(Step::Index(index), node, item)
                })
                .collect(),
            other => other.clone(),
        }
    }

    fn below(&mut self, step: Step, node: Option<&Node>, value: &Value) -> Value {
        let Some(node) = node else {
            return value.clone();
        };
        self.path.push(step);
        let out = self.write(node, value);
        self.path.pop();
        out
    }

    fn object(&mut self, node: &Node, map: &Map<String, Value>) -> Value {
        let mut out = Map::new();
        for (key, item) in map {
            let child = node.properties.get(key).or(node.extra.as_deref());
            if child.is_none() && node.closed {
                self.dropped.push(self.at(key));
                continue;
            }
            out.insert(key.clone(), self.below(Step::Key(key.clone()), child, item));
        }
        for (key, child) in &node.properties {
            let writes = node.required.contains(key) || (self.any_null && self.rng.one_in(4));
            if writes && child.takes_null && !out.contains_key(key) {
                self.nulls.push(self.at(key));
                out.insert(key.clone(), Value::Null);
            }
        }
        Value::Object(out)
    }

    fn at(&self, key: &str) -> Vec<Step> {
        let mut path = self.path.clone();
        path.push(Step::Key(key.to_owned()));
        path
    }

    /// The alternative that loses the least of the value.
    fn member(&mut self, node: &Node, value: &Value) -> Value {
        let (dropped, nulls) = (self.dropped.len(), self.nulls.len());
        let mut best: Option<(Value, Places, Places)> = None;
        for (member, validator) in &node.any_of {
            let out = self.write(member, value);
            let dropped = self.dropped.split_off(dropped);
            let nulls = self.nulls.split_off(nulls);
            let fewer = |(_, least, _): &(_, Vec<_>, _)| dropped.len() < least.len();
            if validator.is_valid(&out) && best.as_ref().is_none_or(fewer) {
                best = Some((out, dropped, nulls));
            }
        }
        let Some((out, dropped, nulls)) = best else {
            return value.clone();
        };
        self.dropped.extend(dropped);
        self.nulls.extend(nulls);
        out
    }
}

/// The value without these places. Only keys are ever left out.
pub(crate) fn without(value: &Value, paths: &[Vec<Step>]) -> Value {
    let mut value = value.clone();
    for path in paths {
        if let Some((map, last)) = object_of(&mut value, path) {
            map.remove(last);
        }
    }
    value
}

/// The value with null at a place.
pub(crate) fn with_null(value: &Value, path: &[Step]) -> Value {
    let mut value = value.clone();
    if let Some((map, last)) = object_of(&mut value, path) {
        map.insert(last.to_owned(), Value::Null);
    }
    value
}

fn object_of<'a>(
    value: &'a mut Value,
    path: &'a [Step],
) -> Option<(&'a mut Map<String, Value>, &'a str)> {
    let (Step::Key(last), around) = path.split_last()? else {
        return None;
    };
    let object = around.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key),
        Step::Index(index) => value.get_mut(index),
    })?;
    Some((object.as_object_mut()?, last))
}
