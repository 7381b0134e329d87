//! The checker: a document, a schema and a policy in; changes of the document, fixes and issues out.
//!
//! It interprets the schema tree. No code is generated for it, so it exists once for all schemas.

mod any;
mod change;
mod checker;
mod extra;
mod fields;
mod forms;
pub(crate) mod found;
mod hints;
mod list;
mod map;
mod markup;
mod misplaced;
pub(crate) mod names;
mod numbers;
mod object;
mod open;
mod place;
pub(crate) mod reading;
mod render;
mod rule_state;
mod scalar;
mod single_items;
pub(crate) mod state;
mod tagged;
mod trouble;
mod unknown_keys;
mod untagged;
pub(crate) mod values;
mod variant_forms;
mod wrappers;

use std::borrow::Cow;

use self::found::FoundValue;
use self::reading::report_broken;
use self::state::CheckState;
use self::{
    change::NodeChange,
    checker::{Checker, hides, in_text_order},
    place::{PlaceFit, ValuePlace},
    render::render,
};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    report::{Issue, IssueKind},
    schema::{CheckedValue, CodeFault, Kind, Schema, Tagging, missing_day},
};

/// The changes of a document in the order of its nodes.
fn sorted(mut changes: Vec<NodeChange>) -> Vec<NodeChange> {
    changes.sort_by_key(|change| change.node);
    changes
}

/// A text that fits its schema, and the chosen forms of its untagged unions in the order of the text.
pub(crate) struct CheckedText<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) forms: Vec<u32>,
}

/// Checks a document under the policy of a state, which collects issues and fixes. Returns the checked text, if the value
/// fits.
pub(crate) fn check_document<'t>(
    document: &JsonDocument<'t>,
    schema: &Schema,
    state: &mut CheckState,
) -> Option<CheckedText<'t>> {
    let before = state.count();
    let mut check = Checker::new(document, state.policy);
    std::mem::swap(&mut check.state, state);
    let fit = check.check_root(ValuePlace::of(schema));
    check.add_hints();
    let Checker {
        state: found,
        changes,
        forms,
        is_broken,
        ..
    } = check;
    *state = found;
    if is_broken {
        // A broken text does not show what is missing.
        if let Some(notes) = state.notes_if_any() {
            notes
                .issues
                .retain(|issue| issue.kind != IssueKind::Missing);
        }
        let is_deep = |issue: &Issue| issue.kind == IssueKind::TooDeep;
        if !state.listed_issues().iter().any(is_deep) {
            report_broken(document.text(), state, schema);
        }
        return None;
    }
    if document.broken_at().is_some() {
        report_broken(document.text(), state, schema);
        return None;
    }
    if !fit.is_good() || state.count() > before {
        return None;
    }
    let text = if changes.is_empty() {
        Cow::Borrowed(document.text())
    } else {
        Cow::Owned(render(document, &sorted(changes), 0))
    };
    Some(CheckedText {
        text,
        forms: in_text_order(&forms),
    })
}

impl<'a> Checker<'a> {
    /// Checks the root of the document.
    fn check_root(&mut self, place: ValuePlace<'a>) -> PlaceFit {
        if self.document.is_empty() {
            return self.break_off();
        }
        self.check(0, place)
    }

    /// Checks the value of a node.
    fn check(&mut self, node: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        if let Some(whole) = place.schema.code.schema {
            if place.schema.nullable && self.document.form(node) == NodeForm::Null {
                return PlaceFit::Good;
            }
            let forms = self.forms.len();
            let check = |check: &mut Self| check.check(node, place.under(whole()));
            let fit = self.check_with_code(node, place, place.schema, check);
            if place.schema.code.check.is_some() {
                // The code of the type reads the text alone.
                self.forms.truncate(forms);
            }
            return fit;
        }
        if !self.may_go_on(place.schema) {
            return self.too_long();
        }
        if place.schema.is_inside_itself() {
            let start = self.start();
            let fit = match self.definition(place.schema.number()) {
                None => self.check_any(node, place),
                Some(definition) if definition.is_inside_itself() => {
                    self.in_definition(|check| check.check(node, place.under(definition)))
                }
                Some(definition) => {
                    self.in_definition(|check| check.check_by(node, definition, place))
                }
            };
            return self.check_extra(node, place.schema, place, start, fit);
        }
        self.check_by(node, place.schema, place)
    }

    /// Checks the value of a node by the schema of its place, or by the definition in place of it.
    fn check_by(&mut self, node: NodeId, schema: &'a Schema, place: ValuePlace<'a>) -> PlaceFit {
        let start = self.start();
        let fit = self.check_by_kind(node, schema, place);
        self.within(schema, |check| {
            check.check_extra(node, schema, place, start, fit)
        })
    }

    fn check_by_kind(
        &mut self,
        node: NodeId,
        schema: &'a Schema,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let form = self.document.form(node);
        let is_open = matches!(schema.kind, Kind::Any) || schema.is_loose();
        if is_open || place.schema.nullable || schema.nullable {
            let is_open_field = is_open && !place.schema.nullable && place.is_typed;
            if is_open_field && form == NodeForm::Null && self.is_absent_null(place) {
                return PlaceFit::Absent;
            }
            if place.optional {
                return self.check_by_kind(node, schema, place.nullable());
            }
            if form == NodeForm::Null {
                return PlaceFit::Good;
            }
        }
        if is_open && !is_about(&schema.kind, form) {
            return self.check_any(node, place);
        }
        let place = ValuePlace {
            schema,
            node,
            ..place
        };
        self.check_with_code(node, place, schema, |check| {
            check.within(schema, |check| check.check_kind(node, schema, place))
        })
    }

    /// Checks a value by the tree, and then by the code of its type.
    fn check_with_code(
        &mut self,
        node: NodeId,
        place: ValuePlace<'a>,
        schema: &'a Schema,
        check: impl FnOnce(&mut Self) -> PlaceFit,
    ) -> PlaceFit {
        let Some(check_by_code) = schema.code.check else {
            return check(self);
        };
        let mark = (self.changes.len(), self.forms.len());
        let issues = self.state.count();
        let fit = check(self);
        if !fit.is_good() || self.state.count() > issues {
            return fit;
        }
        let changes = sorted(self.changes[mark.0..].to_vec());
        let forms = in_text_order(&self.forms[mark.1..]);
        let checked = match changes.as_slice() {
            [] => Cow::Borrowed(self.document.written(node)),
            changes => Cow::Owned(render(self.document, changes, node)),
        };
        let value = CheckedValue {
            text: &checked,
            forms: &forms,
        };
        match check_by_code(value) {
            Ok(()) => fit,
            Err(fault) => self.refuse_by_code(node, fault, place),
        }
    }

    /// Reports a value that fits the tree and that the code of its type refuses.
    fn refuse_by_code(
        &mut self,
        node: NodeId,
        fault: CodeFault,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let text = self.document.string(node);
        let found = match &text {
            Some(text) => FoundValue::Text(text),
            None => self.found(node),
        };
        match fault {
            CodeFault::Form => {
                let hint = match &text {
                    Some(text) if !hides(&found, place) => missing_day(text).map(Cow::Owned),
                    _ => None,
                };
                self.fault_with(IssueKind::Pattern, &found, hint, place)
            }
            CodeFault::Range(words) => {
                let is_hidden = hides(&found, place);
                let found = match &text {
                    Some(text) if !is_hidden => text.to_string().into(),
                    _ => found.words(is_hidden),
                };
                self.issue(IssueKind::OutOfRange, words, found)
            }
            CodeFault::Refused(words) => self.issue(IssueKind::Invalid, words, ""),
        }
    }

    fn check_kind(&mut self, node: NodeId, schema: &'a Schema, place: ValuePlace<'a>) -> PlaceFit {
        match &schema.kind {
            Kind::Any => self.check_any(node, place),
            Kind::Boolean => self.check_boolean(node, place),
            Kind::Integer(rules) => self.check_integer(node, rules, place),
            Kind::Number(rules) => self.check_number(node, rules, place),
            Kind::Text(rules) => self.check_text(node, rules, place),
            Kind::List(rules) => self.check_list(node, rules, place),
            Kind::Tuple(schemas) => self.check_tuple(node, schemas, place),
            Kind::Map(rules) => self.check_map(node, rules, place),
            Kind::Object(rules) => self.check_object(node, rules, place),
            Kind::Union(rules) => match &rules.tagging {
                Tagging::External => self.check_external(node, rules, place),
                Tagging::Internal { tag } => self.check_internal(node, rules, tag.part(), place),
                Tagging::Adjacent { tag, content } => {
                    self.check_adjacent(node, rules, (tag.part(), content.part()), place)
                }
                Tagging::None => self.check_untagged(node, rules, place),
            },
        }
    }
}

/// Whether a kind has rules for values of this form.
fn is_about(kind: &Kind, form: NodeForm) -> bool {
    match kind {
        Kind::Any => false,
        Kind::Boolean => matches!(form, NodeForm::Boolean(_)),
        Kind::Integer(_) | Kind::Number(_) => form == NodeForm::Number,
        Kind::Text(_) => matches!(form, NodeForm::Text(_)),
        Kind::List(_) | Kind::Tuple(_) => form == NodeForm::List,
        Kind::Union(rules) if rules.tagging == Tagging::None => true,
        Kind::Map(_) | Kind::Object(_) | Kind::Union(_) => form == NodeForm::Object,
    }
}
