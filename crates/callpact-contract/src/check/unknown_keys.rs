//! Keys of an object that no field takes: dropped, kept, denied, or perhaps a misspelt field.

use std::collections::BTreeMap;

use super::names::{near_miss, unknown_key};
use super::{checker::Checker, fields::FieldIndex, place::ValuePlace, trouble::IssueSubject};
use crate::{
    json::NodeId,
    report::{Fix, FixKind, Path},
    schema::{Field, Object, Unknown},
};

/// The number of unknown keys of one object that are remembered, unless half of the most issues is more.
const REMEMBERED: usize = 16;

/// The unknown keys of an object.
#[derive(Default)]
pub(super) struct UnknownKeys {
    remembered: Vec<NodeId>,
    /// The number of keys that are only counted.
    more: usize,
}

impl UnknownKeys {
    /// Notes an unknown key. Of any number of keys, those that may mean a field are remembered.
    pub(super) fn pass(
        &mut self,
        key: NodeId,
        name: &str,
        rules: &Object,
        index: &FieldIndex<'_>,
        check: &Checker<'_>,
    ) {
        let most = REMEMBERED.max(check.policy().max_issues() / 2);
        let is_near = || {
            !index
                .resembling(name, |number| !index.fields[number].required)
                .is_empty()
        };
        if self.remembered.len() < most || guards_names(rules, check) && is_near() {
            self.remembered.push(key);
        } else {
            self.more += 1;
        }
    }
}

/// Whether a key that resembles a missing field is a fault. Of denied keys, every key is a fault already.
fn guards_names(rules: &Object, check: &Checker<'_>) -> bool {
    matches!(rules.unknown, Unknown::Report | Unknown::Keep) && check.policy().guards_names()
}

/// The fields of an object that were given.
pub(super) struct GivenFields<'i, 'a> {
    pub(super) given: &'i [bool],
    pub(super) index: &'i FieldIndex<'a>,
}

impl<'a> GivenFields<'_, 'a> {
    /// Whether a required field was not given.
    fn lacks_one(&self) -> bool {
        let fields = self.index.fields.iter().zip(self.given);
        fields
            .into_iter()
            .any(|(field, given)| field.required && !given)
    }

    /// The optional fields that were not given and that a key resembles. A missing required field is a fault already, and
    /// its hint looks for such a key.
    fn meant_by(&self, key: &str) -> Vec<&'a Field> {
        let fields = &self.index.fields;
        let may_be_meant = |number: usize| !self.given[number] && !fields[number].required;
        let numbers = self.index.resembling(key, may_be_meant).into_iter();
        numbers.map(|number| fields[number]).collect()
    }
}

impl<'a> Checker<'a> {
    pub(super) fn report_unknown_keys(
        &mut self,
        unknown: UnknownKeys,
        kept: &BTreeMap<String, NodeId>,
        rules: &'a Object,
        fields: &GivenFields<'_, 'a>,
        place: ValuePlace<'a>,
    ) {
        let UnknownKeys {
            mut remembered,
            more,
        } = unknown;
        if guards_names(rules, self) {
            if let Some(extra) = &rules.extra {
                // What the schema allows is never called misspelt.
                let place_of_key = place.entry(extra.part());
                for (name, key) in kept {
                    if !fields.meant_by(name).is_empty()
                        && !self.fits_as_it_is(*key + 1, place_of_key)
                    {
                        self.report_near_miss(*key, name, rules, fields, place);
                    }
                }
            }
            let document = self.document;
            remembered.retain(|key| {
                let name = document.string(*key).unwrap_or_default();
                !self.report_near_miss(*key, &name, rules, fields, place)
            });
        }
        if remembered.is_empty() {
            return;
        }
        self.state.strangers = true;
        match rules.unknown {
            Unknown::Ignore => {}
            Unknown::Keep => {
                let kept = self.paths_of(&remembered);
                self.state.notes_mut().kept.extend(kept);
            }
            Unknown::Report => self.report_dropped(&remembered),
            Unknown::Deny => self.report_denied(&remembered, more, rules, fields, place),
        }
    }

    fn report_denied(
        &mut self,
        keys: &[NodeId],
        more: usize,
        rules: &'a Object,
        fields: &GivenFields<'_, 'a>,
        place: ValuePlace<'a>,
    ) {
        let names = fields.index.fields.iter().map(|field| field.name.part());
        let names: Vec<&str> = names.collect();
        let object = place.node;
        for (key, path) in keys.iter().zip(self.paths_of(keys)) {
            let mut issue = unknown_key(path, &names);
            let subject = IssueSubject::UnknownKey {
                object,
                key: *key,
                rules,
            };
            issue.clue.trouble = self.note_trouble(subject, place);
            self.state.push(issue);
        }
        self.state.omitted += more;
    }

    fn paths_of(&self, keys: &[NodeId]) -> Vec<Path> {
        let name = |key: &NodeId| self.document.string(*key).unwrap_or_default();
        keys.iter().map(|key| self.path_of(&name(key))).collect()
    }

    /// Reports a key that resembles a field that was not given, and returns whether it does.
    fn report_near_miss(
        &mut self,
        key: NodeId,
        name: &str,
        rules: &'a Object,
        fields: &GivenFields<'_, 'a>,
        place: ValuePlace<'a>,
    ) -> bool {
        let meant = fields.meant_by(name);
        if meant.is_empty() {
            return false;
        }
        // A value that does not fit the name may be meant as something else. The call does not run without a required
        // field anyway.
        let mut fitting = meant.clone();
        if !self.state.quiet {
            fitting.retain(|field| self.node_fits(key + 1, place.field(field)));
        }
        if fitting.is_empty() && fields.lacks_one() {
            return false;
        }
        let meant = if fitting.is_empty() { meant } else { fitting };
        let meant: Vec<&str> = meant.iter().map(|field| field.name.part()).collect();
        let mut issue = near_miss(self.path_of(name), &meant);
        let object = place.node;
        issue.clue.trouble =
            self.note_trouble(IssueSubject::UnknownKey { object, key, rules }, place);
        self.state.push_of_key(issue);
        true
    }

    /// Reports the keys that are dropped. Keys that must not be shown are hidden later.
    fn report_dropped(&mut self, keys: &[NodeId]) {
        let refuses = self.policy().refuses(FixKind::UnknownDropped);
        let room = self.state.room_for_fixes();
        let document = self.document;
        let mut kept = Vec::new();
        for (number, key) in keys.iter().enumerate() {
            let name = document.string(*key).unwrap_or_default();
            let path = self.path_of(&name);
            if number >= room {
                // The hints also need the keys for which there is no room among the fixes.
                kept.push(path.clone());
            }
            if refuses || number < room {
                self.state.fix(Fix::dropped(path, &name));
            }
        }
        if !kept.is_empty() {
            self.state.notes_mut().kept.extend(kept);
        }
    }
}
