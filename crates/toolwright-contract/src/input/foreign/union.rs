//! One of several forms, all of several rules, references.

use serde_json::{Map, Value};

use super::{
    check::{Check, equal},
    place::Place,
};
use crate::{
    policy::Policy,
    read::at::State,
    report::IssueKind,
    schema::foreign::{expected_by, is_of, types},
};

/// How many references in a row are followed to see what a form is.
const HOPS: usize = 8;

impl<'s> Check<'s> {
    /// What a schema says through other schemas.
    pub(super) fn forms(
        &mut self,
        schema: &'s Value,
        map: &'s Map<String, Value>,
        value: &Value,
        at: &Place<'_>,
    ) -> bool {
        let mut fits = true;
        if let Some(Value::String(reference)) = map.get("$ref")
            && let Some(target) = self.root.resolve(reference)
        {
            fits &= self.node(target, value, at);
        }
        if let Some(Value::Array(members)) = map.get("allOf") {
            for member in members {
                fits &= self.node(member, value, at);
            }
        }
        if let Some(Value::Array(members)) = map.get("anyOf") {
            fits &= self.one_of(schema, members, value, at, false);
        }
        if let Some(Value::Array(members)) = map.get("oneOf") {
            fits &= self.one_of(schema, members, value, at, true);
        }
        if let Some(refused) = map.get("not")
            && self.fits(refused, value, at)
        {
            let words = format!("not accepted here: {}", expected_by(refused, self.root));
            self.issue(at, IssueKind::Invalid, words, "", None);
            fits = false;
        }
        if let Some(test) = map.get("if") {
            let branch = if self.fits(test, value, at) {
                "then"
            } else {
                "else"
            };
            if let Some(branch) = map.get(branch) {
                fits &= self.node(branch, value, at);
            }
        }
        if let (Some(Value::Object(schemas)), Value::Object(entries)) =
            (map.get("dependentSchemas"), value)
        {
            for (key, schema) in schemas {
                if entries.contains_key(key) {
                    fits &= self.node(schema, value, at);
                }
            }
        }
        fits
    }

    /// Whether a value fits, without a word about it.
    pub(super) fn fits(&mut self, schema: &'s Value, value: &Value, at: &Place<'_>) -> bool {
        self.aside(Policy::exact().with_max_issues(0), |check| {
            check.node(schema, value, at)
        })
        .0
    }

    /// Looks at something on another account.
    pub(super) fn aside<R>(
        &mut self,
        policy: Policy,
        look: impl FnOnce(&mut Self) -> R,
    ) -> (R, State) {
        let own = std::mem::replace(&mut self.state, State::new(&policy));
        let out = look(self);
        (out, std::mem::replace(&mut self.state, own))
    }

    fn one_of(
        &mut self,
        schema: &'s Value,
        members: &'s [Value],
        value: &Value,
        at: &Place<'_>,
        only: bool,
    ) -> bool {
        let mut fits = 0;
        for member in members {
            fits += usize::from(self.fits(member, value, at));
            if fits > usize::from(only) {
                break;
            }
        }
        if fits == 1 {
            return true;
        }
        if fits != 0 {
            let words = format!("{}: exactly one of these", expected_by(schema, self.root));
            let found = format!("{}, which fits more than one", self.found(value, at));
            self.issue(at, IssueKind::NoVariant, words, found, None);
            return false;
        }
        if let Value::Object(entries) = value
            && let Some(tagged) = self.tag(members)
        {
            self.tagged(&tagged, entries, value, at);
            return false;
        }
        // The form of the same type says best what is wrong.
        let mut best: Option<State> = None;
        for member in members {
            if !self.same_form(member, value) {
                continue;
            }
            let policy = self.state.policy;
            let (_, state) = self.aside(policy, |check| check.node(member, value, at));
            if best
                .as_ref()
                .is_none_or(|best| state.issues.len() < best.issues.len())
            {
                best = Some(state);
            }
        }
        match best {
            Some(state) => self.state.take_issues(state),
            None => self.fault(at, IssueKind::NoVariant, schema, value, None),
        }
        false
    }

    /// The schema behind its references.
    pub(super) fn target(&self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        for _ in 0..HOPS {
            match schema.get("$ref").and_then(Value::as_str) {
                Some(reference) => match self.root.resolve(reference) {
                    Some(target) => schema = target,
                    None => break,
                },
                None => break,
            }
        }
        schema
    }

    fn same_form(&self, member: &'s Value, value: &Value) -> bool {
        let Value::Object(map) = self.target(member) else {
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

    /// The property whose value tells the forms apart, and each form with its value.
    fn tag(&self, members: &'s [Value]) -> Option<Tagged<'s>> {
        let properties = |member| self.target(member).get("properties")?.as_object();
        let first = properties(members.first()?)?;
        first.keys().find_map(|key| {
            let mut forms: Vec<(&'s Value, &'s Value)> = Vec::new();
            for member in members {
                let name = constant(properties(member)?.get(key)?)?;
                if forms.iter().any(|(_, other)| equal(other, name)) {
                    return None;
                }
                forms.push((member, name));
            }
            (forms.len() > 1).then_some(Tagged { key, forms })
        })
    }

    /// Reports what is wrong with an object whose form is told by a property.
    fn tagged(
        &mut self,
        tagged: &Tagged<'s>,
        entries: &Map<String, Value>,
        value: &Value,
        at: &Place<'_>,
    ) {
        let here = at.key(tagged.key);
        let names: Vec<Value> = tagged
            .forms
            .iter()
            .map(|(_, name)| (*name).clone())
            .collect();
        match entries.get(tagged.key) {
            None => {
                let words = crate::schema::foreign::list_of(&names);
                self.issue(&here, IssueKind::Missing, words, "", None);
            }
            Some(given) => {
                let form = tagged.forms.iter().find(|(_, name)| equal(name, given));
                match form {
                    Some((form, _)) => {
                        self.node(form, value, at);
                    }
                    None => self.not_a_choice(&names, given, &here),
                }
            }
        }
    }
}

struct Tagged<'s> {
    key: &'s str,
    forms: Vec<(&'s Value, &'s Value)>,
}

/// The only value of a schema.
fn constant(schema: &Value) -> Option<&Value> {
    schema.get("const").or_else(|| match schema.get("enum") {
        Some(Value::Array(values)) if values.len() == 1 => values.first(),
        _ => None,
    })
}
