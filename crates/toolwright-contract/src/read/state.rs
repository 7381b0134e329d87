//! The issues, the fixes and the limits of a reading.

use std::{collections::HashMap, mem};

use crate::{
    policy::Policy,
    report::{Fault, Fix, FixKind, Fixes, Issue, IssueKind, Issues, Path},
    schema::Schema,
    text::Texts,
};

/// The issues, the fixes and the limits of a reading. One is made for every call, so that all that few calls need is
/// behind a pointer.
#[allow(clippy::struct_excessive_bools)] // each says one thing alone
pub(crate) struct State {
    pub(crate) policy: Policy,
    /// How many issues there are that are not kept.
    pub(crate) omitted: usize,
    /// One of them says that the text is not JSON.
    omits_broken: bool,
    /// The value just read stands for an absent one; the field that asked takes this back.
    pub(crate) absent: bool,
    /// Only whether there is an issue counts, so that none is written.
    pub(crate) quiet: bool,
    /// How many issues there are counts too, where values are converted: nothing is written.
    pub(crate) counts: bool,
    /// How many of the issues that were counted so are missing values.
    pub(crate) missing: usize,
    /// Only the kind and the path of an issue count.
    pub(crate) wordless: bool,
    /// The value that is read alone stands where its path leads.
    pub(crate) reached: bool,
    /// Keys were given that no field takes.
    pub(crate) strangers: bool,
    /// An untagged union is read by the form that is most likely: what does not fit ends the reading.
    pub(crate) hasty: bool,
    /// How many bytes may still be looked at ahead of the reader.
    pub(crate) ahead: Option<usize>,
    /// The memory of the outermost untagged union.
    pub(crate) tried: Option<Box<Tried>>,
    /// The changes that are told.
    fixes: Fixes,
    notes: Option<Box<Notes>>,
}

/// What there is to tell of a reading.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) issues: Issues,
    /// Where the text itself broke.
    pub(crate) broken: Option<Path>,
    /// Keys that no field takes and that are kept all the same.
    pub(crate) kept: Vec<Path>,
    /// How many strings the repairing reader is inside of.
    pub(crate) layers: usize,
    /// Parameters that stand as markup in a string, and where.
    pub(crate) swallowed: Vec<(Path, String)>,
}

/// What untagged unions have found of the values inside one that is kept in memory, so that no value is
/// tried twice in vain.
#[derive(Default)]
pub(crate) struct Tried {
    /// By the address of the value and that of the union.
    pub(crate) choices: HashMap<(usize, usize), Choice>,
    /// How many more steps from value to value may be taken.
    pub(crate) fuel: usize,
}

/// The variant of an untagged union that a value is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Choice {
    /// The first that fits without a conversion.
    Exactly(usize),
    /// The first that fits once null is read as absent, as a strict form has it.
    Lowered(usize),
    /// None as it is; null as absent and conversions were not tried.
    NotExactly,
    /// None with null as absent; conversions were not tried.
    NotLowered,
    /// The only one that fits with conversions.
    Converted(usize),
    /// More than one.
    Several,
    /// None. This one is nearest and has so many faults; so many values of it are missing.
    Nearest {
        index: usize,
        faults: usize,
        missing: usize,
    },
    /// None, and none is near.
    Nothing,
}

impl State {
    #[inline]
    pub(crate) fn new(policy: Policy) -> Self {
        Self {
            policy,
            omitted: 0,
            omits_broken: false,
            absent: false,
            quiet: false,
            counts: false,
            missing: 0,
            wordless: false,
            reached: false,
            strangers: false,
            hasty: false,
            ahead: None,
            tried: None,
            fixes: Fixes::default(),
            notes: None,
        }
    }

    /// The fixes, if there is nothing else to tell and nothing in them to hide; then nothing else is in memory.
    #[inline]
    pub(crate) fn take_clean(&mut self) -> Option<Fixes> {
        let is_clean = self.notes.is_none()
            && self.fixes.are_nulls()
            && self.tried.is_none()
            && self.omitted == 0
            && !self.strangers;
        is_clean.then(|| mem::take(&mut self.fixes))
    }

    pub(crate) fn notes(&self) -> Option<&Notes> {
        self.notes.as_deref()
    }

    pub(crate) fn notes_if_any(&mut self) -> Option<&mut Notes> {
        self.notes.as_deref_mut()
    }

    pub(crate) fn notes_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }

    /// Takes the issues, and where the text itself broke; nothing else that there is to tell is left.
    pub(crate) fn take_told(&mut self) -> (Issues, Option<Path>) {
        match self.notes.take() {
            Some(notes) => (notes.issues, notes.broken),
            None => (Issues::default(), None),
        }
    }

    pub(crate) fn first_issue_mut(&mut self) -> Option<&mut Issue> {
        self.notes.as_mut()?.issues.first_mut()
    }

    pub(crate) fn into_fixes(self) -> Fixes {
        self.fixes
    }

    /// The issues that are more than [faults](Fault), and with one of them all.
    pub(crate) fn listed_issues(&self) -> &[Issue] {
        self.notes().map_or(&[], |notes| notes.issues.listed())
    }

    pub(crate) fn fixes(&self) -> &[Fix] {
        &self.fixes
    }

    pub(crate) fn fixes_mut(&mut self) -> &mut Vec<Fix> {
        self.fixes.all()
    }

    /// How many fixes there are.
    #[inline]
    pub(crate) fn count_fixes(&self) -> usize {
        self.fixes.len()
    }

    /// Whether the text itself is not JSON.
    pub(crate) fn is_broken(&self) -> bool {
        self.omits_broken || self.listed_issues().iter().any(Issue::quotes_text)
    }

    /// How many issues are kept.
    #[inline]
    fn count_kept(&self) -> usize {
        self.notes().map_or(0, |notes| notes.issues.len())
    }

    /// How many issues there are, those that are not kept included.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count_kept() + self.omitted
    }

    /// Whether there is room for one more issue.
    #[inline]
    pub(crate) fn takes_issues(&self) -> bool {
        !self.quiet && self.count_kept() < self.policy.max_issues()
    }

    /// For how many issues there is to be room when one is found: one seldom comes alone.
    #[inline]
    fn room_for_issues(&self) -> usize {
        if self.wordless { 4 } else { 8 }
    }

    #[inline]
    pub(crate) fn push(&mut self, issue: Issue) {
        if !self.takes_issues() {
            self.omit(issue.kind);
            self.omits_broken |= issue.quotes_text();
            return;
        }
        let room = self.room_for_issues();
        self.notes_mut().issues.push(issue, room);
    }

    /// Adds a fault for which there is [room](Self::takes_issues), unless there are issues that are more; its place is
    /// still to be told.
    #[inline]
    pub(crate) fn add_fault(
        &mut self,
        kind: IssueKind,
        schema: &'static Schema,
    ) -> Option<&mut Fault> {
        let room = self.room_for_issues();
        let faults = self.notes_mut().issues.faults(room)?;
        faults.push(Fault::new(kind, schema));
        faults.last_mut()
    }

    /// Takes a fault back whose place could not be told.
    pub(crate) fn take_unfinished_back(&mut self) {
        let notes = self.notes.as_deref_mut();
        if let Some(faults) = notes.and_then(|notes| notes.issues.faults(0)) {
            faults.pop_if(|fault| !fault.is_whole);
        }
    }

    /// Counts an issue that is not kept.
    #[inline]
    pub(crate) fn omit(&mut self, kind: IssueKind) {
        self.omitted += 1;
        self.missing += usize::from(kind == IssueKind::Missing);
    }

    pub(crate) fn fix(&mut self, fix: Fix) {
        if self.wants(fix.kind) {
            self.put_fix(fix);
        }
    }

    /// Keeps a fix that is [wanted](Self::wants).
    #[inline]
    pub(crate) fn put_fix(&mut self, fix: Fix) {
        if self.policy.refuses(fix.kind) {
            return self.push(fix.into_refusal());
        }
        // One fix seldom comes alone.
        let fixes = self.fixes_mut();
        if fixes.is_empty() {
            fixes.reserve(16);
        }
        fixes.push(fix);
    }

    /// Whether anything comes of a fix, so that it is to be made.
    pub(crate) fn wants(&self, kind: FixKind) -> bool {
        self.policy.refuses(kind) || !self.counts && self.has_room_for(kind)
    }

    /// Whether nulls for parameters that may be left out are kept as fixes, as long as there is room.
    #[inline]
    pub(crate) fn notes_nulls(&self) -> bool {
        let kind = FixKind::NullAsAbsent;
        !self.policy.refuses(kind) && self.policy.notes(kind)
    }

    /// Notes that null was given for a parameter of the arguments; see [`notes_nulls`](Self::notes_nulls).
    #[inline]
    pub(crate) fn note_null(&mut self, name: &'static str) {
        self.fixes.add_null(name, self.policy.max_issues());
    }

    /// Notes keys of the arguments that nothing takes, for which there is [room](Self::room_for_fixes).
    pub(crate) fn note_dropped(&mut self, keys: Texts) {
        self.fixes.add_dropped(keys);
    }

    #[inline]
    fn has_room_for(&self, kind: FixKind) -> bool {
        self.policy.notes(kind) && self.room_for_fixes() > 0
    }

    /// How many more fixes are kept. As many are as issues: a model could send a million unknown keys.
    #[inline]
    pub(crate) fn room_for_fixes(&self) -> usize {
        self.policy.max_issues().saturating_sub(self.count_fixes())
    }

    /// Takes over what was changed on another account, as far as the policy of this one allows.
    pub(crate) fn take_fixes(&mut self, fixes: Fixes) {
        for fix in fixes {
            self.fix(fix);
        }
    }

    /// Takes over what was found on another account.
    pub(crate) fn take_issues(&mut self, mut other: Self) {
        self.omitted += other.omitted;
        self.missing += other.missing;
        self.omits_broken |= other.omits_broken;
        for issue in other.take_told().0 {
            self.push(issue);
        }
    }
}
