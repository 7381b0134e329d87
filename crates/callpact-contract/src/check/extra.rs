//! The rules of foreign schemas that no kind has, checked at the node that they are about.
//!
//! A rule is about the value as it will run, so the changes of the node are made before. Inside a rule nothing is
//! converted.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use serde_json::Value;

use super::{
    change::ChangeKind,
    checker::{Checker, hides},
    found::Found,
    names::{near_miss, unknown_key_by_pattern},
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
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;
/// The deepest level of forms and definitions inside each other.
const NESTED: usize = 400;
/// The most unknown keys of one object that are reported.
const UNKNOWN: usize = 16;

/// What a checker knows about extra rules.
#[derive(Default)]
pub(super) struct RuleState<'a> {
    /// Whether a rule is being checked.
    is_inside: bool,
    /// The schema that has the rule, and the number of steps of the path to it.
    around: Option<(&'a Schema, usize)>,
    definitions: &'a [(u32, Schema)],
    fuel: Option<usize>,
    nested: usize,
    /// The number of faults of a node under a schema.
    known: HashMap<(NodeId, *const Schema), usize>,
    /// The nodes and schemas whose faults are reported.
    reported: HashSet<(NodeId, *const Schema)>,
    /// Keys that a part of a rule declares.
    declared: Vec<Path>,
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

impl<'a> Checker<'a> {
    pub(super) fn start(&self) -> CheckStart {
        CheckStart {
            changes: self.changes.len(),
            issues: self.state.count(),
        }
    }

    /// Whether a rule may go on: inside rules, the work is bounded. Reports the end of it.
    pub(super) fn may_go_on(&mut self, schema: &'a Schema) -> bool {
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

    pub(super) fn too_long(&mut self) -> Fit {
        let words = "checking this takes too long; send something simpler";
        self.issue(IssueKind::Invalid, words, "")
    }

    /// Checks at the node of a definition, unless definitions lead to each other without an end.
    pub(super) fn in_definition(&mut self, check: impl FnOnce(&mut Self) -> Fit) -> Fit {
        if self.rules.nested >= NESTED {
            return self.too_long();
        }
        self.rules.nested += 1;
        let fit = check(self);
        self.rules.nested -= 1;
        fit
    }

    /// Notes that a part of a rule declares a key.
    pub(super) fn declare(&mut self, key: NodeId) {
        if self.rules.is_inside {
            let name = self.document.string(key).unwrap_or_default();
            let path = self.path_of(&name);
            self.rules.declared.push(path);
        }
    }

    /// The words about a missing field. A condition only names the fields that it requires, and the schema that has the
    /// condition declares them.
    pub(super) fn missing_words(&self, field: &'a Field) -> String {
        let own = field.schema.part();
        let is_named_only =
            self.rules.is_inside && matches!(own.kind, Kind::Any) && own.description.is_empty();
        let declared = is_named_only.then(|| self.declared(&field.name));
        described(declared.flatten().unwrap_or(own))
    }

    /// The declaration of the field here in the schema that has the rule.
    fn declared(&self, name: &str) -> Option<&'a Schema> {
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

    /// Checks the rules of a schema on a node whose kind was checked from `start` on.
    pub(super) fn check_extra(
        &mut self,
        node: NodeId,
        schema: &'a Schema,
        place: Place<'a>,
        start: CheckStart,
        fit: Fit,
    ) -> Fit {
        if schema.rules().is_empty() || fit == Fit::Absent || self.is_broken {
            return fit;
        }
        if self.document.form(node) == NodeForm::Null && schema.takes_null_by_word() {
            return fit;
        }
        let is_good = fit.is_good() && self.state.count() == start.issues;
        if !is_good && self.state.quiet && !self.state.counts {
            return fit;
        }
        let place = Place {
            schema,
            node,
            secret: place.secret || !self.rules.is_inside && schema.may_hold_secret(),
            tag_key: None,
            variant: None,
            ..place.required()
        };
        let follows = if self.rules.is_inside {
            self.follow(place, is_good)
        } else {
            self.enter_rules(place, start, is_good)
        };
        if follows { fit } else { Fit::Bad }
    }

    /// Checks the rules of a place on its changed value, with a state of their own.
    fn enter_rules(&mut self, place: Place<'a>, start: CheckStart, is_good: bool) -> bool {
        let mut state = State::new(self.policy().for_rules());
        (state.quiet, state.counts) = (self.state.quiet, self.state.counts);
        let changes = sorted(
            self.changes
                .get(start.changes..)
                .unwrap_or_default()
                .to_vec(),
        );
        let twins = self.renamed_keys(place.node);
        let issues = self.state.listed_issues().iter();
        let before: Vec<Path> = issues.map(|issue| issue.path.clone()).collect();
        let (follows, state, declared) = if changes.is_empty() {
            let outer = std::mem::replace(&mut self.state, state);
            let choices = std::mem::take(&mut self.memo);
            self.rules.is_inside = true;
            self.rules.around = Some((place.schema, self.depth()));
            if self.rules.fuel.is_none() {
                self.rules.fuel = Some(self.document.len() * FUEL_EACH + FUEL);
            }
            let follows = self.follow(place, is_good);
            self.rules.is_inside = false;
            self.rules.around = None;
            self.memo = choices;
            let state = std::mem::replace(&mut self.state, outer);
            (follows, state, std::mem::take(&mut self.rules.declared))
        } else {
            let text = render(self.document, &changes, place.node);
            let document = Document::parse(&text);
            let mut inner = self.checker_inside(&document, state);
            inner.rules.is_inside = true;
            inner.rules.around = Some((place.schema, 0));
            inner.rules.fuel = Some(document.len() * FUEL_EACH + FUEL);
            let follows = inner.follow(Place { node: 0, ..place }, is_good);
            inner.add_hints();
            let trials = inner.trials;
            let done = (follows, inner.state, inner.rules.declared);
            self.trials = trials;
            done
        };
        self.declare_keys(&declared);
        let twice = self.report_twins(&twins, &before, place);
        self.take_rule_issues(state, &before);
        follows && !twice
    }

    /// The keys of an object that are read as the name of a field.
    fn renamed_keys(&self, node: NodeId) -> Vec<(NodeId, String)> {
        if self.document.form(node) != NodeForm::Object {
            return Vec::new();
        }
        let renamed = self.changes.iter().filter_map(|change| match &change.kind {
            ChangeKind::Rename(name) => Some((change.node, name.clone())),
            _ => None,
        });
        let mut renamed: HashMap<NodeId, String> = renamed.collect();
        if renamed.is_empty() {
            return Vec::new();
        }
        let keys = self.document.keys(node);
        keys.filter_map(|key| Some((key, renamed.remove(&key)?)))
            .collect()
    }

    /// Reports keys that are read as the name of a field and match a pattern: both could be meant.
    fn report_twins(
        &mut self,
        renamed: &[(NodeId, String)],
        before: &[Path],
        place: Place<'a>,
    ) -> bool {
        let mut is_any = false;
        for rule in place.schema.rules() {
            let ExtraRule::KeyPatterns(patterns) = rule else {
                continue;
            };
            for (key, name) in renamed {
                if before.contains(&self.path_of(name)) {
                    continue;
                }
                let Some(written) = self.document.string(*key) else {
                    continue;
                };
                let mut all = patterns.patterns.iter();
                let matches = all.any(|pattern| {
                    let regex = pattern.regex.as_ref();
                    regex.is_none_or(|regex| regex.is_match(&written))
                });
                if matches {
                    is_any = true;
                    let mut issue = near_miss(self.path_of(&written), &[name]);
                    if let Kind::Object(rules) = &place.schema.kind {
                        let (object, key) = (place.node, *key);
                        let subject = Subject::UnknownKey { object, key, rules };
                        issue.clue.trouble = self.note_trouble(subject, place);
                    }
                    self.state.push(issue);
                }
            }
        }
        is_any
    }

    fn declare_keys(&mut self, declared: &[Path]) {
        if declared.is_empty() {
            return;
        }
        if let Some(notes) = self.state.notes_if_any() {
            notes.kept.retain(|kept| !declared.contains(kept));
        }
    }

    /// Reports the faults that rules found, except at places that have a fault already.
    fn take_rule_issues(&mut self, mut state: State, before: &[Path]) {
        self.state.omitted += state.omitted;
        self.state.missing += state.missing;
        let mut known: Vec<Issue> = Vec::new();
        for issue in state.take_told().0 {
            if known.contains(&issue) {
                continue;
            }
            known.push(issue.clone());
            if issue.kind == IssueKind::UnknownKey {
                self.state.push_of_key(issue);
            } else if !before.contains(&issue.path) {
                self.state.push(issue);
            }
        }
    }

    /// Checks the rules of a place.
    fn follow(&mut self, place: Place<'a>, is_good: bool) -> bool {
        let rules = place.schema.rules();
        let is_first = |rule: &&ExtraRule| {
            matches!(
                rule,
                ExtraRule::Never(_) | ExtraRule::Null | ExtraRule::Values(_)
            )
        };
        for rule in rules.iter().filter(is_first) {
            if !self.follow_rule(rule, place, is_good) {
                return false;
            }
        }
        let mut follows = true;
        for rule in rules.iter().filter(|rule| !is_first(rule)) {
            follows &= self.follow_rule(rule, place, is_good && follows);
        }
        follows
    }

    fn follow_rule(&mut self, rule: &'a ExtraRule, place: Place<'a>, is_good: bool) -> bool {
        let node = place.node;
        let document = self.document;
        let form = document.form(node);
        match rule {
            ExtraRule::Never(name) => {
                let is_meant = name.is_none_or(|name| is_form_of(form, name));
                if is_meant && place.schema.nullable && place.schema.takes_nothing() {
                    self.rule_fault(IssueKind::WrongType, place);
                } else if is_meant {
                    self.issue(IssueKind::Invalid, NOTHING, "");
                }
                !is_meant
            }
            ExtraRule::Null => {
                if form != NodeForm::Null {
                    self.rule_fault(IssueKind::WrongType, place);
                }
                form == NodeForm::Null
            }
            ExtraRule::Values(values) => self.follow_values(values, place),
            ExtraRule::NumberEnds(ends) => {
                let fits = match self.value(node) {
                    Value::Number(number) => super::numbers::number_fits(ends, &number),
                    _ => true,
                };
                if !fits {
                    self.rule_fault(IssueKind::OutOfRange, place);
                }
                fits
            }
            ExtraRule::All(schemas) => {
                let mut all = true;
                for schema in schemas {
                    all &= self.report(node, schema, place);
                }
                all
            }
            ExtraRule::Fits(number) => match self.rules.definition(*number) {
                Some(schema) => self.report(node, schema, place),
                None => true,
            },
            ExtraRule::Forms { forms, only } => {
                let forms: Vec<&Schema> = forms.iter().collect();
                self.follow_forms(&forms, *only, 0, place)
            }
            ExtraRule::OnlyOne { nulls } => {
                let Kind::Union(union) = &place.schema.kind else {
                    return true;
                };
                let forms: Vec<&Schema> = union.contents().collect();
                self.follow_forms(&forms, true, *nulls, place)
            }
            ExtraRule::Not { form, words } => {
                let fits = self.count_faults(node, form, place) == 0;
                if fits {
                    self.issue(IssueKind::Invalid, words.clone(), "");
                }
                !fits
            }
            ExtraRule::If(condition) => self.follow_condition(condition, place, is_good),
            ExtraRule::Definitions(_) => true,
            _ if form == NodeForm::List => self.follow_of_list(rule, place, is_good),
            _ if form == NodeForm::Object => self.follow_of_object(rule, place, is_good),
            _ => true,
        }
    }

    fn follow_values(&mut self, values: &[Value], place: Place<'a>) -> bool {
        let value = self.value(place.node);
        let text = canonical(&value);
        if values.iter().any(|choice| canonical(choice) == text) {
            return true;
        }
        let is_near = values.iter().any(|choice| is_of(&value, type_of(choice)));
        let kind = if is_near {
            IssueKind::NotAChoice
        } else {
            IssueKind::WrongType
        };
        let found = self.found_words(place);
        let mut issue = Issue::new(self.path(), kind, listed(values), found);
        issue.clue.trouble = self.note_trouble(Subject::Value(place.node), place);
        self.push_rule_issue(issue);
        false
    }

    fn follow_condition(
        &mut self,
        condition: &'a Condition,
        place: Place<'a>,
        is_good: bool,
    ) -> bool {
        let fits = self.count_faults(place.node, &condition.test, place) == 0;
        let branch = if fits {
            &condition.then
        } else if is_good {
            &condition.otherwise
        } else {
            // The test may only fail because of another fault.
            &None
        };
        match branch {
            Some(branch) => self.report(place.node, branch, place),
            None => true,
        }
    }

    /// Checks that a value fits one of several forms, or just one of them and of some that are null.
    fn follow_forms(
        &mut self,
        forms: &[&'a Schema],
        only: bool,
        nulls: usize,
        place: Place<'a>,
    ) -> bool {
        let node = place.node;
        let form = self.document.form(node);
        let mut fits = if form == NodeForm::Null { nulls } else { 0 };
        // The form of the same type with the fewest faults explains best what is wrong.
        let mut nearest: Option<(usize, &'a Schema)> = None;
        for schema in forms.iter().copied() {
            let faults = self.count_faults(node, schema, place);
            fits += usize::from(faults == 0);
            if fits > usize::from(only) {
                break;
            }
            let is_nearer = nearest.is_none_or(|(least, _)| faults < least);
            if is_nearer && self.is_for(schema, form) {
                nearest = Some((faults, schema));
            }
        }
        match nearest {
            _ if fits == 1 || fits > 0 && !only => return true,
            Some((_, schema)) if fits == 0 => {
                self.report(node, schema, place);
            }
            _ if fits == 0 => self.rule_fault(IssueKind::NoVariant, place),
            _ => {
                let count = forms.len() + nulls;
                let words = expected(place.schema);
                let words = format!("{words}, in exactly one of {count} forms");
                let found = format!("{}, which fits more than one", self.found_words(place));
                let mut issue = Issue::new(self.path(), IssueKind::NoVariant, words, found);
                issue.clue.trouble = self.note_trouble(Subject::Value(node), place);
                self.push_rule_issue(issue);
            }
        }
        false
    }

    /// Whether a form is for values of this form.
    fn is_for(&self, schema: &'a Schema, form: NodeForm) -> bool {
        let mut schema = schema;
        for _ in 0..8 {
            if !schema.is_inside_itself() {
                break;
            }
            match self.definition(schema.number()) {
                Some(definition) => schema = definition,
                None => break,
            }
        }
        if form == NodeForm::Null {
            return schema.nullable;
        }
        match &schema.kind {
            _ if schema.is_loose() => form == NodeForm::Object,
            Kind::Any => form == NodeForm::Object && !schema.takes_nothing(),
            Kind::Union(rules) if rules.tagging == Tagging::None => {
                rules.contents().any(|content| self.is_for(content, form))
            }
            Kind::Map(_) => form == NodeForm::Object,
            _ => has_form(form.form(), schema),
        }
    }

    fn follow_of_list(&mut self, rule: &'a ExtraRule, place: Place<'a>, is_good: bool) -> bool {
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

    fn follow_of_object(&mut self, rule: &'a ExtraRule, place: Place<'a>, is_good: bool) -> bool {
        let document = self.document;
        let node = place.node;
        let has = |name: &str| document.get(node, name).is_some();
        let mut follows = true;
        match rule {
            ExtraRule::KeyCount { min, max } => {
                let count = document.keys(node).count();
                if !is_within(count, *min, *max) {
                    follows = false;
                    if are_crossed(*min, *max) {
                        self.issue(IssueKind::Invalid, NOTHING, "");
                    } else {
                        let words = format!("an object{}", range(*min, *max, "key"));
                        self.issue(IssueKind::ItemCount, words, count.to_string());
                    }
                }
            }
            ExtraRule::KeyNames(schema) => {
                for key in document.keys(node) {
                    let name = document.string(key).unwrap_or_default();
                    if !self.name_fits(&name, schema, place) {
                        follows = false;
                        let names = expected(schema);
                        let words = format!("this name is not accepted; a name is {names}");
                        self.below(PathStep::Key(key), |check| {
                            check.issue(IssueKind::Invalid, words, "");
                        });
                    }
                }
            }
            ExtraRule::KeyPatterns(patterns) => follows = self.follow_patterns(patterns, place),
            ExtraRule::Without(names) => {
                for name in names.iter().filter(|name| has(name)) {
                    follows = false;
                    self.below(PathStep::Name(name), |check| {
                        check.issue(IssueKind::Invalid, NOTHING, "");
                    });
                }
            }
            ExtraRule::Needs(needs) => {
                for (_, names) in needs.iter().filter(|(key, _)| has(key)) {
                    for name in names.iter().filter(|name| !has(name)) {
                        follows = false;
                        self.missing_name(name);
                    }
                }
            }
            ExtraRule::WithKey(forms) => {
                for (_, form) in forms.iter().filter(|(key, _)| has(key)) {
                    follows &= self.report(node, form, place);
                }
            }
            ExtraRule::Unevaluated(unevaluated) if !unevaluated.items && is_good => {
                follows = self.follow_unevaluated(unevaluated, place);
            }
            _ => {}
        }
        follows
    }

    fn follow_patterns(&mut self, rules: &'a KeyPatterns, place: Place<'a>) -> bool {
        let document = self.document;
        let mut follows = true;
        let mut unknown = Vec::new();
        for key in document.keys(place.node) {
            let name = document.string(key).unwrap_or_default();
            let mut is_known = rules.names.iter().any(|known| **known == *name);
            for pattern in &rules.patterns {
                match &pattern.regex {
                    Some(regex) if !regex.is_match(&name) => {}
                    Some(_) => {
                        is_known = true;
                        follows &= self.below(PathStep::Key(key), |check| {
                            check.report(key + 1, &pattern.values, place)
                        });
                    }
                    None => is_known = true,
                }
            }
            if is_known {
                self.declare(key);
                continue;
            }
            match &rules.rest {
                OtherKeys::Open => {}
                OtherKeys::Closed => unknown.push(name),
                OtherKeys::Values(schema) => {
                    follows &= self.below(PathStep::Key(key), |check| {
                        check.report(key + 1, schema, place)
                    });
                }
            }
        }
        let names: Vec<&str> = rules.names.iter().map(String::as_str).collect();
        let patterns = rules.patterns.iter().map(|pattern| &*pattern.text);
        let patterns: Vec<&str> = patterns.collect();
        for name in unknown.iter().take(UNKNOWN) {
            let issue = unknown_key_by_pattern(self.path_of(name), &names, &patterns);
            self.push_rule_issue(issue);
        }
        self.state.omitted += unknown.len().saturating_sub(UNKNOWN);
        follows && unknown.is_empty()
    }

    fn follow_unevaluated(&mut self, rules: &'a Unevaluated, place: Place<'a>) -> bool {
        let document = self.document;
        let node = place.node;
        let parts: Vec<(PathStep<'a>, NodeId)> = if rules.items {
            let items = document.items(node).enumerate();
            items
                .map(|(index, item)| (PathStep::Index(index), item))
                .collect()
        } else {
            let keys = document.keys(node);
            keys.map(|key| (PathStep::Key(key), key + 1)).collect()
        };
        let mut seen = vec![false; parts.len()];
        self.evaluate(&rules.evaluated, rules.items, &parts, &mut seen, place);
        let mut follows = true;
        for ((step, part), _) in parts.into_iter().zip(seen).filter(|(_, seen)| !seen) {
            follows &= self.below(step, |check| match &rules.rest {
                Some(rest) => check.report(part, rest, place),
                None if rules.items => {
                    check.issue(IssueKind::Invalid, NOTHING, "");
                    false
                }
                None => {
                    let words = "a parameter that a form of this object declares";
                    check.issue(IssueKind::UnknownKey, words, "");
                    false
                }
            });
        }
        follows
    }

    /// Notes which keys or items the keywords of a schema evaluate, including those of its forms.
    fn evaluate(
        &mut self,
        evaluated: &'a Evaluated,
        items: bool,
        parts: &[(PathStep<'a>, NodeId)],
        seen: &mut [bool],
        place: Place<'a>,
    ) {
        let document = self.document;
        for (index, ((step, part), seen)) in parts.iter().zip(&mut *seen).enumerate() {
            *seen |= if items {
                index < evaluated.firsts
                    || evaluated.all_items
                    || evaluated
                        .contains
                        .as_ref()
                        .is_some_and(|schema| self.count_faults(*part, schema, place) == 0)
            } else if let PathStep::Key(key) = step {
                let name = document.string(*key).unwrap_or_default();
                let mut patterns = evaluated.patterns.iter();
                evaluated.all_keys
                    || evaluated.names.iter().any(|known| **known == *name)
                    || patterns.any(|regex| {
                        let regex = regex.as_ref();
                        regex.is_none_or(|regex| regex.is_match(&name))
                    })
            } else {
                true
            };
        }
        for EvaluatedForm {
            needs,
            schema,
            evaluated,
        } in &evaluated.forms
        {
            let is_meant = match needs {
                FormNeed::Always => true,
                FormNeed::Key(key) => document.get(place.node, key).is_some(),
                FormNeed::Test(test, fits) => {
                    (self.count_faults(place.node, test, place) == 0) == *fits
                }
            };
            if is_meant && self.count_faults(place.node, schema, place) == 0 {
                self.evaluate(evaluated, items, parts, seen, place);
            }
        }
    }

    /// The number of faults of a value under a schema. Nothing of them is reported.
    fn count_faults(&mut self, node: NodeId, schema: &'a Schema, place: Place<'a>) -> usize {
        let key = (node, std::ptr::from_ref(schema));
        if let Some(faults) = self.rules.known.get(&key) {
            return *faults;
        }
        let mut state = State::new(self.policy());
        (state.quiet, state.counts) = (true, true);
        let outer = std::mem::replace(&mut self.state, state);
        let fit = self.check_under(node, schema, place);
        let state = std::mem::replace(&mut self.state, outer);
        let faults = state.count().max(usize::from(!fit.is_good()));
        self.rules.known.insert(key, faults);
        faults
    }

    /// Whether a value fits a schema. Reports its faults.
    fn report(&mut self, node: NodeId, schema: &'a Schema, place: Place<'a>) -> bool {
        if self.state.quiet {
            let faults = self.count_faults(node, schema, place);
            self.state.omitted += faults;
            return faults == 0;
        }
        let key = (node, std::ptr::from_ref(schema));
        if self.rules.known.get(&key) == Some(&0) {
            return true;
        }
        if !self.rules.reported.insert(key) {
            return self.count_faults(node, schema, place) == 0;
        }
        let before = self.state.count();
        let fit = self.check_under(node, schema, place);
        let fits = fit.is_good() && self.state.count() == before;
        if fits {
            self.rules.known.insert(key, 0);
        }
        fits
    }

    fn check_under(&mut self, node: NodeId, schema: &'a Schema, place: Place<'a>) -> Fit {
        if self.rules.nested >= NESTED {
            return self.too_long();
        }
        let changes = self.changes.len();
        self.rules.nested += 1;
        let place = Place {
            node,
            ..place.under(schema)
        };
        let fit = self.check(node, place);
        self.rules.nested -= 1;
        self.changes.truncate(changes);
        fit
    }

    /// Whether the name of a key fits a schema of names.
    fn name_fits(&mut self, name: &str, schema: &'a Schema, place: Place<'a>) -> bool {
        let text = quote_json(name);
        let document = Document::parse(&text);
        let mut state = State::new(self.policy());
        state.quiet = true;
        let mut inner = self.checker_inside(&document, state);
        let place = Place {
            node: 0,
            ..place.under(schema)
        };
        let fit = inner.check(0, place);
        fit.is_good() && inner.state.count() == 0
    }

    /// The value of a node.
    fn value(&self, node: NodeId) -> Value {
        parse(self.document.written(node)).unwrap_or_default()
    }

    fn found_words(&self, place: Place<'a>) -> String {
        let found = match self.document.string(place.node) {
            Some(text) => return hidden(&Found::Text(&text), place),
            None => self.found(place.node),
        };
        hidden(&found, place)
    }

    /// Reports that a value is not what the schema of its place expects.
    fn rule_fault(&mut self, kind: IssueKind, place: Place<'a>) {
        if place.schema.takes_nothing() && !place.schema.nullable {
            self.issue(IssueKind::Invalid, NOTHING, "");
            return;
        }
        let found = self.found_words(place);
        let mut issue = Issue::new(self.path(), kind, expected(place.schema), found);
        issue.clue.trouble = self.note_trouble(Subject::Value(place.node), place);
        self.push_rule_issue(issue);
    }

    fn wrong_items(&mut self, schema: &'a Schema, ends: (u64, Option<u64>), count: usize) {
        let (least, most) = ends;
        if are_crossed(Some(least), most) {
            self.issue(IssueKind::Invalid, NOTHING, "");
            return;
        }
        let words = match schema.rules() {
            [ExtraRule::Values(values), ..] => listed(values).into(),
            _ => expected(schema),
        };
        let words = format!("an array of which {} {words}", items_are(least, most));
        let found = match count {
            0 => Cow::Borrowed("none"),
            count => count.to_string().into(),
        };
        self.issue(IssueKind::ItemCount, words, found);
    }

    fn missing_name(&mut self, name: &'a str) {
        self.below(PathStep::Name(name), |check| {
            let words = match check.declared(name) {
                Some(schema) => described(schema),
                None => "any value".to_owned(),
            };
            check.issue(IssueKind::Missing, words, "");
        });
    }

    fn push_rule_issue(&mut self, issue: Issue) {
        if self.state.quiet {
            self.state.omit(issue.kind);
        } else {
            self.state.push(issue);
        }
    }
}

fn hidden(found: &Found<'_>, place: Place<'_>) -> String {
    found.words(hides(found, place)).into_owned()
}

fn is_within(count: usize, min: Option<u64>, max: Option<u64>) -> bool {
    let count = count as u64;
    min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
}

/// Whether a form of a value is that of a type.
fn is_form_of(form: NodeForm, name: &str) -> bool {
    let own = match form {
        NodeForm::Null => "null",
        NodeForm::Boolean(_) => "boolean",
        NodeForm::Number => "number",
        NodeForm::Text(_) => "string",
        NodeForm::List => "array",
        NodeForm::Object => "object",
    };
    own == name
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{
        super::{checker::Checker, place::Place},
        FUEL, FUEL_EACH,
    };
    use crate::{Policy, json::Document, schema::ForeignSchema};

    /// The verdict on a value, and the number of nodes that rules looked at.
    fn look(schema: &ForeignSchema, value: &Value) -> (bool, usize) {
        let text = value.to_string();
        let document = Document::parse(&text);
        let mut check = Checker::new(&document, Policy::exact());
        let fit = check.check_root(Place::of(schema.reading()));
        let fuel = check.rules.fuel;
        let spent = fuel.map_or(0, |left| document.len() * FUEL_EACH + FUEL - left);
        (fit.is_good() && check.state.count() == 0, spent)
    }

    fn nested(levels: usize, leaf: &Value) -> Value {
        (0..levels).fold(leaf.clone(), |value, _| json!({ "x": value }))
    }

    /// Two equal forms at every level, written out.
    #[test]
    fn forms_inside_each_other_are_checked_once() {
        let object =
            |of: Value| json!({"type": "object", "properties": {"x": of}, "required": ["x"]});
        for levels in 1..=10 {
            let schema = (0..levels).fold(json!({"type": "integer"}), |schema, _| {
                let form = object(schema);
                json!({"allOf": [form, {"not": {"allOf": [form, {"required": ["y"]}]}}]})
            });
            let schema = ForeignSchema::from_value(schema).expect("a schema");
            let nodes = 8 << levels;
            for leaf in [json!(1), json!("a")] {
                let (fits, spent) = look(&schema, &nested(levels, &leaf));
                assert_eq!(fits, leaf == 1);
                assert!(spent <= 2 * nodes, "{levels} levels: {spent} of {nodes}");
            }
        }
    }

    /// With references, a few lines of a schema are 2^60 forms.
    #[test]
    fn work_of_referred_forms_is_bounded() {
        let levels = 60;
        for keyword in ["anyOf", "oneOf", "allOf"] {
            let mut defs = Map::new();
            for level in 0..levels {
                let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
                let form = json!({"type": "object", "properties": {"x": next}, "required": ["x"]});
                defs.insert(format!("L{level}"), json!({keyword: [form, form]}));
            }
            defs.insert(format!("L{levels}"), json!({"type": "integer"}));
            let schema = json!({"$ref": "#/$defs/L0", "$defs": defs});
            let schema = ForeignSchema::from_value(schema).expect("a schema");
            for (leaf, is_one) in [(json!(1), true), (json!("a"), false)] {
                let (fits, spent) = look(&schema, &nested(levels, &leaf));
                assert_eq!(fits, is_one && keyword != "oneOf", "{keyword} {leaf}");
                assert!(spent <= 1_000 * levels, "{keyword}: {spent}");
            }
        }
    }
}
