//! The keywords for values of one type.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::names::{near_miss, unknown_key_by_pattern};
use super::super::values::canonical;
use super::{
    Check,
    values::{equal, number_fits, within},
};
use crate::{
    json::EXACT,
    report::{Issue, IssueKind, Step},
    schema::{
        described,
        foreign::{count, dependents, is_of, positions, type_of, types},
    },
};

/// The most unknown keys of one object that are reported.
const STRANGERS: usize = 16;

impl<'s> Check<'s> {
    pub(super) fn type_faults(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        value: &Value,
    ) -> usize {
        let names = types(map);
        if names.is_empty() {
            return 0;
        }
        if !names.iter().any(|name| is_of(value, name)) {
            return self.fault(IssueKind::WrongType, schema, value);
        }
        let inexact = !names.contains(&"number")
            && matches!(value, Value::Number(number) if number.is_f64()
                && number.as_f64().is_some_and(|float| float.abs() > EXACT));
        if inexact {
            return self.fault(IssueKind::OutOfRange, schema, value);
        }
        0
    }

    pub(super) fn choice_faults(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        value: &Value,
    ) -> usize {
        let constant = map.get("const").map(std::slice::from_ref);
        let listed = map.get("enum").and_then(Value::as_array).map(Vec::as_slice);
        let mut lists = [listed, constant].into_iter().flatten();
        let Some(missed) = lists.find(|list| !list.iter().any(|choice| equal(choice, value)))
        else {
            return 0;
        };
        let is_near = missed.iter().any(|choice| is_of(value, type_of(choice)));
        let kind = if is_near {
            IssueKind::NotAChoice
        } else {
            IssueKind::WrongType
        };
        self.fault(kind, schema, value)
    }

    pub(super) fn kind_faults(
        &mut self,
        schema: &Value,
        map: &'s Map<String, Value>,
        value: &Value,
    ) -> usize {
        match value {
            Value::Number(number) if !number_fits(map, number) => {
                self.fault(IssueKind::OutOfRange, schema, value)
            }
            Value::String(text) => self.text_faults(schema, map, text, value),
            Value::Array(items) => self.item_faults(map, items),
            Value::Object(entries) => self.entry_faults(map, entries),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }

    fn text_faults(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        text: &str,
        value: &Value,
    ) -> usize {
        let end = |key| map.get(key).and_then(count);
        if !within(
            text.chars().count() as u64,
            end("minLength"),
            end("maxLength"),
        ) {
            return self.fault(IssueKind::Length, schema, value);
        }
        let pattern = map.get("pattern").and_then(Value::as_str);
        let pattern = pattern.and_then(|pattern| self.root.pattern(pattern));
        if pattern.is_none_or(|pattern| pattern.is_match(text)) {
            0
        } else {
            self.fault(IssueKind::Pattern, schema, value)
        }
    }

    fn item_faults(&mut self, map: &'s Map<String, Value>, items: &[Value]) -> usize {
        let (firsts, rest) = positions(map);
        let mut faults = 0;
        let end = |key| map.get(key).and_then(count);
        let closed = (rest == Some(&Value::Bool(false))).then_some(firsts.len() as u64);
        let most = end("maxItems").into_iter().chain(closed).min();
        if !within(items.len() as u64, end("minItems"), most) {
            faults += self.wrong_count("an array", "item", (end("minItems"), most), items.len());
        }
        for (index, item) in items.iter().enumerate() {
            match firsts.get(index).or(rest.filter(|_| closed.is_none())) {
                Some(schema) => faults += self.below(Step::Index(index), schema, item),
                None => break,
            }
        }
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            for (index, item) in items.iter().enumerate() {
                if !seen.insert(canonical(item)) {
                    let (kind, words) = (IssueKind::DuplicateItem, "every item once");
                    faults += self.issue_at(Step::Index(index), kind, words, "the same item again");
                }
            }
        }
        if let Some(schema) = map.get("contains") {
            let fit = items.iter().filter(|item| self.count(schema, item) == 0);
            let fit = fit.count();
            let least = end("minContains").unwrap_or(1);
            if !within(fit as u64, Some(least), end("maxContains")) {
                faults += self.wrong_items(schema, least, end("maxContains"), fit);
            }
        }
        faults
    }

    fn entry_faults(&mut self, map: &'s Map<String, Value>, entries: &Map<String, Value>) -> usize {
        let properties = map.get("properties").and_then(Value::as_object);
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let rest = map.get("additionalProperties");
        let end = |key| map.get(key).and_then(count);
        let ends = (end("minProperties"), end("maxProperties"));
        let mut faults = 0;
        if !within(entries.len() as u64, ends.0, ends.1) {
            faults += self.wrong_count("an object", "key", ends, entries.len());
        }
        let mut unknown: Vec<&str> = Vec::new();
        for (key, value) in entries {
            let step = || Step::Key(key.clone());
            if let Some(names) = map.get("propertyNames") {
                faults += self.name_faults(names, key);
            }
            let own = properties.and_then(|properties| properties.get(key));
            let mut known = own.is_some();
            if let Some(schema) = own {
                faults += self.below(step(), schema, value);
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                match self.root.pattern(pattern) {
                    Some(regex) if !regex.is_match(key) => {}
                    Some(_) => {
                        known = true;
                        faults += self.below(step(), schema, value);
                    }
                    // This pattern cannot be tested, so it allows every key.
                    None => known = true,
                }
            }
            if known {
                self.declare(key);
            }
            match rest {
                _ if known => {}
                Some(Value::Bool(false)) => unknown.push(key),
                Some(schema) => faults += self.below(step(), schema, value),
                None => {}
            }
        }
        faults += self.strangers(&unknown, map);
        for pattern in patterns.into_iter().flat_map(Map::keys) {
            faults += self.renamed_faults(pattern);
        }
        faults + self.missing(map, properties, entries)
    }

    /// Declares a key that is not in the tree but in another part of the schema, so that it is not unknown.
    fn declare(&mut self, key: &str) {
        if !self.kept.is_empty() {
            let path = self.path().join(Step::Key(key.to_owned()));
            self.kept.retain(|kept| *kept != path);
        }
    }

    /// Reports the keys here that were read as a property in another case and match a pattern: both could be meant.
    fn renamed_faults(&mut self, pattern: &str) -> usize {
        if self.renamed.is_empty() {
            return 0;
        }
        let here = self.path();
        let regex = self.root.pattern(pattern);
        let faults: Vec<Issue> = self
            .renamed
            .iter()
            .filter_map(|(path, key)| {
                let (Step::Key(name), around) = path.steps().split_last()? else {
                    return None;
                };
                let matches = regex.is_none_or(|regex| regex.is_match(key));
                let path = here.clone().join(Step::Key(key.clone()));
                (around == here.steps() && matches).then(|| near_miss(path, &[name]))
            })
            .collect();
        let count = faults.len();
        for issue in faults {
            self.push(issue);
        }
        count
    }

    /// Checks the name of a key.
    fn name_faults(&mut self, names: &'s Value, key: &str) -> usize {
        let name = Value::String(key.to_owned());
        if self.count_passing(names, &name) == 0 {
            return 0;
        }
        if !self.tells() {
            return self.untold(1);
        }
        let words = format!("this name is not accepted; a name is {}", self.words(names));
        let step = Step::Key(key.to_owned());
        self.issue_at(step, IssueKind::Invalid, words, "")
    }

    /// Reports keys that a closed object does not take.
    fn strangers(&mut self, keys: &[&str], map: &'s Map<String, Value>) -> usize {
        let told = if self.tells() { STRANGERS } else { 0 };
        let [names, patterns] = ["properties", "patternProperties"].map(|keyword| -> Vec<&str> {
            let named = map.get(keyword).and_then(Value::as_object).into_iter();
            named.flat_map(Map::keys).map(String::as_str).collect()
        });
        for key in keys.iter().take(told) {
            let path = self.path().join(Step::Key((*key).to_owned()));
            self.push(unknown_key_by_pattern(path, &names, &patterns));
        }
        self.untold(keys.len().saturating_sub(told));
        keys.len()
    }

    fn missing(
        &mut self,
        map: &'s Map<String, Value>,
        properties: Option<&'s Map<String, Value>>,
        entries: &Map<String, Value>,
    ) -> usize {
        let mut names = texts(map.get("required"));
        for needed in dependents(map, "dependentRequired", entries) {
            names.extend(texts(Some(needed)));
        }
        names.retain(|name| !entries.contains_key(*name));
        for name in &names {
            let words = if self.tells() {
                let schema = properties.and_then(|properties| properties.get(*name));
                let schema = schema.or_else(|| self.declared(name));
                described(&self.tree(schema.unwrap_or(&Value::Bool(true))))
            } else {
                String::new()
            };
            self.issue_at(Step::Key((*name).to_owned()), IssueKind::Missing, words, "");
        }
        names.len()
    }

    /// The declaration of a property of this place in the schema around it. A condition only names the properties that
    /// it requires.
    fn declared(&self, name: &str) -> Option<&'s Value> {
        let mut schema = self.root.value();
        for step in &self.steps {
            schema = match step {
                Step::Key(key) => schema.get("properties")?.get(key)?,
                Step::Index(_) => schema.get("items")?,
            };
            let target = schema.get("$ref").and_then(Value::as_str);
            if let Some(target) = target.and_then(|reference| self.root.resolve(reference)) {
                schema = target;
            }
        }
        schema.get("properties")?.get(name)
    }
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}
