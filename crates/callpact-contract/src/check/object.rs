//! Objects with declared fields.

use std::collections::BTreeMap;

use super::found::FoundValue;
use super::markup::swallowed_issue;
use super::names::belongs_to_another;
use super::values::ANY;
use super::{
    change::ChangeKind,
    checker::Checker,
    fields::FieldIndex,
    hints::leave_out,
    place::{PathStep, PlaceFit, ValuePlace},
    unknown_keys::{GivenFields, UnknownKeys},
};
use crate::{
    json::{NodeForm, NodeId},
    report::{Fix, FixKind, Issue, IssueKind},
    schema::{Field, Object, Schema, Unknown, expected},
    text::{cut, only_by_case, quoted},
};

/// The keys of an object that is checked.
pub(super) struct ObjectKeys<'a> {
    rules: &'a Object,
    given: Vec<bool>,
    /// The field that is likely to come next.
    expected: usize,
    /// Keys that a flattened map or an open object keeps.
    kept: BTreeMap<String, NodeId>,
    unknown: UnknownKeys,
    /// Keys of other variants whose value is null.
    nulls: Vec<NodeId>,
    tags: usize,
}

/// What a key of an object means.
enum KeyMeaning<'a> {
    Field(usize),
    /// The value is kept under its own key.
    Kept(&'a Schema),
    /// The key and its value are left out, or are wrong.
    Nothing,
}

impl<'a> Checker<'a> {
    pub(super) fn check_object(
        &mut self,
        node: NodeId,
        rules: &'a Object,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if let Some(fit) = self.check_other_than_object(node, place) {
            return fit;
        }
        let index = self.index(rules);
        let mut keys = ObjectKeys {
            rules,
            given: vec![false; index.fields.len()],
            expected: 0,
            kept: BTreeMap::new(),
            unknown: UnknownKeys::default(),
            nulls: Vec::new(),
            tags: 0,
        };
        let all = self.each_key(node, |check, key, name| {
            let fit = match check.key_meaning(key, &name, &mut keys, &index, place) {
                KeyMeaning::Field(number) => {
                    check.check_field(node, key, index.fields[number], place)
                }
                KeyMeaning::Kept(schema) => {
                    let place = place.entry(schema);
                    check.below(PathStep::Key(key), |check| check.check(key + 1, place))
                }
                KeyMeaning::Nothing => PlaceFit::Good,
            };
            fit != PlaceFit::Bad
        });
        let Some(all) = all else {
            return PlaceFit::Bad;
        };
        if self.document.is_open(node) {
            return self.break_in_fields(node, &keys, &index);
        }
        self.close_object(node, keys, &index, place);
        PlaceFit::of(all)
    }

    fn check_field(
        &mut self,
        object: NodeId,
        key: NodeId,
        field: &'a Field,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        self.declare(key);
        let step = PathStep::Name(field.name.part());
        let fit = self.below(step, |check| check.check(key + 1, place.field(field)));
        if fit == PlaceFit::Absent {
            self.change(key, ChangeKind::Drop);
            self.fill_default(object, field);
        }
        fit
    }

    /// Writes out the default of an absent field, if the policy wants it.
    fn fill_default(&mut self, object: NodeId, field: &'a Field) {
        let Some(default) = field.schema.default.as_ref() else {
            return;
        };
        if !self.policy().fills_defaults() {
            return;
        }
        let json = default.to_json();
        let shown = (!field.schema.secret).then(|| json.clone());
        let path = self.path_of(field.name.part());
        self.state.notes_mut().filled.push((path, shown));
        self.change(object, ChangeKind::Add(field.name.to_string(), json));
    }

    /// The meaning of a key. A field that it means is marked as given.
    fn key_meaning(
        &mut self,
        key: NodeId,
        name: &str,
        keys: &mut ObjectKeys<'a>,
        index: &FieldIndex<'a>,
        place: ValuePlace<'a>,
    ) -> KeyMeaning<'a> {
        if let Some(number) = index.find(keys.expected, name) {
            return self.give(number, name, keys, index, place);
        }
        let document = self.document;
        if let Some(tag) = place.tag_key
            && document.string(tag).as_deref() == Some(name)
        {
            keys.tags += 1;
            return KeyMeaning::Nothing;
        }
        if document.form(key + 1) == NodeForm::Null
            && let Some((union, own)) = place.variant
            && belongs_to_another(name, union, own)
        {
            keys.nulls.push(key);
            self.change(key, ChangeKind::Drop);
            return KeyMeaning::Nothing;
        }
        let rules = keys.rules;
        let renamed =
            |check: &mut Self, keys: &mut ObjectKeys<'a>, number: usize, kind: Option<FixKind>| {
                let field = index.fields[number];
                if keys.given[number] {
                    check.key_twice(name, field.name.part(), place.field(field));
                    return KeyMeaning::Nothing;
                }
                if let Some(kind) = kind {
                    let at = place.field(field);
                    let to = quoted(field.name.part());
                    check.below(PathStep::Name(field.name.part()), |check| {
                        check.fixed(kind, &FoundValue::Text(name), to, at);
                    });
                }
                check.change(key, ChangeKind::Rename(field.name.to_string()));
                check.give(number, name, keys, index, place)
            };
        if self.takes_lowered()
            && let Some(number) = index.by_safe_name(name)
        {
            return renamed(self, keys, number, None);
        }
        if self.converts()
            && let Some(number) = index.by_alias(name)
        {
            return renamed(self, keys, number, Some(FixKind::Alias));
        }
        if let Some(schema) = &rules.extra {
            return self.keep(key, name, schema.part(), keys);
        }
        if self.converts()
            && rules.unknown != Unknown::Ignore
            && let Some(number) = index.by_case(name)
        {
            return renamed(self, keys, number, Some(FixKind::KeyCase));
        }
        if let Some(tag) = place.tag_key.and_then(|tag| document.string(tag))
            && self.is_by_case(name, &tag, rules.unknown)
        {
            self.key_twice(name, &tag, place);
            return KeyMeaning::Nothing;
        }
        keys.unknown.pass(key, name, rules, index, self);
        if rules.unknown == Unknown::Keep {
            return self.keep(key, name, ANY, keys);
        }
        self.change(key, ChangeKind::Drop);
        KeyMeaning::Nothing
    }

    fn give(
        &mut self,
        number: usize,
        name: &str,
        keys: &mut ObjectKeys<'a>,
        index: &FieldIndex<'a>,
        place: ValuePlace<'a>,
    ) -> KeyMeaning<'a> {
        if std::mem::replace(&mut keys.given[number], true) {
            let field = index.fields[number];
            self.key_twice(name, field.name.part(), place.field(field));
            return KeyMeaning::Nothing;
        }
        keys.expected = number + 1;
        KeyMeaning::Field(number)
    }

    fn keep(
        &mut self,
        key: NodeId,
        name: &str,
        schema: &'a Schema,
        keys: &mut ObjectKeys<'a>,
    ) -> KeyMeaning<'a> {
        if !keys.kept.contains_key(name) {
            keys.kept.insert(name.to_owned(), key);
            return KeyMeaning::Kept(schema);
        }
        self.below(PathStep::Key(key), Self::twice);
        KeyMeaning::Nothing
    }

    /// Ends the check in an object that the text does not close: at the key without a value, if
    /// there is one.
    fn break_in_fields(
        &mut self,
        node: NodeId,
        keys: &ObjectKeys<'a>,
        index: &FieldIndex<'a>,
    ) -> PlaceFit {
        let open = self.document.last_key(node);
        let open = open.and_then(|key| self.document.string(key));
        let named = open.and_then(|name| index.find(keys.expected, &name));
        let open = named.map(|number| index.fields[number].name.part());
        match open {
            Some(name) => self.below(PathStep::Name(name), Self::break_off),
            None => self.break_off(),
        }
    }

    /// Reports the fields that were not given, and the keys that no field takes.
    fn close_object(
        &mut self,
        node: NodeId,
        keys: ObjectKeys<'a>,
        index: &FieldIndex<'a>,
        place: ValuePlace<'a>,
    ) {
        let needs_one = index.fields.iter().any(|field| field.required);
        if needs_one && self.report_empty(place) {
            return;
        }
        let converts = self.converts();
        for (number, field) in index.fields.iter().enumerate() {
            if keys.given[number] {
                continue;
            }
            if converts && self.is_root() {
                self.report_swallowed(field);
            }
            if field.required {
                self.below(PathStep::Name(field.name.part()), |check| {
                    check.missing(field, index.rules, place);
                });
            } else {
                self.fill_default(node, field);
            }
        }
        let ObjectKeys {
            rules,
            given,
            kept,
            unknown,
            nulls,
            tags,
            ..
        } = keys;
        let fields = GivenFields {
            given: &given,
            index,
        };
        self.state.gives_parameter |= self.is_root() && given.contains(&true);
        self.report_unknown_keys(unknown, &kept, rules, &fields, place);
        for key in nulls {
            self.null_of_another(PathStep::Key(key));
        }
        if tags > 1
            && let Some(tag) = place.tag_key
        {
            self.below(PathStep::Key(tag), Self::twice);
        }
    }

    /// Reports an empty object in place of a value that may be left out. Returns whether there is one.
    pub(super) fn report_empty(&mut self, place: ValuePlace<'a>) -> bool {
        let is_optional = place.leave == Some(0) && (place.optional || place.empty);
        let mut keys = self.document.keys(place.node);
        if !is_optional
            || self.document.form(place.node) != NodeForm::Object
            || keys.next().is_some()
        {
            return false;
        }
        let takes_issues = self.state.takes_issues();
        self.issue(IssueKind::WrongType, expected(place.schema), "an empty one");
        let hint = leave_out(&self.path(), 0);
        if let Some(issue) = self.state.last_issue_mut().filter(|_| takes_issues) {
            issue.hint = Some(hint);
            issue.clue.may_be_left_out = true;
        }
        true
    }

    /// Reports a field that is missing because it is markup inside the string of another one.
    fn report_swallowed(&mut self, field: &Field) {
        let swallowed = self
            .state
            .notes()
            .and_then(|notes| swallowed_issue(notes, field));
        if let Some(issue) = swallowed {
            self.state.push(issue);
        }
    }

    /// Notes a null at a key of another variant, which has no meaning.
    pub(super) fn null_of_another(&mut self, step: PathStep<'a>) {
        self.below(step, |check| {
            check.fixed(
                FixKind::NullAsAbsent,
                &FoundValue::Null,
                "absent",
                ValuePlace::of(ANY),
            );
        });
    }

    /// Whether a key that is no field differs from this name only in case, and is read as the name.
    pub(super) fn is_by_case(&self, key: &str, name: &str, unknown: Unknown) -> bool {
        self.converts()
            && unknown != Unknown::Ignore
            && only_by_case(key, std::iter::once(name)).is_some()
    }

    /// Reports a key whose name was given before, perhaps in another case or under another name.
    pub(super) fn key_twice(&mut self, key: &str, name: &str, place: ValuePlace<'a>) {
        if self.state.quiet {
            return self.state.omit(IssueKind::DuplicateKey);
        }
        let path = self.path_of(name);
        let named = |fix: &&Fix| {
            matches!(fix.kind, FixKind::Alias | FixKind::KeyCase)
                && fix.path == path
                && fix.to == quoted(name)
        };
        let before = self
            .state
            .fixes()
            .iter()
            .rfind(named)
            .map(|fix| fix.from.clone());
        let before = before.unwrap_or_else(|| quoted(name).into());
        let found = if place.secret || before == quoted(key) {
            "more than once".to_owned()
        } else {
            format!("`{}` and `{}`", before.trim_matches('"'), cut(key, 64))
        };
        let issue = Issue::new(path, IssueKind::DuplicateKey, "once", found);
        self.state.push(issue);
    }
}
