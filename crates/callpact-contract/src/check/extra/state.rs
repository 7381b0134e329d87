//! What a check of rules knows, and how much work is left.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use serde_json::Value;

use super::super::{
    change::ChangeKind,
    checker::{Checker, hides},
    found::Found,
    names::{near_miss, unknown_key_by_pattern},
    numbers::number_fits,
    place::{Fit, PathStep, Place},
    render::render,
    scalar::quote_json,
    sorted,
    state::State,
    trouble::Subject,
    values::{canonical, parse},
};
use crate::{
    json::{Document, NodeForm, NodeId},
    report::{Issue, IssueKind, Path, Step},
    schema::{
        Condition, Evaluated, EvaluatedForm, ExtraRule, Field, FormNeed, KeyPatterns, Kind,
        NOTHING, OtherKeys, Schema, Tagging, Unevaluated, are_crossed, described, expected,
        foreign::{is_of, type_of},
        has_form, items_are, listed, range,
    },
};

/// The most nodes that are checked by rules for any document, and the additional ones for each node of it.
pub(super) const FUEL: usize = 100_000;
pub(super) const FUEL_EACH: usize = 64;
/// The deepest level of forms and definitions inside each other.
pub(super) const NESTED: usize = 400;

/// What a checker knows about extra rules.
#[derive(Default)]
pub(in crate::check) struct RuleState<'a> {
    /// Whether a rule is being checked.
    pub(super) is_inside: bool,
    /// The schema that has the rule, and the number of steps of the path to it.
    pub(super) around: Option<(&'a Schema, usize)>,
    pub(super) definitions: &'a [(u32, Schema)],
    pub(super) fuel: Option<usize>,
    pub(super) nested: usize,
    /// The number of faults of a node under a schema.
    pub(super) known: HashMap<(NodeId, *const Schema), usize>,
    /// The nodes and schemas whose faults are reported.
    pub(super) reported: HashSet<(NodeId, *const Schema)>,
    /// Keys that a part of a rule declares.
    pub(super) declared: Vec<Path>,
}

impl<'a> RuleState<'a> {
    /// The state for a document inside this one.
    pub(in crate::check) fn inside<'b>(&self) -> RuleState<'b>
    where
        'a: 'b,
    {
        RuleState {
            is_inside: self.is_inside,
            definitions: self.definitions,
            fuel: self.fuel,
            nested: self.nested,
            ..RuleState::default()
        }
    }

    pub(in crate::check) fn definition(&self, number: u32) -> Option<&'a Schema> {
        let mut definitions = self.definitions.iter();
        let found = definitions.find(|(known, _)| *known == number);
        found.map(|(_, schema)| schema)
    }
}

/// How far a check was before the value of a node.
#[derive(Clone, Copy)]
pub(in crate::check) struct CheckStart {
    pub(in crate::check) changes: usize,
    pub(in crate::check) issues: usize,
}

impl<'a> Checker<'a> {
    pub(in crate::check) fn start(&self) -> CheckStart {
        CheckStart {
            changes: self.changes.len(),
            issues: self.state.count(),
        }
    }

    /// Whether a rule may go on: inside rules, the work is bounded. Reports the end of it.
    pub(in crate::check) fn may_go_on(&mut self, schema: &'a Schema) -> bool {
        if let [ExtraRule::Definitions(definitions)] | [.., ExtraRule::Definitions(definitions)] =
            schema.rules()
        {
            self.rules.definitions = definitions;
        }
        if !self.rules.is_inside {
            return true;
        }
        match &mut self.rules.fuel {
            Some(0) => false,
            Some(fuel) => {
                *fuel -= 1;
                true
            }
            None => true,
        }
    }

    pub(in crate::check) fn too_long(&mut self) -> Fit {
        let words = "checking this takes too long; send something simpler";
        self.issue(IssueKind::Invalid, words, "")
    }

    /// Checks at the node of a definition, unless definitions lead to each other without an end.
    pub(in crate::check) fn in_definition(&mut self, check: impl FnOnce(&mut Self) -> Fit) -> Fit {
        if self.rules.nested >= NESTED {
            return self.too_long();
        }
        self.rules.nested += 1;
        let fit = check(self);
        self.rules.nested -= 1;
        fit
    }

    /// Notes that a part of a rule declares a key.
    pub(in crate::check) fn declare(&mut self, key: NodeId) {
        if self.rules.is_inside {
            let name = self.document.string(key).unwrap_or_default();
            let path = self.path_of(&name);
            self.rules.declared.push(path);
        }
    }

    /// The words about a missing field. A condition only names the fields that it requires, and the schema that has the
    /// condition declares them.
    pub(in crate::check) fn missing_words(&self, field: &'a Field) -> String {
        let own = field.schema.part();
        let is_named_only =
            self.rules.is_inside && matches!(own.kind, Kind::Any) && own.description.is_empty();
        let declared = is_named_only.then(|| self.declared(&field.name));
        described(declared.flatten().unwrap_or(own))
    }

    /// The declaration of the field here in the schema that has the rule.
    pub(super) fn declared(&self, name: &str) -> Option<&'a Schema> {
        let (mut schema, steps) = self.rules.around?;
        let path = self.steps_from(steps);
        let (_, path) = path.split_last()?;
        let field = |schema: &'a Schema, name: &str| match &schema.kind {
            Kind::Object(rules) => {
                let mut fields = rules.all_fields();
                fields
                    .find(|field| field.name == *name)
                    .map(|field| field.schema.part())
            }
            _ => None,
        };
        for step in path {
            schema = match (&schema.kind, step) {
                (Kind::List(rules), Step::Index(_)) => rules.items.part(),
                (_, Step::Key(key)) => field(schema, key)?,
                _ => return None,
            };
        }
        field(schema, name)
    }

    pub(super) fn declare_keys(&mut self, declared: &[Path]) {
        if declared.is_empty() {
            return;
        }
        if let Some(notes) = self.state.notes_if_any() {
            notes.kept.retain(|kept| !declared.contains(kept));
        }
    }
}
