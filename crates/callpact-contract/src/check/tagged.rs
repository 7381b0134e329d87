//! Unions whose variants have names: an external, internal or adjacent tag.

use std::borrow::Cow;

use super::found::FoundValue;
use super::names::{unknown_key, variant_names};
use super::values::ANY;
use super::{
    change::ChangeKind,
    checker::Checker,
    place::{PathStep, PlaceFit, ValuePlace},
    scalar::quote_json,
    trouble::IssueSubject,
    variant_forms::MeantVariant,
};
use crate::{
    json::{NodeForm, NodeId},
    report::{Fix, FixKind, Issue, IssueKind, Path},
    schema::{Object, Schema, Union, Unknown, Variant, expected},
    text::{cut, only_by_case, quoted, ticked},
};

/// The most keys of an object without a tag that are remembered, and of wrong names that are reported.
const REPORTED: usize = 16;

/// A variant, and the fix if it was found by another name.
struct NamedVariant<'a> {
    variant: &'a Variant,
    fix: Option<FixKind>,
}

impl<'a> Checker<'a> {
    /// Finds a variant by its name, by an alias if values are converted, or in another case if they are repaired.
    fn find_variant(&self, name: &str, rules: &'a Union) -> Option<NamedVariant<'a>> {
        let find = |fix, is_it: &dyn Fn(&Variant) -> bool| {
            let variant = rules.variants.iter().find(|variant| is_it(variant))?;
            Some(NamedVariant { variant, fix })
        };
        find(None, &|variant| variant.name == *name)
            .or_else(|| {
                let by_alias = |variant: &Variant| variant.aliases.contains(&name);
                self.converts()
                    .then(|| find(Some(FixKind::Alias), &by_alias))?
            })
            .or_else(|| {
                let names = rules.variants.iter().map(|variant| variant.name.part());
                let near = self.repairs().then(|| only_by_case(name, names))??;
                find(Some(FixKind::ChoiceCase), &|variant| variant.name == *near)
            })
    }

    /// Finds the variant that a node names. Notes a name that is not the variant's own.
    fn name_variant(
        &mut self,
        name: &str,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> Option<&'a Variant> {
        let NamedVariant { variant, fix } = self.find_variant(name, rules)?;
        if let Some(kind) = fix {
            self.fixed(
                kind,
                &FoundValue::Text(name),
                quoted(variant.name.part()),
                place,
            );
        }
        Some(variant)
    }

    fn no_such_variant(
        &mut self,
        name: &str,
        words: Cow<'static, str>,
        subject: IssueSubject<'a>,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let words = (words, FoundValue::Text(name).words(place.secret));
        self.issue_about(subject, IssueKind::NotAChoice, words, place);
        PlaceFit::Bad
    }

    /// Whether a strict dialect may have made the model write null at the keys of other variants.
    fn has_strict_nulls(&self) -> bool {
        self.is_root() && self.takes_lowered()
    }

    pub(super) fn check_external(
        &mut self,
        node: NodeId,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        match document.form(node) {
            NodeForm::Object if !self.is_too_deep() => {
                self.check_external_object(node, rules, place)
            }
            NodeForm::Text(_) => {
                let Some(name) = document.string(node) else {
                    return self.break_off();
                };
                if self.is_absent_text(&name, place) {
                    return PlaceFit::Absent;
                }
                self.check_external_name(node, &name, rules, place)
            }
            _ => self.wrong_form(node, place),
        }
    }

    fn check_external_name(
        &mut self,
        node: NodeId,
        name: &str,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if let Some(variant) = self.name_variant(name, rules, place) {
            if variant.content.is_none() {
                if variant.name != *name {
                    self.change(node, ChangeKind::Replace(quote_json(&variant.name)));
                }
                return PlaceFit::Good;
            }
            let words = format!(
                "an object whose single key is {}",
                quoted(variant.name.part())
            );
            return self.issue(IssueKind::WrongType, words, quoted(name));
        }
        if self.may_hold_json(name, place) {
            return self.check_in_text(node, place);
        }
        self.no_such_variant(
            name,
            expected(place.schema),
            IssueSubject::Value(node),
            place,
        )
    }

    fn check_external_object(
        &mut self,
        node: NodeId,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        let mut keys = ExternalKeys::default();
        let all = self.each_key(node, |check, key, name| {
            keys.count += 1;
            match check.name_variant(&name, rules, place) {
                Some(variant) => check.check_external_key(key, &name, variant, &mut keys, place),
                None if keys.wrong.len() < REPORTED => keys.wrong.push(key),
                None => {}
            }
            true
        });
        if all.is_none() {
            return PlaceFit::Bad;
        }
        if document.is_open(node) {
            let open = document.last_key(node).and_then(|key| document.string(key));
            let named = open.and_then(|name| self.find_variant(&name, rules));
            return match named {
                Some(NamedVariant { variant, .. }) if variant.content.is_some() => {
                    self.below(PathStep::Name(variant.name.part()), Self::break_off)
                }
                _ => self.break_off(),
            };
        }
        if keys.count == 1
            && keys.nulls == 0
            && let Some((_, fit)) = keys.checked
        {
            return fit;
        }
        if keys.checked.is_none()
            && keys.unit.is_none()
            && keys.nulls == 0
            && let Some(meant) = self.meant_variant(node, rules)
        {
            return self.report_other_form(&meant, rules, place);
        }
        self.choose_external(keys, rules, place)
    }

    /// Checks the value at the name of a variant. Only the first content is checked, since more than one is an error.
    fn check_external_key(
        &mut self,
        key: NodeId,
        name: &str,
        variant: &'a Variant,
        keys: &mut ExternalKeys<'a>,
        place: ValuePlace<'a>,
    ) {
        let Some(content) = variant.content.as_deref() else {
            keys.unit.get_or_insert(variant.name.part());
            return;
        };
        if self.has_strict_nulls() && self.document.form(key + 1) == NodeForm::Null {
            keys.count -= 1;
            keys.nulls += 1;
            if content.nullable && keys.null.is_none() {
                keys.null = Some((variant, content, key));
            } else {
                keys.other_nulls.push((variant, content, key));
                self.null_of_another(PathStep::Name(variant.name.part()));
            }
            return;
        }
        if let Some((checked, _)) = keys.checked {
            if std::ptr::eq(checked, variant) {
                // The same variant, given twice.
                keys.count -= 1;
                self.below(PathStep::Name(variant.name.part()), Self::twice);
            }
            return;
        }
        let place = place.required().below(content);
        let fit = self.below(PathStep::Name(variant.name.part()), |check| {
            check.check(key + 1, place)
        });
        if variant.name != *name {
            self.change(key, ChangeKind::Rename(variant.name.to_string()));
        }
        keys.checked = Some((variant, fit));
    }

    /// Decides by all keys whether there is a value, if they are not just the name of one variant.
    fn choose_external(
        &mut self,
        mut keys: ExternalKeys<'a>,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if let Some(name) = keys.unit
            && (keys.count == 1 || !keys.wrong.is_empty())
        {
            self.issue(IssueKind::WrongType, quoted(name), "an object");
        }
        if !keys.wrong.is_empty() {
            let carrying = rules
                .variants
                .iter()
                .filter(|variant| variant.content.is_some());
            let names: Vec<&str> = carrying.map(|variant| variant.name.part()).collect();
            for key in keys.wrong {
                let name = self.document.string(key).unwrap_or_default();
                let mut issue = unknown_key(self.path_of(&name), &names);
                let subject = IssueSubject::VariantKey { key, rules };
                issue.clue.trouble = self.note_trouble(subject, place);
                self.state.push(issue);
            }
            return PlaceFit::Bad;
        }
        if keys.nulls == 1 && keys.count == 0 {
            // The only key. Its variant is meant, even if the content is wrong.
            keys.null = keys.null.or(keys.other_nulls.pop());
        }
        for (_, _, key) in &keys.other_nulls {
            self.change(*key, ChangeKind::Drop);
        }
        match keys.null {
            Some((variant, content, key)) if keys.count == 0 => {
                let place = place.required().below(content);
                let step = PathStep::Name(variant.name.part());
                return self.below(step, |check| check.check(key + 1, place));
            }
            Some((variant, _, key)) => {
                self.change(key, ChangeKind::Drop);
                self.null_of_another(PathStep::Name(variant.name.part()));
            }
            None => {}
        }
        if keys.count != 1 {
            let found = format!("an object of {} keys", keys.count);
            return self.issue(IssueKind::NoVariant, expected(place.schema), found);
        }
        keys.checked.map_or(PlaceFit::Bad, |(_, fit)| fit)
    }

    pub(super) fn check_internal(
        &mut self,
        node: NodeId,
        rules: &'a Union,
        tag: &'a str,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if let Some(fit) = self.check_other_than_object(node, place) {
            return fit;
        }
        let key = match self.find_tag(node, rules, tag) {
            TagKey::Here(key) => key,
            TagKey::Twice => return PlaceFit::Bad,
            TagKey::Nowhere => return self.report_no_tag(node, rules, tag, place),
        };
        let Some(variant) = self.check_tag(key, rules, place) else {
            return PlaceFit::Bad;
        };
        let is_strict = self.has_strict_nulls();
        let content = ValuePlace {
            tag_key: Some(key),
            variant: is_strict.then_some((rules, variant)),
            ..place
        };
        match variant.content.as_deref() {
            Some(schema) => self.check(node, content.under(schema)),
            // Only the tag is declared.
            None => self.check_object(node, Object::bare(rules.unknown), content),
        }
    }

    /// Finds the key of the tag, perhaps in another case.
    fn find_tag(&mut self, node: NodeId, rules: &'a Union, tag: &'a str) -> TagKey {
        let document = self.document;
        if let Some(key) = document.keys(node).find(|key| document.is_key(*key, tag)) {
            return TagKey::Here(key);
        }
        let is_field = |name: &str| {
            let mut contents = rules.contents();
            contents.any(|content| content.fields().any(|field| field.name == *name))
        };
        let mut found: Option<(NodeId, Cow<'a, str>)> = None;
        for key in document.keys(node) {
            let Some(name) = document.string(key) else {
                continue;
            };
            if !self.is_by_case(&name, tag, rules.unknown) || is_field(&name) {
                continue;
            }
            if let Some((_, before)) = &found {
                let both = format!("`{}` and `{}`", cut(before, 64), cut(&name, 64));
                self.below(PathStep::Name(tag), |check| {
                    check.issue(IssueKind::DuplicateKey, "once", both)
                });
                return TagKey::Twice;
            }
            found = Some((key, name));
        }
        let Some((key, name)) = found else {
            return TagKey::Nowhere;
        };
        self.note_case(key, &name, tag);
        TagKey::Here(key)
    }

    fn note_case(&mut self, key: NodeId, name: &str, declared: &'a str) {
        self.below(PathStep::Name(declared), |check| {
            check.fixed(
                FixKind::KeyCase,
                &FoundValue::Text(name),
                quoted(declared),
                ValuePlace::of(ANY),
            );
        });
        self.change(key, ChangeKind::Rename(declared.to_owned()));
    }

    /// Reports an object without its tag. One of its keys may mean the tag.
    fn report_no_tag(
        &mut self,
        node: NodeId,
        rules: &'a Union,
        tag: &'a str,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        let entries = document.entries(node).take(REPORTED);
        let paths: Vec<Path> = entries.map(|(_, name)| self.path_of(&name)).collect();
        let fit = self.check_any(node, place.required());
        if self.is_broken || fit == PlaceFit::Bad {
            return PlaceFit::Bad;
        }
        if self.report_empty(place) {
            return PlaceFit::Bad;
        }
        match self.meant_variant(node, rules) {
            Some(meant) if meant.content == Some(node) => {
                self.missing_tag(rules, tag, Some(&meant).filter(|_| !place.secret));
                self.check_meant(&meant, place);
            }
            Some(meant) => {
                return self.report_other_form(&meant, rules, place);
            }
            None => {
                self.state.notes_mut().kept.extend(paths);
                self.missing_tag(rules, tag, None);
            }
        }
        PlaceFit::Bad
    }

    fn missing_tag(&mut self, rules: &Union, tag: &str, meant: Option<&MeantVariant<'_>>) {
        let mut issue = Issue::new(
            self.path_of(tag),
            IssueKind::Missing,
            variant_names(rules),
            "",
        );
        issue.hint = meant.map(|meant| {
            let given = meant.tag.and_then(|key| self.document.string(key));
            if let Some(given) = given {
                let given = cut(&given, 64);
                return format!("`{given}` was given: rename it to {}", ticked(tag)).into();
            }
            let name = quoted(meant.variant.name.part());
            format!("the fields are those of {name}").into()
        });
        self.state.push(issue);
    }

    /// Finds the variant that the value of a tag names. Reports a value without a variant.
    fn check_tag(
        &mut self,
        key: NodeId,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> Option<&'a Variant> {
        let document = self.document;
        let at = place.below(ANY);
        self.below(PathStep::Key(key), |check| {
            if !check.check_any(key + 1, at).is_good() {
                return None;
            }
            let Some(name) = document.string(key + 1) else {
                let found = check.found(key + 1).words(at.secret);
                check.issue(IssueKind::WrongType, variant_names(rules), found);
                return None;
            };
            let Some(variant) = check.name_variant(&name, rules, at) else {
                let object = place.node;
                let tag = key + 1;
                let subject = IssueSubject::Tag { object, tag, rules };
                check.no_such_variant(&name, variant_names(rules).into(), subject, place);
                return None;
            };
            if variant.name != *name {
                check.change(key + 1, ChangeKind::Replace(quote_json(&variant.name)));
            }
            Some(variant)
        })
    }

    /// Handles a key that the variant does not have.
    fn spare_key(&mut self, key: &str, rules: &Union) {
        self.state.strangers = true;
        let path = self.path_of(key);
        match rules.unknown {
            Unknown::Ignore | Unknown::Keep => {}
            Unknown::Report => self.state.fix(Fix::dropped(path, key)),
            Unknown::Deny => self.state.push(unknown_key(path, &[])),
        }
    }

    pub(super) fn check_adjacent(
        &mut self,
        node: NodeId,
        rules: &'a Union,
        (tag, content): (&'a str, &'a str),
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        if let Some(fit) = self.check_other_than_object(node, place) {
            return fit;
        }
        let tag_key = match self.find_tag(node, rules, tag) {
            TagKey::Here(key) => Some(key),
            TagKey::Twice => return PlaceFit::Bad,
            TagKey::Nowhere => None,
        };
        if let Some(meant) = self.other_than_adjacent(node, tag_key, content, rules) {
            return self.report_other_form(&meant, rules, place);
        }
        let tag_name = tag_key.and_then(|key| document.string(key));
        let chosen = tag_key
            .and_then(|key| document.string(key + 1))
            .and_then(|name| self.find_variant(&name, rules))
            .map(|named| named.variant);
        let takes_content = chosen.is_none_or(|variant| variant.content.is_some());
        let (mut tags, mut contents) = (0, 0);
        let mut fit = PlaceFit::Bad;
        let all = self.each_key(node, |check, key, name| {
            let is_like =
                |check: &Self, declared: &str| check.is_by_case(&name, declared, rules.unknown);
            if tag_name.as_ref() == Some(&name) {
                tags += 1;
                if tags == 1 {
                    check.check_tag(key, rules, place);
                } else {
                    check.below(PathStep::Key(key), Self::twice);
                }
            } else if let Some(tag_name) = tag_name.as_deref().filter(|tag| is_like(check, tag)) {
                check.key_twice(&name, tag_name, place);
            } else if name == content || takes_content && is_like(check, content) {
                contents += 1;
                if contents > 1 {
                    check.key_twice(&name, content, place);
                    return false;
                }
                if name != content {
                    check.note_case(key, &name, content);
                }
                if let Some(variant) = chosen {
                    fit = check.check_adjacent_content(key, content, variant, rules, place);
                }
            } else {
                check.change(key, ChangeKind::Drop);
                check.spare_key(&name, rules);
            }
            true
        });
        if all.is_none() {
            return PlaceFit::Bad;
        }
        if document.is_open(node) {
            return match document.last_key(node) {
                Some(key) if document.is_key(key, content) => {
                    self.below(PathStep::Name(content), Self::break_off)
                }
                Some(key) if document.is_key(key, tag) => {
                    self.below(PathStep::Name(tag), Self::break_off)
                }
                _ => self.break_off(),
            };
        }
        if tags == 0 {
            self.missing_tag(rules, tag, None);
        }
        let Some(variant) = chosen else {
            return PlaceFit::Bad;
        };
        match variant.content.as_deref() {
            Some(schema) if contents == 0 => self.below(PathStep::Name(content), |check| {
                check.issue(IssueKind::Missing, expected(schema), "")
            }),
            Some(_) => fit,
            None => PlaceFit::Good,
        }
    }

    /// The variant that an object means in another form than a tag beside its content.
    fn other_than_adjacent(
        &self,
        node: NodeId,
        tag: Option<NodeId>,
        content: &str,
        rules: &'a Union,
    ) -> Option<MeantVariant<'a>> {
        let is_content = |key: NodeId| {
            let name = self.document.string(key);
            name.is_none_or(|name| {
                name == content || self.is_by_case(&name, content, rules.unknown)
            })
        };
        if self.document.keys(node).any(is_content) {
            return None;
        }
        let meant = self.meant_variant(node, rules)?;
        // A tag alone lacks its content, which has an issue of its own.
        let is_alone = tag.is_some() && self.document.keys(node).count() == 1;
        (meant.variant.content.is_some() && !is_alone).then_some(meant)
    }

    fn check_adjacent_content(
        &mut self,
        key: NodeId,
        content: &'a str,
        variant: &'a Variant,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        if let Some(schema) = variant.content.as_deref() {
            let place = place.required().below(schema);
            return self.below(PathStep::Name(content), |check| check.check(key + 1, place));
        }
        self.change(key, ChangeKind::Drop);
        if self.document.form(key + 1) == NodeForm::Null && self.has_strict_nulls() {
            self.null_of_another(PathStep::Name(content));
        } else {
            self.spare_key(content, rules);
        }
        PlaceFit::Bad
    }
}

/// The tag of an object.
enum TagKey {
    Here(NodeId),
    Nowhere,
    /// Two keys mean it, which has been reported.
    Twice,
}

/// A variant whose content is null, with its key.
type NullVariant<'a> = (&'a Variant, &'a Schema, NodeId);

/// The variants that the keys of an object name.
#[derive(Default)]
struct ExternalKeys<'a> {
    /// The number of keys, except those with a null that has no meaning.
    count: usize,
    /// The reported keys that are not the name of a variant.
    wrong: Vec<NodeId>,
    nulls: usize,
    /// The first variant with a null that takes it, and the other ones with a null.
    null: Option<NullVariant<'a>>,
    other_nulls: Vec<NullVariant<'a>>,
    /// The first variant without content.
    unit: Option<&'a str>,
    /// The variant whose content was checked, and how it fits.
    checked: Option<(&'a Variant, PlaceFit)>,
}
