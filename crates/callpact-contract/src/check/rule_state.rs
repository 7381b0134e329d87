//! What a check of extra rules knows, and how much work is left.

use std::collections::{HashMap, HashSet};

use crate::{json::NodeId, report::Path, schema::Schema};

/// The most nodes that are checked by rules for any document, and the additional ones for each node of it.
pub(super) const FUEL: usize = 100_000;
pub(super) const FUEL_EACH: usize = 64;
/// The deepest level of forms and definitions inside each other.
pub(super) const NESTED: usize = 400;

/// What a checker knows about extra rules.
#[derive(Default)]
pub(super) struct RuleState<'a> {
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
    pub(super) fn inside<'b>(&self) -> RuleState<'b>
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

    pub(super) fn definition(&self, number: u32) -> Option<&'a Schema> {
        let mut definitions = self.definitions.iter();
        let found = definitions.find(|(known, _)| *known == number);
        found.map(|(_, schema)| schema)
    }
}

/// How far a check was before the value of a node.
#[derive(Clone, Copy)]
pub(super) struct CheckStart {
    pub(super) changes: usize,
    pub(super) issues: usize,
}
