//! Checks a value by the schemas inside a rule, and reports its faults.

use std::borrow::Cow;

use serde_json::Value;

use super::super::rule_state::NESTED;
use super::super::{
    checker::{Checker, hides},
    found::FoundValue,
    place::{PlaceFit, ValuePlace},
    state::CheckState,
    trouble::IssueSubject,
    values::value_of,
};
use crate::{
    json::NodeId,
    policy::MAX_DEPTH,
    report::IssueKind,
    schema::{ExtraRule, NOTHING, Schema, are_crossed, expected, items_are, listed},
};

impl<'a> Checker<'a> {
    /// The number of faults of a value under a schema. Nothing of them is reported.
    pub(super) fn count_faults(
        &mut self,
        node: NodeId,
        schema: &'a Schema,
        place: ValuePlace<'a>,
    ) -> usize {
        let key = (node, std::ptr::from_ref(schema));
        if let Some(faults) = self.rules.known.get(&key) {
            return *faults;
        }
        let mut state = CheckState::new(self.policy());
        (state.quiet, state.counts) = (true, true);
        let outer = std::mem::replace(&mut self.state, state);
        let fit = self.check_under(node, schema, place);
        let state = std::mem::replace(&mut self.state, outer);
        let faults = state.count().max(usize::from(!fit.is_good()));
        self.rules.known.insert(key, faults);
        faults
    }

    /// Whether a value fits a schema. Reports its faults.
    pub(super) fn report(
        &mut self,
        node: NodeId,
        schema: &'a Schema,
        place: ValuePlace<'a>,
    ) -> bool {
        if self.state.quiet {
            let faults = self.count_faults(node, schema, place);
            self.state.omitted += faults;
            return faults == 0;
        }
        let key = (node, std::ptr::from_ref(schema));
        if self.rules.known.get(&key) == Some(&0) {
            return true;
        }
        if !self.rules.reported.insert(key) {
            return self.count_faults(node, schema, place) == 0;
        }
        let before = self.state.count();
        let fit = self.check_under(node, schema, place);
        let fits = fit.is_good() && self.state.count() == before;
        if fits {
            self.rules.known.insert(key, 0);
        }
        fits
    }

    fn check_under(&mut self, node: NodeId, schema: &'a Schema, place: ValuePlace<'a>) -> PlaceFit {
        if self.rules.nested >= NESTED {
            return self.too_long();
        }
        let changes = self.changes.len();
        self.rules.nested += 1;
        let place = ValuePlace {
            node,
            ..place.under(schema)
        };
        let fit = self.check(node, place);
        self.rules.nested -= 1;
        self.changes.truncate(changes);
        fit
    }

    /// The value of a node.
    pub(super) fn value(&self, node: NodeId) -> Value {
        value_of(self.document, node, MAX_DEPTH).unwrap_or_default()
    }

    pub(super) fn found_words(&self, place: ValuePlace<'a>) -> String {
        let found = match self.document.string(place.node) {
            Some(text) => return hidden(&FoundValue::Text(&text), place),
            None => self.found(place.node),
        };
        hidden(&found, place)
    }

    /// Reports that a value is not what the schema of its place expects.
    pub(super) fn rule_fault(&mut self, kind: IssueKind, place: ValuePlace<'a>) {
        if place.schema.takes_nothing() && !place.schema.nullable {
            self.issue(IssueKind::Invalid, NOTHING, "");
            return;
        }
        let words = (expected(place.schema), self.found_words(place).into());
        self.issue_about(IssueSubject::Value(place.node), kind, words, place);
    }

    pub(super) fn wrong_items(
        &mut self,
        schema: &'a Schema,
        ends: (u64, Option<u64>),
        count: usize,
    ) {
        let (least, most) = ends;
        if are_crossed(Some(least), most) {
            self.issue(IssueKind::Invalid, NOTHING, "");
            return;
        }
        let words = match schema.rules() {
            [ExtraRule::Values(values), ..] => listed(values).into(),
            _ => expected(schema),
        };
        let words = format!("an array of which {} {words}", items_are(least, most));
        let found = match count {
            0 => Cow::Borrowed("none"),
            count => count.to_string().into(),
        };
        self.issue(IssueKind::ItemCount, words, found);
    }
}

fn hidden(found: &FoundValue<'_>, place: ValuePlace<'_>) -> String {
    found.words(hides(found, place)).into_owned()
}

pub(super) fn is_within(count: usize, min: Option<u64>, max: Option<u64>) -> bool {
    let count = count as u64;
    min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
}
