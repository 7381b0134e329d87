//! The issues, the fixes and the limits of a reading.

use std::collections::HashMap;

use crate::{
    policy::Policy,
    report::{Fix, FixKind, Issue, Path},
};

/// The issues, the fixes and the limits of a reading.
#[allow(clippy::struct_excessive_bools)] // each says one thing alone
pub(crate) struct State {
    pub(crate) policy: Policy,
    pub(crate) issues: Vec<Issue>,
    pub(crate) omitted: usize,
    pub(crate) fixes: Vec<Fix>,
    /// The value just read stands for an absent one; the field that asked takes this back.
    pub(crate) absent: bool,
    /// Where the text itself broke.
    pub(crate) broken: Option<Box<Path>>,
    /// Only whether there is an issue counts, so that none is written.
    pub(crate) quiet: bool,
    /// Only the kind and the path of an issue count.
    pub(crate) wordless: bool,
    /// How many bytes may still be looked at ahead of the reader.
    pub(crate) ahead: Option<usize>,
    /// The memory of the outermost untagged union.
    pub(crate) tried: Option<Box<Tried>>,
    /// Keys were given that no field takes.
    pub(crate) strangers: bool,
    /// The notes of the repairing reader, once there are any.
    repair: Option<Box<Repair>>,
}

/// The notes of the repairing reader.
#[derive(Default)]
pub(crate) struct Repair {
    /// Keys that no field takes and that are kept all the same.
    pub(crate) kept: Vec<Path>,
    /// How many strings the reader is inside of.
    pub(crate) layers: usize,
    /// Parameters that stand as markup in a string, and where.
    pub(crate) swallowed: Vec<(Path, String)>,
}

/// What untagged unions have found of the values inside one that is kept in memory, so that no value is
/// tried twice in vain.
#[derive(Default)]
pub(crate) struct Tried {
    /// The values that did not fit, by address: in which union, and whether their issues were told; with the
    /// number of these.
    pub(crate) failed: HashMap<(usize, usize, bool), usize>,
    /// How many more steps from value to value may be taken.
    pub(crate) fuel: usize,
}

impl State {
    pub(crate) fn new(policy: &Policy) -> Self {
        Self {
            policy: *policy,
            issues: Vec::new(),
            omitted: 0,
            fixes: Vec::new(),
            absent: false,
            broken: None,
            quiet: false,
            wordless: false,
            ahead: None,
            tried: None,
            strangers: false,
            repair: None,
        }
    }

    pub(crate) fn notes(&self) -> Option<&Repair> {
        self.repair.as_deref()
    }

    pub(crate) fn notes_mut(&mut self) -> &mut Repair {
        self.repair.get_or_insert_default()
    }

    pub(crate) fn push(&mut self, issue: Issue) {
        if !self.quiet && self.issues.len() < self.policy.max_issues() {
            if self.issues.is_empty() {
                // One fault seldom comes alone.
                self.issues.reserve(if self.wordless { 4 } else { 8 });
            }
            self.issues.push(issue);
        } else {
            self.omitted += 1;
        }
    }

    pub(crate) fn fix(&mut self, fix: Fix) {
        if self.policy.refuses(fix.kind) {
            self.push(fix.into_refusal());
        } else if self.has_room_for(fix.kind) {
            self.fixes.push(fix);
        }
    }

    /// Whether anything comes of a fix, so that it is to be made.
    pub(crate) fn wants(&self, kind: FixKind) -> bool {
        self.policy.refuses(kind) || self.has_room_for(kind)
    }

    /// As many are kept as issues: a model could send a million unknown keys.
    fn has_room_for(&self, kind: FixKind) -> bool {
        self.policy.notes(kind) && self.fixes.len() < self.policy.max_issues()
    }

    /// Takes over what was changed on another account, as far as the policy of this one allows.
    pub(crate) fn take_fixes(&mut self, fixes: Vec<Fix>) {
        for fix in fixes {
            self.fix(fix);
        }
    }

    /// Takes over what was found on another account.
    pub(crate) fn take_issues(&mut self, other: Self) {
        self.omitted += other.omitted;
        for issue in other.issues {
            self.push(issue);
        }
    }
}
