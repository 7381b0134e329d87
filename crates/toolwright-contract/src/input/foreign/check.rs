//! The walk of schema and value together.

use serde_json::{Map, Value};

use super::{place::Place, secret::Secrets};
use crate::{
    read::{
        any::{canonical, found},
        at::State,
        keys::unknown_key,
    },
    report::{Issue, IssueKind},
    schema::{
        ForeignSchema,
        foreign::{expected_by, is_of, list_of, type_of, types},
    },
    text::{cut, nearest, quoted},
    types::EXACT,
};

pub(super) struct Check<'s> {
    pub(super) root: &'s ForeignSchema,
    secrets: Secrets<'s>,
    pub(super) state: State,
    /// How many more nodes are looked at; forms within forms could cost any time.
    fuel: usize,
    nested: usize,
    /// An empty text is a value of an optional parameter where the schema takes it.
    pub(super) keep_empty: bool,
}

/// How many nodes are looked at for any value, and how many more for each value inside it.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;
/// How deep schemas are followed, references and forms counted; values are less deep than that.
const NESTED: usize = 400;
/// How many unknown keys of one object are remembered.
const STRANGERS: usize = 16;

impl<'s> Check<'s> {
    pub(super) fn new(
        root: &'s ForeignSchema,
        secrets: Secrets<'s>,
        state: State,
        value: &Value,
    ) -> Self {
        Self {
            root,
            secrets,
            state,
            fuel: values(value).saturating_mul(FUEL_EACH).saturating_add(FUEL),
            nested: 0,
            keep_empty: false,
        }
    }

    /// Whether a value fits a schema; what does not fit is reported.
    pub(super) fn node(&mut self, schema: &'s Value, value: &Value, at: &Place<'_>) -> bool {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => {
                let words = "no value is accepted here";
                self.issue(at, IssueKind::Invalid, words, "", None);
                return false;
            }
            _ => return true,
        };
        let Some(fits) = self.enter(|check| check.object_schema(schema, map, value, at)) else {
            let words = "checking this takes too long; send something simpler";
            self.issue(at, IssueKind::Invalid, words, "", None);
            return false;
        };
        fits
    }

    /// Goes one schema deeper, unless that is too deep or too much.
    pub(super) fn enter<R>(&mut self, go: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.nested >= NESTED {
            return None;
        }
        self.fuel = self.fuel.checked_sub(1)?;
        self.nested += 1;
        let out = go(self);
        self.nested -= 1;
        Some(out)
    }

    fn object_schema(
        &mut self,
        schema: &'s Value,
        map: &'s Map<String, Value>,
        value: &Value,
        at: &Place<'_>,
    ) -> bool {
        if !self.is_of_type(schema, map, value, at) || !self.is_choice(map, value, at) {
            return false;
        }
        let own = match value {
            Value::Number(number) => self.number(schema, map, number, at),
            Value::String(text) => self.text(schema, map, text, at),
            Value::Array(items) => self.array(schema, map, items, at),
            Value::Object(entries) => self.entries(map, entries, at),
            Value::Null | Value::Bool(_) => true,
        };
        let forms = self.forms(schema, map, value, at);
        own && forms
    }

    /// Whether a number or a boolean would do as a text.
    fn fits_in_quotes(&self, schema: &Value, value: &Value, at: &Place<'_>) -> bool {
        if !(value.is_number() || value.is_boolean()) {
            return false;
        }
        let text = Value::String(value.to_string());
        let state = State::new(&self.state.policy);
        Check::new(self.root, self.secrets, state, &text).node(schema, &text, at)
    }

    fn is_of_type(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        value: &Value,
        at: &Place<'_>,
    ) -> bool {
        let names = types(map);
        if names.is_empty() {
            return true;
        }
        if !names.iter().any(|name| is_of(value, name)) {
            let kind = if at.is_root() && names.contains(&"object") {
                IssueKind::NotAnObject
            } else {
                IssueKind::WrongType
            };
            let hint = (names.as_slice() == ["string"] && self.fits_in_quotes(schema, value, at))
                .then(|| "put it in quotes".to_owned());
            self.fault(at, kind, schema, value, hint);
            return false;
        }
        // The digits of the text are lost already; to go on would be a guess.
        let inexact = match value {
            Value::Number(number) if number.is_f64() && !names.contains(&"number") => {
                number.as_f64().is_some_and(|float| float.abs() > EXACT)
            }
            _ => false,
        };
        if inexact {
            self.fault(at, IssueKind::OutOfRange, schema, value, None);
        }
        !inexact
    }

    fn is_choice(&mut self, map: &Map<String, Value>, value: &Value, at: &Place<'_>) -> bool {
        let constant = map.get("const").map(std::slice::from_ref);
        let listed = map.get("enum").and_then(Value::as_array).map(Vec::as_slice);
        for values in [listed, constant].into_iter().flatten() {
            if !values.iter().any(|choice| equal(choice, value)) {
                self.not_a_choice(values, value, at);
                return false;
            }
        }
        true
    }

    /// Reports a value outside a list, with the nearest one of it.
    pub(super) fn not_a_choice(&mut self, values: &[Value], value: &Value, at: &Place<'_>) {
        let kind = if values.iter().any(|choice| is_of(value, type_of(choice))) {
            IssueKind::NotAChoice
        } else {
            IssueKind::WrongType
        };
        let hint = value
            .as_str()
            .filter(|_| !self.hides(at))
            .and_then(|text| nearest(text, values.iter().filter_map(Value::as_str)))
            .map(|name| format!("did you mean {}?", quoted(name)));
        let found = self.found(value, at);
        self.issue(at, kind, list_of(values), found, hint);
    }

    fn entries(
        &mut self,
        map: &'s Map<String, Value>,
        entries: &Map<String, Value>,
        at: &Place<'_>,
    ) -> bool {
        let properties = map.get("properties").and_then(Value::as_object);
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let rest = map.get("additionalProperties");
        let mut fits = self.entry_counts(map, entries, at);
        let mut strangers: Vec<&str> = Vec::new();
        let mut unknown: Vec<&str> = Vec::new();
        for (key, value) in entries {
            let here = at.key(key);
            if let Some(names) = map.get("propertyNames") {
                fits &= self.node(names, &Value::String(key.clone()), &here);
            }
            let mut known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(key)) {
                known = true;
                fits &= self.node(schema, value, &here);
            } else if strangers.len() < STRANGERS {
                strangers.push(key);
            }
            for (pattern, schema) in patterns.into_iter().flatten() {
                match self.root.pattern(pattern) {
                    Some(regex) if !regex.is_match(key) => {}
                    Some(_) => {
                        known = true;
                        fits &= self.node(schema, value, &here);
                    }
                    // It cannot be said whether the key is meant, so it is let through.
                    None => known = true,
                }
            }
            match rest {
                _ if known => {}
                Some(Value::Bool(false)) => unknown.push(key),
                Some(schema) => fits &= self.node(schema, value, &here),
                None => {}
            }
        }
        fits &= self.required(map, properties, entries, &strangers, at);
        if !unknown.is_empty() {
            let names: Vec<&str> = properties
                .into_iter()
                .flat_map(|properties| properties.keys().map(String::as_str))
                .collect();
            for key in unknown.iter().take(STRANGERS) {
                let mut issue = unknown_key(at.key(key).path(), &names);
                if let Some(name) = nearest(key, names.iter().copied()) {
                    issue.hint = Some(format!("did you mean `{name}`?"));
                }
                self.state.push(issue);
            }
            self.state.omitted += unknown.len().saturating_sub(STRANGERS);
            fits = false;
        }
        fits
    }

    fn required(
        &mut self,
        map: &Map<String, Value>,
        properties: Option<&Map<String, Value>>,
        entries: &Map<String, Value>,
        strangers: &[&str],
        at: &Place<'_>,
    ) -> bool {
        let mut fits = true;
        let names = map.get("required").and_then(Value::as_array);
        let mut names: Vec<&str> = names
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let dependent = map.get("dependentRequired").and_then(Value::as_object);
        for (key, needed) in dependent.into_iter().flatten() {
            if entries.contains_key(key) {
                let needed = needed.as_array().into_iter().flatten();
                names.extend(needed.filter_map(Value::as_str));
            }
        }
        for (index, name) in names.iter().enumerate() {
            if entries.contains_key(*name) || names.iter().take(index).any(|other| other == name) {
                continue;
            }
            fits = false;
            let schema = properties.and_then(|properties| properties.get(*name));
            let mut words = schema.map_or_else(
                || "any value".to_owned(),
                |schema| expected_by(schema, self.root),
            );
            let said = schema.and_then(|schema| schema.get("description")?.as_str());
            if let Some(said) = said.filter(|said| !said.is_empty()) {
                words = format!("{words} ({})", cut(said, 120));
            }
            let hint = strangers
                .iter()
                .find(|stranger| nearest(stranger, [*name]).is_some())
                .map(|stranger| {
                    let stranger = cut(stranger, 64);
                    format!("`{stranger}` was given: rename it to `{name}`")
                });
            self.issue(&at.key(name), IssueKind::Missing, words, "", hint);
        }
        fits
    }

    /// Whether the value at a place must not be shown.
    pub(super) fn hides(&self, at: &Place<'_>) -> bool {
        // What is not kept need not be looked for: forms are tried without a word, and there may be many.
        let most = self.state.policy.max_issues();
        let kept = self.state.issues.len().max(self.state.fixes.len()) < most;
        !kept || self.secrets.hides(at)
    }

    /// A value in words, as far as it may be shown.
    pub(super) fn found(&self, value: &Value, at: &Place<'_>) -> String {
        found(value, self.hides(at))
    }

    /// Reports a value that its schema does not accept.
    pub(super) fn fault(
        &mut self,
        at: &Place<'_>,
        kind: IssueKind,
        schema: &Value,
        value: &Value,
        hint: Option<String>,
    ) {
        let words = expected_by(schema, self.root);
        let found = self.found(value, at);
        self.issue(at, kind, words, found, hint);
    }

    pub(super) fn issue(
        &mut self,
        at: &Place<'_>,
        kind: IssueKind,
        expected: impl Into<String>,
        found: impl Into<String>,
        hint: Option<String>,
    ) {
        let mut issue = Issue::new(at.path(), kind, expected, found);
        issue.hint = hint;
        // Parts of `allOf` can say the same twice.
        if !self.state.issues.contains(&issue) {
            self.state.push(issue);
        }
    }
}

/// Whether two values are the same in the sense of JSON Schema, where 1 is 1.0.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    use Value::{Array, Number, Object};
    let may_differ_in_form = matches!(
        (a, b),
        (Number(_), Number(_)) | (Array(_), Array(_)) | (Object(_), Object(_))
    );
    a == b || (may_differ_in_form && canonical(a) == canonical(b))
}

/// How many values there are in one, itself counted.
fn values(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(values).sum::<usize>() + 1,
        Value::Object(entries) => entries.values().map(values).sum::<usize>() + 1,
        _ => 1,
    }
}
