//! Rules on the keys of an object.

use super::super::{
    checker::Checker,
    names::unknown_key_by_pattern,
    place::{PathStep, ValuePlace},
    scalar::quote_json,
    state::CheckState,
};
use super::faults::is_within;
use crate::{
    json::JsonDocument,
    report::IssueKind,
    schema::{
        ExtraRule, KeyPatterns, NOTHING, OtherKeys, Schema, are_crossed, described, expected, range,
    },
};

/// The most unknown keys of one object that are reported.
const UNKNOWN: usize = 16;

impl<'a> Checker<'a> {
    pub(super) fn follow_of_object(
        &mut self,
        rule: &'a ExtraRule,
        place: ValuePlace<'a>,
        is_good: bool,
    ) -> bool {
        let document = self.document;
        let node = place.node;
        let has = |name: &str| document.get(node, name).is_some();
        let mut follows = true;
        match rule {
            ExtraRule::KeyCount { min, max } => {
                let count = document.keys(node).count();
                if !is_within(count, *min, *max) {
                    follows = false;
                    if are_crossed(*min, *max) {
                        self.issue(IssueKind::Invalid, NOTHING, "");
                    } else {
                        let words = format!("an object{}", range(*min, *max, "key"));
                        self.issue(IssueKind::ItemCount, words, count.to_string());
                    }
                }
            }
            ExtraRule::KeyNames(schema) => {
                for key in document.keys(node) {
                    let name = document.string(key).unwrap_or_default();
                    if !self.name_fits(&name, schema, place) {
                        follows = false;
                        let names = expected(schema);
                        let words = format!("this name is not accepted; a name is {names}");
                        self.below(PathStep::Key(key), |check| {
                            check.issue(IssueKind::Invalid, words, "");
                        });
                    }
                }
            }
            ExtraRule::KeyPatterns(patterns) => follows = self.follow_patterns(patterns, place),
            ExtraRule::Without(names) => {
                for name in names.iter().filter(|name| has(name)) {
                    follows = false;
                    self.below(PathStep::Name(name), |check| {
                        check.issue(IssueKind::Invalid, NOTHING, "");
                    });
                }
            }
            ExtraRule::Needs(needs) => {
                for (_, names) in needs.iter().filter(|(key, _)| has(key)) {
                    for name in names.iter().filter(|name| !has(name)) {
                        follows = false;
                        self.missing_name(name);
                    }
                }
            }
            ExtraRule::WithKey(forms) => {
                for (_, form) in forms.iter().filter(|(key, _)| has(key)) {
                    follows &= self.report(node, form, place);
                }
            }
            ExtraRule::Unevaluated(unevaluated) if !unevaluated.items && is_good => {
                follows = self.follow_unevaluated(unevaluated, place);
            }
            _ => {}
        }
        follows
    }

    fn follow_patterns(&mut self, rules: &'a KeyPatterns, place: ValuePlace<'a>) -> bool {
        let document = self.document;
        let mut follows = true;
        let mut unknown = Vec::new();
        for key in document.keys(place.node) {
            let name = document.string(key).unwrap_or_default();
            let mut is_known = rules.names.iter().any(|known| **known == *name);
            for pattern in &rules.patterns {
                if pattern.compiled.is_match(&name) {
                    is_known = true;
                    follows &= self.below(PathStep::Key(key), |check| {
                        check.report(key + 1, &pattern.values, place)
                    });
                }
            }
            if is_known {
                self.declare(key);
                continue;
            }
            match &rules.rest {
                OtherKeys::Open => {}
                OtherKeys::Closed => unknown.push(name),
                OtherKeys::Values(schema) => {
                    follows &= self.below(PathStep::Key(key), |check| {
                        check.report(key + 1, schema, place)
                    });
                }
            }
        }
        let names: Vec<&str> = rules.names.iter().map(String::as_str).collect();
        let patterns = rules.patterns.iter().map(|pattern| &*pattern.text);
        let patterns: Vec<&str> = patterns.collect();
        for name in unknown.iter().take(UNKNOWN) {
            let issue = unknown_key_by_pattern(self.path_of(name), &names, &patterns);
            self.state.push(issue);
        }
        self.state.omitted += unknown.len().saturating_sub(UNKNOWN);
        follows && unknown.is_empty()
    }

    fn missing_name(&mut self, name: &'a str) {
        self.below(PathStep::Name(name), |check| {
            let words = match check.declared(name) {
                Some(schema) => described(schema),
                None => "any value".to_owned(),
            };
            check.issue(IssueKind::Missing, words, "");
        });
    }

    /// Whether the name of a key fits a schema of names.
    fn name_fits(&mut self, name: &str, schema: &'a Schema, place: ValuePlace<'a>) -> bool {
        let text = quote_json(name);
        let document = JsonDocument::parse(&text);
        let mut state = CheckState::new(self.policy());
        state.quiet = true;
        let mut inner = self.checker_inside(&document, state);
        let place = ValuePlace {
            node: 0,
            ..place.under(schema)
        };
        let fit = inner.check(0, place);
        fit.is_good() && inner.state.count() == 0
    }
}
