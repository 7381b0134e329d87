//! Any JSON value, which stays as it is.

use std::collections::HashSet;

use super::checker::Checker;
use super::found::FoundValue;
use super::place::{PathStep, PlaceFit, ValuePlace};
use super::values::ANY;
use crate::json::{NodeForm, NodeId};

impl<'a> Checker<'a> {
    /// Checks any JSON: reports equal keys, too many levels, and strings that cannot be read.
    pub(super) fn check_any(&mut self, node: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        match document.form(node) {
            NodeForm::Null if self.is_absent_null(place) => PlaceFit::Absent,
            NodeForm::Null | NodeForm::Boolean(_) => PlaceFit::Good,
            NodeForm::Number => {
                let is_finite =
                    !matches!(self.found(node), FoundValue::Number(value) if !value.is_finite());
                if is_finite {
                    PlaceFit::Good
                } else {
                    self.break_off()
                }
            }
            NodeForm::Text(_) => match document.string(node) {
                Some(text) if self.is_absent_text(&text, place) => PlaceFit::Absent,
                Some(_) => PlaceFit::Good,
                None => self.break_off(),
            },
            NodeForm::List | NodeForm::Object if self.is_too_deep() => self.refuse_depth(),
            NodeForm::List => self.check_any_items(node, place),
            NodeForm::Object => self.check_any_entries(node, place),
        }
    }

    fn check_any_items(&mut self, list: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let place = place.below(ANY);
        let items = self.each_item(list, |check, _, item| {
            check.check_any(item, place).is_good()
        });
        PlaceFit::of(items.is_some_and(|(_, all)| all))
    }

    fn check_any_entries(&mut self, object: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        let tag = place.tag_key;
        let mut seen = HashSet::new();
        let all = self.each_key(object, |check, key, name| {
            if tag.is_some_and(|tag| document.string(tag).as_ref() == Some(&name)) {
                return true;
            }
            let is_new = seen.insert(name);
            check.below(PathStep::Key(key), |check| {
                if !is_new {
                    check.twice();
                }
                check.check_any(key + 1, place.entry(ANY)).is_good() && is_new
            })
        });
        if all.is_some() && document.is_open(object) {
            return self.break_inside(object);
        }
        PlaceFit::of(all == Some(true))
    }

    /// Ends the check in an object that the text does not close: at the key without a value, if there is one.
    pub(super) fn break_inside(&mut self, object: NodeId) -> PlaceFit {
        let document = self.document;
        match document.last_key(object) {
            Some(key) => self.below(PathStep::Key(key), Self::break_off),
            None => self.break_off(),
        }
    }
}
