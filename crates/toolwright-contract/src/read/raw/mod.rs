//! Checks a value against a JSON Schema as it was written, for the keywords that the tree cannot hold, such
//! as `not`, `if` and `allOf`.
//!
//! Understood are `type`, `enum`, `const`, `properties`, `patternProperties`, `required`,
//! `additionalProperties`, `propertyNames`, `minProperties`, `maxProperties`, `dependentRequired`,
//! `dependentSchemas`, `items`, `prefixItems`, `contains`, `minItems`, `maxItems`, `uniqueItems`, the rules
//! of numbers and strings, `$ref` into the schema itself, `allOf`, `anyOf`, `oneOf`, `not` and `if`. Formats
//! are hints, as in JSON Schema 2020-12. A `pattern` that does not compile, `unevaluatedProperties` and
//! `unevaluatedItems` are not checked.

mod kinds;
mod values;

use std::{borrow::Cow, collections::HashMap};

use serde_json::{Map, Value};

use super::{
    any::{count_values, found},
    at::At,
    list::count_words,
};
use crate::{
    report::{Issue, IssueKind, Path, Step, is_secret_at},
    schema::{
        ForeignSchema, expected,
        foreign::{is_of, types},
        listed, range,
    },
};

/// How many nodes are looked at for any value, and how many more for each value inside it.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;
/// How deep schemas are followed, references and forms counted; values are less deep than that.
const NESTED: usize = 400;
/// How many references in a row are followed to see what a form is.
const HOPS: usize = 8;

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
        known: HashMap::new(),
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
    /// The issues so far; `None` while only the verdict counts.
    issues: Option<Vec<Issue>>,
    /// How many more nodes are looked at: forms within forms could cost any time.
    fuel: usize,
    nested: usize,
    /// Which objects and arrays follow which parts of the schema, by address: forms within forms are asked about the
    /// same value again and again.
    known: HashMap<(usize, usize), bool>,
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
        let place = (value.is_object() || value.is_array()).then(|| {
            let (schema, value): (*const Value, *const Value) = (schema, value);
            (schema.addr(), value.addr())
        });
        // What does not follow is looked at again where its faults are to be told.
        let known = place.and_then(|place| self.known.get(&place));
        if let Some(known) = known.filter(|known| **known || self.issues.is_none()) {
            return *known;
        }
        self.fuel -= 1;
        self.nested += 1;
        let fits = value.is_null() && map.get("nullable") == Some(&Value::Bool(true))
            || self.type_fits(schema, map, value)
                && self.is_choice(schema, map, value)
                && self.kind_fits(schema, map, value) & self.forms_fit(schema, map, value);
        self.nested -= 1;
        if let Some(place) = place {
            self.known.insert(place, fits);
        }
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

    /// Checks the keywords that hold other schemas.
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
    fn words(&self, schema: &Value) -> Cow<'static, str> {
        if self.issues.is_none() {
            return Cow::Borrowed("");
        }
        let constant = schema.get("const").map(std::slice::from_ref);
        let values = schema.get("enum").and_then(Value::as_array);
        match values.map(Vec::as_slice).or(constant) {
            Some(values) => listed(values).into(),
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
        let words = format!("{of}{}", range(ends.0, ends.1, unit));
        let found = if unit == "item" {
            count_words(count)
        } else {
            count.to_string()
        };
        self.issue(IssueKind::ItemCount, words, found);
    }

    fn issue(
        &mut self,
        kind: IssueKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) {
        if self.issues.is_some() {
            let issue = Issue::new(self.path(), kind, expected, found);
            self.push(issue);
        }
    }

    fn issue_at(
        &mut self,
        step: Step,
        kind: IssueKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
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
