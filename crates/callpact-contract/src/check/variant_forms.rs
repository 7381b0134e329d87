//! Objects that mean a variant of a union in another form than the union's own: a tag beside its fields in place of a
//! key around them, a key in place of a tag, or the fields alone.

use std::borrow::Cow;

use super::{
    checker::Checker,
    place::{PathStep, PlaceFit, ValuePlace},
};
use crate::{
    json::{NodeForm, NodeId},
    report::{Issue, IssueKind, variant_form},
    schema::{Tagging, Union, Variant, declares},
};

/// The most keys that are looked at.
const KEYS: usize = 16;

/// A variant in another form.
pub(super) struct MeantVariant<'a> {
    pub(super) variant: &'a Variant,
    /// The value that has the fields of its content.
    pub(super) content: Option<NodeId>,
    /// The key whose value is the name of the variant.
    pub(super) tag: Option<NodeId>,
}

impl<'a> Checker<'a> {
    /// The only variant that an object can mean in another form.
    pub(super) fn meant_variant(&self, node: NodeId, rules: &'a Union) -> Option<MeantVariant<'a>> {
        let document = self.document;
        if self.state.quiet || document.form(node) != NodeForm::Object {
            return None;
        }
        let keys: Vec<(NodeId, Cow<'a, str>)> = document.entries(node).take(KEYS).collect();
        if let [(key, name)] = keys.as_slice()
            && let Some(variant) = by_name(rules, name)
        {
            let is_object = document.form(key + 1) == NodeForm::Object;
            return is_object.then_some(MeantVariant {
                variant,
                content: Some(key + 1),
                tag: None,
            });
        }
        let mut tagged = keys.iter().filter_map(|(key, name)| {
            let variant = by_name(rules, &document.string(key + 1)?)?;
            (!has_field(variant, name)).then_some((*key, variant))
        });
        if let Some((tag, variant)) = tagged.next() {
            let mut others = keys.iter().filter(|(key, _)| *key != tag);
            let around = others.next().filter(|(key, name)| {
                others.next().is_none()
                    && document.form(key + 1) == NodeForm::Object
                    && !has_field(variant, name)
            });
            return Some(MeantVariant {
                variant,
                content: Some(around.map_or(node, |(key, _)| key + 1)),
                tag: Some(tag),
            });
        }
        let mut fitting = rules.variants.iter().filter(|variant| {
            !keys.is_empty() && keys.iter().all(|(_, name)| has_field(variant, name))
        });
        let variant = fitting.next().filter(|_| fitting.next().is_none())?;
        Some(MeantVariant {
            variant,
            content: Some(node),
            tag: None,
        })
    }

    /// Reports an object in another form of a variant: the right form, and all that is wrong in its fields.
    pub(super) fn report_other_form(
        &mut self,
        meant: &MeantVariant<'a>,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let form = variant_form(rules, meant.variant);
        let mut issue = Issue::new(
            self.path(),
            IssueKind::NoVariant,
            form,
            "it in another form",
        );
        issue.dense = format!("expected {}", issue.expected).into();
        self.state.push(issue);
        let step = match &rules.tagging {
            Tagging::External => Some(meant.variant.name.part()),
            Tagging::Adjacent { content, .. } => Some(content.part()),
            Tagging::Internal { .. } | Tagging::None => None,
        };
        match step {
            Some(name) => self.below(PathStep::Name(name), |check| {
                check.check_meant(meant, place);
            }),
            None => self.check_meant(meant, place),
        }
        PlaceFit::Bad
    }

    /// Checks the fields of a variant in another form. Keys that only belong to the form are no faults of theirs.
    pub(super) fn check_meant(&mut self, meant: &MeantVariant<'a>, place: ValuePlace<'a>) {
        let Some((schema, content)) = meant.variant.content.as_deref().zip(meant.content) else {
            return;
        };
        let before = self.state.listed_issues().len();
        let place = ValuePlace {
            tag_key: None,
            ..place.required().below(schema)
        };
        self.check(content, place);
        if let Some(notes) = self.state.notes_if_any() {
            let mut number = 0;
            notes.issues.retain(|issue| {
                number += 1;
                number <= before || issue.kind != IssueKind::UnknownKey
            });
        }
    }
}

fn by_name<'a>(rules: &'a Union, name: &str) -> Option<&'a Variant> {
    let mut variants = rules.variants.iter();
    variants.find(|variant| variant.name == *name || variant.aliases.contains(&name))
}

fn has_field(variant: &Variant, name: &str) -> bool {
    let content = variant.content.as_deref();
    content.is_some_and(|content| declares(content, name) == Some(true))
}
