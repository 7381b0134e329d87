//! The state of a check: the place in the document, the issues and the changes so far.

use std::{borrow::Cow, collections::HashMap, rc::Rc};

use super::found::{FoundValue, found_number};
use super::state::CheckState;
use super::{
    change::{ChangeKind, NodeChange},
    fields::FieldIndex,
    place::{PathStep, PlaceFit, ValuePlace},
    render::render,
    rule_state::RuleState,
    state::FormMemo,
    trouble::{CheckTrouble, IssueSubject},
};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    policy::{MAX_DEPTH, Policy},
    report::{Fix, FixKind, Issue, IssueClue, IssueKind, Path, ShownText, Step},
    schema::{Field, Kind, Object, Schema, dense, expected},
    text::NOT_SHOWN,
};

/// A check of a document.
pub(super) struct Checker<'a> {
    pub(super) document: &'a JsonDocument<'a>,
    pub(super) state: CheckState,
    pub(super) changes: Vec<NodeChange>,
    /// The chosen forms of untagged unions, each with its node. An outer union comes behind those inside it.
    pub(super) forms: Vec<(NodeId, u32)>,
    /// The path of the document itself, if it is the text of a string.
    base: Vec<Step>,
    steps: Vec<PathStep<'a>>,
    /// The schemas around the value that have a number.
    definitions: Vec<&'a Schema>,
    /// Whether a value cannot be read at all, so that the check ends.
    pub(super) is_broken: bool,
    pub(super) memo: FormMemo,
    indexes: HashMap<*const Object, Rc<FieldIndex<'a>>>,
    /// What is known about the issues of this document, and the number of the first one.
    pub(super) troubles: Vec<CheckTrouble<'a>>,
    pub(super) first_trouble: usize,
    /// How many more hints are tried.
    pub(super) trials: usize,
    pub(super) rules: RuleState<'a>,
}

/// The most hints that are tried for one call.
const TRIALS: usize = 16;

impl<'a> Checker<'a> {
    pub(super) fn new(document: &'a JsonDocument<'a>, policy: Policy) -> Self {
        Self {
            document,
            state: CheckState::new(policy),
            changes: Vec::new(),
            forms: Vec::new(),
            base: Vec::new(),
            steps: Vec::new(),
            definitions: Vec::new(),
            is_broken: false,
            memo: FormMemo::default(),
            indexes: HashMap::new(),
            troubles: Vec::new(),
            first_trouble: 0,
            trials: TRIALS,
            rules: RuleState::default(),
        }
    }

    /// Checks the document of a string at the place of the string. Returns how it fits, and the checked text.
    pub(super) fn check_inside<'b>(
        &mut self,
        document: &'b JsonDocument<'b>,
        place: ValuePlace<'b>,
    ) -> (PlaceFit, Option<(String, Vec<u32>)>)
    where
        'a: 'b,
    {
        let policy = self.state.policy;
        let state = std::mem::replace(&mut self.state, CheckState::new(policy));
        let mut inner = self.checker_inside(document, state);
        let fit = inner.check_root(place);
        inner.add_hints();
        let text = (!inner.is_broken).then(|| {
            let changes = super::sorted(std::mem::take(&mut inner.changes));
            (render(document, &changes, 0), in_text_order(&inner.forms))
        });
        self.trials = inner.trials;
        self.state = inner.state;
        (fit, text)
    }

    /// A checker of a document in place of the value here.
    pub(super) fn checker_inside<'b>(
        &self,
        document: &'b JsonDocument<'b>,
        state: CheckState,
    ) -> Checker<'b>
    where
        'a: 'b,
    {
        Checker {
            document,
            state,
            changes: Vec::new(),
            forms: Vec::new(),
            base: self.path_steps(),
            steps: Vec::new(),
            definitions: self.definitions.clone(),
            is_broken: false,
            memo: FormMemo::default(),
            indexes: HashMap::new(),
            troubles: Vec::new(),
            first_trouble: self.first_trouble + self.troubles.len() + 1,
            trials: self.trials,
            rules: self.rules.inside(),
        }
    }

    pub(super) fn policy(&self) -> Policy {
        self.state.policy
    }

    /// Whether values are converted towards the declared type.
    pub(super) fn converts(&self) -> bool {
        self.state.policy.converts()
    }

    pub(super) fn repairs(&self) -> bool {
        self.state.policy.repairs()
    }

    /// Whether the forms that a strict dialect makes a model send are read.
    pub(super) fn takes_lowered(&self) -> bool {
        self.state.policy.takes_lowered()
    }

    /// Whether this is the place of the arguments as a whole.
    pub(super) fn is_root(&self) -> bool {
        self.steps.is_empty() && self.base.is_empty()
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.steps.len() + self.base.len() >= MAX_DEPTH
    }

    /// Checks one step below.
    pub(super) fn below<R>(&mut self, step: PathStep<'a>, check: impl FnOnce(&mut Self) -> R) -> R {
        self.steps.push(step);
        let out = check(self);
        self.steps.pop();
        out
    }

    /// Checks the items of a list one by one, each one step below. Returns their number and whether all are good; nothing
    /// if the text breaks there.
    pub(super) fn each_item(
        &mut self,
        list: NodeId,
        mut check: impl FnMut(&mut Self, usize, NodeId) -> bool,
    ) -> Option<(usize, bool)> {
        let document = self.document;
        let (mut count, mut all) = (0, true);
        for item in document.items(list) {
            let step = PathStep::Index(count);
            all &= self.below(step, |checker| check(checker, count, item));
            if self.is_broken {
                return None;
            }
            count += 1;
        }
        if document.is_open(list) {
            self.below(PathStep::Index(count), Self::break_off);
            return None;
        }
        Some((count, all))
    }

    /// Checks the keys of an object one by one. Returns whether all are good; nothing if a key or a value cannot be read.
    pub(super) fn each_key(
        &mut self,
        object: NodeId,
        mut check: impl FnMut(&mut Self, NodeId, Cow<'a, str>) -> bool,
    ) -> Option<bool> {
        let document = self.document;
        let mut all = true;
        for key in document.keys(object) {
            let Some(name) = document.string(key) else {
                self.break_off();
                return None;
            };
            all &= check(self, key, name);
            if self.is_broken {
                return None;
            }
        }
        Some(all)
    }

    /// Reports that the key here comes more than once.
    pub(super) fn twice(&mut self) -> PlaceFit {
        self.issue(IssueKind::DuplicateKey, "once", "more than once")
    }

    /// Checks under a schema that values inside may refer to by its number.
    pub(super) fn within<R>(
        &mut self,
        schema: &'a Schema,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if schema.number() == 0 {
            return check(self);
        }
        self.definitions.push(schema);
        let out = check(self);
        self.definitions.pop();
        out
    }

    /// The definition with this number, among the schemas around this place.
    pub(super) fn definition(&self, number: u32) -> Option<&'a Schema> {
        let mut around = self.definitions.iter().rev().copied();
        around
            .find(|schema| schema.number() == number && !schema.is_again())
            .or_else(|| self.rules.definition(number))
    }

    /// The names of an object's fields, which are indexed once.
    pub(super) fn index(&mut self, rules: &'a Object) -> Rc<FieldIndex<'a>> {
        let index = self.indexes.entry(std::ptr::from_ref(rules));
        index
            .or_insert_with(|| Rc::new(FieldIndex::of(rules)))
            .clone()
    }

    fn path_steps(&self) -> Vec<Step> {
        let steps = self.steps.iter().map(|step| match step {
            PathStep::Name(name) => Step::Key((*name).to_owned()),
            PathStep::Key(key) => {
                Step::Key(self.document.string(*key).unwrap_or_default().into_owned())
            }
            PathStep::Index(index) => Step::Index(*index),
        });
        self.base.iter().cloned().chain(steps).collect()
    }

    /// The number of steps from the document to here.
    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// The steps to here, without the first ones of this document.
    pub(super) fn steps_from(&self, first: usize) -> Vec<Step> {
        let mut steps = self.path_steps();
        steps.drain(..(self.base.len() + first).min(steps.len()));
        steps
    }

    /// The path from the arguments to here.
    pub(super) fn path(&self) -> Path {
        Path::of(self.path_steps())
    }

    /// The last step to here that is a free key.
    fn entry_step(&self) -> Option<usize> {
        let is_free = |step: &PathStep<'_>| matches!(step, PathStep::Key(_));
        let step = self.steps.iter().rposition(is_free)?;
        Some(self.base.len() + step)
    }

    /// The path of a key of the object here.
    pub(super) fn path_of(&self, key: &str) -> Path {
        let mut steps = self.path_steps();
        steps.push(Step::Key(key.to_owned()));
        Path::of(steps)
    }

    /// Ends the check: the value here cannot be read.
    pub(super) fn break_off(&mut self) -> PlaceFit {
        self.is_broken = true;
        let is_noted = self
            .state
            .notes()
            .is_some_and(|notes| notes.broken.is_some());
        if !is_noted && !self.state.quiet {
            let path = self.path();
            self.state.notes_mut().broken = Some(path);
        }
        PlaceFit::Bad
    }

    /// Records a change of a node.
    pub(super) fn change(&mut self, node: NodeId, kind: ChangeKind) {
        self.changes.push(NodeChange { node, kind });
    }

    /// Reports an issue here.
    pub(super) fn issue(
        &mut self,
        kind: IssueKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> PlaceFit {
        if self.state.quiet {
            self.state.omit(kind);
        } else {
            let mut issue = Issue::new(self.path(), kind, expected, found);
            issue.clue.entry = self.entry_step();
            self.state.push(issue);
        }
        PlaceFit::Bad
    }

    /// Reports an issue of the value here, whose hint may be looked for.
    pub(super) fn issue_about(
        &mut self,
        subject: IssueSubject<'a>,
        kind: IssueKind,
        (expected, found): (Cow<'static, str>, Cow<'static, str>),
        place: ValuePlace<'a>,
    ) {
        let mut issue = Issue::new(self.path(), kind, expected, found);
        issue.clue.trouble = self.note_trouble(subject, place);
        self.state.push(issue);
    }

    /// Reports a missing required value.
    pub(super) fn missing(&mut self, field: &'a Field, rules: &'a Object, place: ValuePlace<'a>) {
        if self.state.takes_issues() {
            let words = self.missing_words(field);
            let mut issue = Issue::new(self.path(), IssueKind::Missing, words, "");
            let object = place.node;
            issue.dense = dense(&field.schema);
            issue.clue.entry = self.entry_step();
            issue.clue.trouble = self.note_trouble(
                IssueSubject::Missing {
                    object,
                    field,
                    rules,
                },
                place,
            );
            self.state.push(issue);
        } else {
            self.state.omit(IssueKind::Missing);
        }
    }

    /// Reports that the value here is not what the schema expects.
    pub(super) fn fault(
        &mut self,
        kind: IssueKind,
        found: &FoundValue<'_>,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        self.fault_with(kind, found, None, place)
    }

    pub(super) fn fault_with(
        &mut self,
        kind: IssueKind,
        found: &FoundValue<'_>,
        hint: Option<Cow<'static, str>>,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if !self.state.takes_issues() {
            self.state.omit(kind);
            return PlaceFit::Bad;
        }
        let trouble = self.note_trouble(IssueSubject::Value(place.node), place);
        let issue = Issue {
            path: self.path(),
            kind,
            expected: expected(place.schema),
            dense: dense(place.schema),
            found: found.words(hides(found, place)),
            hint,
            shown: ShownText::Open,
            clue: IssueClue {
                trouble,
                entry: self.entry_step(),
                may_be_left_out: false,
                is_tried: false,
                is_unexplained: false,
            },
        };
        self.state.push(issue);
        PlaceFit::Bad
    }

    /// Reports a value of another type.
    pub(super) fn mismatch(&mut self, found: &FoundValue<'_>, place: ValuePlace<'a>) -> PlaceFit {
        let wants_object = matches!(
            place.schema.kind,
            Kind::Object(_) | Kind::Map(_) | Kind::Union(_)
        );
        let kind = if wants_object && self.is_root() {
            IssueKind::NotAnObject
        } else {
            IssueKind::WrongType
        };
        self.fault(kind, found, place)
    }

    /// Notes a fix of the value here.
    pub(super) fn fixed(
        &mut self,
        kind: FixKind,
        from: &FoundValue<'_>,
        to: impl Into<Cow<'static, str>>,
        place: ValuePlace<'_>,
    ) {
        if !self.state.wants(kind) {
            return;
        }
        let fix = Fix {
            path: self.path(),
            kind,
            from: from.words(hides(from, place)),
            to: if place.secret {
                NOT_SHOWN.into()
            } else {
                to.into()
            },
        };
        self.state.put_fix(fix);
    }

    /// Whether `""` here means that the value is absent.
    fn takes_empty(&self, place: ValuePlace<'_>) -> bool {
        if !(place.optional || place.empty) || !self.converts() {
            return false;
        }
        let schema = place.schema;
        let keeps = schema.lists_empty_text()
            || self.state.policy.keeps_empty() && schema.takes_empty_text()
            || place.keeps_empty;
        !keeps
    }

    /// Whether null here means that the value is absent. If so, notes it.
    pub(super) fn is_absent_null(&mut self, place: ValuePlace<'_>) -> bool {
        let is_absent = place.optional && self.takes_lowered();
        if is_absent {
            self.fixed(FixKind::NullAsAbsent, &FoundValue::Null, "absent", place);
        }
        is_absent
    }

    /// Whether a string here is empty and means that the value is absent. If so, notes it.
    pub(super) fn is_absent_text(&mut self, text: &str, place: ValuePlace<'_>) -> bool {
        let is_absent = text.is_empty() && self.takes_empty(place);
        if is_absent {
            self.fixed(
                FixKind::EmptyAsAbsent,
                &FoundValue::Text(""),
                "absent",
                place,
            );
        }
        is_absent
    }

    /// Reports a list or an object below the deepest level.
    pub(super) fn refuse_depth(&mut self) -> PlaceFit {
        let words = format!("at most {MAX_DEPTH} levels of nesting");
        let issue = Issue::new(Path::default(), IssueKind::TooDeep, words, "");
        self.state.push(issue);
        self.is_broken = true;
        PlaceFit::Bad
    }

    /// What a node is, for a report.
    pub(super) fn found(&self, node: NodeId) -> FoundValue<'a> {
        let document = self.document;
        match document.form(node) {
            NodeForm::Null => FoundValue::Null,
            NodeForm::Boolean(value) => FoundValue::Boolean(value),
            NodeForm::Number => found_number(document.written(node)),
            NodeForm::Text(_) => {
                // Callers have the text of a string that can be read. Any other is shown as it is written.
                let written = document.written(node);
                FoundValue::Text(
                    written
                        .get(1..written.len().saturating_sub(1))
                        .unwrap_or_default(),
                )
            }
            NodeForm::List => FoundValue::Array,
            NodeForm::Object => FoundValue::Object,
        }
    }

    /// How a value fits where an object is expected, if it is not an object that can be opened. A string may have JSON in
    /// it.
    pub(super) fn check_other_than_object(
        &mut self,
        node: NodeId,
        place: ValuePlace<'a>,
    ) -> Option<PlaceFit> {
        match self.document.form(node) {
            NodeForm::Object if !self.is_too_deep() => None,
            NodeForm::Text(_) => Some(self.check_in_text(node, place)),
            _ => Some(self.wrong_form(node, place)),
        }
    }

    /// Reports a value of another type, whatever it is.
    pub(super) fn wrong_form(&mut self, node: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        match document.form(node) {
            NodeForm::Null if self.is_absent_null(place) => PlaceFit::Absent,
            NodeForm::List | NodeForm::Object if self.is_too_deep() => self.refuse_depth(),
            NodeForm::List | NodeForm::Object if document.is_open(node) => self.break_off(),
            NodeForm::Text(_) => match document.string(node) {
                Some(text) if self.is_absent_text(&text, place) => PlaceFit::Absent,
                Some(text) => self.mismatch(&FoundValue::Text(&text), place),
                None => self.break_off(),
            },
            _ => {
                let found = self.found(node);
                self.mismatch(&found, place)
            }
        }
    }
}

/// The forms of unions in the order of the text.
pub(super) fn in_text_order(forms: &[(NodeId, u32)]) -> Vec<u32> {
    // Of unions at one node, the outer one comes first.
    let mut forms: Vec<(NodeId, u32)> = forms.iter().rev().copied().collect();
    forms.sort_by_key(|(node, _)| *node);
    forms.into_iter().map(|(_, form)| form).collect()
}

/// Whether a value at a place must not be shown: it is secret, or it is a string that may contain a secret.
pub(super) fn hides(found: &FoundValue<'_>, place: ValuePlace<'_>) -> bool {
    place.secret || matches!(found, FoundValue::Text(_)) && place.schema.may_hold_secret()
}
