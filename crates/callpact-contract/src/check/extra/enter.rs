//! The rules of a value, checked on the value as it will run: the changes of its node are made before.

use super::super::rule_state::{CheckStart, FUEL, FUEL_EACH};
use super::super::{
    checker::Checker,
    place::{PlaceFit, ValuePlace},
    render::render,
    sorted,
    state::CheckState,
};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    report::{Issue, IssueKind, Path},
    schema::Schema,
};

impl<'a> Checker<'a> {
    /// Checks the rules of a schema on a node whose kind was checked from `start` on.
    pub(in crate::check) fn check_extra(
        &mut self,
        node: NodeId,
        schema: &'a Schema,
        place: ValuePlace<'a>,
        start: CheckStart,
        fit: PlaceFit,
    ) -> PlaceFit {
        if schema.rules().is_empty() || fit == PlaceFit::Absent || self.is_broken {
            return fit;
        }
        if self.document.form(node) == NodeForm::Null && schema.takes_null_by_word() {
            return fit;
        }
        let is_good = fit.is_good() && self.state.count() == start.issues;
        if !is_good && self.state.quiet && !self.state.counts {
            return fit;
        }
        let place = ValuePlace {
            schema,
            node,
            secret: place.secret || !self.rules.is_inside && schema.may_hold_secret(),
            tag_key: None,
            variant: None,
            ..place.required()
        };
        let follows = if self.rules.is_inside {
            self.follow(place, is_good)
        } else {
            self.enter_rules(place, start, is_good)
        };
        if follows { fit } else { PlaceFit::Bad }
    }

    /// Checks the rules of a place on its changed value, with a state of their own.
    fn enter_rules(&mut self, place: ValuePlace<'a>, start: CheckStart, is_good: bool) -> bool {
        let mut state = CheckState::new(self.policy().for_rules());
        (state.quiet, state.counts) = (self.state.quiet, self.state.counts);
        let changes = sorted(
            self.changes
                .get(start.changes..)
                .unwrap_or_default()
                .to_vec(),
        );
        let issues = self.state.listed_issues().iter();
        let before: Vec<Path> = issues.map(|issue| issue.path.clone()).collect();
        let (follows, state, declared) = if changes.is_empty() {
            let outer = std::mem::replace(&mut self.state, state);
            let choices = std::mem::take(&mut self.memo);
            self.rules.is_inside = true;
            self.rules.around = Some((place.schema, self.depth()));
            if self.rules.fuel.is_none() {
                self.rules.fuel = Some(self.document.len() * FUEL_EACH + FUEL);
            }
            let follows = self.follow(place, is_good);
            self.rules.is_inside = false;
            self.rules.around = None;
            self.memo = choices;
            let state = std::mem::replace(&mut self.state, outer);
            (follows, state, std::mem::take(&mut self.rules.declared))
        } else {
            let text = render(self.document, &changes, place.node);
            let document = JsonDocument::parse(&text);
            let mut inner = self.checker_inside(&document, state);
            inner.rules.is_inside = true;
            inner.rules.around = Some((place.schema, 0));
            inner.rules.fuel = Some(document.len() * FUEL_EACH + FUEL);
            let follows = inner.follow(ValuePlace { node: 0, ..place }, is_good);
            inner.add_hints();
            let trials = inner.trials;
            let done = (follows, inner.state, inner.rules.declared);
            self.trials = trials;
            done
        };
        self.declare_keys(&declared);
        self.take_rule_issues(state, &before);
        follows
    }

    /// Reports the faults that rules found, except at places that have a fault already.
    fn take_rule_issues(&mut self, mut state: CheckState, before: &[Path]) {
        self.state.omitted += state.omitted;
        self.state.missing += state.missing;
        let mut known: Vec<Issue> = Vec::new();
        for issue in state.take_told().0 {
            if known.contains(&issue) {
                continue;
            }
            known.push(issue.clone());
            if issue.kind == IssueKind::UnknownKey {
                self.state.push_of_key(issue);
            } else if !before.contains(&issue.path) {
                self.state.push(issue);
            }
        }
    }
}
