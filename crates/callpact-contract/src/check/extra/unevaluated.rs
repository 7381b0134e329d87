//! Rules on the keys or items that no other keyword evaluates.

use super::super::{
    checker::Checker,
    place::{PathStep, ValuePlace},
};
use crate::{
    json::NodeId,
    report::IssueKind,
    schema::{Evaluated, EvaluatedForm, FormNeed, NOTHING, Unevaluated},
};

impl<'a> Checker<'a> {
    pub(super) fn follow_unevaluated(
        &mut self,
        rules: &'a Unevaluated,
        place: ValuePlace<'a>,
    ) -> bool {
        let document = self.document;
        let node = place.node;
        let parts: Vec<(PathStep<'a>, NodeId)> = if rules.items {
            let items = document.items(node).enumerate();
            items
                .map(|(index, item)| (PathStep::Index(index), item))
                .collect()
        } else {
            let keys = document.keys(node);
            keys.map(|key| (PathStep::Key(key), key + 1)).collect()
        };
        let mut seen = vec![false; parts.len()];
        self.evaluate(&rules.evaluated, rules.items, &parts, &mut seen, place);
        let mut follows = true;
        for ((step, part), _) in parts.into_iter().zip(seen).filter(|(_, seen)| !seen) {
            follows &= self.below(step, |check| match &rules.rest {
                Some(rest) => check.report(part, rest, place),
                None if rules.items => {
                    check.issue(IssueKind::Invalid, NOTHING, "");
                    false
                }
                None => {
                    let words = "a parameter that a form of this object declares";
                    check.issue(IssueKind::UnknownKey, words, "");
                    false
                }
            });
        }
        follows
    }

    /// Notes which keys or items the keywords of a schema evaluate, including those of its forms.
    fn evaluate(
        &mut self,
        evaluated: &'a Evaluated,
        items: bool,
        parts: &[(PathStep<'a>, NodeId)],
        seen: &mut [bool],
        place: ValuePlace<'a>,
    ) {
        let document = self.document;
        for (index, ((step, part), seen)) in parts.iter().zip(&mut *seen).enumerate() {
            *seen |= if items {
                index < evaluated.firsts
                    || evaluated.all_items
                    || evaluated
                        .contains
                        .as_ref()
                        .is_some_and(|schema| self.count_faults(*part, schema, place) == 0)
            } else if let PathStep::Key(key) = step {
                let name = document.string(*key).unwrap_or_default();
                let mut patterns = evaluated.patterns.iter();
                evaluated.all_keys
                    || evaluated.names.iter().any(|known| **known == *name)
                    || patterns.any(|pattern| pattern.is_match(&name))
            } else {
                true
            };
        }
        for EvaluatedForm {
            needs,
            schema,
            evaluated,
        } in &evaluated.forms
        {
            let is_meant = match needs {
                FormNeed::Always => true,
                FormNeed::Key(key) => document.get(place.node, key).is_some(),
                FormNeed::Test(test, fits) => {
                    (self.count_faults(place.node, test, place) == 0) == *fits
                }
            };
            if is_meant && self.count_faults(place.node, schema, place) == 0 {
                self.evaluate(evaluated, items, parts, seen, place);
            }
        }
    }
}
