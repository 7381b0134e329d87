//! The parts of a value that no other keyword evaluates: `unevaluatedProperties` and `unevaluatedItems`.

use serde_json::{Map, Value};

use super::{Check, NESTED};
use crate::{
    report::{IssueKind, Step},
    schema::foreign::{dependents, positions},
};

impl<'s> Check<'s> {
    /// Checks the parts of a fitting value that the other keywords do not evaluate.
    pub(super) fn unevaluated_faults(
        &mut self,
        map: &'s Map<String, Value>,
        value: &Value,
    ) -> usize {
        let (keyword, length) = match value {
            Value::Array(items) => ("unevaluatedItems", items.len()),
            Value::Object(entries) => ("unevaluatedProperties", entries.len()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
        };
        let Some(rest) = map.get(keyword).filter(|rest| **rest != Value::Bool(true)) else {
            return 0;
        };
        let mut seen = vec![false; length];
        self.evaluate(map, value, &mut seen);
        if self.fuel == 0 {
            return self.too_long();
        }
        let parts: Vec<(Step, &Value)> = match value {
            Value::Array(items) => {
                let steps = items.iter().enumerate();
                steps
                    .map(|(index, item)| (Step::Index(index), item))
                    .collect()
            }
            Value::Object(entries) => {
                let steps = entries.iter();
                steps
                    .map(|(key, part)| (Step::Key(key.clone()), part))
                    .collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
        };
        let unseen = parts.into_iter().zip(seen).filter(|(_, seen)| !seen);
        let mut faults = 0;
        for ((step, part), _) in unseen {
            faults += match (rest, &step) {
                (Value::Bool(false), Step::Key(_)) => {
                    let words = "a parameter that a form of this object declares";
                    self.issue_at(step, IssueKind::UnknownKey, words, "")
                }
                _ => self.below(step, rest, part),
            };
        }
        faults
    }

    /// Notes which parts of a value the keywords of a schema evaluate, including those of its forms.
    fn evaluate(&mut self, map: &'s Map<String, Value>, value: &Value, seen: &mut [bool]) {
        if self.nested >= NESTED || self.fuel == 0 {
            self.fuel = 0;
            return;
        }
        self.fuel -= 1;
        self.nested += 1;
        match value {
            Value::Array(items) => self.evaluate_items(map, items, seen),
            Value::Object(entries) => self.evaluate_entries(map, entries, seen),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        let target = map.get("$ref").and_then(Value::as_str);
        if let Some(target) = target.and_then(|reference| self.root.resolve(reference)) {
            self.evaluate_form(target, value, seen);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let members = map.get(keyword).and_then(Value::as_array);
            for member in members.into_iter().flatten() {
                self.evaluate_form(member, value, seen);
            }
        }
        if let Some(test) = map.get("if") {
            let branch = if self.count(test, value) == 0 {
                self.evaluate_form(test, value, seen);
                "then"
            } else {
                "else"
            };
            if let Some(branch) = map.get(branch) {
                self.evaluate_form(branch, value, seen);
            }
        }
        if let Value::Object(entries) = value {
            for form in dependents(map, "dependentSchemas", entries) {
                self.evaluate_form(form, value, seen);
            }
        }
        self.nested -= 1;
    }

    /// Notes the parts that a form evaluates, if the value fits the form.
    fn evaluate_form(&mut self, form: &'s Value, value: &Value, seen: &mut [bool]) {
        let Value::Object(map) = form else { return };
        if self.count(form, value) > 0 {
            return;
        }
        let keyword = if value.is_array() {
            "unevaluatedItems"
        } else {
            "unevaluatedProperties"
        };
        if map.contains_key(keyword) {
            seen.fill(true);
        } else {
            self.evaluate(map, value, seen);
        }
    }

    fn evaluate_items(&mut self, map: &'s Map<String, Value>, items: &[Value], seen: &mut [bool]) {
        let (firsts, rest) = positions(map);
        let contains = map.get("contains");
        for (index, (item, seen)) in items.iter().zip(seen).enumerate() {
            *seen |= index < firsts.len()
                || rest.is_some()
                || contains.is_some_and(|schema| self.count(schema, item) == 0);
        }
    }

    fn evaluate_entries(
        &self,
        map: &Map<String, Value>,
        entries: &Map<String, Value>,
        seen: &mut [bool],
    ) {
        let properties = map.get("properties").and_then(Value::as_object);
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let takes_all = map.contains_key("additionalProperties");
        // A pattern that does not compile may mean any key.
        let is_meant = |pattern: &str, key: &str| {
            let regex = self.root.pattern(pattern);
            regex.is_none_or(|regex| regex.is_match(key))
        };
        for ((key, _), seen) in entries.iter().zip(seen) {
            let mut patterns = patterns.into_iter().flatten();
            *seen |= takes_all
                || properties.is_some_and(|properties| properties.contains_key(key))
                || patterns.any(|(pattern, _)| is_meant(pattern, key));
        }
    }
}
