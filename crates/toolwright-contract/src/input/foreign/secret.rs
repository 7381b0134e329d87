//! Which values a schema says are not to be shown: those that are `writeOnly` or a `password`, wherever in
//! the schema that stands.
//!
//! Asked only when something is reported, along the way to it. Of several forms every one counts, since
//! what does not fit may have been meant for any of them.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::place::Place;
use crate::{
    report::{Fix, Issue, Path, Report, Step, Told, in_fix},
    schema::{ForeignSchema, foreign::positions},
    text::NOT_SHOWN,
};

#[derive(Clone, Copy)]
pub(super) struct Secrets<'s> {
    root: &'s ForeignSchema,
    /// Whether anything in the schema may be secret.
    some: bool,
    /// Whether all of it is: the schema stands for a secret part of other arguments.
    all: bool,
}

/// How many schemas are looked at for one place; beyond these it is taken for secret.
const MOST: usize = 1_000;

/// Keywords whose schema, or whose schemas, hold at the same place.
const HERE: [&str; 4] = ["not", "if", "then", "else"];
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

impl<'s> Secrets<'s> {
    pub(super) fn new(root: &'s ForeignSchema, all: bool) -> Self {
        let text = root.as_str();
        Self {
            root,
            some: all || text.contains("\"writeOnly\"") || text.contains("\"password\""),
            all,
        }
    }

    /// Whether the value at a place must not be shown.
    #[cold]
    pub(super) fn hides(&self, at: &Place<'_>) -> bool {
        self.some && self.along(&at.steps()).secret
    }

    /// Takes out what is not to be told, of paths whose first steps lead to the schema.
    #[cold]
    pub(super) fn out_of(&self, issues: &mut [Issue], fixes: &mut [Fix], base: usize) {
        if !self.some {
            return;
        }
        let look = |path: &Path| {
            let (before, steps) = path.steps().split_at_checked(base).unwrap_or_default();
            let mut told = self.along(steps);
            told.path = told.path.map(|path| {
                let before = before.iter().cloned();
                before.chain(path.steps().iter().cloned()).collect()
            });
            told
        };
        for issue in issues {
            if issue.quotes_text() {
                issue.hide_text();
            }
            if let Some(path) = look(&issue.path).path {
                issue.path = path;
            }
        }
        for fix in fixes {
            in_fix(fix, look);
        }
    }

    /// The same for what was said before the schema was looked at.
    pub(super) fn out_of_report(&self, mut report: Report) -> Report {
        self.out_of(&mut report.issues, &mut [], 0);
        report
    }

    /// Follows a way; the path to show has not the keys that a model chose inside of a secret.
    fn along(&self, steps: &[Step]) -> Told {
        let mut secret = self.all;
        let mut hidden = false;
        let mut shown = Vec::new();
        let mut here = self.all_at([self.root.value()], &mut secret);
        for step in steps {
            let mut next = Vec::new();
            let mut declared = false;
            for map in &here {
                declared |= self.go(map, step, &mut next);
            }
            shown.push(match step {
                Step::Key(_) if secret && !declared => {
                    hidden = true;
                    Step::Key(NOT_SHOWN.to_owned())
                }
                step => step.clone(),
            });
            here = self.all_at(next, &mut secret);
        }
        Told {
            secret,
            path: hidden.then(|| shown.into_iter().collect()),
        }
    }

    /// Every schema that holds, or may hold, where these do.
    fn all_at(
        &self,
        schemas: impl IntoIterator<Item = &'s Value>,
        secret: &mut bool,
    ) -> Vec<&'s Map<String, Value>> {
        let mut open: Vec<&'s Value> = schemas.into_iter().collect();
        let mut seen = HashSet::new();
        let mut out = Vec::new();
        while let Some(schema) = open.pop() {
            let Value::Object(map) = schema else { continue };
            if !seen.insert(std::ptr::from_ref(map)) {
                continue;
            }
            if out.len() == MOST {
                *secret = true;
                break;
            }
            out.push(map);
            *secret |= map.get("writeOnly") == Some(&Value::Bool(true))
                || map.get("format").and_then(Value::as_str) == Some("password");
            let target = map.get("$ref").and_then(Value::as_str);
            open.extend(target.and_then(|reference| self.root.resolve(reference)));
            open.extend(HERE.iter().filter_map(|keyword| map.get(*keyword)));
            let lists = LISTS
                .iter()
                .filter_map(|keyword| map.get(*keyword)?.as_array());
            open.extend(lists.flatten());
            let dependent = map.get("dependentSchemas").and_then(Value::as_object);
            open.extend(dependent.into_iter().flat_map(Map::values));
        }
        out
    }

    /// One step down; whether its key is one that the schema names.
    fn go(&self, map: &'s Map<String, Value>, step: &Step, next: &mut Vec<&'s Value>) -> bool {
        let key = match step {
            Step::Key(key) => key,
            Step::Index(index) => {
                let (firsts, rest) = positions(map);
                next.extend(firsts.get(*index).or(rest));
                next.extend(map.get("contains"));
                return false;
            }
        };
        let own = map.get("properties").and_then(|all| all.get(key));
        next.extend(own);
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        for (pattern, schema) in patterns.into_iter().flatten() {
            let matches = self.root.pattern(pattern);
            if matches.is_none_or(|pattern| pattern.is_match(key)) {
                next.push(schema);
            }
        }
        if own.is_none() {
            next.extend(map.get("additionalProperties"));
        }
        own.is_some()
    }
}
