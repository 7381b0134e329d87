//! What the tree of a schema cannot say, such as `not`, `if` and `allOf`: a value that was read is held
//! against the schema as it was written.
//!
//! Understood are `type`, `enum`, `const`, `properties`, `patternProperties`, `required`,
//! `additionalProperties`, `propertyNames`, `minProperties`, `maxProperties`, `dependentRequired`,
//! `dependentSchemas`, `items`, `prefixItems`, `contains`, `minItems`, `maxItems`, `uniqueItems`, the rules
//! of numbers and strings, `$ref` into the schema itself, `allOf`, `anyOf`, `oneOf`, `not` and `if`. Formats
//! are hints, as in JSON Schema 2020-12. A `pattern` that does not compile, `unevaluatedProperties` and
//! `unevaluatedItems` are not checked.

use std::{cmp::Ordering, collections::HashSet};

use serde_json::{Map, Number, Value};

use super::{
    any::{canonical, found, whole},
    at::At,
    keys::unknown_key,
    list::count_words,
};
use crate::{
    report::{Issue, IssueKind, Path, Step, is_secret_at},
    schema::{
        Decimal, ForeignSchema, Held, described, expected,
        foreign::{count, is_of, positions, type_of, types},
        listed,
    },
    types::{EXACT, is_multiple, is_whole_multiple, whole_order},
};

/// How many nodes are looked at for any value, and how many more for each value inside it.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;
/// How deep schemas are followed, references and forms counted; values are less deep than that.
const NESTED: usize = 400;
/// How many references in a row are followed to see what a form is.
const HOPS: usize = 8;
/// How many unknown keys of one object are told.
const STRANGERS: usize = 16;

/// Whether a value follows a schema; what does not is reported.
pub(super) fn follows(root: &ForeignSchema, value: &Value, at: &mut At<'_>) -> bool {
    let mut check = Check {
        root,
        base: at.path(),
        secret: at.secret(),
        steps: Vec::new(),
        issues: Some(Vec::new()),
        fuel: count_values(value)
            .saturating_mul(FUEL_EACH)
            .saturating_add(FUEL),
        nested: 0,
    };
    let follows = check.node(root.value(), value);
    for issue in check.issues.unwrap_or_default() {
        at.state().push(issue);
    }
    follows
}

struct Check<'s> {
    root: &'s ForeignSchema,
    base: Path,
    /// All of the value is secret.
    secret: bool,
    /// The way from the value to the place that is looked at.
    steps: Vec<Step>,
    /// What is reported; `None` while only the verdict counts.
    issues: Option<Vec<Issue>>,
    /// How many more nodes are looked at: forms within forms could cost any time.
    fuel: usize,
    nested: usize,
}

impl<'s> Check<'s> {
    fn node(&mut self, schema: &'s Value, value: &Value) -> bool {
        let Value::Object(map) = schema else {
            let takes = *schema != Value::Bool(false);
            if !takes {
                self.issue(IssueKind::Invalid, "no value is accepted here", "");
            }
            return takes;
        };
        if self.nested >= NESTED || self.fuel == 0 {
            let words = "checking this takes too long; send something simpler";
            self.issue(IssueKind::Invalid, words, "");
            return false;
        }
        self.fuel -= 1;
        self.nested += 1;
        let fits = value.is_null() && map.get("nullable") == Some(&Value::Bool(true))
            || self.type_fits(schema, map, value)
                && self.is_choice(schema, map, value)
                && self.kind_fits(schema, map, value) & self.forms_fit(schema, map, value);
        self.nested -= 1;
        fits
    }

    /// Checks a value inside of the one at hand.
    fn below(&mut self, step: Step, schema: &'s Value, value: &Value) -> bool {
        self.steps.push(step);
        let fits = self.node(schema, value);
        self.steps.pop();
        fits
    }

    /// Whether a value fits, without a word about it.
    fn fits(&mut self, schema: &'s Value, value: &Value) -> bool {
        let issues = self.issues.take();
        let fits = self.node(schema, value);
        self.issues = issues;
        fits
    }

    fn type_fits(&mut self, schema: &Value, map: &Map<String, Value>, value: &Value) -> bool {
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

    fn is_choice(&mut self, schema: &Value, map: &Map<String, Value>, value: &Value) -> bool {
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

    fn kind_fits(&mut self, schema: &Value, map: &'s Map<String, Value>, value: &Value) -> bool {
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
        let names: Vec<&str> = properties
            .into_iter()
            .flat_map(|properties| properties.keys().map(String::as_str))
            .collect();
        for key in unknown.into_iter().take(STRANGERS) {
            let issue = unknown_key(self.path().join(Step::Key(key.to_owned())), &names);
            self.push(issue);
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

    /// What a schema says through other schemas.
    fn forms_fit(&mut self, schema: &'s Value, map: &'s Map<String, Value>, value: &Value) -> bool {
        let mut fits = true;
        let target = map.get("$ref").and_then(Value::as_str);
        if let Some(target) = target.and_then(|reference| self.root.resolve(reference)) {
            fits &= self.node(target, value);
        }
        for member in map
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            fits &= self.node(member, value);
        }
        for (keyword, only) in [("anyOf", false), ("oneOf", true)] {
            if let Some(members) = map.get(keyword).and_then(Value::as_array) {
                fits &= self.one_fits(schema, members, value, only);
            }
        }
        if let Some(refused) = map.get("not")
            && self.fits(refused, value)
        {
            let words = format!("not accepted here: {}", self.words(refused));
            self.issue(IssueKind::Invalid, words, "");
            fits = false;
        }
        if let Some(test) = map.get("if") {
            let branch = if self.fits(test, value) {
                "then"
            } else {
                "else"
            };
            if let Some(branch) = map.get(branch) {
                fits &= self.node(branch, value);
            }
        }
        if let (Some(Value::Object(schemas)), Value::Object(entries)) =
            (map.get("dependentSchemas"), value)
        {
            for (_, schema) in schemas.iter().filter(|(key, _)| entries.contains_key(*key)) {
                fits &= self.node(schema, value);
            }
        }
        fits
    }

    fn one_fits(
        &mut self,
        schema: &Value,
        members: &'s [Value],
        value: &Value,
        only: bool,
    ) -> bool {
        let mut fits = 0;
        for member in members {
            fits += usize::from(self.fits(member, value));
            if fits > usize::from(only) {
                break;
            }
        }
        if fits == 1 || fits > 0 && !only {
            return true;
        }
        let Some(before) = self.issues.take() else {
            return false;
        };
        // The form of the same type with the fewest faults says best what is wrong.
        let mut best: Option<Vec<Issue>> = None;
        for member in members.iter().filter(|_| fits == 0) {
            self.issues = Some(Vec::new());
            self.node(member, value);
            let issues = self.issues.take().unwrap_or_default();
            let is_near = self.has_form(member, value);
            if is_near && best.as_ref().is_none_or(|best| issues.len() < best.len()) {
                best = Some(issues);
            }
        }
        self.issues = Some(before);
        match best {
            Some(issues) => issues.into_iter().for_each(|issue| self.push(issue)),
            None if fits == 0 => self.fault(IssueKind::NoVariant, schema, value),
            None => {
                let words = format!("{}: exactly one of these", self.words(schema));
                let found = format!("{}, which fits more than one", self.found(value));
                self.issue(IssueKind::NoVariant, words, found);
            }
        }
        false
    }

    /// Whether a form is about values of this type.
    fn has_form(&self, member: &Value, value: &Value) -> bool {
        let mut form = member;
        for _ in 0..HOPS {
            let target = form.get("$ref").and_then(Value::as_str);
            match target.and_then(|reference| self.root.resolve(reference)) {
                Some(target) => form = target,
                None => break,
            }
        }
        let Value::Object(map) = form else {
            return false;
        };
        let names = types(map);
        if names.is_empty() {
            // Without a type it is about objects, unless it lists values.
            let lists = map.contains_key("enum") || map.contains_key("const");
            return value.is_object() && !lists;
        }
        names.iter().any(|name| is_of(value, name))
    }

    fn path(&self) -> Path {
        let steps = self.base.steps().iter().chain(&self.steps);
        steps.cloned().collect()
    }

    /// A schema in words.
    fn words(&self, schema: &Value) -> String {
        if self.issues.is_none() {
            return String::new();
        }
        let constant = schema.get("const").map(std::slice::from_ref);
        let values = schema.get("enum").and_then(Value::as_array);
        match values.map(Vec::as_slice).or(constant) {
            Some(values) => listed(values),
            None => expected(&self.root.part(schema)),
        }
    }

    /// A value in words, as far as it may be shown.
    fn found(&self, value: &Value) -> String {
        let steps: Path = self.steps.iter().cloned().collect();
        found(
            value,
            self.secret || is_secret_at(self.root.reading(), &steps),
        )
    }

    fn fault(&mut self, kind: IssueKind, schema: &Value, value: &Value) {
        if self.issues.is_some() {
            self.issue(kind, self.words(schema), self.found(value));
        }
    }

    fn wrong_count(
        &mut self,
        of: &str,
        unit: &str,
        ends: (Option<u64>, Option<u64>),
        count: usize,
    ) {
        let words = format!("{of}{}", crate::schema::range(ends.0, ends.1, unit));
        let found = if unit == "item" {
            count_words(count)
        } else {
            count.to_string()
        };
        self.issue(IssueKind::ItemCount, words, found);
    }

    fn issue(&mut self, kind: IssueKind, expected: impl Into<String>, found: impl Into<String>) {
        if self.issues.is_some() {
            let issue = Issue::new(self.path(), kind, expected, found);
            self.push(issue);
        }
    }

    fn issue_at(
        &mut self,
        step: Step,
        kind: IssueKind,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) {
        self.steps.push(step);
        self.issue(kind, expected, found);
        self.steps.pop();
    }

    /// Notes an issue, once: parts of `allOf` can say the same.
    fn push(&mut self, issue: Issue) {
        if let Some(issues) = &mut self.issues
            && !issues.contains(&issue)
        {
            issues.push(issue);
        }
    }
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

fn number_fits(map: &Map<String, Value>, number: &Number) -> bool {
    let end = |key, fits: fn(Ordering) -> bool| match map.get(key) {
        // A number that does not fit an `f64` is in no range.
        Some(Value::Number(end)) => compare(number, end).is_some_and(fits),
        _ => true,
    };
    end("minimum", Ordering::is_ge)
        && end("maximum", Ordering::is_le)
        && end("exclusiveMinimum", Ordering::is_gt)
        && end("exclusiveMaximum", Ordering::is_lt)
        && match map.get("multipleOf") {
            Some(Value::Number(step)) => multiple(number, step),
            _ => true,
        }
}

fn within(number: u64, min: Option<u64>, max: Option<u64>) -> bool {
    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
}

fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => Some(whole_order(a, b.as_f64()?)),
        (None, Some(b)) => Some(whole_order(b, a.as_f64()?).reverse()),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (whole(number), whole(step)) {
        return number.checked_rem(step) == Some(0);
    }
    let step = step.as_f64().map(|value| Decimal {
        value,
        text: Held::Static(""),
    });
    match (whole(number), number.as_f64(), step) {
        (Some(number), _, Some(step)) => is_whole_multiple(number, &step),
        (None, Some(number), Some(step)) => is_multiple(number, &step),
        _ => true,
    }
}

/// Whether two values are the same in the sense of JSON Schema, where 1 is 1.0.
fn equal(a: &Value, b: &Value) -> bool {
    use Value::{Array, Number, Object};
    let may_differ_in_form = matches!(
        (a, b),
        (Number(_), Number(_)) | (Array(_), Array(_)) | (Object(_), Object(_))
    );
    a == b || may_differ_in_form && canonical(a) == canonical(b)
}

fn count_values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count_values).sum(),
        Value::Object(entries) => entries.values().map(count_values).sum(),
        _ => 0,
    }
}
