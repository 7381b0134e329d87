//! Arrays: of one schema for all items, and of a schema for each position.

use std::collections::HashSet;

use super::found::FoundValue;
use super::single_items::element_takes;
use super::values::{ANY, canonical, parse};
use super::{
    change::ChangeKind,
    checker::Checker,
    place::{PathStep, PlaceFit, ValuePlace},
    render::render,
    sorted,
    trouble::IssueSubject,
};
use crate::{
    json::{NodeForm, NodeId},
    report::{FixKind, IssueKind},
    schema::{Held, List, Schema, dense, expected},
};

impl<'a> Checker<'a> {
    pub(super) fn check_list(
        &mut self,
        node: NodeId,
        rules: &'a List,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        match document.form(node) {
            NodeForm::List if self.is_too_deep() => self.refuse_depth(),
            NodeForm::List if rules.unique => self.check_set(node, rules, place),
            NodeForm::List => {
                let inside = place.below(rules.items.part());
                let items =
                    self.each_item(node, |check, _, item| check.check(item, inside).is_good());
                let Some((count, all)) = items else {
                    return PlaceFit::Bad;
                };
                PlaceFit::of(self.count_fits(rules, count, place) && all)
            }
            _ => self.check_single(node, rules, place),
        }
    }

    /// Checks a list of unique items: as they were sent, and as they are after their fixes.
    fn check_set(&mut self, list: NodeId, rules: &'a List, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        let fixes = self.state.count_fixes();
        let mut seen = HashSet::new();
        let items = self.each_item(list, |check, _, item| {
            let is_readable = check.check_any(item, place.below(ANY)).is_good();
            !check.is_broken
                && is_readable
                && check.is_new(document.written(item), &mut seen)
                && check.check(item, place.below(rules.items.part())).is_good()
        });
        let Some((count, all)) = items else {
            return PlaceFit::Bad;
        };
        let is_good = self.count_fits(rules, count, place) && all;
        // A type may distinguish fewer values than JSON does, and keeps equal ones once.
        if is_good && !rules.items.is_static() && self.state.count_fixes() > fixes {
            return self.check_fixed_set(list);
        }
        PlaceFit::of(is_good)
    }

    fn check_fixed_set(&mut self, list: NodeId) -> PlaceFit {
        let document = self.document;
        let changes = sorted(self.changes.clone());
        let mut seen = HashSet::new();
        let mut all = true;
        for (index, item) in document.items(list).enumerate() {
            let fixed = render(document, &changes, item);
            all &= self.below(PathStep::Index(index), |check| {
                check.is_new(&fixed, &mut seen)
            });
        }
        PlaceFit::of(all)
    }

    /// Whether an item differs from those before it. Reports an item that does not.
    fn is_new(&mut self, written: &str, seen: &mut HashSet<String>) -> bool {
        let value = parse(written).unwrap_or_default();
        let is_new = seen.insert(canonical(&value));
        if !is_new {
            self.issue(
                IssueKind::DuplicateItem,
                "every item once",
                "the same item again",
            );
        }
        is_new
    }

    /// Checks a value in place of a list: JSON in a string, or the only item under the repair policy.
    fn check_single(&mut self, node: NodeId, rules: &'a List, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        match document.form(node) {
            NodeForm::Null if self.is_absent_null(place) => return PlaceFit::Absent,
            NodeForm::Object if self.is_too_deep() => return self.refuse_depth(),
            NodeForm::Text(_) => {
                let Some(text) = document.string(node) else {
                    return self.break_off();
                };
                if self.is_absent_text(&text, place) {
                    return PlaceFit::Absent;
                }
                if !self.repairs() || text.trim_start().starts_with('[') {
                    return self.check_in_text(node, place);
                }
                return self.check_as_item(node, &FoundValue::Text(&text), rules, place);
            }
            _ => {}
        }
        let found = self.found(node);
        self.check_as_item(node, &found, rules, place)
    }

    fn check_as_item(
        &mut self,
        node: NodeId,
        found: &FoundValue<'_>,
        rules: &'a List,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if !self.repairs() || !element_takes(place.schema, found) {
            if self.document.is_open(node) && matches!(found, FoundValue::Object) {
                return self.break_off();
            }
            return self.mismatch(found, place);
        }
        let item = place.below(rules.items.part());
        let fit = self.below(PathStep::Index(0), |check| check.check(node, item));
        if self.is_broken || !fit.is_good() || !self.count_fits(rules, 1, place) {
            return PlaceFit::Bad;
        }
        self.fixed(FixKind::ListFromSingle, found, "an array of it", place);
        self.change(node, ChangeKind::Wrap);
        PlaceFit::Good
    }

    pub(super) fn check_tuple(
        &mut self,
        node: NodeId,
        schemas: &'a [Held<Schema>],
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        match self.document.form(node) {
            NodeForm::List if !self.is_too_deep() => {}
            NodeForm::Text(_) => return self.check_in_text(node, place),
            _ => return self.wrong_form(node, place),
        }
        let items = self.each_item(node, |check, index, item| {
            let schema = schemas.get(index);
            schema.is_none_or(|schema| check.check(item, place.below(schema.part())).is_good())
        });
        match items {
            Some((count, _)) if count != schemas.len() => self.wrong_count(count, place),
            items => PlaceFit::of(items.is_some_and(|(_, all)| all)),
        }
    }

    fn count_fits(&mut self, rules: &List, count: usize, place: ValuePlace<'a>) -> bool {
        let items = count as u64;
        let fits = rules.min_items.is_none_or(|min| items >= min)
            && rules.max_items.is_none_or(|max| items <= max);
        if !fits {
            self.wrong_count(count, place);
        }
        fits
    }

    fn wrong_count(&mut self, count: usize, place: ValuePlace<'a>) -> PlaceFit {
        let subject = IssueSubject::Value(place.node);
        let takes_issues = self.state.takes_issues();
        self.issue(
            IssueKind::ItemCount,
            expected(place.schema),
            count_words(count),
        );
        if takes_issues {
            let trouble = self.note_trouble(subject, place);
            if let Some(issue) = self.state.last_issue_mut() {
                issue.dense = dense(place.schema);
                issue.clue.trouble = trouble;
            }
        }
        PlaceFit::Bad
    }
}

pub(crate) fn count_words(count: usize) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}
