//! Objects: declared fields, free keys.

use std::collections::HashSet;

use super::{NullUse, RuleFolding, SchemaParser};
use crate::{
    schema::{
        Choice, ExtraRule, Field, Held, IntegerKeys, Kind, Map, Object, Schema, Unknown,
        foreign::keyword::step, is_safe_name, json::JsonValue,
    },
    text::words,
};

/// The note on a property that takes no value.
const NEVER: &str = "it takes no value, so no model is told of it";

impl<'a> SchemaParser<'a> {
    pub(super) fn object(&mut self, raw: &'a JsonValue, depth: usize) -> Schema {
        let properties = raw.entries_at("properties");
        let rest = Self::rest(raw);
        let closed = rest == Some(&JsonValue::Boolean(false));
        let required = raw.list_at("required");
        let required = required.iter().filter_map(JsonValue::text);
        let mut undeclared: HashSet<&str> = required.clone().collect();
        let mut fields: Vec<Field> = Vec::new();
        let mut never = Vec::new();
        let mut leaves_others = false;
        for (name, schema) in properties {
            let is_required = undeclared.remove(name.as_str());
            // A parameter that takes no value must not be given.
            if *schema == JsonValue::Boolean(false) && !is_required {
                self.widen();
                let place = step(&self.path, "properties");
                self.unsaid.note(&place, name, NEVER);
                never.push(name.clone());
                continue;
            }
            let mut schema = self.below(&["properties", name], schema, depth + 1);
            let is_required = self.settle_null(&mut schema, is_required);
            let is_empty = schema.takes_nothing() && !schema.nullable && !schema.is_loose();
            if is_empty && !is_required {
                never.push(name.clone());
                continue;
            }
            fields.push(Field::of(name.clone().into(), schema.into(), is_required));
        }
        for name in required {
            if undeclared.remove(name) {
                if matches!(rest, Some(JsonValue::Object(_) | JsonValue::Boolean(false))) {
                    self.widen();
                    leaves_others = true;
                }
                let (name, any) = (name.to_owned(), Schema::of(Kind::Any));
                fields.push(Field::of(name.into(), any.into(), true));
            }
        }
        let patterns = raw.get("patternProperties").and_then(JsonValue::entries);
        let values = match (rest, patterns) {
            (_, Some([(pattern, only)])) if matches_all(pattern) || closed => {
                if !matches_all(pattern) || !fields.is_empty() {
                    self.leave(raw, "patternProperties");
                    leaves_others = true;
                }
                let values = self.below(&["patternProperties", pattern], only, depth + 1);
                Some(values)
            }
            (_, Some([])) | (None, None) => None,
            (_, Some(_)) => {
                self.leave(raw, "patternProperties");
                leaves_others = true;
                // The patterns are rules beside the tree. They allow further keys, as `additionalProperties` does.
                Some(Schema::of(Kind::Any))
            }
            (Some(rest @ JsonValue::Object(_)), None) => {
                Some(self.below(&["additionalProperties"], rest, depth + 1))
            }
            (Some(JsonValue::Boolean(true)), None) => Some(Schema::of(Kind::Any)),
            (Some(_), None) => None,
        };
        let patterns = patterns.filter(|patterns| !patterns.is_empty());
        let names = raw.get("propertyNames");
        let keys = names.and_then(keys);
        let integers = names.and_then(integer_keys);
        let is_map = fields.is_empty() && (!closed || patterns.is_some());
        let is_known = is_map && (keys.is_some() || integers.is_some());
        if let Some(names) = names.filter(|_| !is_known) {
            self.leave(raw, "propertyNames");
            let names = self.beside(names);
            self.rules.push(ExtraRule::KeyNames(names.into()));
        }
        if !never.is_empty() {
            self.rules.push(ExtraRule::Without(never));
        }
        if leaves_others {
            self.add_key_patterns(properties, patterns.unwrap_or_default(), rest);
        }
        if is_open(rest) {
            self.keep_open("additionalProperties", "takes any keys");
        }
        if is_map {
            return Schema::of(Kind::Map(Map {
                values: values.unwrap_or_else(|| Schema::of(Kind::Any)).into(),
                keys: keys.unwrap_or_default().into(),
                integers,
            }));
        }
        Schema::of(Kind::Object(Object {
            fields: fields.into(),
            unknown: if closed && patterns.is_none() {
                Unknown::Deny
            } else {
                Unknown::Keep
            },
            extra: values.map(Held::from),
        }))
    }

    /// Settles what null means for a property. Returns whether the property is still required.
    fn settle_null(&self, schema: &mut Schema, is_required: bool) -> bool {
        let is_outside = self.folding == RuleFolding::Kept && self.nulls == NullUse::Absent;
        if is_outside && schema.nullable && !schema.takes_nothing() {
            schema.nullable = false;
            return false;
        }
        // Leaving it out means the same to every server.
        if !is_required {
            schema.take_nullable_back();
        }
        is_required
    }

    /// The schema of undeclared keys.
    pub(super) fn rest(raw: &'a JsonValue) -> Option<&'a JsonValue> {
        let applied = "$ref allOf anyOf oneOf if dependentSchemas dependencies";
        let alone = !words(applied).any(|key| raw.get(key).is_some());
        let unevaluated = raw.get("unevaluatedProperties").filter(|_| alone);
        raw.get("additionalProperties").or(unevaluated)
    }
}

/// Whether every key matches a pattern.
fn matches_all(pattern: &str) -> bool {
    matches!(pattern, "" | "^" | ".*" | "^.*" | "^.*$" | "^(.*)$" | ".*$")
}

/// The only rule about the keys, if it is this one.
fn only_rule<'a>(names: &'a JsonValue, rule: &str) -> Option<&'a JsonValue> {
    let is_plain = |(key, _): &(String, JsonValue)| {
        key == rule || matches!(key.as_str(), "type" | "description" | "title")
    };
    let is_text = names
        .get("type")
        .is_none_or(|name| name.text() == Some("string"));
    let is_only = is_text && names.entries()?.iter().all(is_plain);
    names.get(rule).filter(|_| is_only)
}

/// The integers that are keys, if the keys have the pattern of integers.
fn integer_keys(names: &JsonValue) -> Option<&'static IntegerKeys> {
    IntegerKeys::of_pattern(only_rule(names, "pattern")?.text()?)
}

/// The only allowed keys, if that is all that is said about them.
fn keys(names: &JsonValue) -> Option<Vec<Choice>> {
    let names = only_rule(names, "enum")?.list()?;
    let keys: Vec<Choice> = names
        .iter()
        .filter_map(JsonValue::text)
        .map(Choice::named)
        .collect();
    let are_safe = keys.iter().all(|key| is_safe_name(&key.name));
    (!keys.is_empty() && are_safe).then_some(keys)
}

/// Whether a schema of undeclared keys takes every value. An absent one is not explicit.
fn is_open(rest: Option<&JsonValue>) -> bool {
    match rest {
        Some(JsonValue::Object(says)) => says.is_empty(),
        rest => rest == Some(&JsonValue::Boolean(true)),
    }
}
