//! The issues, the fixes and the limits of a reading.

use std::collections::HashMap;

use crate::{
    json::NodeId,
    policy::Policy,
    report::{Fix, FixKind, Fixes, Issue, IssueKind, Path},
    schema::Union,
};

/// The issues, the fixes and the limits of a reading. Every call makes one, so the data that few calls need is behind
/// a pointer.
#[allow(clippy::struct_excessive_bools)] // each says one thing alone
pub(crate) struct CheckState {
    pub(crate) policy: Policy,
    /// The number of issues that are not kept.
    pub(crate) omitted: usize,
    /// Whether one of them says that the text is not JSON.
    omits_broken: bool,
    /// Whether the issue of a broken text is postponed.
    pub(crate) postpones_words: bool,
    /// Whether the text is broken and its issue was postponed.
    pub(crate) is_unexplained: bool,
    /// Whether only the existence of an issue matters, so that issues are not written.
    pub(crate) quiet: bool,
    /// Whether the number of issues matters too, with conversions. Issues are not written then either.
    pub(crate) counts: bool,
    /// The number of missing values among the issues that were counted this way.
    pub(crate) missing: usize,
    /// Whether unknown keys were given.
    pub(crate) strangers: bool,
    /// Whether the arguments themselves give a parameter, so that there is nothing around them.
    pub(super) gives_parameter: bool,
    /// The reported changes.
    fixes: Fixes,
    notes: Option<Box<CheckNotes>>,
}

/// The findings of a reading.
#[derive(Default)]
pub(crate) struct CheckNotes {
    pub(crate) issues: Vec<Issue>,
    /// The place where the text itself broke.
    pub(crate) broken: Option<Path>,
    /// Unknown keys that are kept.
    pub(crate) kept: Vec<Path>,
    /// The number of strings that the checker is inside, whose JSON it reads.
    pub(crate) layers: usize,
    pub(crate) swallowed: Vec<SwallowedName>,
    /// The defaults that were written out, each with its place and its JSON, unless that is secret.
    pub(crate) filled: Vec<(Path, Option<String>)>,
}

/// A parameter that is markup in a string.
pub(crate) struct SwallowedName {
    /// The path of the string.
    pub(crate) path: Path,
    pub(crate) name: String,
    /// The markup that names it.
    pub(crate) mark: String,
}

/// The variant of an untagged union for a value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum FormChoice {
    /// The first that fits without a conversion.
    Exactly(usize),
    /// The first that fits if null means absent, as in a strict form.
    Lowered(usize),
    /// None fits without a conversion. Null as absent and conversions were not tried.
    NotExactly,
    /// None fits with null as absent. Conversions were not tried.
    NotLowered,
    /// The only one that fits with conversions.
    Converted(usize),
    /// More than one fits with conversions. Without conversions this one is nearest, if one is near.
    Several(Option<NearestVariant>),
    /// None fits. This one is nearest.
    Nearest(NearestVariant),
    /// None fits, and none is near.
    Nothing,
}

/// The choices of untagged unions.
#[derive(Default)]
pub(super) struct FormMemo {
    pub(super) choices: HashMap<(NodeId, *const Union), FormChoice>,
    /// The number of nodes that may still be tried; `None` outside of a union.
    pub(super) fuel: Option<usize>,
}

/// The variant that explains best what is wrong, with the number of its faults and of the missing values among them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct NearestVariant {
    pub(crate) index: usize,
    pub(crate) faults: usize,
    pub(crate) missing: usize,
}

impl CheckState {
    #[inline]
    pub(crate) fn new(policy: Policy) -> Self {
        Self {
            policy,
            omitted: 0,
            omits_broken: false,
            postpones_words: false,
            is_unexplained: false,
            quiet: false,
            counts: false,
            missing: 0,
            strangers: false,
            gives_parameter: false,
            fixes: Fixes::default(),
            notes: None,
        }
    }

    pub(crate) fn notes(&self) -> Option<&CheckNotes> {
        self.notes.as_deref()
    }

    pub(crate) fn notes_if_any(&mut self) -> Option<&mut CheckNotes> {
        self.notes.as_deref_mut()
    }

    pub(crate) fn notes_mut(&mut self) -> &mut CheckNotes {
        self.notes.get_or_insert_default()
    }

    /// Takes the issues and the place where the text itself broke. The other findings are dropped.
    pub(crate) fn take_told(&mut self) -> (Vec<Issue>, Option<Path>) {
        match self.notes.take() {
            Some(notes) => (notes.issues, notes.broken),
            None => (Vec::new(), None),
        }
    }

    pub(crate) fn first_issue_mut(&mut self) -> Option<&mut Issue> {
        self.notes.as_mut()?.issues.first_mut()
    }

    pub(crate) fn last_issue_mut(&mut self) -> Option<&mut Issue> {
        self.notes.as_mut()?.issues.last_mut()
    }

    pub(crate) fn into_fixes(self) -> Fixes {
        self.fixes
    }

    /// The issues that are kept.
    pub(crate) fn listed_issues(&self) -> &[Issue] {
        self.notes().map_or(&[], |notes| &notes.issues)
    }

    pub(crate) fn fixes(&self) -> &[Fix] {
        &self.fixes
    }

    pub(crate) fn fixes_mut(&mut self) -> &mut Vec<Fix> {
        self.fixes.all()
    }

    /// The number of fixes.
    #[inline]
    pub(crate) fn count_fixes(&self) -> usize {
        self.fixes.len()
    }

    /// Whether the text itself is not JSON.
    pub(crate) fn is_broken(&self) -> bool {
        self.omits_broken
            || self.is_unexplained
            || self.listed_issues().iter().any(Issue::quotes_text)
    }

    /// The number of issues that are kept.
    #[inline]
    fn count_kept(&self) -> usize {
        self.notes().map_or(0, |notes| notes.issues.len())
    }

    /// The number of issues, including those that are not kept.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count_kept() + self.omitted
    }

    /// Whether there is room for one more issue.
    #[inline]
    pub(crate) fn takes_issues(&self) -> bool {
        !self.quiet && self.count_kept() < self.policy.max_issues()
    }

    #[inline]
    pub(crate) fn push(&mut self, issue: Issue) {
        if !self.takes_issues() {
            self.omit(issue.kind);
            self.omits_broken |= issue.quotes_text();
            return;
        }
        let issues = &mut self.notes_mut().issues;
        if issues.is_empty() {
            // An issue seldom comes alone.
            issues.reserve(8);
        }
        issues.push(issue);
    }

    /// Adds an issue of a key. What its value is does not matter then.
    pub(crate) fn push_of_key(&mut self, issue: Issue) {
        let steps = issue.path.steps();
        if let Some(notes) = self.notes_if_any() {
            notes
                .issues
                .retain(|other| !other.path.steps().starts_with(steps));
        }
        self.push(issue);
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

    /// Whether a fix is kept or refused, so that it must be made.
    pub(crate) fn wants(&self, kind: FixKind) -> bool {
        self.policy.refuses(kind) || !self.counts && self.has_room_for(kind)
    }

    #[inline]
    fn has_room_for(&self, kind: FixKind) -> bool {
        self.policy.notes(kind) && self.room_for_fixes() > 0
    }

    /// The number of fixes for which there is still room. There is room for as many as for issues, since a model could
    /// send a million unknown keys.
    #[inline]
    pub(crate) fn room_for_fixes(&self) -> usize {
        self.policy.max_issues().saturating_sub(self.count_fixes())
    }

    /// Takes over the fixes of another state, as far as the policy of this one allows.
    pub(crate) fn take_fixes(&mut self, fixes: Fixes) {
        for fix in fixes {
            self.fix(fix);
        }
    }

    /// Takes over what a good reading with another state noted: its fixes, and the keys that nothing takes.
    pub(crate) fn take_good(&mut self, mut other: Self) {
        self.strangers |= other.strangers;
        self.gives_parameter |= other.gives_parameter;
        if let Some(notes) = other.notes.take()
            && !(notes.kept.is_empty() && notes.filled.is_empty())
        {
            let own = self.notes_mut();
            own.kept.extend(notes.kept);
            own.filled.extend(notes.filled);
        }
        self.take_fixes(other.fixes);
    }

    /// Takes over the issues of another state.
    pub(crate) fn take_issues(&mut self, mut other: Self) {
        self.omitted += other.omitted;
        self.missing += other.missing;
        self.omits_broken |= other.omits_broken;
        for issue in other.take_told().0 {
            self.push(issue);
        }
    }
}
