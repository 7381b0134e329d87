//! Rules on a list.

use std::collections::HashSet;

use super::super::{
    checker::Checker,
    place::{PathStep, ValuePlace},
    values::canonical,
};
use super::faults::is_within;
use crate::{json::NodeId, report::IssueKind, schema::ExtraRule};

impl<'a> Checker<'a> {
    pub(super) fn follow_of_list(
        &mut self,
        rule: &'a ExtraRule,
        place: ValuePlace<'a>,
        is_good: bool,
    ) -> bool {
        let document = self.document;
        let items: Vec<NodeId> = document.items(place.node).collect();
        let mut follows = true;
        match rule {
            ExtraRule::Unique => {
                let mut seen = HashSet::new();
                for (index, item) in items.iter().enumerate() {
                    if !seen.insert(canonical(&self.value(*item))) {
                        follows = false;
                        self.below(PathStep::Index(index), |check| {
                            let found = "the same item again";
                            check.issue(IssueKind::DuplicateItem, "every item once", found);
                        });
                    }
                }
            }
            ExtraRule::Positions { firsts, rest } => {
                for (index, item) in items.iter().enumerate() {
                    let Some(schema) = firsts.get(index).or(rest.as_deref()) else {
                        break;
                    };
                    follows &= self.below(PathStep::Index(index), |check| {
                        check.report(*item, schema, place)
                    });
                }
            }
            ExtraRule::Contains {
                items: schema,
                min,
                max,
            } => {
                let fits = items.iter().filter(|item| {
                    let item = **item;
                    self.count_faults(item, schema, place) == 0
                });
                let fits = fits.count();
                let is_within = is_within(fits, Some(*min), *max);
                // An item with a fault may be meant as one of them.
                if !is_within && (is_good || max.is_some_and(|max| fits as u64 > max)) {
                    follows = false;
                    self.wrong_items(schema, (*min, *max), fits);
                }
            }
            ExtraRule::Unevaluated(unevaluated) if unevaluated.items && is_good => {
                follows = self.follow_unevaluated(unevaluated, place);
            }
            _ => {}
        }
        follows
    }
}
