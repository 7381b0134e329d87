//! Objects with free keys, also in the form of a list of pairs.

use std::collections::HashSet;

use super::found::FoundValue;
use super::names::unknown_key;
use super::{
    change::ChangeKind,
    checker::Checker,
    place::{PathStep, PlaceFit, ValuePlace},
};
use crate::{
    json::{NodeForm, NodeId},
    report::{FixKind, IssueKind},
    schema::{Kind, Map, Object, Schema, Text, Unknown},
    text::{only_by_case, quoted},
};

/// An entry of a map that is written as an object of a key and a value.
const PAIR: &Schema = &Schema::of(Kind::Object(Object::undeclared(Unknown::Ignore, None)));

/// The key of such an entry.
const TEXT: &Schema = &Schema::of(Kind::Text(Text::ANY));

impl<'a> Checker<'a> {
    pub(super) fn check_map(
        &mut self,
        node: NodeId,
        rules: &'a Map,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        match self.document.form(node) {
            NodeForm::Object | NodeForm::List if self.is_too_deep() => self.refuse_depth(),
            NodeForm::Object => self.check_entries(node, rules, place),
            NodeForm::List if self.takes_lowered() => self.check_pairs(node, rules, place),
            NodeForm::Text(_) => self.check_in_text(node, place),
            _ => self.wrong_form(node, place),
        }
    }

    fn check_entries(&mut self, object: NodeId, rules: &'a Map, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        let mut seen = HashSet::new();
        let all = self.each_key(object, |check, key, name| {
            let is_tag = |tag: NodeId| document.string(tag).as_ref() == Some(&name);
            if place.tag_key.is_some_and(is_tag) {
                return true;
            }
            let declared = check.declared_key(&name, rules);
            let step = declared.map_or(PathStep::Key(key), PathStep::Name);
            check.below(step, |check| {
                let fit = check.check(key + 1, place.entry(rules.values.part()));
                if check.is_broken {
                    return false;
                }
                if declared.is_none() && !check.takes_undeclared(&name, rules) {
                    return false;
                }
                let known = declared.unwrap_or(&name);
                if known != name {
                    check.change(key, ChangeKind::Rename(known.to_owned()));
                }
                fit.is_good() && check.is_first(known.to_owned(), &mut seen)
            })
        });
        if all.is_some() && document.is_open(object) {
            return self.break_inside(object);
        }
        PlaceFit::of(all == Some(true))
    }

    /// Whether a key comes for the first time. Reports one that does not.
    fn is_first(&mut self, key: String, seen: &mut HashSet<String>) -> bool {
        let is_first = seen.insert(key);
        if !is_first {
            self.twice();
        }
        is_first
    }

    /// The declared key of a map that a text means. A key in another case is noted as a fix of the current place.
    fn declared_key(&mut self, name: &str, rules: &'a Map) -> Option<&'a str> {
        let names = || rules.keys.part().iter().map(|key| key.name.part());
        if let Some(known) = names().find(|known| *known == name) {
            return Some(known);
        }
        let known = only_by_case(name, names()).filter(|_| self.repairs())?;
        let (found, place) = (FoundValue::Text(name), ValuePlace::of(PAIR));
        self.fixed(FixKind::ChoiceCase, &found, quoted(known), place);
        Some(known)
    }

    /// Whether a text that the map does not declare is a key of it. Reports one that is not.
    fn takes_undeclared(&mut self, name: &str, rules: &Map) -> bool {
        let names: Vec<&str> = rules.keys.iter().map(|key| key.name.part()).collect();
        match rules.integers {
            Some(keys) if !keys.takes(name) => {
                let words = format!("this name is not accepted; a name is {}", keys.words);
                self.issue(IssueKind::Invalid, words, "");
                false
            }
            None if !names.is_empty() => {
                let issue = unknown_key(self.path(), &names);
                self.state.push(issue);
                false
            }
            _ => true,
        }
    }

    fn check_pairs(&mut self, list: NodeId, rules: &'a Map, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        let mut items = document.items(list).peekable();
        let is_empty = items.peek().is_none();
        if !is_empty && !items.any(|item| self.is_pair(item)) && !document.is_open(list) {
            return self.wrong_form(list, place);
        }
        let mut kind = FixKind::MapFromPairs;
        let mut entries = Vec::new();
        let mut seen = HashSet::new();
        let items = self.each_item(list, |check, _, item| {
            let pair = check.check_pair(item, rules, place, &mut kind);
            let Some((key, value)) = pair else {
                return false;
            };
            if check.is_broken {
                return false;
            }
            let known = match check.declared_key(&key, rules) {
                Some(known) => known.to_owned(),
                None if check.takes_undeclared(&key, rules) => key,
                None => return false,
            };
            let is_first = check.is_first(known.clone(), &mut seen);
            entries.push((known, value));
            is_first
        });
        let is_whole = items.is_some_and(|(_, all)| all);
        if is_whole {
            self.fixed(kind, &FoundValue::Array, "an object", place);
            self.change(list, ChangeKind::Entries(entries));
        }
        PlaceFit::of(is_whole)
    }

    /// Whether a value has the form of a pair: an object with a `key` or a `value`, or a list of two.
    fn is_pair(&self, node: NodeId) -> bool {
        let document = self.document;
        match document.form(node) {
            NodeForm::Object => ["key", "value"].iter().any(|name| {
                let mut keys = document.keys(node);
                keys.any(|key| document.is_key(key, name))
            }),
            NodeForm::List => self.repairs() && document.items(node).count() == 2,
            _ => false,
        }
    }

    /// The key and the value of a pair, if both are good.
    fn check_pair(
        &mut self,
        node: NodeId,
        rules: &'a Map,
        place: ValuePlace<'a>,
        kind: &mut FixKind,
    ) -> Option<(String, NodeId)> {
        let document = self.document;
        let is_list = match document.form(node) {
            NodeForm::Object if !self.is_too_deep() => false,
            NodeForm::List if self.repairs() && !self.is_too_deep() => true,
            _ => {
                self.wrong_form(node, place.below(PAIR));
                return None;
            }
        };
        let parts: Vec<(PathStep<'a>, NodeId)> = if is_list {
            *kind = FixKind::MapFromLists;
            let items = document.items(node).enumerate();
            items
                .map(|(index, item)| (PathStep::Index(index), item))
                .collect()
        } else {
            let steps = |key| match ["key", "value"]
                .into_iter()
                .find(|name| document.is_key(key, name))
            {
                Some(name) => (PathStep::Name(name), key + 1),
                None => (PathStep::Key(key), key + 1),
            };
            document.keys(node).map(steps).collect()
        };
        let (mut key, mut value) = (None, None);
        let (mut keys, mut values) = (0, 0);
        for (step, part) in &parts {
            match step {
                PathStep::Name("key") | PathStep::Index(0) => {
                    keys += 1;
                    key = self.check_pair_key(*part, *step, place);
                }
                PathStep::Name("value") | PathStep::Index(1) => {
                    values += 1;
                    let at = place.below(rules.values.part());
                    let fit = self.below(*step, |check| check.check(*part, at));
                    value = Some((*part, fit.is_good()));
                }
                _ => {}
            }
            if self.is_broken {
                return None;
            }
        }
        if document.is_open(node) {
            if is_list {
                self.break_off();
            } else {
                self.break_inside(node);
            }
            return None;
        }
        if (keys, values, parts.len()) != (1, 1, 2) {
            let (words, found) = if is_list {
                ("a pair of a key and a value", "an array")
            } else {
                ("an object of one `key` and one `value`", "other keys")
            };
            self.issue(IssueKind::WrongType, words, found);
            return None;
        }
        let (value, is_good) = value?;
        is_good.then_some((key?, value))
    }

    fn check_pair_key(
        &mut self,
        node: NodeId,
        step: PathStep<'a>,
        place: ValuePlace<'a>,
    ) -> Option<String> {
        let at = place.below(TEXT);
        let fit = self.below(step, |check| check.check(node, at));
        if !fit.is_good() {
            return None;
        }
        self.document.string(node).map(std::borrow::Cow::into_owned)
    }
}
