//! The keywords about one type of values.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    Check,
    values::{equal, number_fits, within},
};
use crate::{
    json::EXACT,
    read::{any::canonical, keys::unknown_key},
    report::{IssueKind, Step},
    schema::{
        described,
        foreign::{count, is_of, positions, type_of, types},
    },
};

/// How many unknown keys of one object are reported.
const STRANGERS: usize = 16;

impl<'s> Check<'s> {
    pub(super) fn type_fits(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        value: &Value,
    ) -> bool {
        let names = types(map);
        if names.is_empty() {
            return true;
        }
        if !names.iter().any(|name| is_of(value, name)) {
            self.fault(IssueKind::WrongType, schema, value);
            return false;
        }
        let inexact = !names.contains(&"number")
            && matches!(value, Value::Number(number) if number.is_f64()
                && number.as_f64().is_some_and(|float| float.abs() > EXACT));
        if inexact {
            self.fault(IssueKind::OutOfRange, schema, value);
        }
        !inexact
    }

    pub(super) fn is_choice(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        value: &Value,
    ) -> bool {
        let constant = map.get("const").map(std::slice::from_ref);
        let listed = map.get("enum").and_then(Value::as_array).map(Vec::as_slice);
        let mut lists = [listed, constant].into_iter().flatten();
        let Some(missed) = lists.find(|list| !list.iter().any(|choice| equal(choice, value)))
        else {
            return true;
        };
        let is_near = missed.iter().any(|choice| is_of(value, type_of(choice)));
        let kind = if is_near {
            IssueKind::NotAChoice
        } else {
            IssueKind::WrongType
        };
        self.fault(kind, schema, value);
        false
    }

    pub(super) fn kind_fits(
        &mut self,
        schema: &Value,
        map: &'s Map<String, Value>,
        value: &Value,
    ) -> bool {
        match value {
            Value::Number(number) => {
                let fits = number_fits(map, number);
                if !fits {
                    self.fault(IssueKind::OutOfRange, schema, value);
                }
                fits
            }
            Value::String(text) => self.text_fits(schema, map, text, value),
            Value::Array(items) => self.items_fit(map, items),
            Value::Object(entries) => self.entries_fit(map, entries),
            Value::Null | Value::Bool(_) => true,
        }
    }

    fn text_fits(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        text: &str,
        value: &Value,
    ) -> bool {
        let end = |key| map.get(key).and_then(count);
        if !within(
            text.chars().count() as u64,
            end("minLength"),
            end("maxLength"),
        ) {
            self.fault(IssueKind::Length, schema, value);
            return false;
        }
        let pattern = map.get("pattern").and_then(Value::as_str);
        let pattern = pattern.and_then(|pattern| self.root.pattern(pattern));
        let fits = pattern.is_none_or(|pattern| pattern.is_match(text));
        if !fits {
            self.fault(IssueKind::Pattern, schema, value);
        }
        fits
    }

    fn items_fit(&mut self, map: &'s Map<String, Value>, items: &[Value]) -> bool {
        let (firsts, rest) = positions(map);
        let mut fits = true;
        let end = |key| map.get(key).and_then(count);
        let closed = (rest == Some(&Value::Bool(false))).then_some(firsts.len() as u64);
        let most = end("maxItems").into_iter().chain(closed).min();
        if !within(items.len() as u64, end("minItems"), most) {
            self.wrong_count("an array", "item", (end("minItems"), most), items.len());
            fits = false;
        }
        for (index, item) in items.iter().enumerate() {
            match firsts.get(index).or(rest.filter(|_| closed.is_none())) {
                Some(schema) => fits &= self.below(Step::Index(index), schema, item),
                None => break,
            }
        }
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            for (index, item) in items.iter().enumerate() {
                if !seen.insert(canonical(item)) {
                    let (kind, words) = (IssueKind::DuplicateItem, "every item once");
                    self.issue_at(Step::Index(index), kind, words, "the same item again");
                    fits = false;
                }
            }
        }
        if let Some(schema) = map.get("contains") {
            let count = items.iter().filter(|item| self.fits(schema, item)).count();
            let least = end("minContains").unwrap_or(1);
            if !within(count as u64, Some(least), end("maxContains")) {
                let ends = (Some(least), end("maxContains"));
                let words = format!("an array with {}", self.words(schema));
                self.wrong_count(&words, "such item", ends, count);
                fits = false;
            }
        }
        fits
    }

    fn entries_fit(&mut self, map: &'s Map<String, Value>, entries: &Map<String, Value>) -> bool {
        let properties = map.get("properties").and_then(Value::as_object);
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let rest = map.get("additionalProperties");
        let end = |key| map.get(key).and_then(count);
        let ends = (end("minProperties"), end("maxProperties"));
        let mut fits = within(entries.len() as u64, ends.0, ends.1);
        if !fits {
            self.wrong_count("an object", "key", ends, entries.len());
        }
        let mut unknown: Vec<&str> = Vec::new();
        for (key, value) in entries {
            let step = || Step::Key(key.clone());
            if let Some(names) = map.get("propertyNames") {
                fits &= self.below(step(), names, &Value::String(key.clone()));
            }
            let own = properties.and_then(|properties| properties.get(key));
            let mut known = own.is_some();
            if let Some(schema) = own {
                fits &= self.below(step(), schema, value);
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                match self.root.pattern(pattern) {
                    Some(regex) if !regex.is_match(key) => {}
                    Some(_) => {
                        known = true;
                        fits &= self.below(step(), schema, value);
                    }
                    // It cannot be said whether the key is meant, so it is let through.
                    None => known = true,
                }
            }
            match rest {
                _ if known => {}
                Some(Value::Bool(false)) => unknown.push(key),
                Some(schema) => fits &= self.below(step(), schema, value),
                None => {}
            }
        }
        fits &= unknown.is_empty();
        if self.issues.is_some() && !unknown.is_empty() {
            let names = properties.into_iter().flat_map(Map::keys);
            let names: Vec<&str> = names.map(String::as_str).collect();
            for key in unknown.into_iter().take(STRANGERS) {
                let issue = unknown_key(self.path().join(Step::Key(key.to_owned())), &names);
                self.push(issue);
            }
        }
        self.required_are_there(map, properties, entries) && fits
    }

    fn required_are_there(
        &mut self,
        map: &'s Map<String, Value>,
        properties: Option<&'s Map<String, Value>>,
        entries: &Map<String, Value>,
    ) -> bool {
        let mut names = texts(map.get("required"));
        let dependent = map.get("dependentRequired").and_then(Value::as_object);
        for (key, needed) in dependent.into_iter().flatten() {
            if entries.contains_key(key) {
                names.extend(texts(Some(needed)));
            }
        }
        names.retain(|name| !entries.contains_key(*name));
        for name in &names {
            let schema = properties.and_then(|properties| properties.get(*name));
            let words = match schema {
                Some(schema) if self.issues.is_some() => described(&self.root.part(schema)),
                _ => "any value".to_owned(),
            };
            self.issue_at(Step::Key((*name).to_owned()), IssueKind::Missing, words, "");
        }
        names.is_empty()
    }
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}
